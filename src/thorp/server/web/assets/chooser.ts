// Choosing a move step by step: what can be clicked next is marked, each click narrows, the last one plays the move.

import { foretell } from "./forecast.js";
import { usedKeys } from "./input.js";
import { type Offer, narrow, nextSteps, readOffers, stepsOf } from "./offers.js";
import { pinned } from "./pinned.js";
import { toMiddle } from "./row.js";
import { Several } from "./several.js";
import { sayWhyNot, thingAt } from "./why.js";

const LIVE = "data-ui-live";
const CHOSEN = "data-ui-chosen";
/** The same for who does not see it. */
const PRESSED = "aria-pressed";
const DISABLED = "aria-disabled";
const LIT = "data-ui-lit";
const ADVISED = "data-ui-advised";

/** Milliseconds after which an answer is no longer waited for. */
const PATIENCE = 15_000;

/** A step taken: by a click, or because nothing else was possible; a shortcut is one out of turn. */
interface Choice {
  readonly step: string;
  readonly own: boolean;
  readonly shortcut?: boolean;
}

export class Chooser {
  private chosen: Choice[] = [];
  private offers: Offer[] = [];
  private next = new Set<string>();
  /** What the pointer or the focus is on, to be shown on the board. */
  private pointed: string | null = null;
  /** The steps of a move that a hint points at. */
  private advised: readonly string[] = [];
  /** Whether a move is on its way. */
  private busy = false;
  private sent = 0;
  /** The move that is chosen whole, and waits until it is confirmed. */
  private held: Offer | undefined;
  /** Where the focus was when a move had been made, or to where it was brought then. */
  private played: Element | null = null;
  /** Whether nothing was done since a move was made: what is asked next may be brought into sight then. */
  private isFollowed = false;
  /** What rows that are scrolled sideways have been scrolled to. */
  private readonly reached = new WeakMap<Element, Element>();
  /** Things that are marked, where several are chosen at once. */
  private readonly marks = new Several();

  constructor() {
    document.addEventListener("click", (event) => this.click(event));
    document.addEventListener("pointerover", (event) => this.point(event.target));
    document.addEventListener("focusin", (event) => this.point(event.target));
    document.addEventListener("thorp:told", () => this.light());
    for (const kind of ["pointerdown", "wheel", "keydown"]) {
      document.addEventListener(kind, () => (this.isFollowed = false), { capture: true, passive: true });
    }
  }

  /**
   * Read the page anew, after it has changed. A choice half made goes on where it is still possible;
   * while a move is on its way nothing can be chosen.
   */
  refresh(): void {
    this.offers = this.busy ? [] : readOffers();
    this.marks.refresh(this.offers);
    const kept = this.chosen.filter(({ own }) => own);
    this.chosen = narrow(this.offers, kept.map(({ step }) => step)).length ? kept : [];
    this.skip();
    this.held = this.heldAgain();
    this.show();
    if (!this.isHalfway) this.reach();
  }

  /** The move that was sent has been answered, well or badly: the next may be chosen. */
  answered(): void {
    this.busy = false;
    this.refresh();
    document.dispatchEvent(new Event("thorp:answered"));
  }

  /** Whether a move is on its way: then what the page asks has been answered. */
  get isBusy(): boolean {
    return this.busy;
  }

  /** Whether something has been chosen that can be stepped back from. */
  get isHalfway(): boolean {
    return this.held !== undefined || this.marks.any || this.chosen.some(({ own }) => own);
  }

  /** Forget the last choice, and go to where it was made. */
  back(): void {
    // Of what was held at once, from the list of moves, no step was chosen: its button has the last one's place.
    const button = this.held?.button;
    this.held = undefined;
    let step: string | undefined;
    if (this.marks.any) {
      step = this.marks.steps.at(-1);
      this.marks.back();
    } else {
      while (this.chosen.length && !this.chosen.at(-1)?.own) this.chosen.pop();
      step = this.chosen.pop()?.step;
    }
    this.skip();
    this.show();
    this.focusAgain(step === undefined ? button : standing([step]));
  }

  /** Put the focus on what was chosen last, unless a pointer is elsewhere by now. */
  private focusAgain(chosen: Element | undefined): void {
    const isStill = document.activeElement?.checkVisibility() && document.activeElement !== document.body;
    if (usedKeys() || !isStill) focusOn(chosen);
    if (document.activeElement === chosen) this.rove();
    else this.focusNext();
  }

