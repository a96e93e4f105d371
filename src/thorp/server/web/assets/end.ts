// The end of a match: the count can be skipped, and its picture handed on.

import { isTyping } from "./input.js";

/** What the match was among those of the person; asked for once. */
let best: Promise<string> | undefined;

/** Whether the match is known to be over. */
let isOver = false;

/** Whatever is pressed or clicked while points are counted shows all of them. */
export function watchEnd(): void {
  for (const kind of ["pointerdown", "keydown"] as const) {
    addEventListener(kind, () => {
      const end = document.querySelector("#table .end");
      for (const each of end?.getAnimations({ subtree: true }) ?? []) each.finish();
    });
  }
  document.addEventListener("htmx:after:swap", () => {
    void tellBest();
    leaveOut();
    if (!isOver && document.querySelector("#table.over")) bringIntoSight();
    isOver = document.querySelector("#table.over") !== null;
  });
  isOver = document.querySelector("#table.over") !== null;
  void tellBest();
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("#share") : null;
    // Where nothing can be handed on, the link saves the picture.
    if (!link || !("canShare" in navigator)) return;
    event.preventDefault();
    void share(link).catch(() => {
      location.assign(link.href);
    });
  });
}

/**
 * The match has just ended: what is counted begins at the top of the page, wherever somebody has scrolled to, and is to be
 * seen from its first moment on. Who writes into the page is left there; the chat lies above it, and stays as it is.
 */
function bringIntoSight(): void {
  const field = isTyping(document.activeElement) ? document.activeElement : null;
  if (field && !field.closest("#chat, dialog, [popover]")) return;
  const end = document.querySelector("#table .end");
  if (end && (scrollY > 0 || end.getBoundingClientRect().top > innerHeight / 2)) end.scrollIntoView({ behavior: "instant" });
}

/** What is put away at the end has no way to it any more: the bar stands outside of what is swapped. */
function leaveOut(): void {
  if (!document.querySelector("#table.over")) return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>(".table-places a")) {
    if (!document.querySelector(link.hash)?.checkVisibility()) link.remove();
  }
}

async function share(link: HTMLAnchorElement): Promise<void> {
  const answer = await fetch(link.href);
  if (!answer.ok) throw new Error(String(answer.status));
  const file = new File([await answer.blob()], link.download, { type: "image/png" });
  if (!navigator.canShare({ files: [file] })) throw new Error("no files");
  try {
    await navigator.share({ files: [file], title: document.title, url: location.href });
  } catch (error) {
    // Who changes their mind has nothing saved.
    if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
  }
}

/** Say what the match was among those of the person: it stands outside of what is sent alike to many. */
async function tellBest(): Promise<void> {
  if (!document.querySelector("#my-best:empty")) return;
  const id = document.getElementById("table")?.dataset["table"] ?? "";
  best ??= fetch(`/tables/${id}/best`).then((answer) => (answer.status === 200 ? answer.text() : ""));
  const words = await best.catch(() => "");
  const place = document.getElementById("my-best");
  if (place) place.textContent = words;
}
