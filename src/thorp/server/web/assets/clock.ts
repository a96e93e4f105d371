// Clocks that tick: the server says when each runs out, by its own time; what is left is worked out here.

/** Live clocks tick every second; more often, so that none seems to skip one. */
const TICK = 200;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Let the clocks of a table tick. */
export function watchClocks(): void {
  const now = Number(document.getElementById("motion")?.dataset["now"] ?? 0);
  if (!now) return;
  // The server's time is that of its answer: this device's own clock may be wrong by minutes.
  const [loaded] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const behind = now - (performance.timeOrigin + (loaded?.responseStart ?? 0));
  const show = (): void => {
    const list = document.getElementById("clocks");
    if (list) tick(list, performance.timeOrigin + performance.now() + behind);
  };
  document.addEventListener("htmx:after:swap", show);
  setInterval(show, TICK);
  show();
}

function tick(list: HTMLElement, now: number): void {
  const low = Number(list.dataset["low"]) * 1000;
  const days = list.classList.contains("days");
  for (const time of list.querySelectorAll<HTMLElement>("[data-deadline]")) {
    const deadline = Number(time.dataset["deadline"]);
    const left = deadline - now;
    const words = left <= 0 ? (list.dataset["over"] ?? "") : days ? until(deadline, left) : minutes(left);
    if (time.textContent !== words) time.textContent = words;
    time.closest(".clock")?.toggleAttribute("data-ui-low", left < low);
  }
}

function minutes(left: number): string {
  const seconds = Math.ceil(left / 1000);
  return `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A moment as the person's own clock and calendar have it, and how long that is. */
function until(deadline: number, left: number): string {
  const language = document.documentElement.lang;
  const date = new Date(deadline).toLocaleString(language, {
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...(left > 6 * 24 * HOUR ? { day: "numeric", month: "short" } : {}),
  });
  const far = new Intl.RelativeTimeFormat(language, { numeric: "always", style: "long" });
  const words = left >= 2 * HOUR ? far.format(Math.floor(left / HOUR), "hour") : far.format(Math.ceil(left / MINUTE), "minute");
  return `${date} (${words})`;
}
