// The link to the server: only fragments of the table replace it, no older one a newer, and a lost link is shown calmly.

import htmx from "htmx.org";
import type { Chooser } from "./chooser.js";

interface Swap {
  readonly ctx: {
    readonly text: string;
    readonly sourceElement?: Element;
    readonly request: { readonly headers: Record<string, string> };
  };
  readonly tasks?: readonly { readonly target?: Element | string }[];
}

/** How long a lost link is kept quiet about, and until a stream that did not begin is asked for again. */
const QUIET = 1200;
const RETRY = 3000;
const VERSION = /data-version="(\d+)"/;

/** Listen to what comes in. */
export function watchLink(chooser: Chooser): void {
  const live = document.getElementById("live");
  const state = document.getElementById("link");
  const notice = document.getElementById("notice");
  let timer = 0;
  let again = 0;
  const lost = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => state?.removeAttribute("hidden"), QUIET);
  };
  /** The word that something was not sent has been read, or is no longer true. */
  const calm = (): void => {
    if (notice && notice.textContent === notice.dataset["unsent"]) notice.textContent = "";
  };
  const found = (): void => {
    clearTimeout(timer);
    calm();
    state?.setAttribute("hidden", "");
  };
  /** A request brought nothing that could be shown. */
  const failed = (source: EventTarget | null | undefined): void => {
    if (source === live && live) {
      lost();
      clearTimeout(again);
      again = window.setTimeout(() => connect(live), RETRY);
    } else if (source instanceof HTMLFormElement) {
      if (notice) notice.textContent = notice.dataset["unsent"] ?? "";
      chooser.answered();
      // it may have arrived, and only the answer been lost, which the stream does not bring again
      window.setTimeout(fetchTable, RETRY);
    } else if (source === document.body) {
      window.setTimeout(fetchTable, RETRY);
    }
  };

  // The server tells the stream of this page, by its nonce, what the answer to a request has brought.
  const page = new URLSearchParams(live?.getAttribute("hx-sse:connect")?.split("?")[1]).get("nonce");
  document.addEventListener("htmx:config:request", (event) => {
    if (page) detail(event).ctx.request.headers["Thorp-Page"] = page;
  });

  document.addEventListener("htmx:sse:error", lost);
  document.addEventListener("htmx:sse:close", lost);
  document.addEventListener("htmx:sse:after:connection", found);
  document.addEventListener("htmx:sse:after:message", found);
  document.addEventListener("htmx:error", (event) => failed(event.target));

  window.addEventListener("online", calm);
  // Before anything that the click does, which may fail again.
  document.addEventListener("click", calm, { capture: true });

  document.addEventListener("htmx:before:swap", (event) => {
    const { ctx, tasks } = detail(event);
    if (!tasks?.some(({ target }) => target instanceof Element && target.id === "table")) return;
    const version = VERSION.exec(ctx.text)?.[1];
    if (version === undefined) failed(ctx.sourceElement);
    if (version !== undefined && !isOlder(Number(version), ctx.sourceElement === live)) return;
    event.preventDefault();
    if (ctx.sourceElement === live) return;
    chooser.answered();
    chooser.focusNext();
  });
  document.addEventListener("htmx:after:swap", (event) => {
    const { ctx } = detail(event);
    if (notice && VERSION.test(ctx.text)) notice.textContent = "";
    if (ctx.sourceElement === live) chooser.refresh();
    else chooser.answered();
    chooser.focusNext();
  });
}

function detail(event: Event): Swap {
  return (event as CustomEvent<Swap>).detail;
}

/** Whether a version is no news: earlier than the one shown, or, when it was pushed, the same. */
function isOlder(version: number, pushed: boolean): boolean {
  const shown = Number(document.getElementById("table")?.dataset["version"] ?? -1);
  return pushed ? version <= shown : version < shown;
}

function fetchTable(): void {
  const id = document.getElementById("table")?.dataset["table"];
  if (id) void htmx.ajax("GET", `/tables/${id}/fragment`, { target: "#table", swap: "outerMorph" });
}

function connect(live: Element): void {
  const address = live.getAttribute("hx-sse:connect");
  if (address) void htmx.ajax("GET", address, { source: live });
}
