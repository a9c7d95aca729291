/** Server of the web app: served files, headers and rejected requests. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createHeaders,
  createRequestHeaders,
  readPolicy,
} from '../../src/cli/static-server/content-security-policy.ts';
import { readStaticFiles } from '../../src/cli/static-server/static-files.ts';
import { closeServer, createStaticServer, listenLocally } from '../../src/cli/static-server/static-server.ts';

const POLICY = "default-src 'none'; script-src 'self'";
const INDEX = `<!doctype html>\n<meta\n http-equiv="Content-Security-Policy"\n content="${POLICY};"\n><title>x</title>`;

const root = mkdtempSync(join(tmpdir(), 'warpool-served-'));
const folder = join(root, 'page');

const FILES: Readonly<Record<string, string>> = {
  'index.html': INDEX,
  'assets/index-3f2a91bc.js': 'export {};',
  'assets/worker-3f2a91bc.js': '1;',
  'assets/attrition-DU_g-Ki5.wasm': '\0asm',
  'assets/plain.css': 'p {}',
  'data.json': '{}',
  'assets/long-3f2a91bc.js': `// ${'so it is. '.repeat(500)}`,
  'site.webmanifest': '{}',
  'worker.js': '1;',
  'strange.xyz': '?',
  'ä b.txt': 'blank',
};

let port = 0;
let server: ReturnType<typeof createStaticServer>;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  for (const [name, body] of Object.entries(FILES)) writeFileSync(join(folder, name), body);
  writeFileSync(join(root, 'secret.txt'), 'secret');
  symlinkSync(join(root, 'secret.txt'), join(folder, 'link.txt'));
  symlinkSync(root, join(folder, 'up'));
  server = createStaticServer(await readStaticFiles(folder), createHeaders(readPolicy(INDEX)));
  port = await listenLocally(server, 0);
});

afterAll(async () => {
  await closeServer(server);
  rmSync(root, { recursive: true });
});

interface Answer {
  readonly code: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends raw bytes and returns the response. */
async function sent(bytes: string, encoding: BufferEncoding = 'utf8'): Promise<Answer> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes, 'latin1');
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const reported = Buffer.concat(chunks).toString(encoding);
  const [head = '', ...rest] = reported.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]);
  return {
    code: Number(first.split(' ')[1]),
    headers: new Map(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body: rest.join('\r\n\r\n'),
  };
}

/** Sends a request and returns the response. PORT in `host` is replaced by the port of the server. */
function requested(target: string, { method = 'GET', host = '127.0.0.1:PORT', more = '' } = {}): Promise<Answer> {
  const own = host.replace('PORT', String(port));
  return sent(
    `${method} ${target} HTTP/1.1\r\nHost: ${own}\r\n${more}Connection: close\r\n\r\n`,
    more === '' ? 'utf8' : 'latin1',
  );
}

