// Forms that make a table, each sent once; that of a new one seats all others at once, and shows its seats and the options
// that a preset leaves open.

import { keepAcrossLanguages } from "./kept.js";

const MAKES = "form[action='/tables'], form[action$='/play-on'], form[action$='/learn']";
/** Milliseconds after which no answer comes any more: whoever has stopped the browser can try again. */
const PATIENCE = 15_000;

/** Let a second click, made before the first has its answer, make no second table. */
export function watchMaking(): void {
  let sent = false;
  const release = (): void => {
    sent = false;
  };
  document.addEventListener("submit", (event) => {
    if (!(event.target instanceof Element) || !event.target.matches(MAKES)) return;
    // The button stays as it is: what it bears is sent with the form.
    if (sent) event.preventDefault();
    else setTimeout(release, PATIENCE);
    sent = true;
  });
  // By Back the browser may bring the page as it was left.
  addEventListener("pageshow", release);
}

/** Keep the parts of the form of a new table in step with what is chosen. */
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
    sitAgain(form);
    showCompany(form, seats);
    for (const name of form.querySelectorAll<HTMLElement>("[data-for-here]")) {
      name.hidden = new FormData(form).get(name.dataset["forHere"] ?? "") !== "here";
    }
    const byLink = seatsOf(form).some((select) => select.value === "link" && !isAway(select));
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
  form.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-all]") : null;
    if (!button) return;
    seatAll(form, button.dataset["all"] ?? "");
    update();
  });
  keepAcrossLanguages(form);
  update();
}

/**
 * Everybody else is a bot, comes by link, or sits at this device; or I only watch, and all are bots. A bot that is chosen
 * already keeps its level.
 */
function seatAll(form: HTMLFormElement, who: string): void {
  const usual = document.getElementById("company-ways")?.dataset["usual"] ?? "";
  const [first] = seatsOf(form);
  if (first && who !== "watch" && isWatched(form)) first.value = "me";
  for (const select of who === "watch" ? seatsOf(form) : othersOf(form)) {
    if (who === "link" || who === "here") select.value = who;
    else if (!isBot(select)) select.value = usual;
  }
}

/** Which of the ways it is, where all others come in the same way. */
function showCompany(form: HTMLFormElement, seats: number): void {
  const ways = document.getElementById("company-ways");
  if (!ways) return;
  ways.hidden = seats < 2;
  const others = othersOf(form).filter((select) => !isAway(select));
  const bots = isWatched(form) ? "watch" : "bots";
  for (const button of ways.querySelectorAll<HTMLElement>("[data-all]")) {
    const who = button.dataset["all"];
    button.ariaPressed = String(others.every((select) => (isBot(select) ? bots : select.value) === who));
  }
}

/** Whether only bots would sit at the table. */
function isWatched(form: HTMLFormElement): boolean {
  return seatsOf(form).every((select) => isBot(select) || isAway(select));
}

/** All seats but mine; where I have none, all but the first. */
function othersOf(form: HTMLFormElement): HTMLSelectElement[] {
  const all = seatsOf(form);
  const mine = all.find((select) => select.value === "me") ?? all[0];
  return all.filter((select) => select !== mine);
}

function isBot(select: HTMLSelectElement): boolean {
  return !["me", "here", "link"].includes(select.value);
}

/** I have one seat: where another one is chosen for me, the one before is for somebody by link. */
function sitOnce(form: HTMLFormElement, chosen: HTMLSelectElement): void {
  for (const select of seatsOf(form)) {
    if (select !== chosen && select.value === "me") select.value = "link";
  }
}

/** Where my seat is taken away, I have the first; who sat there is for the other, should it come back. */
function sitAgain(form: HTMLFormElement): void {
  const seats = seatsOf(form);
  const mine = seats.find((select) => select.value === "me");
  const first = seats.find((select) => !isAway(select));
  if (mine && first && isAway(mine)) [mine.value, first.value] = [first.value, "me"];
}

function seatsOf(form: HTMLFormElement): HTMLSelectElement[] {
  return [...form.querySelectorAll<HTMLSelectElement>(".seat-list select")];
}

function isAway(select: HTMLSelectElement): boolean {
  return select.closest<HTMLElement>("li")?.hidden === true;
}

function isSet(part: HTMLElement, sets: string): boolean {
  const { option } = part.dataset;
  return option !== undefined && sets.split(" ").includes(option);
}

function leaveToChance(form: HTMLFormElement): void {
  for (const select of form.querySelectorAll<HTMLSelectElement>(".picks select")) select.selectedIndex = 0;
}
