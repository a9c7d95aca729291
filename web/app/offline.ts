/** Registers the service worker that stores the page for offline use. */
import { signal } from '@preact/signals';
import { LOOPBACK } from '../offline/loopback.ts';

/** Milliseconds between start and registration, so that the first answer is not delayed. */
const START_DELAY = 2000;

/** True if a newer version is stored and waits. */
export const isUpdateReady = signal(false);

const getServiceWorkerUrl = (): URL => new URL('service-worker.js', document.baseURI);

function watchUpdates(registration: ServiceWorkerRegistration): void {
  const look = (): void => {
    // Without a controller, the waiting service worker is the first one.
    isUpdateReady.value = registration.waiting !== null && navigator.serviceWorker.controller !== null;
  };
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', look);
  });
  look();
}

/** Deletes the offline copy of an older version. */
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
    // Without it, the page still works with a network.
    keep().catch(() => undefined);
  }, START_DELAY);
}