describe('a file', () => {
  test.each([
    ['/', 'text/html; charset=utf-8', 'no-cache'],
    ['/index.html', 'text/html; charset=utf-8', 'no-cache'],
    ['/?selftest', 'text/html; charset=utf-8', 'no-cache'],
    ['/assets/index-3f2a91bc.js', 'text/javascript; charset=utf-8', 'max-age=31536000, immutable'],
    ['/assets/attrition-DU_g-Ki5.wasm', 'application/wasm', 'max-age=31536000, immutable'],
    ['/assets/plain.css', 'text/css; charset=utf-8', 'no-cache'],
    ['/data.json', 'application/json', 'no-cache'],
    ['/site.webmanifest', 'application/manifest+json', 'no-cache'],
    ['/worker.js', 'text/javascript; charset=utf-8', 'no-cache'],
    ['/strange.xyz', 'application/octet-stream', 'no-cache'],
    ['/%C3%A4%20b.txt', 'text/plain; charset=utf-8', 'no-cache'],
  ])('%s has type %s and cache control %s', async (target, type, cache) => {
    const { code, headers, body } = await requested(target);
    expect([code, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, type, cache]);
    const name = decodeURIComponent(target.replace(/\?.*/, '').slice(1));
    expect(body).toBe(FILES[name === '' ? 'index.html' : name]);
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(body)));
  });

  test('has all isolation headers, as have error responses', async () => {
    const answers = [await requested('/'), await requested('/no'), await requested('/', { host: 'evil.test:PORT' })];
    for (const { headers } of answers) {
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy': `${POLICY}; frame-ancestors 'none'`,
        'cross-origin-embedder-policy': 'require-corp',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
    }
    expect(answers.map(({ code }) => code)).toEqual([200, 404, 421]);
  });

  test('allows custom modules only in a worker script with ?own', async () => {
    const policy = async (target: string) => (await requested(target)).headers.get('content-security-policy');
    const usual = `${POLICY}; frame-ancestors 'none'`;
    expect(await policy('/assets/worker-3f2a91bc.js?own')).toMatch(
      /^default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'$/,
    );
    for (const other of ['/assets/worker-3f2a91bc.js', '/assets/worker-3f2a91bc.js?other', '/?own', '/index.html?own'])
      expect(await policy(other)).toBe(usual);
  });

  test('is not sent again if its ETag matches', async () => {
    const { headers } = await requested('/');
    const known = await requested('/', { more: `If-None-Match: ${headers.get('etag') ?? ''}\r\n` });
    expect([known.code, known.body]).toEqual([304, '']);
    expect((await requested('/', { more: 'If-None-Match: "other"\r\n' })).code).toBe(200);
  });

  test('has only headers for HEAD', async () => {
    const { code, headers, body } = await requested('/data.json', { method: 'HEAD' });
    expect([code, headers.get('content-length'), body]).toEqual([200, '2', '']);
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, BR', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['deflate', undefined],
    ['br; q=0, gzip; q=0.0', undefined],
  ])('is compressed according to Accept-Encoding "%s": %s', async (accepted, encoding) => {
    const path = '/assets/long-3f2a91bc.js';
    const plain = FILES[path.slice(1)] ?? '';
    const more = `Accept-Encoding: ${accepted}\r\n`;
    const { code, headers, body } = await requested(path, { more });
    expect([code, headers.get('content-encoding'), headers.get('vary')]).toEqual([200, encoding, 'Accept-Encoding']);
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const bytes = Buffer.from(body, 'latin1');
    expect(headers.get('content-length')).toBe(String(bytes.length));
    const opened = encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes;
    expect(opened.toString()).toBe(plain);
    expect(bytes.length < plain.length / 2).toBe(encoding !== undefined);
    const again = await requested(path, { more: `${more}If-None-Match: ${headers.get('etag') ?? ''}\r\n` });
    expect(again.code).toBe(304);
    const other = await requested(path, { more: `If-None-Match: ${headers.get('etag') ?? ''}\r\n` });
    expect(other.code).toBe(encoding === undefined ? 304 : 200);
  });

  test('is not compressed if it is short', async () => {
    const { headers } = await requested('/data.json', { more: 'Accept-Encoding: br\r\n' });
    expect(headers.has('content-encoding')).toBe(false);
  });

  test('keeps its content from the start of the server', async () => {
    writeFileSync(join(folder, 'data.json'), '{"changed": true}');
    writeFileSync(join(folder, 'late.txt'), 'late');
    expect((await requested('/data.json')).body).toBe('{}');
    expect((await requested('/late.txt')).code).toBe(404);
  });
});

describe('paths outside the served files', () => {
  test.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/.%2e/secret.txt',
    '/..\\secret.txt',
    '/..%5csecret.txt',
    '/%252e%252e/secret.txt',
    '/..%c0%afsecret.txt',
    '/assets/../index.html',
    '/assets/./plain.css',
    '//index.html',
    '/index.html/',
    '/index.html%00.js',
    '/index.html%20',
    '/INDEX.HTML',
    '/assets',
    '/assets/',
    '/link.txt',
    '/up/secret.txt',
    '/up/page/index.html',
    '/%69ndex.html',
    '/%',
    '/%zz',
    '/__proto__',
    '/constructor',
    '/%E4%20b.txt',
    'http://evil.test/',
    'http://127.0.0.1/index.html',
    '*',
    `/${'a'.repeat(7000)}`,
  ])('return 404: %s', async (target) => {
    const { code, body } = await requested(target);
    expect([code, body]).toEqual([404, '404: no such file\n']);
  });

  test.each([
    ['a NUL', '/index\0.html', 400],
    ['a header that is too long', `/${'a'.repeat(9000)}`, 431],
    ['no path', 'index.html', 400],
  ])('are rejected as an invalid request: %s', async (_, target, code) => {
    expect((await requested(target)).code).toBe(code);
  });
});

