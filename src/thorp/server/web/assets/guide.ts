// The guide of a first game: its slip lies beside what it speaks of, and never over what is to be clicked.

import { pinned } from "./pinned.js";

const LIVE = "data-ui-live";
const CHOSEN = "data-ui-chosen";
const GUIDED = "data-ui-guided";
const SIDE = "data-ui-side";
const NAMES = "data-names";

/** Points between the slip and what it speaks of, and between it and the edges of the page. */
const GAP = 14;
const EDGE = 8;
/** How wide the slip is: see its style sheet. */
const WIDTH = 320;

/**
 * How bad a place is: for each point beside the table; for each square point over what the slip speaks of, or where it
 * cannot be seen. Next to these it hardly counts what else is covered: a slip that is not read helps nobody.
 */
const BESIDE = 1e9;
const OVER_SUBJECT = 1e6;
const UNSEEN = 1e3;
/** For each square point over what can be clicked; less where one other thing is to be clicked; over what is asked. */
const OVER_LIVE = 10;
const OVER_OTHER = 4;
const OVER_ASK = 8;
/** Over the letters and numbers by which a sentence calls a square; over another place where the same can be clicked. */
const OVER_NAMES = 60;
const OVER_SAME = 100;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Place {
  readonly side: "below" | "above" | "right" | "left";
  readonly left: number;
  readonly top: number;
}

/** The step for which the page was last brought into sight: only a new sentence moves it. */
let seen = "";
/** How high what is asked was then: where it has grown over the slip, that is brought into sight again. */
let height = 0;
let waiting = 0;

watch();

function watch(): void {
  const table = document.getElementById("table");
  if (!table) return;
  document.addEventListener("htmx:after:swap", later);
  addEventListener("resize", later);
  addEventListener("scroll", later, { passive: true, capture: true });
  document.addEventListener("toggle", later, true);
  document.addEventListener("pointerdown", hold);
  new MutationObserver(later).observe(document.body, { subtree: true, attributeFilter: [LIVE, CHOSEN] });
  new ResizeObserver(later).observe(table);
  void document.fonts.ready.then(later);
  later();
}

/** What others do may move the slip while one of its buttons is pressed: it is that button's press all the same. */
function hold({ target, pointerId }: PointerEvent): void {
  if (target instanceof Element) target.closest("#guide button")?.setPointerCapture(pointerId);
}

function later(): void {
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(place);
}

/** Put the slip where it belongs, and mark what it speaks of. */
function place(): void {
  const slip = document.getElementById("guide");
  const table = document.getElementById("table");
  if (!slip || !table) return;
  const says = slip.dataset["stageOfGuide"] === "says";
  const back = says ? wayBack(slip) : undefined;
  const subject = back ?? (says ? subjectOf(slip) : undefined);
  mark(subject);
  const step = says ? `${slip.dataset["guideStep"]} ${subject?.element.id}` : "";
  if (slip.hidden || !subject) {
    settle(slip, undefined);
    if (!slip.hidden && says) slip.setAttribute(SIDE, "none");
    if (slip.hidden && seen) showAsked();
  } else if (back) {
    // Its sentence cannot be followed from here.
    settle(slip, undefined);
    slip.setAttribute(SIDE, "away");
  } else if (isSheet(subject.element) && !hasRoomBeside(subject.element, table)) {
    // Above the sheet: below it the sheet would be out of sight.
    settle(slip, undefined);
    if (step !== seen) show(slip, slip);
  } else {
    if (!["below", "above", "right", "left"].includes(slip.getAttribute(SIDE) ?? "")) slip.setAttribute(SIDE, "below");
    // It may be in a row that is wider than the page.
    if (step !== seen) subject.element.scrollIntoView({ block: "nearest", inline: "center" });
    const about = boxOf(subject.element);
    const found = best(about, slip, table.getBoundingClientRect(), subject);
    settle(slip, found, about, table.getBoundingClientRect());
    const ask = pinned();
    const hasGrown = ask !== undefined && ask.height > height && overlap(boxOf(slip), ask) > 0;
    if (step !== seen || hasGrown) show(slip, subject.element);
    height = ask?.height ?? 0;
  }
  seen = step;
}

