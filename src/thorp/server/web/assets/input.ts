// Which input was used last: keys or a pointer.

let keys = false;
addEventListener("keydown", () => (keys = true), true);
addEventListener("pointerdown", () => (keys = false), true);

/** Whether the keyboard was used last. */
export function usedKeys(): boolean {
  return keys;
}