describe('the header Host', () => {
  test.each(['127.0.0.1:PORT', 'localhost:PORT', 'LocalHost:PORT', '[::1]:PORT'])('can be %s', async (host) => {
    expect((await requested('/', { host })).code).toBe(200);
  });

  test.each([
    'evil.test:PORT',
    'evil.test',
    '127.0.0.1',
    'localhost',
    '127.0.0.1:1',
    '127.0.0.1:PORT.evil.test',
    'evil.test@127.0.0.1:PORT',
    '127.0.0.1.evil.test:PORT',
    'localhost.:PORT',
    '0.0.0.0:PORT',
    '127.1:PORT',
    '2130706433:PORT',
    '',
  ])('cannot be "%s"', async (host) => {
    const { code, body } = await requested('/', { host });
    expect([code, body]).toEqual([421, '421: expected this machine as the host, such as 127.0.0.1 with the port\n']);
  });

  test('must occur exactly once', async () => {
    expect((await sent('GET / HTTP/1.0\r\n\r\n')).code).toBe(421);
    expect((await sent('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).code).toBe(400);
    const twice = `Host: 127.0.0.1:${String(port)}\r\nHost: evil.test`;
    expect((await sent(`GET / HTTP/1.1\r\n${twice}\r\nConnection: close\r\n\r\n`)).code).toBeGreaterThanOrEqual(400);
  });
});

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND'])('%s is rejected', async (method) => {
  const { code, headers } = await requested('/', { method });
  expect([code, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('the header Upgrade is ignored, and CONNECT opens no tunnel', async () => {
  const upgrade = await requested('/', { more: 'Upgrade: websocket\r\n' });
  expect([upgrade.code, upgrade.body]).toEqual([200, INDEX]);
  expect(await sent('CONNECT evil.test:80 HTTP/1.1\r\nHost: evil.test\r\n\r\n')).toMatchObject({ body: '' });
});

test('requests have timeouts, and connections have a limit', () => {
  expect(server).toMatchObject({ headersTimeout: 5000, requestTimeout: 10_000, maxConnections: 256 });
});

test('idle connections do not block new requests', { timeout: 30_000 }, async () => {
  const silent = Array.from({ length: 80 }, () => connect(port, '127.0.0.1'));
  await Promise.all(silent.map((socket) => once(socket, 'connect')));
  expect((await requested('/data.json')).code).toBe(200);
  // The server closes only the oldest connections, and no more than necessary.
  await expect.poll(() => silent.filter(({ closed }) => closed).length).toBeGreaterThanOrEqual(16);
  expect(silent.findIndex(({ closed }) => !closed)).toBeGreaterThanOrEqual(16);
  expect(silent.filter(({ closed }) => closed).length).toBeLessThan(20);
  for (const socket of silent) socket.destroy();
});

test('the server listens only on the loopback address', () => {
  expect(server.address()).toMatchObject({ address: '127.0.0.1', port });
});

test('readPolicy rejects a page without a Content-Security-Policy', () => {
  expect(() => readPolicy('<title>x</title>')).toThrow(
    'the web app has no Content-Security-Policy; run "npm run build"',
  );
});

test('only embed.html can be framed, and only by pages of this machine', () => {
  const policy = readPolicy(INDEX);
  expect(policy).toMatch(/; frame-ancestors 'none'$/);
  for (const url of ['/embed.html', '/embed.html?scheme=dark'])
    expect(createRequestHeaders(url, policy), url).toEqual({
      'Content-Security-Policy': `${POLICY}; frame-ancestors http://127.0.0.1:* http://localhost:*`,
    });
  for (const url of [
    '/',
    '/index.html',
    '/embed.htmlx',
    '/x/embed.html',
    '/?/embed.html',
    '/index.html?embed',
    '/?x.js?own',
    '/index.html?.js?own',
  ])
    expect(createRequestHeaders(url, policy), url).toEqual({});
});

test('docs/how-to/host-web-app.md lists the headers of this server for each web server', () => {
  const policy = readPolicy(readFileSync('web/index.html', 'utf8'));
  const { 'Content-Security-Policy': own = '' } = createRequestHeaders('/assets/worker-3f2a91bc.js?own');
  const guide = readFileSync('docs/how-to/host-web-app.md', 'utf8');
  for (const server of ['nginx', 'caddyfile', 'apache']) {
    const [, block = ''] = new RegExp(`^\`\`\`${server}\\n(.*?)^\`\`\``, 'ms').exec(guide) ?? [];
    const missing = Object.entries(createHeaders(policy)).filter(
      ([name, value]) => !(block.includes(name) && block.includes(`"${value}"`)),
    );
    expect(missing, server).toEqual([]);
    expect(block, server).toContain(`"${own}"`);
    // Other sites may show only embed.html in a frame.
    expect(block, server).toContain(`"${policy.replace("frame-ancestors 'none'", 'frame-ancestors *')}"`);
  }
});
