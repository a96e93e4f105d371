// What is asked may stick to an edge of the window: then it hides what lies below it, and scrolling does not move it.

/**
 * Keep so much room below what is gone to as what is asked takes, which browsers go by when the focus moves: but for a hint
 * in it, which may take most of the window.
 */
export function watchPinned(): void {
  const sizes = new ResizeObserver(([entry]) => {
    const height = entry?.target instanceof HTMLElement ? entry.target.offsetHeight : 0;
    const hint = document.getElementById("told")?.offsetHeight ?? 0;
    const asked = `${Math.max(0, height - hint)}px`;
    // Each has its own: it is not handed down.
    for (const each of [document.documentElement, entry?.target]) {
      if (each instanceof HTMLElement) each.style.setProperty("--asked", asked);
    }
  });
  const observe = (): void => {
    sizes.disconnect();
    const ask = document.getElementById("ask");
    if (ask) sizes.observe(ask);
  };
  document.addEventListener("htmx:after:swap", observe);
  observe();
}

/** The box of what is asked, where it sticks to an edge of the window. */
export function pinned(): DOMRect | undefined {
  const ask = document.getElementById("ask");
  return ask && getComputedStyle(ask).position === "sticky" ? ask.getBoundingClientRect() : undefined;
}
