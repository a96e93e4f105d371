// Letters on the pieces: a switch that the browser remembers.

import { remember, remembered } from "./switches.js";

const REMEMBERED = "thorp.letters";

/** Make the switch work, as it was left. */
export function watchLetters(): void {
  const button = document.getElementById("letters");
  const show = (on: boolean): void => {
    document.getElementById("table")?.toggleAttribute("data-ui-letters", on);
    button?.setAttribute("aria-pressed", String(on));
  };
  button?.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    show(on);
    remember(REMEMBERED, on);
  });
  show(remembered(REMEMBERED));
}
