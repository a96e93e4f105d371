// Pieces move: after the page has changed, what is somewhere else is seen to go there from where it was.
//
// What others did is told move by move (telling.ts). What else is somewhere else than before is found by comparing the
// pieces (`data-at`). Nothing waits for it: the page is as it is to be from the first moment on, and only copies of pieces
// move above it.

import { type Piece, at, ghostOf, pieces, time, travel } from "./flying.js";
import { Telling } from "./telling.js";

/** Compare the pieces before and after every change of the table. */
export function watchMotion(): void {
  const telling = new Telling();
  let before: Piece[] = [];
  let ply = Number.NaN;
  document.addEventListener("htmx:before:swap", () => {
    before = pieces();
    ply = plyShown();
  });
  document.addEventListener("htmx:after:swap", () => {
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
      const told = telling.add(ply, plyShown(), before);
      play(before, pieces().filter(({ element }) => !told.has(element)));
    }
    before = [];
  });
}

/** How many moves have led to what is shown. */
function plyShown(): number {
  return Number(document.getElementById("table")?.dataset["ply"] ?? Number.NaN);
}

function play(before: readonly Piece[], after: readonly Piece[]): void {
  const duration = time("--move");
  const stayed = new Set(after.map(({ key }) => key));
  const known = new Set(before.map(({ key }) => key));
  const gone = before.filter(({ key, rect }) => !stayed.has(key) && rect.width > 0);
  for (const piece of after) {
    if (known.has(piece.key) || piece.rect.width === 0) continue;
    const from = gone.findIndex(({ group, kind }) => group === piece.group && kind === piece.kind);
    const [source] = from >= 0 ? gone.splice(from, 1) : [];
    if (source) fly(source.rect, piece, duration);
    else if (piece.onBoard) appear(piece, gone, duration);
  }
}

/** A piece goes from one place to another. */
function fly(from: DOMRect, to: Piece, duration: number): void {
  hide(to, duration);
  travel(to.kind, to.hues, from, to.rect, duration);
}

/** A building rises where cubes of its board went, and takes them up; a lone piece just arrives. */
function appear(piece: Piece, gone: Piece[], duration: number): void {
  const parts = piece.lone ? [] : gone.filter(({ group, onBoard }) => group === piece.group && onBoard);
  for (const part of parts) {
    gone.splice(gone.indexOf(part), 1);
    const ghost = ghostOf(part.kind, part.hues);
    const end = { ...at(piece.rect, part.rect), opacity: 0.2 };
    ghost.animate([at(part.rect, part.rect), end], { duration, easing: "ease-in" }).finished.finally(() => ghost.remove());
  }
  piece.element.animate(
    [
      { opacity: 0, scale: parts.length ? "0.4" : "1.35" },
      { opacity: 1, scale: "1" },
    ],
    { duration, delay: parts.length ? duration * 0.7 : 0, fill: "backwards", easing: "cubic-bezier(0.3, 1.4, 0.5, 1)" },
  );
}

function hide(piece: Piece, duration: number): void {
  piece.element.animate([{ opacity: 0 }, { opacity: 0 }], { duration });
}

