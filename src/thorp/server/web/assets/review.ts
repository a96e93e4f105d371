// The review at the end of a match: fetched by itself, asked for in place, and looked at again while it is being made; now
// and then also where somebody else may ask for one. Pages of a match that is over have no stream that would tell.

import { sayUnsent } from "./notice.js";
import { tell } from "./said.js";

/** Milliseconds after which the page looks how far it is, and whether somebody has asked for another one. */
const LOOK = 1500;
const LOOK_FOR_OTHERS = 15000;
const WORKS = "#review [data-works]";
const MAY_COME = "#review[data-shared] [data-open]";

/** What is known of it; undefined before it was asked for. */
let known: string | undefined;
/** How far it was when it was told last, by the seat; undefined before anything was known. */
let stages: Map<string, string> | undefined;
let timer = 0;

/** Show it at the end of a match. */
export function watchReview(): void {
  document.addEventListener("htmx:after:swap", () => void show());
  document.addEventListener("submit", (event) => {
    const form = event.target instanceof HTMLFormElement ? event.target : null;
    if (!form?.closest("#review")) return;
    event.preventDefault();
    const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    // What is pressed goes away: whoever goes by keys goes on from here.
    document.getElementById("review")?.focus({ preventScroll: true });
    for (const button of document.querySelectorAll<HTMLButtonElement>("#review .review-ask button")) button.disabled = true;
    void look({ method: "POST", body });
  });
  // nobody looks at a page that is hidden; who comes back to it sees what has come
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && document.querySelector(MAY_COME)) void look({}, true);
  });
  void show();
}

/** The place is empty but for a link where the table has been swapped in: what is known is put there again. */
async function show(): Promise<void> {
  const place = document.getElementById("review");
  if (!place || place.querySelector(".review")) return;
  if (known === undefined) await look();
  else put(known);
}

async function look(how: RequestInit = {}, isQuiet = false): Promise<void> {
  clearTimeout(timer);
  const address = document.getElementById("review")?.dataset["address"];
  if (address === undefined) return;
  try {
    const answer = await fetch(address, { ...how, headers: { "HX-Request": "true" } });
    const text = await answer.text();
    if (answer.ok) {
      // What is the same is not put there anew, which would fold what was unfolded.
      if (!isQuiet || text !== known) put(text);
      known = text;
    } else if (!isQuiet) {
      refused(text);
    }
  } catch {
    // It is looked at again where it is being made; else the link is there, or the button.
    if (!isQuiet) {
      sayUnsent();
      ready();
    }
  }
  clearTimeout(timer);
  if (document.querySelector(WORKS)) timer = window.setTimeout(() => void look(), LOOK);
  else if (document.querySelector(MAY_COME)) timer = window.setTimeout(lookForOthers, LOOK_FOR_OTHERS);
}

/** Nobody has asked for this look, so that nobody is told where it fails. */
function lookForOthers(): void {
  if (!document.hidden) void look({}, true);
}

function put(html: string): void {
  const place = document.getElementById("review");
  if (!place || place.innerHTML === html) return;
  const hadFocus = place.contains(document.activeElement);
  place.innerHTML = html;
  if (hadFocus) place.focus({ preventScroll: true });
  tellStages(place);
}

/** For who listens: that it has begun, each quarter of it, and its end. What had ended before the page came is there to be read. */
function tellStages(place: Element): void {
  const parts = [...place.querySelectorAll<HTMLElement>("[data-stage]")];
  const before = stages;
  stages = new Map(parts.map(({ dataset }) => [dataset["of"] ?? "", dataset["stage"] ?? ""]));
  for (const part of parts) {
    const { of = "", stage, said = part.textContent.trim() } = part.dataset;
    if (before ? before.get(of) !== stage : part.matches(".review-going")) tell(said);
  }
}

/** Say why nothing was done, and let it be tried again. */
function refused(html: string): void {
  const notice = document.getElementById("notice");
  if (notice) notice.innerHTML = html;
  ready();
}

function ready(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("#review .review-ask button")) button.disabled = false;
}
