// What others did since one's own move, in a line or two: where it does not fit there, the line says that there is more.

const MORE = "data-ui-more";

/** Look whether all of it is in sight, whenever it is another text or has another width. */
export function watchRecap(): void {
  const sizes = new ResizeObserver(look);
  const observe = (): void => {
    sizes.disconnect();
    const words = document.getElementById("recap-words");
    if (words) sizes.observe(words);
    look();
  };
  document.addEventListener("htmx:after:swap", observe);
  observe();
}

function look(): void {
  const recap = document.getElementById("recap");
  // While it is open it is all there, and it is to be told afterwards that it was not.
  if (!recap || recap.matches(":focus-within")) return;
  const words = document.getElementById("recap-words");
  const isCut = words !== null && (words.scrollWidth > words.clientWidth || words.scrollHeight > words.clientHeight + 1);
  recap.toggleAttribute(MORE, isCut);
}
