/** Files of a folder for HTTP responses, read once: a request can only name one of them. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export interface StaticFile {
  readonly body: Uint8Array;
  /** Media type. */
  readonly type: string;
  /** Cache-Control. */
  readonly cache: string;
  /** Entity tag, quoted. */
  readonly tag: string;
}

/** Content encoding of a response. */
export type ContentEncoding = 'br' | 'gzip' | 'identity';

export interface EncodedFile {
  readonly body: Uint8Array;
  readonly encoding: ContentEncoding;
  /** Entity tag of this encoding, quoted. */
  readonly tag: string;
}

const compress: Readonly<Record<Exclude<ContentEncoding, 'identity'>, (body: Uint8Array) => Promise<Uint8Array>>> = {
  // This quality is not slower than gzip.
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body) => promisify(gzip)(body),
};

/** Media types that are compressed already. */
const COMPRESSED_TYPES = /^(?:image\/(?:png|x-icon)|font\/woff2)/;
const COMPRESSED_BYTES_MIN = 1024;

/** Files are compressed on the first request for an encoding. */
const encodedFiles = new WeakMap<StaticFile, Map<ContentEncoding, Promise<EncodedFile>>>();

async function encodeFile({ body, tag }: StaticFile, encoding: ContentEncoding): Promise<EncodedFile> {
  if (encoding === 'identity') return { body, encoding, tag };
  return { body: await compress[encoding](body), encoding, tag: tag.replace(/"$/, `-${encoding}"`) };
}

/** Parses the encodings that a request accepts by name; weights other than 0 are ignored. */
function parseAcceptedEncodings(header: string): ReadonlySet<string> {
  const parts = header
    .toLowerCase()
    .split(',')
    .map((part) => part.trim());
  return new Set(parts.filter((part) => !/;\s*q=0(?:\.0*)?$/.test(part)).map((part) => part.split(';', 1)[0] ?? ''));
}

/** Encodes a file for a request. @param header Accept-Encoding */
export function encodeForRequest(file: StaticFile, header = ''): Promise<EncodedFile> {
  const accepted = parseAcceptedEncodings(header);
  const packed = COMPRESSED_TYPES.test(file.type) || file.body.length < COMPRESSED_BYTES_MIN;
  const encoding = packed ? undefined : (['br', 'gzip'] as const).find((each) => accepted.has(each));
  const known = encodedFiles.get(file) ?? new Map<ContentEncoding, Promise<EncodedFile>>();
  encodedFiles.set(file, known);
  const wanted = encoding ?? 'identity';
  const found = known.get(wanted) ?? encodeFile(file, wanted);
  known.set(wanted, found);
  return found;
}

/** By the path of a request, without its query: `/`, `/assets/index-3f2a91bc.js`. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

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
  // Required by WebAssembly.compileStreaming.
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.yaml': 'application/yaml; charset=utf-8',
};

/** Names with a hash of the content: Vite adds it to all files except the page and its service worker. */
const HASHED_NAME = /^\/assets\/.*-[\w-]{8}\.\w+$/;

const CACHE_FOREVER = 'max-age=31536000, immutable';

/** Revalidated on each request, with a 304 response if unchanged. */
const CACHE_REVALIDATE = 'no-cache';

const INDEX = '/index.html';

function createStaticFile(path: string, body: Uint8Array): StaticFile {
  return {
    body,
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    cache: HASHED_NAME.test(path) ? CACHE_FOREVER : CACHE_REVALIDATE,
    tag: `"${createHash('sha256').update(body).digest('base64url')}"`,
  };
}

/**
 * Adds a user module to the files, and its name to the page, which then opens it.
 * @param name of its file
 */
export function addModule(files: StaticFiles, name: string, text: Uint8Array): StaticFiles {
  const path = `/own/${encodeURIComponent(name)}`;
  const page = new TextDecoder().decode(files.get(INDEX)?.body);
  const naming = page.replace('</head>', `<meta name="warpool-module" content=".${path}" />\n  </head>`);
  const index = createStaticFile(INDEX, new TextEncoder().encode(naming));
  return new Map([...files, [path, createStaticFile(path, text)], ['/', index], [INDEX, index]]);
}

/** Returns the request path of a file. */
function toRequestPath(folder: string, file: string): string {
  return `/${relative(folder, file).split(sep).map(encodeURIComponent).join('/')}`;
}

/**
 * Reads the regular files below a folder; skips symbolic links. The index is also `/`.
 *
 * Files are held in memory: they remain one version while the package is replaced, and no request path reaches the file
 * system.
 * @throws Error of the file system
 */
export async function readStaticFiles(folder: string): Promise<StaticFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = new Map<string, StaticFile>();
  for (const file of files.sort()) {
    const path = toRequestPath(folder, file);
    found.set(path, createStaticFile(path, await readFile(file)));
  }
  const index = found.get(INDEX);
  if (index !== undefined) found.set('/', index);
  return found;
}
