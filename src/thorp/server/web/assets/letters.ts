// Letters on the pieces: a switch that the browser remembers.

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
    remember(on);
  });
  show(remembered());
}

function remembered(): boolean {
  try {
    return localStorage.getItem(REMEMBERED) === "yes";
  } catch {
    return false;
  }
}

function remember(on: boolean): void {
  try {
    localStorage.setItem(REMEMBERED, on ? "yes" : "no");
  } catch {
    // A browser that keeps nothing: the switch holds for this page.
  }
}
