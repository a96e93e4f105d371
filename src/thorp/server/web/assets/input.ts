// Input: which was used last, keys or a pointer; whether keys are meant for a field, and whether single ones are wanted.

let keys = false;
addEventListener("keydown", () => (keys = true), true);
addEventListener("pointerdown", () => (keys = false), true);

/** Whether the keyboard was used last. */
export function usedKeys(): boolean {
  return keys;
}

/** Whether keys that go to a target are typed into it. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, select, textarea") !== null;
}

/**
 * Whether letters, digits and signs act as keys: not where the person has switched that off, as who speaks to the device,
 * or strikes keys by chance.
 */
export function singleKeysAct(): boolean {
  return document.documentElement.dataset["keys"] !== "off";
}
