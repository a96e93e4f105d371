// Notices in this browser: asks it for leave, and hands its address to the form.

/** Help with the form, where the page has it. */
export function watchPush(): void {
  const form = document.getElementById("push");
  if (!(form instanceof HTMLFormElement)) return;
  const words = form.querySelector<HTMLElement>("[data-words]");
  const button = form.querySelector("button");
  const say = (text: string | undefined): void => {
    if (words) words.textContent = text ?? "";
  };
  if (!("serviceWorker" in navigator && "PushManager" in window)) {
    say(form.dataset["cannot"]);
    return;
  }
  if (button) button.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void subscribe(form.dataset["key"] ?? "").then(
      (subscription) => {
        const { endpoint = "", keys = {} } = subscription.toJSON();
        for (const [name, value] of Object.entries({ endpoint, ...keys })) {
          const input = form.elements.namedItem(name);
          if (input instanceof HTMLInputElement) input.value = value;
        }
        form.submit();
      },
      () => say(form.dataset["refused"]),
    );
  });
}

async function subscribe(key: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register("/worker.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}
