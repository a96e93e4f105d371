// What of a page's words cannot be read, as they are longer than the room for them: measured, for test_languages.py.
() => {
  const shown = (each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true });
  const name = (each) => each.tagName.toLowerCase() + (each.id ? `#${each.id}` : "") + [...each.classList].map((one) => `.${one}`).join("");
  const room = document.documentElement;
  // Not to be seen; or all of it stands elsewhere: the goal of a game in its rules, what a card does in its text, what
  // has happened in the log; or a name, which may be of any length.
  const ELSEWHERE = "script, style, title, desc, option, .visually-hidden, .skip, .bar-goal, .vi-does, .recap-words, .bar-me, .present";
  // So many signs of Japanese fit a line of a phone about.
  const LABEL = 24;
  const found = new Set();
  const told = (what, each, text, more) => found.add(`${what}: ${name(each)}${more ? ` (${more})` : ""}: ${text.trim().replace(/\s+/g, " ").slice(0, 60)}`);

  if (room.scrollWidth > room.clientWidth) found.add(`the page is ${room.scrollWidth} wide`);

  const range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const parent = text.parentElement;
    if (!/[\p{L}\p{N}]/u.test(text.data) || parent.closest(ELSEWHERE) || !shown(parent)) continue;
    range.selectNodeContents(text);
    const boxes = [...range.getClientRects()].filter((box) => box.width && box.height);
    if (!boxes.length) continue;
    // Words of letters go on in another line as a whole, or with a hyphen; those of katakana too in a label, but in running
    // text a line may end within them.
    if (boxes.some((box) => box.top >= boxes[0].bottom - 1) && getComputedStyle(parent).hyphens !== "auto") {
      const running = (parent.closest("p, li, dd, td") ?? parent).textContent.trim().length > LABEL;
      const words = running ? /\p{Script=Latin}{2,}/gu : /\p{Script=Latin}{2,}|[\u30a1-\u30fa\u30fc]{2,12}/gu;
      for (const word of text.data.matchAll(words)) {
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        const parts = [...range.getClientRects()].filter((box) => box.width);
        if (parts.some((box) => box.top >= parts[0].bottom - 1)) told("broken", parent, word[0]);
      }
    }
    const left = Math.min(...boxes.map((box) => box.left));
    const right = Math.max(...boxes.map((box) => box.right));
    const top = Math.min(...boxes.map((box) => box.top));
    const bottom = Math.max(...boxes.map((box) => box.bottom));
    // Lines are closer than their signs are high.
    const slack = parseFloat(getComputedStyle(parent).fontSize) * 0.4;
    for (let each = parent; each && each !== document.body; each = each.parentElement) {
      if (each instanceof SVGElement && each.ownerSVGElement) continue;
      const style = getComputedStyle(each);
      if (style.display === "inline" || style.display === "contents") continue;
      const box = each.getBoundingClientRect();
      // not to be seen at this size
      if (box.width <= 1) break;
      const wide = /auto|scroll/.test(style.overflowX);
      const high = /auto|scroll/.test(style.overflowY);
      if (!wide && (left < box.left - 1 || right > box.right + 1)) {
        told("too long", each, text.data, `${Math.round(right - left)} of ${Math.round(box.width)}`);
        break;
      }
      if (!high && (top < box.top - slack || bottom > box.bottom + slack)) {
        told("too high", each, text.data, `${Math.round(bottom - top)} of ${Math.round(box.height)}`);
        break;
      }
      // what scrolls shows all of it, and what stands elsewhere lies in no box of these
      if (wide || high || style.position === "absolute" || style.position === "fixed") break;
    }
  }
  return [...found];
};
