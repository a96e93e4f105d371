// What others did, one move after the other: each moves its piece and is told in words, at the pace of the person.
//
// The page is as it is to be from the first moment on, and nobody has to wait: whoever does something has seen enough, and
// all the rest is there. Until its turn has come a piece is not seen at its new place, nor a line in the log.

import { type Piece, huesOf, kindOf, pulse, seen, sized, time, travel } from "./flying.js";
import { isTyping } from "./input.js";

/** Where a piece came from; its place is that on the page as a whole, which may be scrolled meanwhile. */
interface Source {
  readonly rect: DOMRect;
  readonly kind: string;
  readonly hues: readonly string[];
}

/** A move of somebody else. */
interface Move {
  readonly ply: number;
  readonly from: () => Source | undefined;
  readonly to: string | undefined;
  readonly kind: string | undefined;
  readonly hues: readonly string[];
  readonly over: boolean;
}

const UNTOLD = "data-ui-untold";
const TELLING = "data-ui-telling";
/** So many moves are told one by one; of more, the last. */
const MOST = 12;
/** Where more than so many wait each is shown for a shorter time, in milliseconds no less than this. */
const FEW = 4;
const LEAST = 100;
/** A piece flies so long at least, in milliseconds, or nobody could follow it: the next may begin before it is there. */
const FLIES = 200;
/** So many are shown where all are shown together; where more has happened at once, nobody could follow. */
const MOST_TOGETHER = 5;
const TOO_MANY = 16;
/** The keys that are no act of their own. */
const MODIFIERS = ["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock"];

export class Telling {
  private queue: Move[] = [];
  private now: Move | undefined;
  private timer = 0;

  constructor() {
    document.addEventListener("click", () => this.skip(), { capture: true });
    document.addEventListener(
      "keydown",
      (event) => {
        if (!MODIFIERS.includes(event.key) && !isTyping(event.target)) this.skip();
      },
      { capture: true },
    );
    document.addEventListener("visibilitychange", () => document.hidden && this.skip());
  }

  /**
   * The page has come from so many moves to so many: let those of others be told. `before` are the pieces as they were. What
   * has yet to arrive is handed back: it is not to be moved in any other way.
   */
  add(ply: number, now: number, before: readonly Piece[]): Set<Element> {
    const arriving = new Set<Element>();
    // what was taken back is nothing to be told
    if (document.hidden || now < ply || document.querySelector("#table.over")) this.skip();
    else if (now > ply) this.take(movesSince(ply, before), now - ply, arriving);
    this.show(arriving);
    return arriving;
  }

  /** All that is still to be told is there. */
  private skip(): void {
    if (!this.now && !this.queue.length) return;
    clearTimeout(this.timer);
    this.queue = [];
    this.now = undefined;
    document.getElementById("motion")?.replaceChildren();
    this.show();
  }

  private take(moves: readonly Move[], passed: number, arriving: Set<Element>): void {
    if (beatOf()) {
      this.queue.push(...moves);
      this.queue.splice(0, this.queue.length - MOST);
      if (!this.now) this.next();
    } else if (passed <= TOO_MANY) {
      for (const move of moves.slice(-MOST_TOGETHER)) {
        const to = landing(move);
        if (to) arriving.add(to);
        fly(move, 2 * time("--move"));
      }
    }
  }

  private next(): void {
    this.now = this.queue.shift();
    this.show();
    if (!this.now) return;
    const beat = shortened(beatOf(), goesOn() ? this.queue.length : 0);
    fly(this.now, Math.max(FLIES, Math.min(2 * time("--move"), 0.9 * beat)));
    this.timer = window.setTimeout(() => this.next(), beat);
  }

  /** Hide what is still to come, and say what happens now; add to `arriving` the pieces on their way or still to come. */
  private show(arriving = new Set<Element>()): void {
    const hidden = new Set(this.queue.map(landing).filter((to) => to !== undefined));
    const current = this.now && landing(this.now);
    // it flies, and another piece may still come to the same place
    if (current) hidden.delete(current);
    for (const to of current ? [...hidden, current] : hidden) arriving.add(to);
    this.hide(hidden);
    this.words();
  }

  /** Let these pieces, and the lines of what is still to come, not be seen yet; all else is. */
  private hide(hidden: Set<Element>): void {
    const from = this.queue[0]?.ply ?? Infinity;
    // from below, as things happened: the heading of a round waits for the first of its lines
    let isBegun = false;
    for (const line of [...document.querySelectorAll("#log li")].reverse()) {
      if (line.matches(".round")) {
        if (!isBegun) hidden.add(line);
        isBegun = false;
      } else if (line.id.startsWith("ply-") && plyOf(line) >= from) hidden.add(line);
      else isBegun = true;
    }
    for (const element of document.querySelectorAll(`[${UNTOLD}]`)) {
      if (!hidden.has(element)) element.removeAttribute(UNTOLD);
    }
    for (const element of hidden) element.setAttribute(UNTOLD, "");
  }

