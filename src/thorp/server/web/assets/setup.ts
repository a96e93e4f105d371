// The form of a new table: shows the seats that are taken, and the options that a preset leaves open.

import { keepAcrossLanguages } from "./kept.js";

/** Keep the form's parts in step with what is chosen. */
export function watchSetup(): void {
  const form = document.getElementById("setup");
  if (!(form instanceof HTMLFormElement)) return;
  const update = (): void => {
    const seats = Number(new FormData(form).get("seats"));
    const sets = form.querySelector<HTMLInputElement>('input[name="preset"]:checked')?.dataset["sets"] ?? "";
    for (const part of form.querySelectorAll<HTMLElement>("[data-for-seats]")) {
      const [least = 1, most = 99] = (part.dataset["forSeats"] ?? "").split("-").map(Number);
      part.hidden = seats < least || seats > most || isSet(part, sets);
    }
    for (const name of form.querySelectorAll<HTMLElement>("[data-for-here]")) {
      name.hidden = new FormData(form).get(name.dataset["forHere"] ?? "") !== "here";
    }
    const byLink = [...form.querySelectorAll<HTMLSelectElement>(".seat-list select")].some(
      (select) => select.value === "link" && !select.closest<HTMLElement>("li")?.hidden,
    );
    for (const part of form.querySelectorAll<HTMLElement>("[data-for-people]")) part.hidden = !byLink;
    const hasClock = form.querySelector<HTMLSelectElement>("#clock")?.value !== "none";
    for (const part of form.querySelectorAll<HTMLElement>("[data-for-clock]")) part.hidden = !hasClock;
    for (const picks of form.querySelectorAll<HTMLElement>(".picks")) {
      picks.hidden = sets === "*" || !picks.querySelector(".pick:not([hidden])");
    }
  };
  form.addEventListener("change", (event) => {
    if (event.target instanceof HTMLSelectElement && event.target.value === "me") sitOnce(form, event.target);
    if (event.target instanceof HTMLInputElement && event.target.dataset["sets"] === "*") leaveToChance(form);
    update();
  });
  keepAcrossLanguages(form);
  update();
}

/** I have one seat: where another one is chosen for me, the one before is for somebody by link. */
function sitOnce(form: HTMLFormElement, chosen: HTMLSelectElement): void {
  for (const select of form.querySelectorAll<HTMLSelectElement>(".seat-list select")) {
    if (select !== chosen && select.value === "me") select.value = "link";
  }
}

function isSet(part: HTMLElement, sets: string): boolean {
  const { option } = part.dataset;
  return option !== undefined && sets.split(" ").includes(option);
}

function leaveToChance(form: HTMLFormElement): void {
  for (const select of form.querySelectorAll<HTMLSelectElement>(".picks select")) select.selectedIndex = 0;
}
