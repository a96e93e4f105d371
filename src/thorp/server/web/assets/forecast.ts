// What a move would score now: asked of the server once a card is pointed at or chosen, shown where the building would stand.

interface Told {
  readonly steps: readonly string[];
  readonly gain: string;
  readonly words: string;
}

/** Milliseconds after which a pointer that stays on a card asks. */
const REST = 120;

/** What the server has told of the table as it is, by step. */
let known = new Map<string, readonly Told[]>();
let mark = "";
let timer = 0;

/** Show what the moves with these steps would score, where one of them stands for a card that tells it. */
export function foretell(steps: readonly string[]): void {
  clearTimeout(timer);
  const table = document.getElementById("table");
  const now = table?.dataset["mark"] ?? "";
  if (now !== mark) [known, mark] = [new Map(), now];
  const step = steps.find((each) => document.querySelector(`[data-forecast][data-step~="${each}"]`));
  const told = step === undefined ? [] : known.get(step);
  show(told ?? [], steps);
  if (step === undefined || told) return;
  timer = window.setTimeout(() => {
    void ask(table?.dataset["table"] ?? "", step).then((answer) => {
      // Nothing depends on it: where there was no answer, it is asked again the next time.
      if (mark !== now || !answer) return;
      known.set(step, answer);
      // It is shown as things stand when the answer comes.
      document.dispatchEvent(new CustomEvent("thorp:told"));
    });
  }, REST);
}

async function ask(table: string, step: string): Promise<readonly Told[] | undefined> {
  try {
    const answer = await fetch(`/tables/${table}/forecast?${new URLSearchParams({ thing: step })}`);
    return answer.status === 200 ? ((await answer.json()) as Told[]) : undefined;
  } catch {
    return undefined;
  }
}

/** Each place bears what a building would add there; where one is meant, that is said in words. */
function show(told: readonly Told[], steps: readonly string[]): void {
  for (const place of document.querySelectorAll("[data-lit] > .gain")) {
    const lit = (place.parentElement?.getAttribute("data-lit") ?? "").split(" ");
    place.textContent = range(told.filter((each) => [...lit, ...steps.filter(isForm)].every((step) => each.steps.includes(step))));
  }
  const line = document.getElementById("forecast");
  if (!line) return;
  const meant = told.filter((each) => steps.every((step) => each.steps.includes(step)));
  const words = new Set(meant.map((each) => each.words));
  const gains = new Set(meant.map((each) => each.gain));
  const place = new Set(meant.map((each) => each.steps.at(-1)));
  const [first] = words;
  line.textContent =
    first === undefined ? "" : words.size === 1 || (gains.size === 1 && place.size === 1) ? first : summary(line, meant, place.size);
}

/** Whether a step says only in which form something is built. */
function isForm(step: string): boolean {
  return document.querySelector(`[data-lit="${step}"]`) !== null;
}

function summary(line: HTMLElement, meant: readonly Told[], places: number): string {
  const pattern = (places === 1 ? line.dataset["one"] : line.dataset["many"]) ?? "";
  return pattern.replace("#", String(places)).replace("%", range(meant));
}

/** What several moves would add, from the least to the most. */
function range(told: readonly Told[]): string {
  const gains = [...new Set(told.map((each) => each.gain))].sort((one, other) => value(one) - value(other));
  const [least] = gains;
  const most = gains.at(-1);
  return gains.length > 1 ? `${least} … ${most}` : (most ?? "");
}

function value(gain: string): number {
  return Number(gain.replace("−", "-").replace("±", ""));
}