  /**
   * By keyboard, go to what is asked next: from where a move was made, and from nowhere. Who has gone elsewhere meanwhile,
   * to the log or to another's village, is left there, also when others have played.
   */
  focusNext(byOthers = false): void {
    const active = document.activeElement;
    if (active?.hasAttribute(LIVE) || active?.closest("input, textarea, select")) return;
    // Who reads the text of a card is left there.
    if (active?.closest("[popover]:popover-open")) return;
    // What was in focus may be gone, or be of no use any more: then the focus waits at the table.
    const isLost = !active || active === document.body || active.matches(":disabled") || !active.checkVisibility();
    if (!usedKeys()) {
      if (isLost) document.getElementById("table")?.focus({ preventScroll: true });
      return;
    }
    const isPlaying = byOthers ? active === this.played : Boolean(active?.closest("[data-step], #ask, #moves"));
    if (!isLost && active.id !== "table" && !isPlaying) return;
    if (this.held) document.getElementById("confirm")?.focus({ preventScroll: pinned() !== undefined });
    else this.goOn(active, isLost);
    this.played = document.activeElement;
  }

  /** Focus the first thing that can be chosen, in the same group where that has one. */
  private goOn(active: Element | null, isLost: boolean): void {
    const live = [...document.querySelectorAll<HTMLElement>(`[${LIVE}]`)].filter((each) => each.offsetParent !== null);
    const group = active?.closest("[data-arrows]");
    const near = group ? live.find((each) => group.contains(each)) : undefined;
    // To be done is the last thing: who presses Enter time and again is not to throw away what may be had.
    const next = near ?? live.find((each) => each.closest("[data-arrows]")) ?? live.find((each) => each.id !== "done") ?? live[0];
    if (next) next.focus();
    else if (isLost) document.getElementById("table")?.focus({ preventScroll: true });
  }

  private get steps(): string[] {
    return this.marks.any ? [...this.marks.steps] : this.chosen.map(({ step }) => step);
  }

  /** The moves that are still possible. */
  private get left(): Offer[] {
    if (!this.marks.any) return narrow(this.offers, this.steps);
    return this.offers.filter(({ steps }) => this.marks.steps.some((mark) => steps.includes(mark)));
  }

  private click(event: MouseEvent): void {
    if (this.busy || !(event.target instanceof Element)) return;
    if (event.target.closest("#confirm")) {
      const marked = this.marks.moves(this.offers);
      if (this.held) this.send(this.held);
      else if (marked) this.sendAll(marked);
      return;
    }
    const listed = this.offers.find(({ button }) => button === (event.target as Element).closest("button"));
    if (listed && waits(listed)) {
      // A button of the list sends its form by itself: unless it is to wait.
      event.preventDefault();
      this.chosen = [];
      this.marks.clear();
      this.hold(listed);
      return;
    }
    const element = event.target.closest("[data-step]");
    if (element && this.mark(stepsOf(element))) return;
    const step = element ? this.stepFor(stepsOf(element)) : undefined;
    if (event.target.closest("[data-back]")) this.back();
    else if (step !== undefined) this.choose(step);
    else this.miss(event.target, element);
  }

  /** Where several are chosen at once: mark a thing, or go on with all that is marked. Says whether it was either. */
  private mark(steps: string[]): boolean {
    const step = this.isHalfway && !this.marks.any ? undefined : this.marks.markOf(steps, this.offers);
    const onward = this.marks.onward(this.offers).find((each) => steps.includes(each));
    if (step !== undefined) {
      this.marks.toggle(step);
      this.chosen = [];
      this.skip();
      this.show();
      return true;
    }
    const moves = onward === undefined ? undefined : this.marks.moves(this.offers, onward);
    if (moves) this.sendAll(moves);
    return moves !== undefined;
  }

  /** A click that chooses nothing: it steps back from a choice half made, and asks why it does no more. */
  private miss(target: Element, element: Element | null): void {
    const steps = this.isHalfway && !this.held ? this.steps : [];
    const thing = thingAt(target);
    // The text of a card says it, where the click has opened that.
    const isAnswered = thing?.matches("[data-about]") === true && !this.isHalfway;
    const isMissed = thing !== null && !isAnswered && !stepsOf(thing).some((each) => this.steps.includes(each));
    const isElsewhere = this.isHalfway && !this.marks.any && this.isAway(target, element) && this.leave(element);
    if (thing && isMissed && !isElsewhere) void sayWhyNot(thing, steps);
  }

