// The chat of a table: a drawer; lines come by the stream, and how many are new is told beside its name.

import { tell } from "./said.js";

interface Line {
  readonly number: number;
  readonly name: string;
  readonly seat: number | null;
  readonly text: string;
  readonly speaker: string;
  readonly mine: boolean;
}

/** As many lines as the server keeps. */
const KEPT = 200;
const OPEN = "data-ui-open";

/** Show what is said, and say something, without a new page. */
export function watchChat(): void {
  const chat = document.getElementById("chat");
  const lines = document.getElementById("chat-lines");
  const opener = document.getElementById("chat-open");
  const live = document.getElementById("live");
  if (!chat || !opener) return;
  opener.hidden = false;
  let unread = 0;
  /** How many lines came that nobody has looked at. */
  const count = (number: number): void => {
    unread = number;
    const place = document.getElementById("chat-unread");
    if (!place) return;
    const { one = "", many = "" } = place.dataset;
    place.textContent = unread ? String(unread) : "";
    place.title = unread === 1 ? one : many.replace("#", String(unread));
    place.hidden = unread === 0;
  };
  const isOpen = (): boolean => chat.hasAttribute(OPEN);
  const toEnd = (): void => {
    if (lines) lines.scrollTop = lines.scrollHeight;
  };
  const open = (wanted: boolean): void => {
    chat.toggleAttribute(OPEN, wanted);
    opener.setAttribute("aria-expanded", String(wanted));
    if (!wanted) {
      opener.focus({ preventScroll: true });
      return;
    }
    toEnd();
    chat.querySelector<HTMLInputElement>("input[name='line']")?.focus({ preventScroll: true });
    count(0);
  };
  opener.addEventListener("click", (event) => {
    event.preventDefault();
    open(!isOpen());
  });
  const close = document.getElementById("chat-close");
  close?.removeAttribute("hidden");
  close?.addEventListener("click", () => open(false));
  chat.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isOpen()) return;
    event.stopPropagation();
    open(false);
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && isOpen()) count(0);
  });
  opener.setAttribute("aria-expanded", "false");
  // What is said when the match is over loads the page again.
  if (location.hash === "#chat") open(true);

  live?.addEventListener("chat", (event) => {
    const line = JSON.parse((event as CustomEvent<{ readonly data: string }>).detail.data) as Line;
    // The stream begins again where the page did: what is there is not shown twice.
    if (!lines || document.getElementById(`chat-${line.number}`) || line.number <= newest(lines)) return;
    const isAtEnd = lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 8;
    lines.append(written(line, lines.dataset["watching"] ?? ""));
    while (lines.childElementCount > KEPT) lines.firstElementChild?.remove();
    document.getElementById("chat-nothing")?.setAttribute("hidden", "");
    if (isAtEnd || line.mine) toEnd();
    if (!line.mine && (document.hidden || !isOpen())) count(unread + 1);
    // A drawer that is closed is not there for who listens; an open one says by itself what comes.
    if (!line.mine && !isOpen()) tell(`${line.name}: ${line.text}`);
  });

  const form = document.getElementById("chat-say");
  // Without a stream nothing would come back: then the page is loaded again.
  if (form instanceof HTMLFormElement && live) form.addEventListener("submit", (event) => void send(event, form));
}

function newest(lines: HTMLElement): number {
  const last = lines.lastElementChild;
  return last instanceof HTMLElement ? Number(last.dataset["number"]) : 0;
}

function written(line: Line, watching: string): HTMLElement {
  const item = document.createElement("li");
  item.id = `chat-${line.number}`;
  item.dataset["number"] = String(line.number);
  item.dataset["speaker"] = line.speaker;
  item.classList.toggle("mine", line.mine);
  const who = document.createElement("strong");
  who.className = line.seat === null ? "who" : `who who-${line.seat}`;
  who.textContent = line.name;
  const words = document.createElement("span");
  words.dir = "auto";
  words.textContent = line.text;
  item.append(who, " ");
  if (line.seat === null) {
    const small = document.createElement("small");
    small.textContent = watching;
    item.append(small, " ");
  }
  item.append(words);
  return item;
}

/** Send a line; where it is refused it stays to be sent again, with the reason. */
async function send(event: Event, form: HTMLFormElement): Promise<void> {
  event.preventDefault();
  const input = form.querySelector<HTMLInputElement>("input[name='line']");
  const refused = document.getElementById("chat-refused");
  if (!input || !refused || form.hasAttribute("aria-busy")) return;
  const said = input.value;
  form.setAttribute("aria-busy", "true");
  let sentence = "";
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body: new URLSearchParams({ line: said }),
      headers: { "HX-Request": "true" },
    });
    if (!answer.ok) sentence = new DOMParser().parseFromString(await answer.text(), "text/html").body.textContent.trim();
    else if (input.value === said) input.value = "";
  } catch {
    sentence = document.getElementById("notice")?.dataset["unsent"] ?? "";
  }
  form.removeAttribute("aria-busy");
  refused.textContent = sentence;
  refused.hidden = sentence === "";
}
