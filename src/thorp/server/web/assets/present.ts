// Who else is at the table now, as the stream tells it; a seat is offered to bots only while its person is not.

interface Present {
  readonly names: readonly string[];
  readonly watching: number;
}

const NOBODY: Present = { names: [], watching: 0 };
/** Who is gone for less than this has only loaded the page again. */
const PATIENCE = 3000;
/** So long nobody is replaced who may have lost the connection: as `STILL_THERE` of the server, which decides. */
const STILL_THERE = 60_000;
/** The server begins to count a moment later. */
const SLACK = 500;

/** When who is not here any more was last seen, by the name. */
const left = new Map<string, number>();

/** Show who comes at once, and who goes after a while. */
export function watchPresence(): void {
  const place = document.getElementById("present");
  if (!place) return;
  let shown = NOBODY;
  let timer = 0;
  const follow = (next: Present): void => {
    clearTimeout(timer);
    for (const name of next.names) left.delete(name);
    for (const name of shown.names.filter((each) => !next.names.includes(each) && !left.has(each))) {
      left.set(name, Date.now());
      window.setTimeout(() => offer(shown), STILL_THERE + SLACK);
    }
    const show = (): void => {
      shown = next;
      write(place, next);
      offer(next);
    };
    if (shown.names.every((name) => next.names.includes(name))) show();
    else timer = window.setTimeout(show, PATIENCE);
  };
  document.getElementById("live")?.addEventListener("present", (event) => {
    follow(JSON.parse((event as CustomEvent<{ readonly data: string }>).detail.data) as Present);
  });
  // A stream begins without a word where nobody else is there.
  document.addEventListener("htmx:sse:after:connection", () => follow(NOBODY));
  document.addEventListener("htmx:after:swap", () => offer(shown));
}

/** What the opener may do about a seat whose person is there, and what where that one is not. */
function offer({ names }: Present): void {
  for (const place of document.querySelectorAll("#company .place:has([data-if-absent])")) {
    const name = place.querySelector(".place-who > strong")?.textContent ?? "";
    const isPresent = names.includes(name) || Date.now() - (left.get(name) ?? 0) < STILL_THERE;
    place.querySelector("[data-if-present]")?.toggleAttribute("hidden", !isPresent);
    const form = place.querySelector("[data-if-absent]");
    // what has the focus stays: the answer says the same
    form?.toggleAttribute("hidden", isPresent && !form.contains(document.activeElement));
  }
}

function write(place: HTMLElement, { names, watching }: Present): void {
  const marks = names.map((name) => {
    const mark = document.createElement("strong");
    mark.textContent = name;
    return mark;
  });
  place.querySelector(".present-names")?.replaceChildren(...marks);
  const words = place.querySelector(".present-watching");
  const { one = "", many = "" } = place.dataset;
  if (words) words.textContent = watching === 0 ? "" : watching === 1 ? one : many.replace("#", String(watching));
  place.hidden = names.length === 0 && watching === 0;
}