interface Subject {
  readonly element: HTMLElement | SVGElement;
  readonly isToBeClicked: boolean;
}

/** The way back, where something else was chosen from which what is to be clicked cannot be reached any more. */
function wayBack(slip: HTMLElement): Subject | undefined {
  const wanted = words(slip.dataset["guideDo"]).map(standing);
  const back = document.getElementById("step-back");
  if (wanted.length === 0 || !back || back.hidden) return undefined;
  // Of a move of three steps the last cannot be chosen before the second was.
  const next = wanted.find((step) => !step.some((each) => each.hasAttribute(CHOSEN)));
  return !next || next.some((each) => each.hasAttribute(LIVE)) ? undefined : { element: back, isToBeClicked: true };
}

/** What is to be clicked next, as far as the choice has got; else what the sentence is about. */
function subjectOf(slip: HTMLElement): Subject | undefined {
  const wanted = words(slip.dataset["guideDo"]);
  const next = wanted.map(standing).flatMap(onTableFirst).find(isNext);
  if (next) return { element: next, isToBeClicked: true };
  const at = words(slip.dataset["guideAt"]);
  const about = [...(at.length ? at : wanted)].flatMap(standing)[0];
  // The title of the score sheet stands for the sheet: below that nothing of it is covered.
  const element = about?.id === "end-title" ? (about.nextElementSibling ?? about) : about;
  return element instanceof HTMLElement || element instanceof SVGElement ? { element, isToBeClicked: false } : undefined;
}

/** A sentence speaks of what lies on the table, and not of the button that stands for it where something is asked. */
function onTableFirst(elements: (HTMLElement | SVGElement)[]): (HTMLElement | SVGElement)[] {
  const asked = elements.filter((each) => each.closest("#ask"));
  return [...elements.filter((each) => !asked.includes(each)), ...asked];
}

function isNext(element: Element): boolean {
  return element.hasAttribute(LIVE) && !element.hasAttribute(CHOSEN);
}

function isSheet(element: Element): boolean {
  return element.previousElementSibling?.id === "end-title";
}

function hasRoomBeside(element: Element, table: Element): boolean {
  return boxOf(table).right - boxOf(element).right >= GAP + WIDTH + EDGE;
}

function words(text = ""): string[] {
  return text.split(" ").filter(Boolean);
}

/** The elements with this id, or that stand for this step, as far as they can be seen. */
function standing(word: string): (HTMLElement | SVGElement)[] {
  const name = CSS.escape(word);
  const found = document.querySelectorAll<HTMLElement | SVGElement>(`#table #${name}, #table [data-step~="${name}"]`);
  return [...found].filter((each) => each.getClientRects().length > 0);
}

function mark(subject: Subject | undefined): void {
  for (const each of document.querySelectorAll(`[${GUIDED}]`)) {
    if (each !== subject?.element) each.removeAttribute(GUIDED);
  }
  subject?.element.setAttribute(GUIDED, subject.isToBeClicked ? "do" : "");
}

function boxOf(element: Element): Box {
  return element.getBoundingClientRect();
}

