// The place for notices of a page: what could not be done; and the notices that stand in the table, which go by themselves.

/** A sentence that comes with the table. At the gathering it stays. */
const IN_TABLE = "#table:not(.gathering) > p.notice";
/** How long such a sentence stays, in milliseconds: as long as it takes to read, for each of its letters, and never less. */
const LEAST = 6000;
const A_LETTER = 80;
const FADES = 300;

let leaving = 0;

/** Let what stands in the table go once it can have been read: it was said aloud when it came. */
export function watchNotices(): void {
  // What is the same sentence once more, or still, was not read before now.
  document.addEventListener("htmx:after:swap", letGo);
  letGo();
}

function letGo(): void {
  clearTimeout(leaving);
  const said = document.querySelector(IN_TABLE);
  if (said) leaving = window.setTimeout(leave, Math.max(LEAST, A_LETTER * (said.textContent?.length ?? 0)), said);
}

async function leave(said: Element): Promise<void> {
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) await said.animate({ opacity: 0 }, FADES).finished;
  said.remove();
}

/** Say that something has not reached the table. */
export function sayUnsent(): void {
  const notice = document.getElementById("notice");
  if (notice) notice.textContent = notice.dataset["unsent"] ?? "";
}

/** The word that something was not sent is no longer true. */
export function calm(): void {
  const notice = document.getElementById("notice");
  if (notice && notice.textContent === notice.dataset["unsent"]) notice.textContent = "";
}

/** Whoever goes on to click has read what is there; a link in it is followed. */
export function read(event: Event): void {
  const notice = document.getElementById("notice");
  if (notice && !(event.target instanceof Node && notice.contains(event.target))) notice.textContent = "";
  document.querySelector(IN_TABLE)?.remove();
}
