// The link to the server: only fragments of the table replace it, no older one a newer, and a lost link is shown calmly.

import htmx from "htmx.org";
import type { Chooser } from "./chooser.js";
import { calm, read, sayUnsent } from "./notice.js";
import { sound } from "./sound.js";

interface Swap {
  readonly ctx: {
    readonly text: string;
    readonly sourceElement?: Element;
    readonly request: { readonly headers: Record<string, string> };
    readonly response?: { readonly status: number };
  };
  readonly tasks?: readonly { readonly target?: Element | string }[];
}

/** How long a lost link is kept quiet about, and until a stream that did not begin is asked for again. */
const QUIET = 1200;
const RETRY = 3000;
/** The server keeps no more pages fresh: until it does, how long this one waits before it looks for itself. Or it was too fast. */
const TOO_MANY = 429;
/** The table is no more: deleted, or closed. */
const GONE = [404, 410];
const LOOK = 15000;
/** Data attributes that the script and htmx set. */
const OURS = /^(ui[A-Z]|htmx)/;
const STAGE = /data-stage="(\w+)"/;
const VERSION = /data-version="(\d+)" data-mark="([^"]+)"/;
/** What is only what is new since this mark. */
const BASE = /data-base="((\d+)[^"]*)"/;
/** How long news wait for those that they follow, which may come by another way. */
const PATIENCE = 400;

let wasAsked = false;

