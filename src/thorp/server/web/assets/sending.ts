// A move that is on its way: where no answer comes at once it is said so, as nothing else tells that it was pressed.

/** How long nothing is said: most answers are there by then. */
const QUIET = 1000;

interface Request {
  readonly sourceElement?: Element;
}

/** Tell while a form of this page waits for its answer. */
export function watchSending(): void {
  const state = document.getElementById("sending");
  const waits = new Map<Request, number>();
  const show = (): void => state?.removeAttribute("hidden");
  document.addEventListener("htmx:before:request", (event) => {
    const request = of(event);
    if (request.sourceElement instanceof HTMLFormElement) waits.set(request, window.setTimeout(show, QUIET));
  });
  document.addEventListener("htmx:finally:request", (event) => {
    const request = of(event);
    clearTimeout(waits.get(request));
    if (waits.delete(request) && !waits.size) state?.setAttribute("hidden", "");
  });
}

function of(event: Event): Request {
  return (event as CustomEvent<{ readonly ctx: Request }>).detail.ctx;
}
