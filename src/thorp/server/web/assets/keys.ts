// The keyboard: arrows inside a group, letters and numbers for what bears them, Escape to step back.

import { toggleAbout } from "./about.js";
import { type Chooser, membersOf } from "./chooser.js";
import { isTyping, singleKeysAct } from "./input.js";
import { prefer } from "./prefer.js";

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Listen to the keys of a table. */
export function watchKeys(chooser: Chooser): void {
  document.addEventListener("click", (event) => {
    const opener = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-opens]") : null;
    if (!opener) return;
    // A menu closes as a dialog opens, and what had the focus in it cannot get it back: what opened the menu can.
    const menu = opener.closest("[popover]:popover-open");
    if (menu) document.querySelector<HTMLElement>(`[popovertarget="${menu.id}"]`)?.focus({ preventScroll: true });
    openDialog(opener.dataset["opens"] ?? "");
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (document.querySelector("dialog[open]")) return;
    if (pressed(event.key, chooser)) event.preventDefault();
  });
  const box = document.getElementById("single-keys");
  box?.addEventListener("change", () => {
    const value = box instanceof HTMLInputElement && box.checked ? "on" : "off";
    document.documentElement.dataset["keys"] = value;
    void prefer("keys", value);
  });
}

function pressed(key: string, chooser: Chooser): boolean {
  const direction = ARROWS[key];
  if (direction) return moveFocus(direction, chooser);
  if (key === "Escape") {
    if (document.querySelector("[popover]:popover-open") || !chooser.isHalfway) return false;
    chooser.back();
    return true;
  }
  if (key.length !== 1 || !singleKeysAct()) return false;
  if (key === "?") return openDialog("keys");
  if (key === "i" || key === "I") return toggleAbout(document.activeElement);
  return clickKey(key, chooser.isHalfway);
}

/** Click what bears this key: what is live first, else a plain button. */
function clickKey(key: string, halfway: boolean): boolean {
  const bearers = [...document.querySelectorAll<HTMLElement>("[data-key]")].filter(
    (each) => each.dataset["key"]?.toLowerCase().split(" ").includes(key.toLowerCase()) && isAtHand(each),
  );
  const bearer =
    bearers.find((each) => each.hasAttribute("data-ui-live")) ??
    bearers.find((each) => each.closest("[popover]:popover-open")) ??
    bearers.find((each) => each.hasAttribute("data-ui-chosen")) ??
    bearers.find((each) => !each.hasAttribute("data-step") && !each.matches(":disabled")) ??
    bearers[0];
  if (!bearer) return false;
  const stands = bearer.hasAttribute("data-step");
  if (stands) bearer.focus();
  // What is disabled hears no click: what it stands in says why it is.
  const answers = bearer.matches(":disabled") ? bearer.closest<HTMLElement>("[data-why]") : bearer;
  if (!stands || halfway || bearer.hasAttribute("data-ui-live")) answers?.click();
  return true;
}

/** Whether it is on the page to be used, if only in the menu where a narrow bar is folded away. */
function isAtHand(element: HTMLElement): boolean {
  return element.offsetParent !== null || element.closest("#bar-more") !== null;
}

/** Go to the nearest neighbour in a direction, inside the group of what is in focus. */
function moveFocus([dx, dy]: readonly [number, number], chooser: Chooser): boolean {
  const from = document.activeElement;
  const group = from?.closest("[data-arrows]");
  if (!from || !group) {
    if (from !== document.body && from?.id !== "table") return false;
    chooser.focusNext();
    return true;
  }
  const members = membersOf(group).filter((each) => each !== from && each.offsetParent !== null && !each.matches(":disabled"));
  const start = centre(from);
  let best: HTMLElement | undefined;
  let least = Infinity;
  for (const each of members) {
    const { x, y } = centre(each);
    const ahead = (x - start.x) * dx + (y - start.y) * dy;
    const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    if (ahead < 4 || aside > ahead * 2) continue;
    if (ahead + 3 * aside < least) {
      least = ahead + 3 * aside;
      best = each;
    }
  }
  if (!best) return true;
  if (from instanceof HTMLElement) from.tabIndex = -1;
  best.tabIndex = 0;
  best.focus();
  return true;
}

function centre(element: Element): { x: number; y: number } {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}

function openDialog(id: string): boolean {
  const dialog = document.getElementById(id);
  if (!(dialog instanceof HTMLDialogElement) || dialog.open) return false;
  dialog.showModal();
  return true;
}
