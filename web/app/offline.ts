/** Has the browser keep the page for visits without a network. */
import { signal } from '@preact/signals';
import { LOOPBACK } from '../offline/loopback.ts';

/** Milliseconds after the start: the first answer comes first. */
const LATER = 2000;

/** A newer version is kept beside the one that is shown. */
export const newer = signal(false);

const address = (): URL => new URL('service-worker.js', document.baseURI);

function watch(registration: ServiceWorkerRegistration): void {
  const look = (): void => {
    // Without one that controls the page, the one that waits is its first.
    newer.value = registration.waiting !== null && navigator.serviceWorker.controller !== null;
  };
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', look);
  });
  look();
}

/** Forgets what an older page has kept. */
async function forget(): Promise<void> {
  const known = await navigator.serviceWorker.getRegistration(document.baseURI);
  const script = known?.active ?? known?.waiting ?? known?.installing;
  if (script?.scriptURL === address().href) await known?.unregister();
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith('warpool-')).map((name) => caches.delete(name)));
}

export function keepOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const keep = async (): Promise<void> => {
    if (LOOPBACK.test(location.hostname)) await forget();
    else watch(await navigator.serviceWorker.register(address()));
  };
  setTimeout(() => {
    // A browser that forbids it works as well, with a network.
    keep().catch(() => undefined);
  }, LATER);
}
