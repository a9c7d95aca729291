/** The files of a folder as answers to requests, read once: a request names one of them, or nothing. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

export interface ServedFile {
  readonly body: Uint8Array;
  /** Media type. */
  readonly type: string;
  /** Cache-Control. */
  readonly cache: string;
  /** Entity tag, quoted. */
  readonly tag: string;
}

/** By the path of a request, without its query: `/`, `/assets/index-3f2a91bc.js`. */
export type Served = ReadonlyMap<string, ServedFile>;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
  // WebAssembly.compileStreaming takes no other.
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.yaml': 'application/yaml; charset=utf-8',
};

/** Names with a hash of the content, which Vite gives to everything but the page and its service worker. */
const HASHED = /^\/assets\/.*-[\w-]{8}\.\w+$/;

const FOREVER = 'max-age=31536000, immutable';

/** Asked for anew each time, answered by 304 if it is the same. */
const FRESH = 'no-cache';

const INDEX = '/index.html';

function served(path: string, body: Uint8Array): ServedFile {
  return {
    body,
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    cache: HASHED.test(path) ? FOREVER : FRESH,
    tag: `"${createHash('sha256').update(body).digest('base64url')}"`,
  };
}

/**
 * The same files with a module of a user beside them: the page, which then names it, opens it by itself.
 * @param name of its file
 */
export function withModule(files: Served, name: string, text: Uint8Array): Served {
  const path = `/own/${encodeURIComponent(name)}`;
  const page = new TextDecoder().decode(files.get(INDEX)?.body);
  const naming = page.replace('</head>', `<meta name="warpool-module" content=".${path}" />\n  </head>`);
  const index = served(INDEX, new TextEncoder().encode(naming));
  return new Map([...files, [path, served(path, text)], ['/', index], [INDEX, index]]);
}

/** The path by which a request names a file. */
function requested(folder: string, file: string): string {
  return `/${relative(folder, file).split(sep).map(encodeURIComponent).join('/')}`;
}

/**
 * The regular files below a folder. Symbolic links are passed over. The index is also `/`.
 *
 * They are held in memory: what is served stays one version while the package is replaced, and no path of a request ever
 * reaches the file system.
 * @throws Error of the file system
 */
export async function servedFrom(folder: string): Promise<Served> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = new Map<string, ServedFile>();
  for (const file of files.sort()) {
    const path = requested(folder, file);
    found.set(path, served(path, await readFile(file)));
  }
  const index = found.get(INDEX);
  if (index !== undefined) found.set('/', index);
  return found;
}
