// "Why not?": a click on something that cannot be chosen now is answered in place, by a line that the server writes.

import type { Chooser } from "./chooser.js";
import { sayUnsent } from "./notice.js";

/** What looks like a thing: a step of some move, or what has an answer of its own. */
const THINGS = "[data-step], [data-why]";
/** What does something by itself where it stands in a thing. */
const OTHERS = "a, button, summary, label, input, select, textarea, [popover]";
const ASKED = "data-ui-asked";
/** Milliseconds for which a line stays: so many, and some for each letter. */
const STAY = 4000;
const PER_LETTER = 60;
const GAP = 8;

interface Asked {
  readonly thing: HTMLElement;
  readonly words: string;
}

let chooser: Chooser | undefined;
/** The last question: an answer to an earlier one comes too late. */
let question = 0;
let asked: Asked | undefined;
let timer = 0;

/** Keep what is said true, and take it away in time. */
export function watchWhy(its: Chooser): void {
  chooser = its;
  const line = document.getElementById("why");
  line?.addEventListener("toggle", (event) => {
    if ((event as ToggleEvent).newState === "closed" && !line.matches(":popover-open")) forget();
  });
  line?.addEventListener("pointerenter", () => clearTimeout(timer));
  line?.addEventListener("pointerleave", () => wait(line));
  addEventListener("scroll", () => asked && follow(asked.thing), { capture: true, passive: true });
  document.addEventListener("htmx:after:swap", () => {
    if (asked) void again(asked.thing);
  });
}

/** What a click on this would be meant for, where that is something which can be asked about. */
export function thingAt(target: Element): HTMLElement | null {
  const nearest = target.closest<HTMLElement>(`${THINGS}, ${OTHERS}`);
  return nearest?.matches(THINGS) ? nearest : null;
}

/** Say beside a thing why it cannot be chosen, after these steps. */
export async function sayWhyNot(thing: HTMLElement, chosen: readonly string[]): Promise<void> {
  const here = ++question;
  const told = document.getElementById("table")?.dataset["dead"] ?? (await ask(thing, chosen));
  // It can be chosen, only not next: then what comes next is what is to be said.
  const words = told || !chosen.length ? told : (askedNow()?.innerHTML ?? "");
  if (here !== question || !words || !thing.isConnected) return;
  show(thing, words);
}

/** Say in the text of a card, which has been opened from a thing, why that cannot be chosen; once more where the table has changed. */
export async function explain(leaf: HTMLElement, thing: Element | null): Promise<void> {
  const told = leaf.querySelector(".leaf-why");
  const isDead = thing instanceof HTMLElement && thing.matches("[data-step]") && chooser?.isDead(thing);
  if (!isDead || document.getElementById("table")?.dataset["dead"] !== undefined) {
    told?.remove();
    return;
  }
  const here = ++question;
  const words = await ask(thing, []);
  if (here !== question || !leaf.matches(":popover-open")) return;
  const line = document.createElement("p");
  line.className = "leaf-why";
  line.innerHTML = words;
  if (told?.innerHTML === line.innerHTML) return;
  told?.remove();
  if (!words) return;
  const head = leaf.querySelector(":scope > header");
  if (head) head.after(line);
  else leaf.prepend(line);
  announce(line.textContent ?? "");
}

/** What the server says: words as HTML, or nothing. */
async function ask(thing: HTMLElement, chosen: readonly string[]): Promise<string> {
  const id = document.getElementById("table")?.dataset["table"];
  if (id === undefined) return "";
  const query = new URLSearchParams({ thing: thing.dataset["why"] ?? thing.dataset["step"] ?? "", chosen: chosen.join(" ") });
  try {
    const answer = await fetch(`/tables/${id}/why?${query}`);
    return answer.ok ? await answer.text() : "";
  } catch {
    sayUnsent();
    return "";
  }
}

/** The sentence that says what is chosen next. */
function askedNow(): Element | undefined {
  return [...document.querySelectorAll("#asked > *")].find((each) => each.checkVisibility());
}

function show(thing: HTMLElement, words: string): void {
  const line = document.getElementById("why");
  if (!line) return;
  line.innerHTML = words;
  document.querySelector(`[${ASKED}]`)?.removeAttribute(ASKED);
  thing.setAttribute(ASKED, "");
  asked = { thing, words };
  if (!line.matches(":popover-open")) line.showPopover();
  place(thing);
  wait(line);
  announce(line.textContent ?? "");
}

/** The table has changed: what was said holds no longer, or something else holds now. */
async function again(before: HTMLElement): Promise<void> {
  const thing = before.isConnected ? before : document.getElementById(before.id);
  const here = ++question;
  const words = thing && chooser?.isDead(thing) ? (document.getElementById("table")?.dataset["dead"] ?? (await ask(thing, []))) : "";
  if (here !== question || !asked) return;
  if (!thing || !words) document.getElementById("why")?.hidePopover();
  else if (words !== asked.words || thing !== asked.thing) show(thing, words);
}

function forget(): void {
  clearTimeout(timer);
  document.querySelector(`[${ASKED}]`)?.removeAttribute(ASKED);
  asked = undefined;
}

function wait(line: HTMLElement): void {
  clearTimeout(timer);
  timer = window.setTimeout(() => line.hidePopover(), STAY + PER_LETTER * (line.textContent ?? "").length);
}

/** Stay beside a thing that is scrolled, as long as it is in sight. */
function follow(thing: HTMLElement): void {
  const { top, bottom } = thing.getBoundingClientRect();
  if (bottom < 0 || top > innerHeight) document.getElementById("why")?.hidePopover();
  else place(thing);
}

/** Above the thing, where a finger does not cover it; below where there is no room. Of what is not seen, above its place. */
function place(thing: HTMLElement): void {
  const line = document.getElementById("why");
  if (!line?.matches(":popover-open")) return;
  const isSeen = thing.offsetHeight > 1;
  const { left, width, top, bottom } = (isSeen ? thing : (thing.parentElement ?? thing)).getBoundingClientRect();
  const own = line.getBoundingClientRect();
  const middle = left + width / 2 - own.width / 2;
  const across = Math.max(GAP, Math.min(middle, document.documentElement.clientWidth - own.width - GAP));
  const above = top - own.height - GAP;
  const down = above >= GAP ? above : Math.min(bottom + GAP, innerHeight - own.height - GAP);
  line.style.left = `${across}px`;
  line.style.top = `${Math.max(GAP, down)}px`;
}

/** For those who do not see it: the place is emptied first, so that the same words are said again. */
function announce(words: string): void {
  const place = document.getElementById("why-said");
  if (!place) return;
  place.textContent = "";
  window.setTimeout(() => (place.textContent = words), 50);
}
