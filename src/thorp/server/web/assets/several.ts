// Several choices at once: things of a kind are marked, each by a click, and what follows is done with all of them.

import { type Offer, narrow, nextSteps } from "./offers.js";

const FULL = "data-ui-full";

/** What may be marked now, as the game says it: how many at most, and how their steps begin. */
interface Asked {
  readonly most: number;
  readonly of: string;
}

export class Several {
  private marks: string[] = [];

  /** The steps that are marked, in the order in which they were. */
  get steps(): readonly string[] {
    return this.marks;
  }

  get any(): boolean {
    return this.marks.length > 0;
  }

  /** Keep what is still possible after the page has changed. */
  refresh(offers: readonly Offer[]): void {
    const asked = readAsked();
    const left = asked ? this.marks.filter((mark) => isOf(asked, mark) && narrow(offers, [mark]).length > 0) : [];
    this.marks = left.slice(0, asked?.most ?? 0);
  }

  clear(): void {
    this.marks = [];
  }

  /** Forget the last mark. */
  back(): void {
    this.marks.pop();
  }

  /** The step of these that is marked by a click, or is no longer. */
  markOf(steps: readonly string[], offers: readonly Offer[]): string | undefined {
    const asked = readAsked();
    if (!asked) return undefined;
    const first = nextSteps(offers, []);
    return steps.find((step) => isOf(asked, step) && first.has(step));
  }

  /** Mark a step, or no longer; more than asked for cannot be. */
  toggle(step: string): void {
    if (this.marks.includes(step)) this.marks = this.marks.filter((each) => each !== step);
    else if (this.marks.length < (readAsked()?.most ?? 0)) this.marks.push(step);
  }

  /** What more can be marked. */
  more(offers: readonly Offer[]): string[] {
    const asked = readAsked();
    if (!asked || this.marks.length >= asked.most) return [];
    return [...nextSteps(offers, [])].filter((step) => isOf(asked, step) && !this.marks.includes(step));
  }

  /** The steps by which all that is marked goes on. */
  onward(offers: readonly Offer[]): string[] {
    const [first, ...others] = this.marks.map((mark) => nextSteps(narrow(offers, [mark]), [mark]));
    return first ? [...first].filter((step) => others.every((each) => each.has(step))) : [];
  }

  /** The moves of all that is marked, by one more step or by none; undefined where they are not whole then. */
  moves(offers: readonly Offer[], step?: string): Offer[] | undefined {
    const found = this.marks.map((mark) => {
      const wanted = step === undefined ? [mark] : [mark, step];
      return offers.find(({ steps }) => steps.length === wanted.length && wanted.every((each) => steps.includes(each)));
    });
    return found.length > 0 && found.every((each) => each !== undefined) ? found : undefined;
  }

  /** Say how many are marked. */
  show(): void {
    const element = document.querySelector<HTMLElement>("[data-several]");
    const count = element?.querySelector("[data-marked]");
    if (!element || !count) return;
    const said = String(this.marks.length);
    if (count.textContent !== said) count.textContent = said;
    element.toggleAttribute(FULL, this.marks.length >= (readAsked()?.most ?? 0));
  }
}

function readAsked(): Asked | undefined {
  const element = document.querySelector<HTMLElement>("[data-several]");
  const most = Number(element?.dataset["several"]);
  return element && most > 1 ? { most, of: element.dataset["of"] ?? "" } : undefined;
}

function isOf({ of }: Asked, step: string): boolean {
  return step.startsWith(`${of}-`);
}
