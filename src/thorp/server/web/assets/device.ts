// Several people at one device: what one of them was shown or told is not there for the next, nor by the back button.

/** Where something is said outside of the table. */
const SAID = ["said", "why", "why-said"];

/** Leave nothing of the table in a page that the browser may keep, and ask for the present where it was kept. */
export function watchDevice(): void {
  window.addEventListener("pagehide", () => {
    if (!isShared()) return;
    document.getElementById("table")?.replaceChildren();
    unsay();
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted && isShared()) location.reload();
  });
}

/** Whether the curtain is between those at the device. */
export function isCurtained(): boolean {
  return document.querySelector("#device.curtain") !== null;
}

/** Leave nothing of what was said to whoever was at the device. */
export function unsay(): void {
  document.getElementById("why")?.hidePopover();
  for (const id of SAID) document.getElementById(id)?.replaceChildren();
}

function isShared(): boolean {
  return document.getElementById("table")?.hasAttribute("data-device") ?? false;
}