  /** Whether nothing can be chosen by this, whatever is chosen first. */
  isDead(element: Element): boolean {
    return !this.busy && !stepsOf(element).some((step) => narrow(this.offers, [step]).length > 0);
  }

  /** The step that a click takes now: one of the next, the only outline around a square, or a shortcut. */
  private stepFor(steps: string[]): string | undefined {
    if (this.marks.any) return undefined;
    const possible = steps.find((step) => this.isPossible(step));
    return steps.find((step) => this.next.has(step)) ?? this.onlyNextAround(steps) ?? (this.isHalfway ? undefined : possible);
  }

  private onlyNextAround(steps: string[]): string | undefined {
    if (!this.isHalfway) return undefined;
    const around = narrow(this.offers, this.steps).filter((offer) => steps.some((step) => offer.steps.includes(step)));
    const next = nextSteps(around, this.steps);
    return next.size === 1 ? [...next][0] : undefined;
  }

  private isPossible(step: string): boolean {
    return !this.steps.includes(step) && narrow(this.offers, [...this.steps, step]).length > 0;
  }

  /** Whether a click is meant for something else than the choice half made. */
  private isAway(target: Element, element: Element | null): boolean {
    if (element) return !stepsOf(element).some((step) => this.isPossible(step));
    return target.closest("#table") !== null && target.closest("a, button, summary, form, [popover]") === null;
  }

  /** Step back; or begin anew with what was clicked, where a move can begin with it: says whether it does. */
  private leave(element: Element | null): boolean {
    const steps = element ? stepsOf(element).filter((step) => !this.steps.includes(step)) : [];
    const first = nextSteps(this.offers, []);
    const other = steps.find((step) => first.has(step));
    if (other === undefined) {
      this.back();
      return false;
    }
    this.held = undefined;
    this.chosen = [];
    this.skip();
    this.choose(other);
    return true;
  }

  private choose(step: string): void {
    for (const each of this.next.has(step) ? [step] : this.outOfTurn(step)) {
      if (this.steps.includes(each)) continue;
      this.chosen.push({ step: each, own: true, shortcut: !this.next.has(each) });
      if (!this.chosen.at(-1)?.shortcut) this.skip();
    }
    const left = narrow(this.offers, this.steps);
    this.next = nextSteps(left, this.steps);
    const complete = left.find((offer) => offer.steps.every((each) => this.steps.includes(each)));
    if (complete) {
      this.play(complete);
      return;
    }
    this.show();
    this.lookInto();
    this.focusNext();
  }

  /** What a step out of turn stands for: where but one way leads to it, that way, as if it had been gone from its beginning. */
  private outOfTurn(step: string): string[] {
    const ways = narrow(this.offers, [step]).map(({ steps }) => steps.slice(0, steps.indexOf(step)));
    const [way = []] = ways;
    const fork = way.findIndex((each, at) => ways.some((other) => other[at] !== each));
    const common = fork < 0 ? way : way.slice(0, fork);
    return common.length && ways.every(({ length }) => length === common.length) ? common : [step, ...common];
  }

  /** Take the steps to which there is no alternative: but the last of a move is left to a click. */
  private skip(): void {
    if (this.marks.any) {
      this.next = new Set([...this.marks.more(this.offers), ...this.marks.onward(this.offers)]);
      return;
    }
    for (;;) {
      const left = narrow(this.offers, this.steps);
      this.next = nextSteps(left, this.steps);
      const [step] = this.next;
      if (step === undefined || this.next.size > 1) return;
      const isLast = left.some(({ steps }) => steps.every((each) => each === step || this.steps.includes(each)));
      if (isLast && !this.isConfirmed) return;
      this.chosen.push({ step, own: false });
    }
  }

  /** Somebody who began with the last step has confirmed it by a second one. */
  private get isConfirmed(): boolean {
    return this.chosen[0]?.shortcut === true && this.chosen.filter(({ own }) => own).length > 1;
  }

  private play(offer: Offer): void {
    if (waits(offer)) this.hold(offer);
    else this.send(offer);
  }

