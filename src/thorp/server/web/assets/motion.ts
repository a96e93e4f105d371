// Pieces move: after the page has changed, what is somewhere else is seen to go there from where it was.
//
// What others did is told by the table (`data-flight`): each of their moves once, one after the other. What else is
// somewhere else than before is found by comparing the pieces (`data-at`). Nothing waits for it: the page is as it is to
// be from the first moment on, and only copies of pieces move above it.

interface Piece {
  readonly element: Element;
  readonly kind: string;
  readonly group: string;
  readonly at: string;
  /** Group, place and kind: the same piece at the same place before and after. */
  readonly key: string;
  readonly rect: DOMRect;
  readonly hues: readonly string[];
  readonly onBoard: boolean;
  /** Whether it is made of nothing: what went at the same time only went. */
  readonly lone: boolean;
}

const SVG = "http://www.w3.org/2000/svg";
const EASE = "cubic-bezier(0.3, 0.7, 0.25, 1)";
/** Of several moves the next begins when so much of the one before is done; so many are shown. */
const STAGGER = 0.7;
const MOST = 5;
/** Where more has happened at once, nobody could follow. */
const TOO_MANY = 16;
/** So wide at least is a piece that flies. */
const WIDTH = 26;

/** Compare the pieces before and after every change of the table. */
export function watchMotion(): void {
  let before: Piece[] = [];
  let ply = Number.NaN;
  document.addEventListener("htmx:before:swap", () => {
    before = pieces();
    ply = plyShown();
  });
  document.addEventListener("htmx:after:swap", () => {
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
      const told = document.hidden ? new Set<Element>() : flights(ply, before);
      play(before, pieces().filter(({ element }) => !told.has(element)));
    }
    before = [];
  });
}

/** How many moves have led to what is shown. */
function plyShown(): number {
  return Number(document.getElementById("table")?.dataset["ply"] ?? Number.NaN);
}

/** Show the moves of others since `ply`; what has been shown to arrive. */
function flights(ply: number, before: readonly Piece[]): Set<Element> {
  const arrived = new Set<Element>();
  const now = plyShown();
  if (!(now > ply && now - ply <= TOO_MANY)) return arrived;
  const duration = 2 * time("--move");
  const told = [...document.querySelectorAll<HTMLElement>("[data-flight]")].filter(
    (way) => Number(way.dataset["flight"]) >= ply,
  );
  told.slice(-MOST).forEach((way, index) => {
    const to = seen(way.dataset["to"]);
    if (!to) return;
    const delay = index * STAGGER * duration;
    const from = source(way.dataset["from"], before);
    const kind = way.dataset["kind"] || from?.kind || kindOf(to);
    if (!from || !kind) {
      pulse(to, duration, delay);
      return;
    }
    const hues = way.className ? [...way.classList] : from.hues.length ? from.hues : huesOf(to);
    const over = way.dataset["over"] !== undefined;
    travel(kind, hues, sized(from.rect), sized(to.getBoundingClientRect()), duration, delay, over);
    if (over) pulse(to, duration / 2, delay + 0.8 * duration);
    else {
      to.animate([{ opacity: 0 }, { opacity: 0 }], { duration: duration + delay });
      arrived.add(to);
    }
  });
  return arrived;
}

/** Where a move came from: `@place`, a piece as it was before, or else what a selector finds. */
function source(
  from: string | undefined,
  before: readonly Piece[],
): { readonly rect: DOMRect; readonly kind: string; readonly hues: readonly string[] } | undefined {
  if (!from) return undefined;
  if (from.startsWith("@")) return before.find(({ at, rect }) => at === from.slice(1) && rect.width > 0);
  const element = seen(from);
  return element ? { rect: element.getBoundingClientRect(), kind: "", hues: [] } : undefined;
}

/** The first element of a selector, by the order of its parts, that has a place on the page. */
function seen(selector: string | undefined): Element | undefined {
  for (const part of (selector ?? "").split(", ").filter(Boolean)) {
    for (const element of document.querySelectorAll(part)) {
      if (element.getBoundingClientRect().width > 0) return element;
    }
  }
  return undefined;
}

/** A square of a piece's size in the middle of a rectangle. */
function sized({ x, y, width, height }: DOMRect): DOMRect {
  const side = Math.min(Math.max(WIDTH, Math.min(width, height)), 2 * WIDTH);
  return new DOMRect(x + (width - side) / 2, y + (height - side) / 2, side, side);
}

/** Mark where something happened of which no piece can be shown. */
function pulse(element: Element, duration: number, delay: number): void {
  element.animate(
    [{ filter: "none" }, { filter: "brightness(1.12) drop-shadow(0 0 6px var(--fresh))" }, { filter: "none" }],
    { duration: 1.2 * duration, delay },
  );
}

function pieces(): Piece[] {
  return [...document.querySelectorAll("[data-at]")].map((element) => {
    const kind = kindOf(element);
    const group = element.closest("[data-group]")?.getAttribute("data-group") ?? "";
    const at = element.getAttribute("data-at") ?? "";
    return {
      element,
      kind,
      group,
      at,
      key: `${group}/${at}/${kind}`,
      rect: element.getBoundingClientRect(),
      hues: huesOf(element),
      onBoard: element.closest("[data-board]") !== null,
      lone: element.hasAttribute("data-lone"),
    };
  });
}

function kindOf(element: Element): string {
  const use = element.matches("use") ? element : element.querySelector("use");
  return use?.getAttribute("href")?.slice(1) ?? "";
}

function huesOf(element: Element): readonly string[] {
  return [...(element.closest("[class*='hue-']")?.classList ?? [])].filter((name) => name.startsWith("hue-"));
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

/** A copy of a piece goes its way above the page, and where it is not hidden there ends in what lies there. */
function travel(
  kind: string,
  hues: readonly string[],
  from: DOMRect,
  to: DOMRect,
  duration: number,
  delay = 0,
  fades = false,
): void {
  const ghost = ghostOf(kind, hues);
  const path = [at(from, from), { ...at(to, from), ...(fades ? { opacity: 0.4 } : {}) }];
  const timing = { duration, delay, fill: "backwards", easing: EASE } as const;
  ghost.animate(path, timing).finished.finally(() => ghost.remove());
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

/** A copy of a piece in the layer above the page. */
function ghostOf(kind: string, hues: readonly string[]): SVGSVGElement {
  const ghost = document.createElementNS(SVG, "svg");
  ghost.setAttribute("class", ["drawing", ...hues].join(" "));
  ghost.setAttribute("viewBox", "0 0 32 32");
  ghost.setAttribute("data-kind", kind);
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${kind}`);
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
  const value = getComputedStyle(document.documentElement).getPropertyValue(token).trim();
  return (Number.parseFloat(value) || 0) * (value.endsWith("ms") ? 1 : 1000);
}
