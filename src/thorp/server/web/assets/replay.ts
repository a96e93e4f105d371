// Replay: from one position to another without loading the page anew, by slider, links and keys.

import htmx from "htmx.org";
import { sayUnsent } from "./notice.js";
import { toMiddle } from "./row.js";

/** That was too fast for the server, and after how long it is asked again. */
const TOO_MANY = 429;
const AGAIN = 1000;
const STEPS: Record<string, number | undefined> = { "replay-back": -1, "replay-on": 1 };

interface Answered {
  readonly ctx: { readonly response?: { readonly status: number } };
}

/** Make the bar of positions quick. Without this its links and its form load pages. */
export function watchReplay(): void {
  if (!document.getElementById("position")) return;
  /** Where to go once the position on its way is there: of many asked for meanwhile, the last. */
  let wanted: string | null = null;
  let busy = false;
  /** The address of what was last shown, and whether what was asked for after it has come. */
  let reached = location.href;
  let isThere = true;
  let status = 0;
  /** What is shown, or is on its way. */
  let shown = place();
  const show = async (address: string): Promise<void> => {
    wanted = address;
    shown = place();
    if (busy) return;
    busy = true;
    try {
      while (wanted !== null) {
        const next: string = wanted;
        wanted = null;
        isThere = true;
        status = 0;
        await htmx.ajax("GET", next, { target: "#position", swap: "outerMorph" });
        if (isThere) reached = next;
        // The slider may be further on by now than the position that has come.
        tellValue();
        if (status !== TOO_MANY) continue;
        await new Promise((resolve) => setTimeout(resolve, AGAIN));
        wanted ??= next;
      }
    } finally {
      busy = false;
    }
    if (!isThere) {
      history.replaceState(history.state, "", reached);
      shown = place();
    }
    settle();
  };
  /** Steps that follow each other are one entry of the history, so that Back leaves them all behind. */
  const go = (address: string, isStep: boolean): void => {
    if (isStep && history.state === "step") history.replaceState("step", "", address);
    else history.pushState(isStep ? "step" : null, "", address);
    void show(address);
  };

  // A position asks for nothing else. What the server has refused it has given its word for.
  document.addEventListener("htmx:response:error", (event) => {
    isThere = false;
    status = (event as CustomEvent<Answered>).detail.ctx.response?.status ?? 0;
  });
  document.addEventListener("htmx:error", () => {
    isThere = false;
    sayUnsent();
  });
  document.addEventListener("click", (event) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("#position a[href*='/at/']") : null;
    if (!link) return;
    event.preventDefault();
    if (link.ariaDisabled === "true") return;
    const by = STEPS[link.id];
    go(by === undefined ? link.href : further(by), by !== undefined);
  });
  document.addEventListener("input", (event) => {
    if (!(event.target instanceof HTMLInputElement) || event.target.id !== "replay-slider") return;
    tellValue();
    go(addressOf(event.target), true);
  });
  document.addEventListener("submit", (event) => {
    const slider = document.getElementById("replay-slider");
    const field = document.getElementById("replay-ply");
    if (!(event.target instanceof Element) || event.target.id !== "replay-number") return;
    if (!(slider instanceof HTMLInputElement) || !(field instanceof HTMLInputElement)) return;
    event.preventDefault();
    slider.value = field.value;
    go(addressOf(slider), false);
  });
  // What is folded away has no place before it is opened. That it was is told later, when somebody may have typed already.
  document.addEventListener("toggle", (event) => event.target instanceof Element && event.target.matches(".replay-more") && bringMarksIntoView(), true);
  addEventListener("popstate", () => {
    // A jump within the page is one, too.
    if (place() !== shown) void show(location.href);
  });
  settle();
}

/** The address without the part of the page that it leads to. */
function place(): string {
  return location.pathname + location.search;
}

/** After a position has come: the slider stands where it is, and so does the title. */
function settle(): void {
  document.title = document.getElementById("position")?.dataset["title"] ?? document.title;
  bringMarksIntoView();
  const slider = document.getElementById("replay-slider");
  if (!(slider instanceof HTMLInputElement)) return;
  slider.value = slider.getAttribute("value") ?? slider.value;
  tellValue();
  const field = document.getElementById("replay-ply");
  if (field instanceof HTMLInputElement) field.value = slider.value;
}

/** Where the slider stands, in words, for who does not see it. */
function tellValue(): void {
  const slider = document.getElementById("replay-slider");
  if (slider instanceof HTMLInputElement) slider.ariaValueText = (slider.dataset["words"] ?? "").replace("#", slider.value);
}

/** Rounds and seats: of each strip that which is marked. */
function bringMarksIntoView(): void {
  for (const mark of document.querySelectorAll("#position .replay-marks [aria-current]")) {
    const strip = mark.closest(".replay-marks");
    if (strip) toMiddle(strip, mark);
  }
}

/** The address so many moves further on than that which is shown, or is on its way. */
function further(by: number): string {
  const slider = document.getElementById("replay-slider");
  if (!(slider instanceof HTMLInputElement)) return location.href;
  // a slider stays within its limits by itself
  slider.value = String(Number(location.pathname.split("/").at(-1)) + by);
  return addressOf(slider);
}

function addressOf(slider: HTMLInputElement): string {
  return `${slider.dataset["address"]}${slider.value}${slider.dataset["query"]}`;
}
