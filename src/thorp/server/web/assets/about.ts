// The full text of a card: opened by its name in a text, a long press, the key I, or resting the pointer on the card.

import type { Chooser } from "./chooser.js";
import { usedKeys } from "./input.js";
import { explain } from "./why.js";

interface Spot {
  readonly x: number;
  readonly y: number;
}

const REST = 900;
const PRESS = 500;
/** So far, in pixels, a pointer goes before its rest means anything. */
const TRAVEL = 8;

let timer = 0;
/** Where the pointer is, and where it was when something was last done, or the page changed under it. */
let here: Spot | undefined;
let since: Spot | undefined;
/** What a resting pointer has opened: closed again when it leaves. */
let resting: HTMLElement | null = null;
/** A long press ends with a click that means nothing. */
let swallow = false;
/** The text that was opened last, and what it was opened from. */
let latest: { readonly about: HTMLElement; readonly beside: Element | null } | undefined;

/** Listen to everything that opens the text of a card. */
export function watchAbout(chooser: Chooser): void {
  document.addEventListener("click", (event) => opened(event), true);
  document.addEventListener("pointerover", (event) => rest(event, chooser));
  document.addEventListener("pointermove", (event) => rest(event, chooser));
  document.addEventListener("pointerdown", (event) => press(event));
  for (const name of ["pointerup", "pointercancel", "scroll"]) {
    document.addEventListener(name, () => clearTimeout(timer), { capture: true, passive: true });
  }
  // A card that comes to lie under a pointer was not pointed at.
  for (const name of ["click", "submit", "scroll", "htmx:after:swap"]) {
    document.addEventListener(name, () => (since = here), { capture: true, passive: true });
  }
  document.addEventListener("submit", () => close(), true);
  document.addEventListener("htmx:after:swap", () => latest?.about.matches(":popover-open:has(.leaf-why)") && void explain(latest.about, thingOf(latest.beside)));
  document.addEventListener("focusin", (event) => usedKeys() && event.target instanceof Element && leaveFor(event.target));
  document.addEventListener("beforetoggle", (event) => event.newState === "open" && note(event.target), true);
  // Who turns a tablet may have a text open.
  addEventListener("resize", () => latest?.about.matches(":popover-open") && place(latest.about, latest.beside));
  document.addEventListener("contextmenu", (event) => {
    if (swallow) event.preventDefault();
  });
}

/** Open the text of the card that an element stands for, or close it, also from within. By keys the focus goes into it. */
export function toggleAbout(element: Element | null): boolean {
  const about = aboutOf(element) ?? element?.closest<HTMLElement>("[id^='about-']:popover-open");
  if (!about) return false;
  if (about.matches(":popover-open")) about.hidePopover();
  else {
    show(about, element);
    if (usedKeys()) enter(about);
    void explain(about, thingOf(element));
  }
  return true;
}

/** By keys the focus has gone elsewhere: what lies open over the table, and was opened from elsewhere, would hide it. */
function leaveFor(target: Element): void {
  for (const open of document.querySelectorAll<HTMLElement>("[id^='about-']:popover-open")) {
    if (!open.contains(target) && !target.matches(`[popovertarget="${open.id}"]`)) open.hidePopover();
  }
  if (target.closest("[popover]:popover-open")) return;
  for (const open of document.querySelectorAll<HTMLElement>(".leaf-large:popover-open")) {
    if (!target.matches(`[popovertarget="${open.id}"]`)) open.hidePopover();
  }
}

/** The thing on the table as it is now. */
function thingOf(beside: Element | null): Element | null {
  const thing = beside?.closest("[data-about]") ?? null;
  return thing === null || thing.isConnected ? thing : document.getElementById(thing.id);
}

/** Go into it, and come back when it is closed: browsers do so only where nothing else is open. */
function enter(about: HTMLElement): void {
  const before = document.activeElement;
  about.focus();
  const leave = (): void => {
    if (before instanceof HTMLElement && about.contains(document.activeElement)) before.focus();
  };
  about.addEventListener("beforetoggle", leave, { once: true });
}

function aboutOf(element: Element | null): HTMLElement | null {
  const holder = element?.closest<HTMLElement>("[data-about], [data-card]");
  const id = holder?.dataset["about"] ?? (holder?.dataset["card"] && `about-${holder.dataset["card"]}`);
  return id ? document.getElementById(id) : null;
}

