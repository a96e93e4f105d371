// Several people at one device: what one of them was shown does not come back by the browser's back button.

/** Leave nothing of the table in a page that the browser may keep, and ask for the present where it was kept. */
export function watchDevice(): void {
  window.addEventListener("pagehide", () => {
    if (isShared()) document.getElementById("table")?.replaceChildren();
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted && isShared()) location.reload();
  });
}

function isShared(): boolean {
  return document.getElementById("table")?.hasAttribute("data-device") ?? false;
}
