// Pieces move: after the page has changed, what is somewhere else is seen to go there from where it was.

interface Piece {
  readonly element: Element;
  readonly kind: string;
  readonly group: string;
  /** Group, place and kind: the same piece at the same place before and after. */
  readonly key: string;
  readonly rect: DOMRect;
  readonly onBoard: boolean;
  /** Whether it is made of nothing: what went at the same time only went. */
  readonly lone: boolean;
}

const SVG = "http://www.w3.org/2000/svg";

/** Compare the pieces before and after every change of the table. */
export function watchMotion(): void {
  let before: Piece[] = [];
  document.addEventListener("htmx:before:swap", () => (before = pieces()));
  document.addEventListener("htmx:after:swap", () => {
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) play(before, pieces());
    before = [];
  });
}

function pieces(): Piece[] {
  return [...document.querySelectorAll("[data-at]")].map((element) => {
    const use = element.matches("use") ? element : element.querySelector("use");
    const kind = use?.getAttribute("href")?.slice(1) ?? "";
    const group = element.closest("[data-group]")?.getAttribute("data-group") ?? "";
    return {
      element,
      kind,
      group,
      key: `${group}/${element.getAttribute("data-at")}/${kind}`,
      rect: element.getBoundingClientRect(),
      onBoard: element.closest("[data-board]") !== null,
      lone: element.hasAttribute("data-lone"),
    };
  });
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
  const ghost = ghostOf(to);
  const path = [at(from, from), at(to.rect, from)];
  hide(to, duration);
  ghost.animate(path, { duration, easing: "cubic-bezier(0.3, 0.7, 0.25, 1)" }).finished.finally(() => ghost.remove());
}

/** A building rises where cubes of its board went, and takes them up; a lone piece just arrives. */
function appear(piece: Piece, gone: Piece[], duration: number): void {
  const parts = piece.lone ? [] : gone.filter(({ group, onBoard }) => group === piece.group && onBoard);
  for (const part of parts) {
    gone.splice(gone.indexOf(part), 1);
    const ghost = ghostOf(part);
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

/** A copy of a piece in the layer above the page. */
function ghostOf(piece: Piece): SVGSVGElement {
  const ghost = document.createElementNS(SVG, "svg");
  const hued = piece.element.closest("[class*='hue-']")?.classList ?? [];
  ghost.setAttribute("class", `drawing ${[...hued].filter((name) => name.startsWith("hue-")).join(" ")}`);
  ghost.setAttribute("viewBox", "0 0 32 32");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${piece.kind}`);
  ghost.append(use);
  document.getElementById("motion")?.append(ghost);
  return ghost;
}

/** Where a ghost that is as large as `size` has to be to cover a rectangle. */
function at(rect: DOMRect, size: DOMRect): Keyframe {
  return {
    inlineSize: `${size.width}px`,
    transformOrigin: "0 0",
    transform: `translate(${rect.x}px, ${rect.y}px) scale(${rect.width / size.width})`,
  };
}

function time(token: string): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(token)) || 0;
}
