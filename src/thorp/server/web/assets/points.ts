// What the points of the moment are for: the link of a score opens the running sheet beside it, row by row.

/** Open it in place; without script the link leads to a page of its own. */
export function watchPoints(): void {
  const leaf = document.getElementById("points");
  if (!leaf) return;
  let from: HTMLAnchorElement | null = null;
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-points]") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    from = link;
    void open(leaf, link);
  });
  addEventListener("resize", () => from && leaf.matches(":popover-open") && place(leaf, from));
  // It tells of the table as it was.
  document.addEventListener("htmx:after:swap", () => leaf.matches(":popover-open") && leaf.hidePopover());
}

async function open(leaf: HTMLElement, link: HTMLAnchorElement): Promise<void> {
  try {
    const answer = await fetch(link.href, { headers: { "HX-Request": "true" } });
    if (!answer.ok) throw new Error(String(answer.status));
    leaf.querySelector("div")?.replaceChildren(document.createRange().createContextualFragment(await answer.text()));
  } catch {
    location.assign(link.href);
    return;
  }
  leaf.showPopover();
  place(leaf, link);
  leaf.focus();
}

/** Below the score, as far as the window has room. */
function place(leaf: HTMLElement, link: HTMLAnchorElement): void {
  const box = link.getBoundingClientRect();
  const own = leaf.getBoundingClientRect();
  leaf.style.left = `${Math.max(8, Math.min(box.right - own.width, innerWidth - own.width - 8))}px`;
  leaf.style.top = `${Math.max(8, Math.min(box.bottom + 6, innerHeight - own.height - 8))}px`;
}
