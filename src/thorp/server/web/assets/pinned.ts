// What is asked may stick to an edge of the window: then it hides what lies below it, and scrolling does not move it.

/** The box of what is asked, where it sticks to an edge of the window. */
export function pinned(): DOMRect | undefined {
  const ask = document.getElementById("ask");
  return ask && getComputedStyle(ask).position === "sticky" ? ask.getBoundingClientRect() : undefined;
}