  /** Show a move that is chosen whole, and let it wait. */
  private hold(offer: Offer): void {
    this.held = offer;
    for (const step of offer.steps) if (!this.steps.includes(step)) this.chosen.push({ step, own: false });
    this.next = new Set();
    this.show();
    const confirm = document.getElementById("confirm");
    // in a low window what sticks to its edge is scrolled itself: the page would go with it
    if (pinned()) document.getElementById("ask")?.scrollTo({ top: 0 });
    else confirm?.scrollIntoView({ block: "nearest" });
    // A mouse leaves it to the keys to go on: Enter confirms then, and does not step back from the card that was clicked.
    if (usedKeys() || matchMedia("(pointer: fine)").matches) confirm?.focus({ preventScroll: true });
  }

  /** The move that waits, where it is still possible after the page has changed. */
  private heldAgain(): Offer | undefined {
    const before = this.held;
    const now = before && this.offers.find(({ button }) => button.value === before.button.value && waits({ button }));
    if (!now) return undefined;
    this.chosen = now.steps.map((step) => ({ step, own: this.chosen.some((each) => each.own && each.step === step) }));
    this.next = new Set();
    return now;
  }

  /** Send several moves in their order: all but the last as fields of the form, whose button is the last one's. */
  private sendAll(offers: readonly Offer[]): void {
    const last = offers.at(-1);
    const form = last?.button.form;
    if (!last || !form) return;
    const fields = offers.slice(0, -1).map(({ button }) => {
      const field = document.createElement("input");
      [field.type, field.name, field.value] = ["hidden", button.name, button.value];
      return field;
    });
    form.prepend(...fields);
    this.send(last);
    for (const field of fields) field.remove();
  }

  private send(offer: Offer): void {
    this.held = undefined;
    this.chosen = [];
    this.marks.clear();
    this.next = new Set();
    this.busy = true;
    this.isFollowed = true;
    this.played = document.activeElement;
    this.show();
    const sent = ++this.sent;
    window.setTimeout(() => sent === this.sent && this.busy && this.answered(), PATIENCE);
    offer.button.form?.requestSubmit(offer.button);
  }

  /** Show where a move is made that a hint points at; none: no more. */
  advise(steps: readonly string[]): void {
    this.advised = steps;
    this.light();
    // On a phone what is pointed at may lie far above what is told.
    const where = standing(steps);
    if (where) bringIntoSight(where);
  }

  private point(target: EventTarget | null): void {
    const element = target instanceof Element ? target.closest("[data-step]") : null;
    const step = element ? stepsOf(element).find((each) => this.isPossible(each)) : undefined;
    if ((step ?? null) === this.pointed) return;
    this.pointed = step ?? null;
    this.light();
  }

  private show(): void {
    // Where nothing is asked all would be dead, which says nothing of any.
    const isAsked = !this.busy && this.offers.length > 0;
    for (const element of document.querySelectorAll("[data-step]")) {
      const own = stepsOf(element);
      const isLive = own.some((step) => this.next.has(step));
      const isChosen = own.some((step) => this.steps.includes(step));
      const isDead = !isLive && !isChosen && this.stepFor(own) === undefined;
      element.toggleAttribute(LIVE, isLive);
      element.toggleAttribute(CHOSEN, isChosen);
      if (!element.matches("button")) continue;
      say(element, PRESSED, isChosen);
      say(element, DISABLED, isAsked && isDead);
    }
    this.marks.show();
    this.hint();
    this.light();
    this.rove();
  }

  /** Say what is asked next, in place of what was asked first. */
  private hint(): void {
    const isHeld = this.held !== undefined;
    const kinds = new Set([...this.next].map((step) => step.split("-")[0]));
    const onward = this.marks.onward(this.offers);
    for (const step of this.marks.any ? this.marks.more(this.offers) : []) kinds.delete(step.split("-")[0]);
    const kind = this.isHalfway && kinds.size === 1 ? [...kinds][0] : undefined;
    const isWhole = this.marks.any && onward.length === 0 && this.marks.moves(this.offers) !== undefined;
    let hinted = false;
    for (const element of document.querySelectorAll<HTMLElement>("[data-hint]")) {
      element.hidden = element.dataset["hint"] !== kind;
      hinted ||= !element.hidden;
    }
    document.getElementById("prompt")?.toggleAttribute("hidden", hinted || isHeld);
    this.nameHeld();
    document.getElementById("confirm")?.toggleAttribute("hidden", !isHeld && !isWhole);
    document.getElementById("step-back")?.toggleAttribute("hidden", !this.isHalfway);
    const table = document.getElementById("table");
    table?.toggleAttribute("data-ui-confirms", isHeld || isWhole);
    table?.toggleAttribute("data-ui-halfway", this.isHalfway);
  }

