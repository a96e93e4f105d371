// The page of the rules: its search, which leads to places and marks the words there. Without it the page is whole.

import { singleKeysAct } from "./input.js";

const MOST = 24;
const BEFORE = 40;
const AFTER = 90;
/** No word is longer. */
const LONGEST = 30;

interface Place {
  readonly element: HTMLElement;
  readonly title: string;
  text: string;
  plain: string;
}

watchRules();

/** Offer the search, and answer to what is typed into it. */
function watchRules(): void {
  const box = document.getElementById("rules-search");
  const field = document.getElementById("rules-words");
  const found = document.getElementById("rules-found");
  const count = document.getElementById("rules-count");
  if (!box || !(field instanceof HTMLInputElement) || !found || !count) return;
  box.hidden = false;
  let places: Place[] = [];
  const look = (): void => {
    if (!places.length) places = placesOf(document.getElementById("main"), count.dataset["ruling"] ?? "#");
    const words = plainly(field.value).split(/\s+/).filter(Boolean);
    const hits = words.length ? search(places, words) : [];
    found.replaceChildren(...hits.slice(0, MOST).map((place) => line(place, words)));
    count.textContent = words.length ? counted(count, hits.length) : "";
    mark(hits, words);
  };
  field.addEventListener("input", look);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && field.value) {
      field.value = "";
      look();
      event.preventDefault();
    } else if (event.key === "Enter") {
      found.querySelector("a")?.click();
      event.preventDefault();
    } else if (event.key === "ArrowDown") {
      found.querySelector("a")?.focus();
      event.preventDefault();
    }
  });
  found.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const links = [...found.querySelectorAll("a")];
    const next = links.findIndex((link) => link === document.activeElement) + step;
    (next < 0 ? field : links[next])?.focus();
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || !singleKeysAct() || event.ctrlKey || event.metaKey || event.altKey || event.target === field) return;
    field.focus();
    event.preventDefault();
  });
  // what a browser has kept of an earlier visit
  if (field.value) look();
}

/** Small letters without accents, so that what is typed need not be exact; as long as the text it is made of. */
function plainly(text: string): string {
  return [...text.toLowerCase()].map((letter) => letter.normalize("NFD")[0] ?? letter).join("");
}

/** The places that a link can lead to, each with the text up to the next; `ruling` is what a ruling is called. */
function placesOf(main: HTMLElement | null, ruling: string): Place[] {
  const places: Place[] = [];
  const blocks = main?.querySelectorAll<HTMLElement>("h1, h2, h3, .rule-card, p, li, tr, dd, .visually-hidden") ?? [];
  for (const block of blocks) {
    const holder = block.parentElement?.closest(".rule-card, li[id], .rules-names");
    if (holder) continue;
    const text = textOf(block);
    const heading = block.matches("h1, h2, h3");
    if (heading || block.id) {
      const number = block.id.split("-").at(-1) ?? "";
      const title = heading ? text : (block.querySelector("h4")?.textContent ?? ruling.replace("#", number));
      places.push({ element: block, title, text: heading ? "" : text, plain: "" });
    } else {
      const place = places.at(-1);
      if (place) place.text = `${place.text} ${text}`.trim();
    }
  }
  for (const place of places) place.plain = plainly(place.text);
  return places;
}

/** What a block says, with its parts kept apart; drawings and a card's name, which is its title, say nothing. */
function textOf(block: HTMLElement): string {
  const parts = [...block.querySelectorAll("dt, dd, p, li, td, th")].filter((part) => !part.closest(".rule-card-drawn"));
  const texts = (parts.length ? parts : [block]).map((part) => part.textContent ?? "");
  return texts.join(" ").replace(/\s+/g, " ").trim();
}

/**
 * Places that have all words: those that are called so first, and before them what is called nothing else, a card before
 * a heading: without plurals a list of cards is called as its first one is.
 */
function search(places: readonly Place[], words: readonly string[]): Place[] {
  const rank = (place: Place): number => {
    const title = plainly(place.title);
    if (title === words.join(" ")) return place.element.matches(".rule-card") ? 0 : 1;
    return words.every((word) => title.includes(word)) ? 2 : 3;
  };
  const all = places.filter((place) => words.every((word) => `${plainly(place.title)} ${place.plain}`.includes(word)));
  return all.sort((one, other) => rank(one) - rank(other));
}

function counted(count: HTMLElement, hits: number): string {
  const { none, one, many } = count.dataset;
  return (hits === 0 ? none : hits === 1 ? one : many?.replace("#", `${hits}`)) ?? "";
}

/** A found place: what it is called, and the text around the first of the words. */
function line(place: Place, words: readonly string[]): HTMLElement {
  const item = document.createElement("li");
  const link = item.appendChild(document.createElement("a"));
  link.href = `#${place.element.id || "main"}`;
  link.appendChild(document.createElement("b")).textContent = place.title;
  const first = Math.min(...words.map((word) => place.plain.indexOf(word)).filter((at) => at >= 0), Infinity);
  // whole words: from the blank before to the blank behind, where there is one near: not all languages have them
  const from = first === Infinity || first < BEFORE ? 0 : wordAt(place.text, first - BEFORE);
  const behind = endAt(place.text, from + BEFORE + AFTER);
  const part = place.text.slice(from, behind < 0 ? undefined : behind);
  const around = link.appendChild(document.createElement("span"));
  if (from) around.append("… ");
  let at = 0;
  for (const [start, end] of hitsIn(plainly(part), words)) {
    around.append(part.slice(at, start));
    around.appendChild(document.createElement("mark")).textContent = part.slice(start, end);
    at = end;
  }
  around.append(part.slice(at), behind < 0 ? "" : " …");
  return item;
}

/** Where the word begins that stands at a place, or that place, where it would begin far before. */
function wordAt(text: string, at: number): number {
  const blank = text.lastIndexOf(" ", at);
  return at - blank > LONGEST ? at : blank + 1;
}

/** Where the word ends that stands at a place, or that place; -1 where the text ends before. */
function endAt(text: string, at: number): number {
  const blank = text.indexOf(" ", at);
  if (blank >= 0 && blank - at <= LONGEST) return blank;
  return text.length - at <= LONGEST ? -1 : at;
}

/** Where words stand in a text, one after the other. */
function hitsIn(text: string, words: readonly string[]): [number, number][] {
  const hits: [number, number][] = [];
  for (let at = 0; at < text.length; at++) {
    const word = words.find((each) => text.startsWith(each, at));
    if (!word) continue;
    hits.push([at, at + word.length]);
    at += word.length - 1;
  }
  return hits;
}

/** Mark the words where they stand, in browsers that can without changing the page. */
function mark(hits: readonly Place[], words: readonly string[]): void {
  if (!("highlights" in CSS)) return;
  CSS.highlights.delete("rules-words");
  const main = document.getElementById("main");
  if (!hits.length || !main) return;
  const highlight = new Highlight();
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const [start, end] of hitsIn(plainly(node.nodeValue ?? ""), words)) {
      const range = new Range();
      range.setStart(node, start);
      range.setEnd(node, end);
      highlight.add(range);
    }
  }
  CSS.highlights.set("rules-words", highlight);
}

export {};
