/**
 * Stores the page for offline use. The build adds the list of files, a version hash and the names of this machine
 * (loopback.ts) as the three constants. A new version is fetched next to the old one, and used when no page with the
 * old one is open, so that a page never mixes files of two versions.
 * Responses from the cache have the headers that isolate a page, so that threads can share memory even if a server
 * cannot set headers.
 */
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends Event {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

declare const FILES: readonly string[];
declare const VERSION: string;
declare const LOOPBACK: RegExp;

const PREFIX = 'warpool-';
const NAME = PREFIX + VERSION;

interface ServiceWorkerScope extends EventTarget {
  readonly registration: ServiceWorkerRegistration;
  readonly location: Location;
  skipWaiting(): Promise<void>;
}

const scope = globalThis as unknown as ServiceWorkerScope;

/** True at local addresses, where an older version registered a worker: this one replaces it and unregisters itself. */
const isUnwanted = LOOPBACK.test(scope.location.hostname);

const cachedAddresses = new Set(FILES.map((file) => new URL(file, scope.registration.scope).href));
const startAddress = new URL('./', scope.registration.scope).href;
const indexAddress = new URL('index.html', scope.registration.scope).href;

/** Caches a file; files of assets/ have hashes in their names, so copies of an older version are reused. */
async function cacheFile(cache: Cache, address: string): Promise<void> {
  const known = address.includes('/assets/') ? await caches.match(address) : undefined;
  await (known === undefined ? cache.add(new Request(address, { cache: 'no-cache' })) : cache.put(address, known));
}

async function install(): Promise<void> {
  if (isUnwanted) {
    await scope.skipWaiting();
    return;
  }
  const cache = await caches.open(NAME);
  await Promise.all([...cachedAddresses].map((address) => cacheFile(cache, address)));
}

async function deleteOlderCaches(): Promise<void> {
  if (isUnwanted) await scope.registration.unregister();
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && (isUnwanted || name !== NAME)).map((name) => caches.delete(name)),
  );
}

/** Policy of the worker that runs custom modules: see web/engine/custom/restrictions.ts. */
const OWN_POLICY =
  "default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";

function addIsolation(response: Response, own: boolean): Response {
  const headers = new Headers(response.headers);
  if (own) headers.set('Content-Security-Policy', OWN_POLICY);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

async function respond(request: Request, address: string): Promise<Response> {
  const cache = await caches.open(NAME);
  const kept = await cache.match(address);
  return kept === undefined ? fetch(request) : addIsolation(kept, request.url.endsWith('.js?own'));
}

scope.addEventListener('install', (event) => {
  (event as ExtendableEvent).waitUntil(install());
});

scope.addEventListener('activate', (event) => {
  (event as ExtendableEvent).waitUntil(deleteOlderCaches());
});

scope.addEventListener('fetch', (event) => {
  const { request } = event as FetchEvent;
  const { origin, pathname } = new URL(request.url);
  const requested = origin + pathname;
  const address = requested === startAddress ? indexAddress : requested;
  if (!isUnwanted && request.method === 'GET' && cachedAddresses.has(address))
    (event as FetchEvent).respondWith(respond(request, address));
});