  /** Say which move waits, in the words of the list of moves. */
  private nameHeld(): void {
    const place = document.getElementById("held");
    if (!place) return;
    place.hidden = this.held === undefined;
    const move = this.held?.button.textContent ?? "";
    const words = this.held ? (place.dataset["words"] ?? "").replace("#", () => move) : "";
    if (place.textContent !== words) place.textContent = words;
  }

  /** Show on the board what is still possible, and strongly what is chosen or pointed at. */
  private light(): void {
    const { left, pointed } = this;
    const meant = pointed !== null ? left.filter(({ steps }) => steps.includes(pointed)) : left;
    const sure = new Set([...this.steps, ...this.advised, ...(pointed === null ? [] : [pointed])]);
    let isShown = false;
    for (const element of document.querySelectorAll("[data-step]")) {
      const isAdvised = stepsOf(element).some((step) => this.advised.includes(step));
      element.toggleAttribute(ADVISED, isAdvised);
      isShown ||= isAdvised && !element.closest("#ask");
    }
    document.getElementById("table")?.toggleAttribute("data-ui-shows-advice", isShown);
    for (const element of document.querySelectorAll("[data-lit]")) {
      const steps = (element.getAttribute("data-lit") ?? "").split(" ");
      const strong = steps.every((step) => sure.has(step));
      // Of several steps the first has to be chosen or pointed at.
      const begun = steps.length === 1 || sure.has(steps[0] ?? "");
      if (strong || (begun && narrow(meant, steps).length > 0)) element.setAttribute(LIT, strong ? "strong" : "");
      else element.removeAttribute(LIT);
    }
    foretell([...sure]);
  }

  /** Bring the first thing that can be chosen into sight in rows that are scrolled sideways, where it is another one now. */
  private reach(): void {
    for (const row of document.querySelectorAll("[data-strip]")) {
      const first = row.querySelector(`[${LIVE}]`);
      if (first && first !== this.reached.get(row)) {
        const edge = row.getBoundingClientRect().left + parseFloat(getComputedStyle(row).paddingInlineStart);
        row.scrollBy({ left: first.getBoundingClientRect().left - edge });
      }
      if (first) this.reached.set(row, first);
      else this.reached.delete(row);
    }
    for (const hand of document.querySelectorAll("[data-hand]")) {
      const { left, right } = hand.getBoundingClientRect();
      const live = worthwhile([...hand.querySelectorAll(`[${LIVE}]`)]);
      const isSeen = (box: DOMRect): boolean => box.left >= left - 1 && box.right <= right + 1;
      if (live[0] && !live.some((each) => isSeen(each.getBoundingClientRect()))) toMiddle(hand, live[0]);
    }
    this.lookInto();
    if (this.isFollowed && this.next.size) {
      this.isFollowed = false;
      this.goAlong();
    }
  }

  /** In columns that are scrolled by themselves: where nothing of what can be chosen is seen, the first of it is. */
  private lookInto(): void {
    if (isGuided()) return;
    const live = worthwhile(shownLive(), "[data-spare]");
    const place = live.find(columnOf);
    if (!place || live.some((each) => each.closest("#ask") || isSeenInColumn(each))) return;
    const [at, room] = [place.getBoundingClientRect(), columnOf(place)?.getBoundingClientRect() ?? new DOMRect()];
    columnOf(place)?.scrollBy({ top: at.top < room.top ? at.top - room.top : at.bottom - room.bottom, behavior: "instant" });
  }

  /** On a phone: where nothing of what can be chosen after one's move is in sight, or stands where it is asked, go there. */
  private goAlong(): void {
    if (!pinned() || isGuided()) return;
    const best = worthwhile(shownLive());
    const [from, to] = free();
    const isSeen = ({ top, bottom, height }: DOMRect): boolean => Math.min(bottom, to) - Math.max(top, from) >= Math.min(height, to - from) / 2;
    if (best[0] && !best.some((each) => each.closest("#ask") || isSeen(each.getBoundingClientRect()))) bringIntoSight(best[0]);
  }

