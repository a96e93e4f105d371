// The legal moves as the page holds them: buttons of one form, each with the steps that lead to it.

/** A legal move: its button, and the ids of what is to be clicked for it, in order. */
export interface Offer {
  readonly button: HTMLButtonElement;
  readonly steps: readonly string[];
}

/** All legal moves that the page shows now. */
export function readOffers(): Offer[] {
  return [...document.querySelectorAll<HTMLButtonElement>("#moves-form button[data-steps]")].map((button) => ({
    button,
    steps: (button.dataset["steps"] ?? "").split(" ").filter(Boolean),
  }));
}

/** The steps that an element stands for. */
export function stepsOf(element: Element): string[] {
  return (element.getAttribute("data-step") ?? "").split(" ").filter(Boolean);
}

/** What a narrowed choice asks for next, over all moves that are still possible. */
export function nextSteps(offers: readonly Offer[], chosen: readonly string[]): Set<string> {
  const next = new Set<string>();
  for (const { steps } of offers) {
    const step = steps.find((each) => !chosen.includes(each));
    if (step !== undefined) next.add(step);
  }
  return next;
}

/** The moves that contain everything chosen. */
export function narrow(offers: readonly Offer[], chosen: readonly string[]): Offer[] {
  return offers.filter(({ steps }) => chosen.every((step) => steps.includes(step)));
}
