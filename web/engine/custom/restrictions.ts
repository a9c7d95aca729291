/**
 * Removes globals that custom code does not need, before it runs in this worker.
 * The policy of the page allows no text to run as a script. The page requests the engine's worker by another address,
 * `worker.js?own`, only after the user has chosen a module. Workers have the policy of their own response. If a server
 * sets one for that address (`warpool app` does), the browser isolates the module: `script-src 'self' blob:
 * 'wasm-unsafe-eval'` lets it run, and allows nothing else beyond the policy of the page. Without such a policy, only
 * these restrictions isolate a module, as far as code can restrict other code in the same worker. Therefore the page
 * shows a warning first.
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

/** Members of `navigator` that reach outside the worker. */
const BLOCKED_NAVIGATOR: readonly string[] = ['serviceWorker', 'storage', 'usb', 'hid', 'serial', 'gpu'];

/** Returns whether an address is a file of the page. */
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

/** Removes a name from an object and its prototypes. */
function removeName(target: object, name: string, value?: unknown): void {
  for (let each: unknown = target; typeof each === 'object' && each !== null; each = Object.getPrototypeOf(each))
    if (Object.hasOwn(each, name)) Reflect.deleteProperty(each, name);
  Object.defineProperty(target, name, { value, writable: false, configurable: false });
}

/** Restricts the worker; the engine can still load files of the page and start threads. */
export function restrictWorker(scope: typeof globalThis = globalThis): void {
  const { fetch, Worker, location } = scope;
  for (const name of BLOCKED_GLOBALS) removeName(scope, name);
  for (const name of BLOCKED_NAVIGATOR) if (name in scope.navigator) removeName(scope.navigator, name);
  // It would end the worker without an event.
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
