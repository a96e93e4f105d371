// A hint: asked of the server while the page stays as it is, shown below what is asked; its moves are pointed at and chosen.

import type { Chooser } from "./chooser.js";
import { sayUnsent } from "./notice.js";
import { keepInTab, keptInTab } from "./tab.js";

/** The answer that it is still thought about. */
const THINKING = 202;
const POINTED = "aria-pressed";
/** Of which decision a hint is shown, so that it is there again when the page is loaded anew. */
const NAME = "hint";

/** What is shown, and of which decision. */
let shown = "";
let decision = "";
/** The decision that is being asked about. */
let asking = "";

/** Ask, show, point and choose. */
export function watchHint(chooser: Chooser): void {
  document.addEventListener("submit", (event) => {
    const form = event.target instanceof HTMLFormElement ? event.target : null;
    if (form?.id === "hint-form") {
      event.preventDefault();
      void ask(form, chooser);
    } else if (form?.closest("#told")) {
      const button = event.submitter instanceof HTMLButtonElement ? event.submitter : null;
      const listed = document.querySelector<HTMLButtonElement>(`#moves-form button[value="${button?.value ?? ""}"]`);
      // Where it is not offered any more the form is sent as it is, and the answer says what has happened.
      if (!listed) return;
      event.preventDefault();
      chooser.advise([]);
      listed.click();
    }
  });
  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const move = target?.closest<HTMLElement>("[data-told]");
    if (move) point(move, chooser);
    if (target?.closest(".told-close")) {
      tell("", decision, chooser);
      keepInTab(NAME, "");
      document.getElementById("hint-button")?.focus({ preventScroll: true });
    }
  });
  // What was unfolded in it stays so, and is seen where the hint is scrolled by itself.
  document.addEventListener("toggle", unfolded, { capture: true });
  // The table has changed, and the place is empty: what holds still is shown again.
  document.addEventListener("htmx:after:swap", () => tell(shown, decision, chooser));
  const form = document.querySelector<HTMLFormElement>("#hint-form");
  if (form && keptInTab(NAME) === placed(form)) void ask(form, chooser);
}

async function ask(form: HTMLFormElement, chooser: Chooser): Promise<void> {
  const about = form.dataset["decision"] ?? "";
  if (asking === about) return;
  asking = about;
  keepInTab(NAME, placed(form));
  const waiting = document.createElement("p");
  waiting.className = "told-words thinks";
  waiting.textContent = form.dataset["thinking"] ?? "";
  tell(waiting.outerHTML, about, chooser);
  const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  try {
    let answer: Response;
    do {
      answer = await fetch(form.action, { method: "POST", body, headers: { "HX-Request": "true" } });
      const words = (await answer.text()).trim();
      // What is the same is not said again.
      if (now() === about && words !== shown) tell(words, about, chooser);
      // It is asked again only while this is still the decision.
    } while (answer.status === THINKING && now() === about);
  } catch {
    if (now() === about) tell("", about, chooser);
    sayUnsent();
  } finally {
    if (asking === about) asking = "";
  }
}

/** The decision that the page asks for now; "" where there is none. */
function now(): string {
  return document.getElementById("hint-form")?.dataset["decision"] ?? "";
}

/** The decision that is asked about, among those of all tables and of all who share this device. */
function placed(form: HTMLFormElement): string {
  return [location.pathname, new FormData(form).get("seat"), form.dataset["decision"]].join(" ");
}

/** Show this of a decision, where it is still the one; else nothing. */
function tell(html: string, about: string, chooser: Chooser): void {
  const place = document.getElementById("told");
  const isTrue = html !== "" && about === now();
  [shown, decision] = isTrue ? [html, about] : ["", ""];
  if (place && place.innerHTML !== shown) place.innerHTML = shown;
  chooser.advise(isTrue ? steps(place?.querySelector(`[data-told][${POINTED}="true"]`)) : []);
}

/** Show where a move would be made, until it is pointed at once more. */
function point(move: HTMLElement, chooser: Chooser): void {
  const isOn = move.getAttribute(POINTED) !== "true";
  for (const each of document.querySelectorAll("#told [data-told]")) each.setAttribute(POINTED, String(isOn && each === move));
  keep();
  chooser.advise(isOn ? steps(move) : []);
}

function unfolded(event: Event): void {
  keep();
  const note = event.target instanceof HTMLDetailsElement && event.target.open ? event.target : null;
  const place = note?.closest("#told");
  if (note && place) place.scrollBy({ top: note.getBoundingClientRect().top - place.getBoundingClientRect().top });
}

/** Remember what is shown as it is now. */
function keep(): void {
  shown = document.getElementById("told")?.innerHTML ?? "";
}

function steps(move: Element | null | undefined): string[] {
  return (move?.getAttribute("data-told") ?? "").split(" ").filter(Boolean);
}
