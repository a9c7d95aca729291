/** Has the browser keep the page for visits without a network. */

/** Milliseconds after the start: the first answer comes first. */
const LATER = 2000;

/** `warpool page` serves from the disk itself, and another version of the package may be served at the same address. */
const LOOPBACK = new Set(['127.0.0.1', '[::1]']);

export function keepOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || LOOPBACK.has(location.hostname)) return;
  setTimeout(() => {
    // A browser that forbids it works as well, with a network.
    navigator.serviceWorker.register(new URL('service-worker.js', document.baseURI)).catch(() => undefined);
  }, LATER);
}
