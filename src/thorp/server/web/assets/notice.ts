// The place for notices of a page: what could not be done.

/** Say that something has not reached the table. */
export function sayUnsent(): void {
  const notice = document.getElementById("notice");
  if (notice) notice.textContent = notice.dataset["unsent"] ?? "";
}

/** The word that something was not sent is no longer true. */
export function calm(): void {
  const notice = document.getElementById("notice");
  if (notice && notice.textContent === notice.dataset["unsent"]) notice.textContent = "";
}

/** Whoever goes on to click has read what is there; a link in it is followed. */
export function read(event: Event): void {
  const notice = document.getElementById("notice");
  if (notice && !(event.target instanceof Node && notice.contains(event.target))) notice.textContent = "";
}
