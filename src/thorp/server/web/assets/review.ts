// The review at the end of a match: fetched by itself, asked for in place, and looked at again while it is being made.

import { sayUnsent } from "./notice.js";
import { tell } from "./said.js";

/** Milliseconds after which the page looks how far it is. */
const LOOK = 1500;

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
  void show();
}

/** The place is empty but for a link where the table has been swapped in: what is known is put there again. */
async function show(): Promise<void> {
  const place = document.getElementById("review");
  if (!place || place.querySelector(".review")) return;
  if (known === undefined) await look();
  else put(known);
}

async function look(how: RequestInit = {}): Promise<void> {
  clearTimeout(timer);
  const address = document.getElementById("review")?.dataset["address"];
  if (address === undefined) return;
  try {
    const answer = await fetch(address, { ...how, headers: { "HX-Request": "true" } });
    const text = await answer.text();
    if (answer.ok) {
      known = text;
      put(text);
    } else {
      refused(text);
    }
  } catch {
    // It is looked at again where it is being made; else the link is there, or the button.
    sayUnsent();
    ready();
  }
  if (document.querySelector("#review [data-works]")) timer = window.setTimeout(() => void look(), LOOK);
}

function put(html: string): void {
  const place = document.getElementById("review");
  if (!place || place.innerHTML === html) return;
  place.innerHTML = html;
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
