// Several people at one device: what one of them was shown or told is not there for the next, nor by the back button.

/** Where something is said outside of the table. */
const SAID = ["said", "why", "why-said"];
/** What is between those at the device. */
const CURTAIN = "#device.curtain";

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
  // Whoever holds the key by which the last choice was made does not lift the curtain with it.
  document.addEventListener("keydown", (event) => {
    if (event.repeat && event.target instanceof Element && event.target.closest(CURTAIN)) event.preventDefault();
  });
}

/** Whether the curtain is between those at the device. */
export function isCurtained(): boolean {
  return document.querySelector(CURTAIN) !== null;
}

/** What stands on the curtain: to whom the device is passed. */
export function curtainWords(): string {
  return document.querySelector(`${CURTAIN} h2`)?.textContent?.trim() ?? "";
}

/** Whoever goes by keys begins at what lifts the curtain; who writes to others, or reads what happened, is left there. */
export function goToCurtain(): void {
  const { activeElement: active } = document;
  if (isCurtained() && (!active || active === document.body || active.id === "table")) {
    document.getElementById("lift-curtain")?.focus();
  }
}

/** Leave nothing of what was said to whoever was at the device. */
export function unsay(): void {
  document.getElementById("why")?.hidePopover();
  for (const id of SAID) document.getElementById(id)?.replaceChildren();
}

function isShared(): boolean {
  return document.getElementById("table")?.hasAttribute("data-device") ?? false;
}
