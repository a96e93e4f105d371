// Rows that are scrolled sideways.

/** Scroll a row until an element of it stands in the middle of what is shown, and never the page. */
export function toMiddle(row: Element, element: Element): void {
  const [room, place] = [row.getBoundingClientRect(), element.getBoundingClientRect()];
  row.scrollBy({ left: place.left + place.width / 2 - room.left - room.width / 2, behavior: "instant" });
}