  /** The line that tells the move, where what has happened since one's own stands else. */
  private words(): void {
    const recap = document.getElementById("recap");
    const place = document.getElementById("telling");
    const line = this.now && document.getElementById(`ply-${this.now.ply}`);
    recap?.toggleAttribute(TELLING, line !== undefined && line !== null);
    recap?.toggleAttribute(`${TELLING}-more`, this.queue.length > 0);
    place?.replaceChildren(
      ...[...(line?.childNodes ?? [])].filter((node) => !(node instanceof Element && node.matches("a.ply"))).map(plain),
    );
  }
}

/** The moves of others that the page tells from so many on, in their order. */
function movesSince(ply: number, before: readonly Piece[]): Move[] {
  return [...document.querySelectorAll<HTMLElement>("[data-flight]")]
    .map((way) => moveOf(way, before))
    .filter((move) => move.ply >= ply)
    .sort((one, other) => one.ply - other.ply);
}

function moveOf(way: HTMLElement, before: readonly Piece[]): Move {
  const { flight, from = "", to, kind, over } = way.dataset;
  return { ply: Number(flight), from: sourceOf(from, before), to, kind, hues: [...way.classList], over: over !== undefined };
}

/** Where a move came from: `@place`, a piece as it was before, or else what a selector finds when its turn has come. */
function sourceOf(from: string, before: readonly Piece[]): () => Source | undefined {
  if (from.startsWith("@")) {
    const piece = before.find(({ at, rect }) => at === from.slice(1) && rect.width > 0);
    const [left, top] = [scrollX, scrollY];
    return () => piece && { ...piece, rect: moved(piece.rect, left - scrollX, top - scrollY) };
  }
  return () => {
    const element = seen(from);
    return element && { rect: element.getBoundingClientRect(), kind: "", hues: [] };
  };
}

function moved({ x, y, width, height }: DOMRect, right: number, down: number): DOMRect {
  return new DOMRect(x + right, y + down, width, height);
}

/** The piece that is not there before the move has ended, if there is one. */
function landing(move: Move): Element | undefined {
  const to = seen(move.to);
  return to && isHiddenBy(move, to) && move.from() ? to : undefined;
}

/** Whether what lies at the end of its way is the piece itself: words, as those that ask, are there all the time. */
function isHiddenBy(move: Move, to: Element): boolean {
  return !move.over && kindOf(to) !== "";
}

/** Show a move: a piece that goes its way, or else the place where something happened. */
function fly(move: Move, duration: number): void {
  const to = seen(move.to);
  if (!to) return;
  const from = move.from();
  const kind = move.kind || from?.kind || kindOf(to);
  if (!from || !kind) {
    pulse(to, duration);
    return;
  }
  const hues = move.hues.length ? move.hues : from.hues.length ? from.hues : huesOf(to);
  const isHidden = isHiddenBy(move, to);
  travel(kind, hues, sized(from.rect), sized(to.getBoundingClientRect()), duration, !isHidden);
  if (isHidden) to.animate([{ opacity: 0 }, { opacity: 0 }], { duration });
  else pulse(to, duration / 2, 0.8 * duration);
}

/** Whether moves may come before this person has made one. */
function goesOn(): boolean {
  return !document.querySelector("#table[data-asked]");
}

/**
 * How long a move is shown where so many wait behind it: as long as was chosen while these are few, and the shorter the
 * more there are. So the page falls only so far behind that moves go as fast as they come, however fast bots play.
 */
function shortened(chosen: number, waiting: number): number {
  return Math.max(Math.min(chosen, LEAST), chosen * Math.min(1, (FEW / waiting) ** 2));
}

/** How long a move is shown that nothing hurries, in milliseconds; 0: all that has come together is shown together. */
function beatOf(): number {
  const pace = document.getElementById("own")?.dataset["pace"];
  return pace === "slow" || pace === "quick" ? time(`--beat-${pace}`) : 0;
}

function plyOf(line: Element): number {
  return Number(line.id.split("-")[1]);
}

/** A copy of what stands in the log, without its ids. */
function plain(node: Node): Node {
  const copy = node.cloneNode(true);
  if (copy instanceof Element) for (const each of [copy, ...copy.querySelectorAll("[id]")]) each.removeAttribute("id");
  return copy;
}
