/** Serves files over HTTP on the loopback address, only to this machine. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createRequestHeaders } from './content-security-policy.ts';
import { encodeForRequest, type StaticFile, type StaticFiles } from './static-files.ts';

/** Loopback address, which other machines cannot reach. */
export const LOOPBACK = '127.0.0.1';

/** Host names of this machine; another name means DNS rebinding by a site. */
const LOCAL_NAMES = [LOOPBACK, 'localhost', '[::1]'];

/**
 * Limits: bytes and milliseconds of a request; connections in total, and connections without a request. Browsers use
 * six.
 */
const HEADERS_MAX = 8192;
const HEADERS_TIME = 5000;
const REQUEST_TIME = 10_000;
const CONNECTIONS_MAX = 256;
const IDLE_CONNECTIONS_MAX = 64;

const ERROR_TEXTS = {
  404: 'no such file',
  405: 'expected GET or HEAD',
  421: 'expected this machine as the host, such as 127.0.0.1 with the port',
} as const;

/** True if the Host header names this server. */
function isForThisServer({ headersDistinct, socket }: IncomingMessage): boolean {
  const [host, ...more] = headersDistinct['host'] ?? [];
  if (host === undefined || more.length > 0) return false;
  return LOCAL_NAMES.some((name) => host.toLowerCase() === `${name}:${String(socket.localPort)}`);
}

/** Finds the requested file by its literal path: nothing is decoded, and dots have no meaning. */
const findRequestedFile = (files: StaticFiles, { url = '' }: IncomingMessage): StaticFile | undefined =>
  files.get(url.split('?', 1)[0] ?? '');

function sendError(response: ServerResponse, code: keyof typeof ERROR_TEXTS): void {
  const body = `${String(code)}: ${ERROR_TEXTS[code]}\n`;
  if (code === 405) response.setHeader('Allow', 'GET, HEAD');
  response.setHeader('Cache-Control', 'no-store').setHeader('Content-Length', body.length);
  response.writeHead(code, { 'Content-Type': 'text/plain; charset=utf-8' }).end(body);
}

async function sendFile(request: IncomingMessage, response: ServerResponse, file: StaticFile): Promise<void> {
  const { 'accept-encoding': accepted } = request.headers;
  const { body, encoding, tag } = await encodeForRequest(file, accepted);
  const { type, cache } = file;
  response.setHeader('Cache-Control', cache).setHeader('ETag', tag).setHeader('Vary', 'Accept-Encoding');
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  if (request.headers['if-none-match'] === tag) response.writeHead(304).end();
  else {
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length });
    // Node sends only the headers to HEAD.
    response.end(body);
  }
}

/** Closes the oldest connection without a request if there are too many. */
function limitIdleConnections(server: Server): void {
  const silent = new Set<Socket>();
  server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
    const [oldest] = silent;
    if (silent.size > IDLE_CONNECTIONS_MAX) oldest?.destroy();
  });
  server.on('request', ({ socket }) => silent.delete(socket));
}

/**
 * Creates a server without listening.
 * @param headers of every response
 */
export function createStaticServer(files: StaticFiles, headers: Readonly<Record<string, string>>): Server {
  const limits = { maxHeaderSize: HEADERS_MAX, headersTimeout: HEADERS_TIME, requestTimeout: REQUEST_TIME };
  const server = createServer({ ...limits, connectionsCheckingInterval: 1000 }, (request, response) => {
    const all = { ...headers, ...createRequestHeaders(request.url ?? '', headers['Content-Security-Policy']) };
    for (const [name, value] of Object.entries(all)) response.setHeader(name, value);
    const file = findRequestedFile(files, request);
    if (!isForThisServer(request)) sendError(response, 421);
    else if (!['GET', 'HEAD'].includes(request.method ?? '')) sendError(response, 405);
    else if (file === undefined) sendError(response, 404);
    else sendFile(request, response, file).catch(() => response.destroy());
  });
  server.maxConnections = CONNECTIONS_MAX;
  limitIdleConnections(server);
  return server;
}

/**
 * Listens on the loopback address.
 * @param port 0 for a free one
 * @returns the port
 * @throws Error of the system, such as EADDRINUSE
 */
export async function listenLocally(server: Server, port: number): Promise<number> {
  server.listen({ host: LOOPBACK, port, exclusive: true });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Closes a server and all of its connections. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
