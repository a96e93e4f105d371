// What the person prefers, as far as it is chosen on the page of a table.

/** Keep one of the person's settings, on all devices; where that fails the switch holds for this page. */
export async function prefer(setting: string, value: string): Promise<void> {
  const headers = { "HX-Request": "true" };
  const body = new URLSearchParams({ [setting]: value });
  // kept alive: who leaves the page at once has chosen all the same
  await fetch("/me/settings", { method: "POST", headers, body, keepalive: true }).catch(() => undefined);
}
