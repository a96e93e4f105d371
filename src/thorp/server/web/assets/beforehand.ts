// Answers given beforehand: those that hold for a while are looked at again when something has happened.

import htmx from "htmx.org";

/** Keep what is shown of them true. */
export function watchBeforehand(): void {
  document.addEventListener("htmx:after:swap", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const panel = document.querySelector<HTMLElement>("#beforehand[data-until]");
    if (!panel || target?.closest("#beforehand")) return;
    void htmx.ajax("GET", panel.dataset["address"] ?? "", { target: "#beforehand", swap: "outerHTML" });
  });
}