/** Listen to what comes in. */
export function watchLink(chooser: Chooser): void {
  const live = document.getElementById("live");
  wasAsked = document.getElementById("table")?.dataset["asked"] !== undefined;
  const state = document.getElementById("link");
  const notice = document.getElementById("notice");
  let timer = 0;
  let again = 0;
  let look = 0;
  let lost = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => state?.removeAttribute("hidden"), QUIET);
  };
  const found = (): void => {
    clearTimeout(timer);
    clearTimeout(look);
    look = 0;
    calm();
    state?.setAttribute("hidden", "");
  };
  /** The stream was refused: look at the table in a while, and then, unless the stream tries again by itself, ask for it. */
  const refused = (asks: boolean): void => {
    if (look) return;
    look = window.setTimeout(async () => {
      look = 0;
      await fetchTable();
      if (asks && live) connect(live);
    }, LOOK);
  };
  /** The table is no more: say so, and ask no more. Whether it was one of these answers. */
  const gone = (status = 0): boolean => {
    if (!GONE.includes(status)) return false;
    const word = document.getElementById("gone");
    for (const part of word?.querySelectorAll<HTMLElement>("[data-status]") ?? []) {
      part.hidden = part.dataset["status"] !== String(status);
    }
    word?.removeAttribute("hidden");
    word?.scrollIntoView({ block: "nearest" });
    found();
    lost = (): void => undefined;
    live?.remove();
    return true;
  };
  /** A request brought nothing that could be shown. */
  const failed = (source: EventTarget | null | undefined): void => {
    if (source === live && live) {
      lost();
      clearTimeout(again);
      again = window.setTimeout(() => connect(live), RETRY);
    } else if (source instanceof HTMLFormElement) {
      sayUnsent();
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

  document.addEventListener("htmx:sse:error", (event) => {
    const { status } = (event as CustomEvent<{ readonly status?: number }>).detail;
    if (gone(status)) return;
    lost();
    if (status === TOO_MANY) refused(false);
  });
  document.addEventListener("htmx:response:error", (event) => {
    const { ctx } = detail(event);
    if (ctx.sourceElement === live && !gone(ctx.response?.status) && ctx.response?.status === TOO_MANY) refused(true);
    // what the page asks for by itself
    if (ctx.sourceElement === document.body && ctx.response?.status === TOO_MANY) failed(document.body);
  });
  document.addEventListener("htmx:sse:close", () => lost());
  document.addEventListener("htmx:sse:after:connection", found);
  document.addEventListener("htmx:sse:after:message", found);
  document.addEventListener("htmx:error", (event) => failed(event.target));

  window.addEventListener("online", calm);
  // Before anything that the click does, which may fail again.
  document.addEventListener("click", read, { capture: true });

  /** What came before what it follows, the earliest first. */
  let early: string[] = [];
  const tooEarly = (text: string): void => {
    early.push(text);
    window.setTimeout(() => {
      if (!early.includes(text)) return;
      early = [];
      void fetchTable();
    }, PATIENCE);
  };
  const followUp = async (): Promise<void> => {
    const text = early.shift();
    const target = document.getElementById("table");
    if (text === undefined || !live || !target) return;
    const [, base, after] = BASE.exec(text) ?? [];
    if (base === shownMark()) await htmx.swap({ sourceElement: live, target, swap: "outerMorph swapEmpty:false", text });
    else if (Number(after) > shownVersion()) early.unshift(text);
    else await followUp();
  };

  document.addEventListener("htmx:before:swap", (event) => {
    const { ctx, tasks } = detail(event);
    const [, base, after] = BASE.exec(ctx.text) ?? [];
    if (base === undefined && !tasks?.some(({ target }) => target instanceof Element && target.id === "table")) return;
    if (isOtherStage(ctx.text)) {
      // The match has begun: its page has more than the fragment. Not loaded again, as that might send a form again.
      event.preventDefault();
      location.replace(`/tables/${document.getElementById("table")?.dataset["table"] ?? ""}`);
      return;
    }
    const [, version, mark] = VERSION.exec(ctx.text) ?? [];
    if (version === undefined) failed(ctx.sourceElement);
    else if (isNews(Number(version), ctx.sourceElement === live ? mark : undefined)) {
      if (base === undefined || base === shownMark()) return;
      event.preventDefault();
      // What it follows may be on its way by the other of the two ways; else the page has missed something.
      if (ctx.sourceElement === live && Number(after) > shownVersion()) tooEarly(ctx.text);
      else void fetchTable();
      return;
    }
    event.preventDefault();
    if (ctx.sourceElement === live) return;
    chooser.answered();
    chooser.focusNext();
  });
  document.addEventListener("htmx:after:swap", (event) => {
    const { ctx } = detail(event);
    if (BASE.test(ctx.text)) tellTags();
    if (notice && VERSION.test(ctx.text)) notice.textContent = "";
    if (ctx.sourceElement === live) chooser.refresh();
    else chooser.answered();
    chooser.focusNext(ctx.sourceElement === live || ctx.sourceElement === document.body);
    tellTurn();
    void followUp();
  });
}

/** Put what is new in tags where it belongs: all data attributes of an element but those of the script. */
function tellTags(): void {
  for (const { dataset } of document.querySelectorAll<HTMLElement>("#table-news > [data-of]")) {
    const { of = "", ...news } = dataset;
    const element = document.getElementById(of);
    if (!element) continue;
    for (const name of Object.keys(element.dataset)) {
      if (!(name in news) && !OURS.test(name)) delete element.dataset[name];
    }
    Object.assign(element.dataset, news);
  }
}

/** Let the title of the tab tell whose turn it is; and a sound, where one is asked now and was not before. */
function tellTurn(): void {
  const { title = "", asked } = document.getElementById("table")?.dataset ?? {};
  if (asked !== undefined && !wasAsked) sound();
  wasAsked = asked !== undefined;
  if (title) document.title = title;
}

function detail(event: Event): Swap {
  return (event as CustomEvent<Swap>).detail;
}

function shownVersion(): number {
  return Number(document.getElementById("table")?.dataset["version"] ?? -1);
}

function shownMark(): string | undefined {
  return document.getElementById("table")?.dataset["mark"];
}

/** Whether a version is not earlier than the one shown, and, where it was pushed, its mark is another one. */
function isNews(version: number, pushed: string | undefined): boolean {
  return version >= shownVersion() && pushed !== shownMark();
}

/** Whether a fragment is that of a table at another stage than the page. */
function isOtherStage(text: string): boolean {
  const [, stage] = STAGE.exec(text) ?? [];
  return stage !== undefined && stage !== document.getElementById("table")?.dataset["stage"];
}

async function fetchTable(): Promise<void> {
  const id = document.getElementById("table")?.dataset["table"];
  if (id) await htmx.ajax("GET", `/tables/${id}/fragment`, { target: "#table", swap: "outerMorph" });
}

function connect(live: Element): void {
  const address = live.getAttribute("hx-sse:connect");
  if (address) void htmx.ajax("GET", address, { source: live });
}
