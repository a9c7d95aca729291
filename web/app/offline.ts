/** Has the browser keep the page for visits without a network. */
import { signal } from '@preact/signals';
import { LOOPBACK } from '../offline/loopback.ts';

/** Milliseconds after the start: the first answer comes first. */
const START_DELAY = 2000;

/** A newer version is kept beside the one that is shown. */
export const isUpdateReady = signal(false);

const getServiceWorkerUrl = (): URL => new URL('service-worker.js', document.baseURI);

function watchUpdates(registration: ServiceWorkerRegistration): void {
  const look = (): void => {
    // Without one that controls the page, the one that waits is its first.
    isUpdateReady.value = registration.waiting !== null && navigator.serviceWorker.controller !== null;
  };
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', look);
  });
  look();
}

/** Forgets what an older page has kept. */
async function removeOfflineCopy(): Promise<void> {
  const known = await navigator.serviceWorker.getRegistration(document.baseURI);
  const script = known?.active ?? known?.waiting ?? known?.installing;
  if (script?.scriptURL === getServiceWorkerUrl().href) await known?.unregister();
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith('warpool-')).map((name) => caches.delete(name)));
}

export function enableOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const keep = async (): Promise<void> => {
    if (LOOPBACK.test(location.hostname)) await removeOfflineCopy();
    else watchUpdates(await navigator.serviceWorker.register(getServiceWorkerUrl()));
  };
  setTimeout(() => {
    // A browser that forbids it works as well, with a network.
    keep().catch(() => undefined);
  }, START_DELAY);
}
