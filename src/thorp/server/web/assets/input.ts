// Input: which was used last, keys or a pointer; and whether keys are meant for a field.

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
