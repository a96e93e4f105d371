// Links that can be copied, and the page of one's private link: takes over one that was followed.

/** What a private link, or one that holds once, bears behind its #. */
const KEY = /^#(\.?[\w-]+\.[\w-]+|once-[\w-]+)$/;

/** Help with links, where the page is about them. */
export function watchMe(): void {
  for (const link of document.querySelectorAll<HTMLInputElement>("input[data-copied-by]")) {
    const copy = document.getElementById(link.dataset["copiedBy"] ?? "");
    if (copy) offerCopy(link, copy);
  }
  const form = document.getElementById("come-back");
  if (!(form instanceof HTMLFormElement)) return;
  followed(form);
  addEventListener("hashchange", () => followed(form));
}

function offerCopy(link: HTMLInputElement, copy: HTMLElement): void {
  link.addEventListener("focus", () => link.select());
  // Browsers give the clipboard only to pages whose way is safe: elsewhere the selected text can be copied by hand.
  const clipboard = isSecureContext ? navigator.clipboard : undefined;
  copy.hidden = clipboard === undefined;
  copy.addEventListener("click", () => {
    void clipboard?.writeText(link.value).then(() => (copy.textContent = copy.dataset["done"] ?? ""));
  });
}

/** Fill in the key that the address bears, and take it out of the address; the person says whether it is meant. */
function followed(form: HTMLFormElement): void {
  if (!KEY.test(location.hash)) return;
  const input = form.querySelector<HTMLInputElement>("input[name='link']");
  const words = form.querySelector<HTMLElement>("[data-followed]");
  if (input) input.value = location.hash;
  if (words) words.textContent = words.dataset["followed"] ?? "";
  history.replaceState(null, "", location.pathname);
  form.querySelector("button")?.focus();
}
