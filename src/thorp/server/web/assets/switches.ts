// Switches that the browser remembers, each by its name.

/** Whether a switch was left on. */
export function remembered(name: string): boolean {
  try {
    return localStorage.getItem(name) === "yes";
  } catch {
    return false;
  }
}

/** Keep how a switch was left. */
export function remember(name: string, on: boolean): void {
  try {
    localStorage.setItem(name, on ? "yes" : "no");
  } catch {
    // A browser that keeps nothing: the switch holds for this page.
  }
}
