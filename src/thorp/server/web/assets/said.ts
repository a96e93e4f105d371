// For who listens: what happened, who is away, what somebody wants of another, what is asked now, and the chat, each said
// once, in one place, in time.

import type { Chooser } from "./chooser.js";
import { curtainWords, goToCurtain, isCurtained, unsay } from "./device.js";

/** So many sentences stay where they can be read again. */
const KEPT = 12;

/** How many moves were told, how often a match had gone back by then, and what was asked. */
let told = 0;
let wentBack = new Set<string>();
let asked = "";
/** What somebody wants of another, or what became of it, by the place. */
let wanted = new Map<string, string>();
/** What stands on the curtain between those at one device. */
let curtain = "";
/** For whom a bot plays, by the place: what is said when they are back. */
let away = new Map<string, string>();

/** Say what is new after every change of the table, and what is asked after every step of a choice. */
export function watchSaid(chooser: Chooser): void {
  told = countOf(log());
  wentBack = idsOf(log().filter(isBack));
  asked = askedNow();
  away = awayNow();
  wanted = wantedNow();
  say(passed(), asked);
  goToCurtain();
  // While a move is on its way the page shows once more what was asked before its first step.
  const question = (): string => (chooser.isBusy ? asked : askedNow());
  document.addEventListener("htmx:after:swap", () => {
    // A curtain that falls by itself keeps the page, and with it what the one before was told.
    if (isCurtained()) unsay();
    say([...news(), ...seats(), ...wants(), ...passed()], question());
    goToCurtain();
  });
  // The click, the key, or the answer, has its effect first.
  for (const kind of ["click", "keydown", "thorp:answered"]) {
    document.addEventListener(kind, () => setTimeout(() => say([], question())));
  }
}

/** Say something that the table does not show. */
export function tell(words: string): void {
  const place = document.getElementById("said");
  if (!place) return;
  const sentence = document.createElement("p");
  sentence.textContent = words;
  place.append(sentence);
  while (place.children.length > KEPT) place.firstElementChild?.remove();
}

function say(lines: readonly string[], question: string): void {
  const words = question === asked || !question ? lines : [...lines, question];
  asked = question;
  if (words.length) tell(words.join(" "));
}

/** The lines of the log that were not told yet, in the order in which things happened. */
function news(): string[] {
  const lines = log();
  const back = lines.filter((line) => isBack(line) && !wentBack.has(line.id));
  // What is played from where the match went back to is new, though as many moves were told before.
  const first = Math.min(told, ...back.map(plyOf));
  const fresh = lines.filter((line) => (isBack(line) ? back.includes(line) : plyOf(line) >= first)).reverse();
  // Where moves were taken back there are fewer.
  told = countOf(lines);
  wentBack = idsOf(lines.filter(isBack));
  return fresh.map(textOf).filter(Boolean);
}

/** What is new of the seats: for whom a bot has taken over, and who has come back. */
function seats(): string[] {
  const before = away;
  away = awayNow();
  const gone = [...away.keys()].filter((id) => !before.has(id)).map((id) => wordsOf(id, "away"));
  // Where somebody else sits there now, nobody has come back.
  const back = [...before].filter(([id, words]) => !away.has(id) && wordsOf(id, "back") === words).map(([, words]) => words);
  return [...gone, ...back];
}

function awayNow(): Map<string, string> {
  return new Map([...document.querySelectorAll("#company [data-away]")].map(({ id }) => [id, wordsOf(id, "back")]));
}

/** What somebody asks of those who sit here, and what became of it, where it is new or has changed. */
function wants(): string[] {
  const before = wanted;
  wanted = wantedNow();
  return [...wanted].filter(([id, words]) => before.get(id) !== words).map(([, words]) => words);
}

function wantedNow(): Map<string, string> {
  return new Map([...document.querySelectorAll("#table .takeover")].map((box) => [box.id, textsOf(box.querySelectorAll("p"))]));
}

/** To whom the device is passed, where the curtain has come between them, or is for somebody else now. */
function passed(): string[] {
  const before = curtain;
  curtain = curtainWords();
  return curtain && curtain !== before ? [curtain] : [];
}

function wordsOf(id: string, kind: "away" | "back"): string {
  return document.getElementById(id)?.dataset[kind] ?? "";
}

/** The lines of moves and of what followed, and those of where the match went back, the latest first. */
function log(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("#log li:is([id^='ply-'], [id^='back-'])")];
}

function isBack(line: Element): boolean {
  return line.id.startsWith("back-");
}

/** How many moves there are in these lines. */
function countOf(lines: readonly Element[]): number {
  return plyOf(lines.find((line) => !isBack(line))) + 1;
}

function idsOf(lines: readonly Element[]): Set<string> {
  return new Set(lines.map(({ id }) => id));
}

function plyOf(line: Element | undefined): number {
  return Number(line?.id.split("-")[1] ?? -1);
}

/** A line without its number, and what is asked without what is hidden of it. */
function textOf(line: Element): string {
  return [...line.childNodes]
    .filter((node) => !(node instanceof Element && node.matches("a.ply")))
    .map((node) => node.textContent ?? "")
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

/** What is asked, or in the end who has won. */
function askedNow(): string {
  const verdict = document.querySelector("#table.over .verdict > :is(.stamp, .end-words)");
  if (verdict) return textOf(verdict);
  return textsOf(document.querySelectorAll("#asked > *"));
}

/** What can be seen of these, in words. */
function textsOf(parts: Iterable<Element>): string {
  const seen = [...parts].filter((each) => each.checkVisibility());
  return seen.map(textOf).join(" ").trim();
}
