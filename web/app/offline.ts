/** Has the browser keep the page for visits without a network, once it is there and idle. */
export function keepOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const register = (): void => {
    // A browser that forbids it works as well, with a network.
    navigator.serviceWorker.register(new URL('service-worker.js', document.baseURI)).catch(() => undefined);
  };
  setTimeout(register, 2000);
}
