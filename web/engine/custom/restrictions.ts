/**
 * Closes what code of a user has no use for, before it runs in this worker.
 *
 * The page's policy lets no text be run as a script, and stays so: the page asks for the engine's worker by another address,
 * `worker.js?own`, only once somebody has chosen a module. Workers have the policy that their own answer states. Where a
 * server states one for that address (`warpool app` does), the browser keeps the module from every other place:
 * `script-src 'self' blob: 'wasm-unsafe-eval'` lets it run, and nothing else is allowed beyond what the page has. Servers
 * that state none leave workers without a policy; there this is what keeps a module from reaching out, as far as code can
 * keep other code in the same place from anything. That is why people are warned first.
 */
const BLOCKED_GLOBALS: readonly string[] = [
  'BroadcastChannel',
  'EventSource',
  'FileReaderSync',
  'SharedWorker',
  'WebSocket',
  'WebSocketStream',
  'WebTransport',
  'XMLHttpRequest',
  'caches',
  'cookieStore',
  'importScripts',
  'indexedDB',
  'webkitRequestFileSystem',
  'webkitRequestFileSystemSync',
  'webkitResolveLocalFileSystemSyncURL',
  'webkitResolveLocalFileSystemURL',
];

/** Parts of `navigator` that reach beyond the worker. */
const BLOCKED_NAVIGATOR: readonly string[] = ['serviceWorker', 'storage', 'usb', 'hid', 'serial', 'gpu'];

/** Whether an address is one of the page's own files. */
export function isOwnFile(address: unknown, base: string): boolean {
  if (typeof address !== 'string' && !(address instanceof URL)) return false;
  try {
    const [to, from] = [new URL(String(address), base), new URL(base)];
    const folder = from.pathname.slice(0, from.pathname.lastIndexOf('/') + 1);
    const here = to.origin === from.origin && to.pathname.startsWith(folder);
    return here && /^[\w.-]+\.(?:js|wasm)$/.test(to.pathname.slice(folder.length)) && to.search === '';
  } catch {
    return false;
  }
}

const throwBlocked = (what: string): never => {
  throw new TypeError(`${what} is not available to modules`);
};

/** Takes a name away, from what inherits it too. */
function removeName(target: object, name: string, value?: unknown): void {
  for (let each: unknown = target; typeof each === 'object' && each !== null; each = Object.getPrototypeOf(each))
    if (Object.hasOwn(each, name)) Reflect.deleteProperty(each, name);
  Object.defineProperty(target, name, { value, writable: false, configurable: false });
}

/** The engine itself goes on to load the page's files, and to start its threads. */
export function restrictWorker(scope: typeof globalThis = globalThis): void {
  const { fetch, Worker, location } = scope;
  for (const name of BLOCKED_GLOBALS) removeName(scope, name);
  for (const name of BLOCKED_NAVIGATOR) if (name in scope.navigator) removeName(scope.navigator, name);
  // It would end the worker, and tell nobody.
  removeName(scope, 'close', () => throwBlocked('close'));
  removeName(scope, 'fetch', (address: unknown) =>
    isOwnFile(address, location.href) ? fetch.call(scope, address as string) : throwBlocked('fetch'),
  );
  function OwnWorker(address: unknown, options: WorkerOptions): Worker {
    return isOwnFile(address, location.href) ? new Worker(address as string, options) : throwBlocked('Worker');
  }
  OwnWorker.prototype = Worker.prototype;
  removeName(Worker.prototype, 'constructor', OwnWorker);
  removeName(scope, 'Worker', OwnWorker);
}
