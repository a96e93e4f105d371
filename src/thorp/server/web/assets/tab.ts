// What a tab keeps from one page to the next, each by its name; other tabs know nothing of it.

/** What is kept; "" where nothing is. */
export function keptInTab(name: string): string {
  try {
    return sessionStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

/** Keep it from now on; "" is nothing. */
export function keepInTab(name: string, value: string): void {
  try {
    if (value) sessionStorage.setItem(name, value);
    else sessionStorage.removeItem(name);
  } catch {
    // A browser that keeps nothing: the next page begins anew.
  }
}