/** The place at which the slip covers least: first of all not what it speaks of, then nothing that can be clicked. */
function best(about: Box, slip: HTMLElement, table: DOMRect, { element, isToBeClicked }: Subject): Place {
  const { width, height } = slip.getBoundingClientRect();
  const least = Math.max(EDGE, table.left + EDGE);
  const most = Math.min(innerWidth, table.right) - EDGE - width;
  const across = (left: number): number => Math.max(least, Math.min(left, most));
  const middle = (about.left + about.right - width) / 2;
  const lefts = [middle, about.left, about.right - width].map(across);
  const tops = [(about.top + about.bottom - height) / 2, about.top, about.bottom - height];
  const places: Place[] = [
    ...lefts.map((left): Place => ({ side: "below", left, top: about.bottom + GAP })),
    ...lefts.map((left): Place => ({ side: "above", left, top: about.top - GAP - height })),
    ...tops.map((top): Place => ({ side: "right", left: about.right + GAP, top })),
    ...tops.map((top): Place => ({ side: "left", left: about.left - GAP - width, top })),
  ];
  // What sticks to an edge of the window is to be read as well.
  const ask = pinned();
  if (ask && isWithin(about, ask)) places.push({ side: "above", left: across(middle), top: ask.top - GAP - height });
  const boxes = (selector: string): Box[] =>
    [...document.querySelectorAll(selector)].filter((each) => each.getClientRects().length > 0).map(boxOf);
  const live = boxes(`[${LIVE}]`);
  const names = boxes(`[${NAMES}]`);
  const same = words(slip.dataset["guideDo"])
    .flatMap(standing)
    .filter((each) => each !== element && isNext(each))
    .map(boxOf);
  const cost = ({ left, top }: Place): number => {
    const box = { left, top, right: left + width, bottom: top + height };
    const outside = Math.max(0, least - left) + Math.max(0, left - most) + Math.max(0, table.top - top);
    const covers = (those: Box[]): number => those.reduce((sum, each) => sum + overlap(box, each), 0);
    const hidden = ask ? overlap(box, ask) : 0;
    const unseen = width * height - overlap(box, { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
    return (
      BESIDE * outside +
      OVER_SUBJECT * overlap(box, about) +
      UNSEEN * unseen +
      (isToBeClicked ? OVER_OTHER : OVER_LIVE) * covers(live) +
      OVER_SAME * covers(same) +
      OVER_NAMES * covers(names) +
      OVER_ASK * hidden
    );
  };
  return places.reduce((one, other) => (cost(other) < cost(one) ? other : one));
}

function overlap(one: Box, other: Box): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return width > 0 && height > 0 ? width * height : 0;
}

function isWithin(one: Box, other: Box): boolean {
  return overlap(one, other) > 0 && one.top >= other.top - 1 && one.bottom <= other.bottom + 1;
}

/** Lay the slip down there, its tip at what it speaks of; or back into the page. */
function settle(slip: HTMLElement, found: Place | undefined, about?: Box, table?: DOMRect): void {
  if (!found || !about || !table) {
    slip.removeAttribute(SIDE);
    slip.removeAttribute("style");
    return;
  }
  const { width, height } = slip.getBoundingClientRect();
  const along =
    found.side === "below" || found.side === "above"
      ? [(about.left + about.right) / 2 - found.left, width]
      : [(about.top + about.bottom) / 2 - found.top, height];
  const [at = 0, length = 0] = along;
  slip.setAttribute(SIDE, found.side);
  slip.style.left = `${found.left - table.left}px`;
  slip.style.top = `${found.top - table.top}px`;
  slip.style.setProperty("--tip", `${Math.max(16, Math.min(at, length - 16))}px`);
}

/** Scroll as little as it takes to see the slip, and what it speaks of. */
function show(slip: Element, about: Element): void {
  const one = boxOf(slip);
  const other = boxOf(about);
  const ask = document.getElementById("ask")?.contains(about) ? undefined : pinned();
  const floor = ask ? Math.min(innerHeight, ask.top) : innerHeight;
  // The bar may stay in sight, too ("auto" where it does not).
  const ceiling = parseFloat(getComputedStyle(document.documentElement).scrollPaddingBlockStart) || 0;
  const top = Math.min(one.top, other.top) - EDGE;
  const bottom = Math.max(one.bottom, other.bottom) + EDGE;
  // Where both have no room, the slip comes first.
  const hasRoom = bottom - top <= floor - ceiling;
  const from = hasRoom ? top : one.top - EDGE;
  const to = hasRoom ? bottom : one.bottom + EDGE;
  const by = from < ceiling ? from - ceiling : to > floor ? Math.min(from - ceiling, to - floor) : 0;
  if (by === 0) return;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  scrollBy({ top: by, behavior: calm ? "auto" : "smooth" });
}

/** Once all is said: what can be chosen, where nothing of it is in sight. */
function showAsked(): void {
  const ask = pinned();
  const open = { left: 0, top: 0, right: innerWidth, bottom: ask ? Math.min(innerHeight, ask.top) : innerHeight };
  const live = [...document.querySelectorAll(`#table [${LIVE}]`)].filter((each) => each.getClientRects().length > 0);
  const [first] = live.filter((each) => !each.closest("#ask"));
  if (first && !live.some((each) => !each.closest("#ask") && overlap(boxOf(each), open) > 0)) show(first, first);
}

export {};