  /** In every group one element is a stop of the Tab key: the one in focus, or the first that is live. */
  private rove(): void {
    for (const group of document.querySelectorAll("[data-arrows]")) {
      const members = membersOf(group);
      const live = members.find((each) => each.hasAttribute(LIVE));
      const stop = members.find((each) => each === document.activeElement) ?? live ?? members[0];
      for (const each of members) each.tabIndex = each === stop ? 0 : -1;
    }
  }
}

/** What arrows go through in a group: what can be chosen; in one of links, all that leads somewhere. */
export function membersOf(group: Element): HTMLElement[] {
  return [...group.querySelectorAll<HTMLElement>(group.getAttribute("data-arrows") === "links" ? "a[href], button" : "[data-step]")];
}

/** Say by such an attribute that something is so; else nothing is said. */
function say(element: Element, attribute: string, isSo: boolean): void {
  if (isSo) element.setAttribute(attribute, "true");
  else element.removeAttribute(attribute);
}

/** Whether a move is to wait until it is confirmed: the person wants that where it could not be taken back. */
function waits({ button }: Pick<Offer, "button">): boolean {
  return button.hasAttribute("data-final") && document.getElementById("own")?.hasAttribute("data-confirm") === true;
}

/** Put the focus on an element, where it can have it. */
function focusOn(element: Element | undefined): void {
  if (element instanceof HTMLElement || element instanceof SVGElement) element.focus({ preventScroll: !usedKeys() });
}

/** What stands for the first of these steps that has anything on the board; else what is asked has it. */
function standing(steps: readonly string[]): Element | undefined {
  const all = steps.flatMap((step) => [...document.querySelectorAll(`[data-step~="${CSS.escape(step)}"]`)]);
  const shown = all.filter((each) => each.checkVisibility());
  return shown.find((each) => !each.closest("#ask")) ?? shown[0];
}

/** Whether a guide speaks, which goes itself to what it speaks of: its slip would be moved away from there. */
function isGuided(): boolean {
  return document.querySelector("#guide[data-stage-of-guide='says']") !== null;
}

/** All that can be chosen and is displayed, but to be done. */
function shownLive(): Element[] {
  return [...document.querySelectorAll(`[${LIVE}]`)].filter((each) => each.checkVisibility() && each.id !== "done");
}

/** The column that an element is in, where that is scrolled by itself. */
function columnOf(element: Element): Element | null {
  const column = element.closest("[data-column]");
  return column && column.scrollHeight > column.clientHeight + 1 ? column : null;
}

/** Whether half of an element at least is within its column, if it is in one. */
function isSeenInColumn(element: Element): boolean {
  const [at, room] = [element.getBoundingClientRect(), columnOf(element)?.getBoundingClientRect()];
  return !room || Math.min(at.bottom, room.bottom) - Math.max(at.top, room.top) >= at.height / 2;
}

/** Of what can be chosen, that which is not only there to be given up, if there is any. */
function worthwhile(live: readonly Element[], spare = "[data-spare='']"): readonly Element[] {
  const kept = live.filter((each) => !each.matches(spare));
  return kept.length ? kept : live;
}

/** From where to where the window is free, with the bar at its edge, and what is asked, unless that is what is looked for. */
function free(isAbove = true): [number, number] {
  const ask = isAbove ? pinned() : undefined;
  const isBelow = ask !== undefined && ask.top > innerHeight - ask.bottom;
  // The bar above may stay in sight, too: what is gone to stands below it ("auto" where it does not).
  const bar = parseFloat(getComputedStyle(document.documentElement).scrollPaddingBlockStart) || 0;
  return [ask && !isBelow ? Math.max(bar, ask.bottom) : bar, ask && isBelow ? Math.min(innerHeight, ask.top) : innerHeight];
}

/** Scroll to the middle of what is free of the window, where not all of it is in sight. */
function bringIntoSight(element: Element): void {
  // It may be in a row or a column that is scrolled by itself.
  element.scrollIntoView({ block: "nearest", inline: "center", behavior: "instant" });
  const [from, to] = free(!element.closest("#ask"));
  const { top, bottom } = element.getBoundingClientRect();
  if (top >= from && bottom <= to) return;
  // Of what is higher than that the beginning is seen.
  scrollBy({ top: Math.min(top - from, (top + bottom - from - to) / 2) });
}
