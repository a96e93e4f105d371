// A form that is being filled in, kept while its page is asked for in another language.

import { keepInTab, keptInTab } from "./tab.js";

const NAME = "kept-form";

interface Kept {
  /** Of which page the form is. */
  readonly where: string;
  /** What can be opened and closed. */
  readonly open: boolean[];
  /** One for each part of the form, in its order; null where nothing is to be kept. */
  readonly values: (string | boolean | null)[];
}

/** Put back what was kept of the form, and keep it when another language is chosen. */
export function keepAcrossLanguages(form: HTMLFormElement): void {
  const kept = keptInTab(NAME);
  keepInTab(NAME, "");
  if (kept) putBack(form, JSON.parse(kept) as Kept);
  const switcher = document.querySelector("form.languages");
  switcher?.addEventListener("submit", () => keepInTab(NAME, JSON.stringify(filledIn(form))));
}

function filledIn(form: HTMLFormElement): Kept {
  const values = [...form.elements].map((part) => {
    if (part instanceof HTMLSelectElement) return part.value;
    if (!(part instanceof HTMLInputElement) || part.type === "file") return null;
    if (part.type === "radio") return part.checked;
    // what nobody has written is said anew: the name of who has given none
    return part.value === part.defaultValue ? null : part.value;
  });
  return { where: location.pathname, open: detailsOf(form).map((part) => part.open), values };
}

function putBack(form: HTMLFormElement, { where, open, values }: Kept): void {
  if (where !== location.pathname || values.length !== form.elements.length) return;
  for (const [n, part] of [...form.elements].entries()) {
    const value = values[n];
    if (part instanceof HTMLInputElement && typeof value === "boolean") part.checked = value;
    else if (part instanceof HTMLInputElement && typeof value === "string") part.value = value;
    else if (part instanceof HTMLSelectElement && typeof value === "string") part.value = value;
  }
  for (const [n, part] of detailsOf(form).entries()) part.open = open[n] ?? part.open;
}

function detailsOf(form: HTMLFormElement): HTMLDetailsElement[] {
  return [...form.querySelectorAll("details")];
}
