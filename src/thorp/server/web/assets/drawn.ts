// Cards that have come to a hand: they are brought into sight there, and marked for a while, as a hand is sorted and may be
// wider than its room.

import { toMiddle } from "./row.js";

const HAND = "[data-hand]";
const DRAWN = "data-ui-drawn";
/** Milliseconds for which a card is marked. */
const MARKED = 4000;
/** What takes the mark of a card away: one that is drawn twice keeps it from the second time on. */
const ends = new WeakMap<Element, number>();

/** The cards of a hand, as so many of each. */
type Held = ReadonlyMap<string, number>;

/** Compare the hand before and after every change of the table. */
export function watchDrawn(): void {
  let before = heldNow();
  document.addEventListener("htmx:after:swap", () => {
    const after = heldNow();
    // The hand of another seat, where a device goes round, is not drawn.
    if ([...before.keys()].some((id) => after.has(id))) show([...after].filter(([id, count]) => count > (before.get(id) ?? 0)));
    before = after;
  });
}

function heldNow(): Held {
  const cards = document.querySelectorAll<HTMLElement>(`${HAND} > [data-held]`);
  return new Map([...cards].map((each) => [each.querySelector("[data-step]")?.id ?? "", Number(each.dataset["held"])]));
}

function show(drawn: readonly (readonly [string, number])[]): void {
  const cards = drawn.flatMap(([id]) => document.getElementById(id) ?? []);
  const row = cards[0]?.closest(HAND);
  if (!cards[0] || !row) return;
  const [room, place] = [row.getBoundingClientRect(), cards[0].getBoundingClientRect()];
  if (place.left < room.left || place.right > room.right) toMiddle(row, cards[0]);
  for (const card of cards) {
    card.setAttribute(DRAWN, "");
    clearTimeout(ends.get(card));
    ends.set(card, window.setTimeout(() => card.removeAttribute(DRAWN), MARKED));
  }
}
