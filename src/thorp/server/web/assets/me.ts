// Links that can be copied, and the page of oneself: what is preferred is kept at once, a private link that was followed
// is taken over.

/** What a private link, or one that holds once, bears behind its #. */
const KEY = /^#(\.?[\w-]+\.[\w-]+|once-[\w-]+)$/;

/** Help with links, where the page is about them. */
export function watchMe(): void {
  for (const link of document.querySelectorAll<HTMLInputElement>("input[data-copied-by]")) {
    const copy = document.getElementById(link.dataset["copiedBy"] ?? "");
    if (copy) offerCopy(link, copy);
  }
  const preferences = document.getElementById("preferences");
  if (preferences instanceof HTMLFormElement) keepChoices(preferences);
  const form = document.getElementById("come-back");
  if (!(form instanceof HTMLFormElement)) return;
  followed(form);
  addEventListener("hashchange", () => followed(form));
}

/** Keep each choice once it is made, and show it; the button that keeps all of them is for pages without a script. */
function keepChoices(form: HTMLFormElement): void {
  const button = form.querySelector<HTMLElement>(".button");
  let before: Promise<void> = Promise.resolve();
  if (button) button.hidden = true;
  // By Enter on a choice, which is kept already: the page would be loaded anew, and whoever goes by keys begin at its top.
  form.addEventListener("submit", (event) => {
    if (button?.hidden) event.preventDefault();
  });
  form.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    const { name, value } = target;
    const mark = target.closest("fieldset")?.querySelector(".kept");
    for (const other of form.querySelectorAll(".kept")) other.textContent = "";
    if (name === "theme") showTheme(value);
    if (name === "keys") show("keys", value === "off" ? value : "");
    // one after the other, so that the last choice is the one that stays
    before = before.then(() => keep(form, name, value)).then((kept) => {
      if (mark) mark.textContent = form.dataset[kept ? "done" : "failed"] ?? "";
      if (button && !kept) button.hidden = false;
    });
  });
}

async function keep(form: HTMLFormElement, name: string, value: string): Promise<boolean> {
  const request = { method: "POST", headers: { "HX-Request": "true" }, body: new URLSearchParams({ [name]: value }) };
  // kept alive: who leaves the page at once has chosen all the same
  return fetch(form.action, { ...request, keepalive: true }).then(
    (answer) => answer.ok,
    () => false,
  );
}

/** As the server writes it in pages to come. */
function showTheme(theme: string): void {
  show("theme", theme === "system" ? "" : theme);
  const scheme = document.querySelector<HTMLMetaElement>("meta[name='color-scheme']");
  if (scheme) scheme.content = theme === "system" ? "light dark" : theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name='theme-color']")) {
    meta.content = getComputedStyle(document.documentElement).backgroundColor;
  }
}

function show(name: string, value: string): void {
  const root = document.documentElement;
  if (value) root.dataset[name] = value;
  else delete root.dataset[name];
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
