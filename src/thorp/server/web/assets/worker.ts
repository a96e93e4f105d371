// The worker that shows what is pushed, where the browser does not read declarative pushes by itself.

interface Pushed {
  readonly notification?: { readonly title?: string; readonly body?: string; readonly navigate?: string; readonly tag?: string };
}

interface PushEvent extends Event {
  readonly data: { json(): unknown } | null;
  waitUntil(work: Promise<unknown>): void;
}

interface ClickEvent extends Event {
  readonly notification: Notification;
  waitUntil(work: Promise<unknown>): void;
}

interface Scope extends EventTarget {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { openWindow(address: string): Promise<unknown> };
}

const scope = self as unknown as Scope;

scope.addEventListener("push", (event) => {
  const { notification = {} } = ((event as PushEvent).data?.json() ?? {}) as Pushed;
  const { title = "Thorp", body = "", navigate = "/", tag = "" } = notification;
  (event as PushEvent).waitUntil(scope.registration.showNotification(title, { body, tag, data: navigate }));
});

scope.addEventListener("notificationclick", (event) => {
  const { notification } = event as ClickEvent;
  notification.close();
  // Only pages of this server, whatever was sent.
  const address = new URL(String(notification.data ?? "/"), location.origin);
  if (address.origin === location.origin) (event as ClickEvent).waitUntil(scope.clients.openWindow(address.href));
});
