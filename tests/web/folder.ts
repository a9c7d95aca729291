/** Serves a folder, isolated or not. */
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** Serves a folder. @param isolated true for shared memory */
export async function served(folder: string, isolated: boolean): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(({ url = '/' }, response) => {
    const file = join(folder, url === '/' ? 'index.html' : url);
    if (isolated) response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    if (isolated) response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    const type = TYPES[extname(file)];
    if (type === undefined || !existsSync(file)) response.writeHead(404).end();
    else createReadStream(file).pipe(response.setHeader('Content-Type', type));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
