// Pieces on the page, and copies of them that fly above it.

export interface Piece {
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
/** So wide at least is a piece that flies. */
const WIDTH = 26;

/** All pieces, and where they are. */
export function pieces(): Piece[] {
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

/** The symbol that an element shows. */
export function kindOf(element: Element): string {
  const use = element.matches("use") ? element : element.querySelector("use");
  return use?.getAttribute("href")?.slice(1) ?? "";
}

/** The hues around an element. */
export function huesOf(element: Element): readonly string[] {
  return [...(element.closest("[class*='hue-']")?.classList ?? [])].filter((name) => name.startsWith("hue-"));
}

/** The first element of a selector, by the order of its parts, that has a place on the page. */
export function seen(selector: string | undefined): Element | undefined {
  for (const part of (selector ?? "").split(", ").filter(Boolean)) {
    for (const element of found(part)) if (element.getBoundingClientRect().width > 0) return element;
  }
  return undefined;
}

/** What a selector finds; what a game's template has written wrong finds nothing. */
function found(selector: string): readonly Element[] {
  try {
    return [...document.querySelectorAll(selector)];
  } catch {
    return [];
  }
}

/** A square of a piece's size in the middle of a rectangle. */
export function sized({ x, y, width, height }: DOMRect): DOMRect {
  const side = Math.min(Math.max(WIDTH, Math.min(width, height)), 2 * WIDTH);
  return new DOMRect(x + (width - side) / 2, y + (height - side) / 2, side, side);
}

/** Mark where something happened of which no piece can be shown. */
export function pulse(element: Element, duration: number, delay = 0): void {
  element.animate(
    [{ filter: "none" }, { filter: "brightness(1.12) drop-shadow(0 0 6px var(--fresh))" }, { filter: "none" }],
    { duration: 1.2 * duration, delay },
  );
}

/** A copy of a piece goes its way above the page, and where it is not hidden there ends in what lies there. */
export function travel(
  kind: string,
  hues: readonly string[],
  from: DOMRect,
  to: DOMRect,
  duration: number,
  fades = false,
): void {
  const ghost = ghostOf(kind, hues);
  const path = [at(from, from), { ...at(to, from), ...(fades ? { opacity: 0.4 } : {}) }];
  const timing = { duration, fill: "backwards", easing: EASE } as const;
  ghost.animate(path, timing).finished.finally(() => ghost.remove());
}

/** A copy of a piece in the layer above the page. */
export function ghostOf(kind: string, hues: readonly string[]): SVGSVGElement {
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
export function at(rect: DOMRect, size: DOMRect): Keyframe {
  return {
    inlineSize: `${size.width}px`,
    transformOrigin: "0 0",
    transform: `translate(${rect.x}px, ${rect.y}px) scale(${rect.width / size.width})`,
  };
}

/** A duration of the tokens, in milliseconds. */
export function time(token: string): number {
  const value = getComputedStyle(document.documentElement).getPropertyValue(token).trim();
  return (Number.parseFloat(value) || 0) * (value.endsWith("ms") ? 1 : 1000);
}