function opened(event: MouseEvent): void {
  const target = event.target instanceof Element ? event.target : null;
  if (swallow) {
    swallow = false;
    event.stopPropagation();
    event.preventDefault();
    return;
  }
  const link = target?.closest("[data-card]");
  const card = target?.closest("[data-about]:not([data-ui-live], [data-ui-chosen])");
  clearTimeout(timer);
  if (resting && !target?.closest("[popover]")) close();
  const opener = link ?? (document.querySelector("[data-ui-halfway]") ? null : card);
  if (opener) toggleAbout(opener);
}

function rest(event: PointerEvent, chooser: Chooser): void {
  if (event.pointerType !== "mouse" || !(event.target instanceof Element)) return;
  here = { x: event.clientX, y: event.clientY };
  since ??= here;
  const holder = event.target.closest("[data-about]");
  const about = aboutOf(holder);
  if (about && about === resting) return;
  clearTimeout(timer);
  if (resting && !event.target.closest("[popover]")) close();
  if (!holder || !about || !hasTravelled() || chooser.isHalfway) return;
  timer = window.setTimeout(() => {
    // Nor while it is told what others do, or after the page has changed meanwhile.
    if (!hasTravelled() || document.querySelector("[popover]:popover-open, [data-ui-telling]")) return;
    show(about, holder);
    resting = about;
  }, REST);
}

/** Whether the pointer has been moved since something was done, or the page changed. */
function hasTravelled(): boolean {
  return here !== undefined && since !== undefined && Math.hypot(here.x - since.x, here.y - since.y) > TRAVEL;
}

function press(event: PointerEvent): void {
  if (event.pointerType === "mouse" || !(event.target instanceof Element)) return;
  const holder = event.target.closest("[data-about]");
  const about = aboutOf(holder);
  if (!about) return;
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    swallow = true;
    show(about, holder);
    const ended = new AbortController();
    // Lifting the finger counts as a click outside, which closes a popover: open it again then.
    const lifted = (): void => {
      ended.abort();
      setTimeout(() => reopen(about, holder));
    };
    // A finger that goes on to scroll is lifted unheard, and no click follows: the next one means what it does else.
    const gone = (): void => {
      ended.abort();
      swallow = false;
      void explain(about, holder);
    };
    addEventListener("pointerup", lifted, { signal: ended.signal });
    addEventListener("pointercancel", gone, { signal: ended.signal });
  }, PRESS);
}

function reopen(about: HTMLElement, holder: Element | null): void {
  if (!about.matches(":popover-open")) show(about, holder);
  void explain(about, holder);
  setTimeout(() => (swallow = false), 300);
}

function close(): void {
  if (resting?.matches(":popover-open")) resting.hidePopover();
  resting = null;
}

/** What the table has to add to this text as things stand now: elements of it whose data-note names the text. */
function note(about: EventTarget | null): void {
  if (about instanceof Element) about.querySelector(".leaf-why")?.remove();
  const place = about instanceof Element ? about.querySelector("[data-notes]") : null;
  if (!(about instanceof Element) || !place) return;
  const notes = document.querySelectorAll(`#table [data-note~="${about.id}"]`);
  place.replaceChildren(...[...notes].map((each) => each.cloneNode(true)));
}

/** Open it beside the card, so that neither the card nor the board is covered where there is room. */
function show(about: HTMLElement, beside: Element | null): void {
  about.showPopover(beside instanceof HTMLElement ? { source: beside } : {});
  resting = null;
  latest = { about, beside };
  place(about, beside);
}

function place(about: HTMLElement, beside: Element | null): void {
  // What it was given in a wider window holds no longer.
  for (const property of ["margin", "inset-inline-start", "inset-block-start"]) about.style.removeProperty(property);
  const column = beside?.closest("[data-arrows]")?.getBoundingClientRect();
  const card = beside?.getBoundingClientRect();
  if (!card || !column || innerWidth < 900) return;
  const { width, height } = about.getBoundingClientRect();
  const below = card.bottom + 8 + height < innerHeight;
  const top = below ? card.bottom + 8 : Math.max(8, card.top - 8 - height);
  about.style.margin = "0";
  about.style.insetInlineStart = `${Math.max(8, Math.min(column.left, innerWidth - width - 8))}px`;
  about.style.insetBlockStart = `${Math.min(top, innerHeight - height - 8)}px`;
}
