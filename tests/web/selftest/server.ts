/** Server of the self-test: pages, library for browsers, files of the built page, plan, and results. */
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const LIBRARY = fileURLToPath(new URL('../../../dist/browser/', import.meta.url));
export const ASSETS = fileURLToPath(new URL('../../../dist/page/assets/', import.meta.url));

/** A scenario, and the location of a custom system. */
interface Planned {
  readonly name: string;
  readonly battles: number;
  readonly text: string;
  readonly module?: string;
}

/** Content of /plan.json. */
interface Served {
  /** Folder of modules, served below /modules/. */
  readonly modules: string;
}

/** Scenarios, thread counts and number of battles; modules of custom systems. */
export interface Plan extends Served {
  readonly workers: readonly number[];
  readonly scenarios: readonly Planned[];
}

/** Results that the page posts. */
export interface Result {
  readonly browser: string;
  readonly isolated: boolean;
  readonly seconds: number;
  readonly error?: string;
  /** Digests by number of threads, then by scenario. */
  readonly digests?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const ISOLATION = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

/** Returns the file of a path of the page. */
function fileOf(path: string, { modules }: Served): string {
  const name = basename(path);
  if (path.startsWith('/library/')) return join(LIBRARY, path.slice('/library/'.length));
  if (path.startsWith('/assets/')) return join(ASSETS, name);
  return join(path.startsWith('/modules/') ? modules : HERE, name === '' ? 'index.html' : name);
}

function give(path: string, response: ServerResponse, plan: Served): void {
  const file = fileOf(path, plan);
  if (path === '/plan.json') response.end(JSON.stringify(plan));
  else if (existsSync(file)) {
    const type = file.endsWith('.html') ? 'text/html' : 'text/javascript';
    createReadStream(file).pipe(response.setHeader('Content-Type', type));
  } else response.writeHead(404).end();
}

export interface SelfTest<R> extends AsyncDisposable {
  readonly url: string;
  /** Results that the page posts at the end. */
  readonly result: Promise<R>;
  /** Requested files. */
  readonly requested: ReadonlySet<string>;
}

/** Serves the self-test. @param isolated true for shared memory */
export async function selfTest<R>(plan: Served, isolated: boolean): Promise<SelfTest<R>> {
  let report: (result: R) => void = () => undefined;
  const result = new Promise<R>((resolve) => {
    report = resolve;
  });
  const requested = new Set<string>();
  const server = createServer((request: IncomingMessage, response) => {
    requested.add(basename(request.url ?? ''));
    if (isolated) for (const [name, value] of Object.entries(ISOLATION)) response.setHeader(name, value);
    if (request.method === 'GET') give((request.url ?? '/').replace(/\?.*/, ''), response, plan);
    else
      void json(request).then((reported) => {
        response.end();
        report(reported as R);
      });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
    result,
    requested,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => undefined);
    },
  };
}
