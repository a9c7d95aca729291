/** Tests of servers set up as in docs/how-to/queue.md: TLS, certificates of a private authority, an ACL user. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { connectToRedis } from '../../src/cli/connect-to-redis.ts';
import { describeConnectionError, RedisConnection } from '../../src/storage/cluster/redis-connection.ts';
import { ROOT, warpool } from '../cli/warpool.ts';
import { DEPTH } from '../depth.ts';
import { bytesOf, place, run, sweepFile } from '../store/folders.ts';
import { aServer, freePort, HAS_REDIS, PASSWORD, type Server } from './redis.ts';

const HAS_OPENSSL = spawnSync('openssl', ['version']).status === 0;
if (!HAS_OPENSSL) process.stderr.write('openssl is not installed: tests of TLS are skipped\n');

const TEXT = 'axes: [{ path: attacker.hp, range: [1, 200] }]\nbattles: 200\nexact: never';

/** The user of the documentation, with its documented password. */
const [, USER = '', SECRET = ''] =
  /^ {4}ACL SETUSER (lab on >(\S+) .*)$/m.exec(readFileSync(join(ROOT, 'docs/how-to/queue.md'), 'utf8')) ?? [];

/** Rights of the user after its key pattern. */
const [, RIGHTS = ''] = USER.split('~warpool:*');

const folder = mkdtempSync(join(tmpdir(), 'warpool-tls-'));
const at = (name: string): string => join(folder, name);

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

function authority(name: string): void {
  openssl(
    'req',
    '-x509',
    ...KEY,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.pem`,
    '-days',
    '2',
    '-subj',
    `/CN=${name}`,
  );
}

function certificate(name: string, names: string, days = '2'): void {
  openssl('req', ...KEY, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
  writeFileSync(at(`${name}.ext`), `subjectAltName=${names}`);
  const by = ['-CA', 'ours.pem', '-CAkey', 'ours.key', '-CAcreateserial', '-extfile', `${name}.ext`, '-days', days];
  openssl('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.pem`, ...by);
}

interface Asked {
  readonly certificate?: string;
  /** Whether the server requires client certificates. */
  readonly asks?: boolean;
}

/**
 * Starts a server that accepts only TLS, with the documented user, an administrator, and no default user. Returns its
 * port.
 */
async function aTlsServer({ certificate: name = 'good', asks = false }: Asked = {}): Promise<number> {
  const port = await freePort();
  const tls = [
    `tls-cert-file ${at(`${name}.pem`)}`,
    `tls-key-file ${at(`${name}.key`)}`,
    `tls-ca-cert-file ${at('ours.pem')}`,
  ];
  const users = ['user default off', `user ${USER}`, `user admin on >${SECRET} ~* &* +@all`];
  const rest = [
    'port 0',
    `tls-port ${String(port)}`,
    'bind 127.0.0.1',
    'save ""',
    `tls-auth-clients ${asks ? 'yes' : 'no'}`,
  ];
  const child = spawn('redis-server', ['-'], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.end([...tls, ...users, ...rest].join('\n'));
  for await (const text of child.stdout) if (String(text).includes('Ready to accept')) break;
  return port;
}

const env = { NODE_EXTRA_CA_CERTS: at('ours.pem'), WARPOOL_REDIS_PASSWORD: SECRET };
const urlOf = (port: number, host = 'localhost'): string => `rediss://lab@${host}:${String(port)}`;

/** Returns the exit code and the messages of `warpool queue`. */
async function printed(port: number, host?: string): Promise<string> {
  const { code, stderr } = await warpool(['queue', urlOf(port, host)], { env });
  return `${String(code)} ${stderr.trim()}`;
}

beforeAll(() => {
  if (!HAS_OPENSSL) return;
  authority('ours');
  certificate('good', 'DNS:localhost,IP:127.0.0.1');
  certificate('client', 'DNS:client');
  certificate('named', 'DNS:redis.example.org');
  certificate('expired', 'DNS:localhost', '-1');
});

describe.runIf(HAS_REDIS && HAS_OPENSSL && DEPTH > 1)('TLS', () => {
  test('runs a sweep with the documented user and a client certificate', async () => {
    expect(USER).not.toBe('');
    const port = await aTlsServer({ asks: true });
    const url = urlOf(port);
    const own = { ...env, WARPOOL_REDIS_CERT: at('client.pem'), WARPOOL_REDIS_KEY: at('client.key') };
    const worker = warpool(['worker', url, '--workers', '1', '--idle', '4'], { env: own });
    const [store, due] = [place(), place()];
    const simulated = await warpool(['sweep', sweepFile(TEXT), '--out', store, '--queue', url, '--quiet'], {
      env: own,
    });
    expect(simulated).toMatchObject({ code: 0, stderr: '' });
    for (const action of ['pause', 'resume', 'cancel'])
      expect(await warpool(['queue', url, action], { env: own })).toMatchObject({ code: 0, stderr: '' });
    expect(await worker).toMatchObject({ code: 0, stderr: expect.stringMatching(/[1-9]\d* jobs, 0 failed/) as string });
    await run(TEXT, due);
    expect(bytesOf(store)).toEqual(bytesOf(due));
    // No command exceeded the rights of the user, including those whose errors are ignored.
    const tls = {
      ca: readFileSync(at('ours.pem')),
      cert: readFileSync(at('client.pem')),
      key: readFileSync(at('client.key')),
    };
    const admin = new Redis({ host: 'localhost', port, username: 'admin', password: SECRET, tls });
    expect(await admin.call('ACL', 'LOG')).toEqual([]);
    admin.disconnect();
    expect(await printed(port)).toMatch(/^1 .*\(it may require a client certificate: WARPOOL_REDIS_CERT and /);
  });

  test('accepts trusted certificates and rejects others with the reason', async () => {
    const port = await aTlsServer();
    // Also by IP address, and without a warning of Node.js.
    expect([await printed(port), await printed(port, '127.0.0.1')]).toEqual(['0 ', '0 ']);
    await expect(RedisConnection.open(urlOf(port))).rejects.toThrow(
      'self-signed certificate in certificate chain (set NODE_EXTRA_CA_CERTS to the file with the certificate',
    );
    expect(await printed(await aTlsServer({ certificate: 'named' }))).toMatch(
      /^1 .*not match certificate's altnames.*\(use a host name that its certificate contains\)$/,
    );
    expect(await printed(await aTlsServer({ certificate: 'expired' }))).toMatch(/^1 .*: certificate has expired$/);
  });

  test('explains the error if only one side uses TLS', async () => {
    const plain = `redis://localhost:${String(await aTlsServer())}`;
    await expect(RedisConnection.open(plain)).rejects.toThrow(/ECONNRESET \(it may require TLS: rediss:\/\/\)$/);
    const { url } = await aServer();
    await expect(RedisConnection.open(url.replace('redis:', 'rediss:'))).rejects.toThrow(
      'no answer in 10 s (rediss:// uses TLS; without TLS, use redis://)',
    );
  });
});

describe.runIf(HAS_REDIS)('Redis users', () => {
  /** Connects as a user with these rights. Returns 'opened' or the error. */
  async function opened(server: Server, rights: string): Promise<string> {
    await using admin = await RedisConnection.open(server.url, { password: PASSWORD });
    await admin.redis.call('ACL', 'SETUSER', 'lab', 'reset', 'on', `>${PASSWORD}`, ...rights.split(' '));
    const link = await RedisConnection.open(server.url.replace('//', '//lab@'), { password: PASSWORD }).catch(String);
    if (typeof link === 'string') return link;
    await link[Symbol.asyncDispose]();
    return 'opened';
  }

  test('missing rights and wrong passwords are reported when the connection opens', async () => {
    const server = await aServer();
    vi.spyOn(console, 'warn').mockReturnValue(undefined);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await opened(server, `~warpool:*${RIGHTS}`)).toBe('opened');
    const hint = '(docs/how-to/queue.md lists the keys and commands that a user needs)';
    expect(await opened(server, `~other:*${RIGHTS}`)).toMatch(/NOPERM .*one of the keys/);
    expect(await opened(server, `%R~warpool:*${RIGHTS}`)).toContain(hint);
    expect(await opened(server, `~warpool:*${RIGHTS.replace(' +@scripting', '')}`)).toMatch(/NOPERM .*'eval'/);
    expect(await opened(server, `~warpool:*${RIGHTS.replace(' +info', '')}`)).toMatch(/NOPERM .*'info'/);
    await expect(RedisConnection.open(server.url, { password: 'wrong' })).rejects.toThrow(
      /WRONGPASS .*\(put the user into the URL, and the password into WARPOOL_REDIS_PASSWORD or --password-file\)$/,
    );
    await expect(RedisConnection.open(server.url)).rejects.toThrow(
      'NOAUTH it requires a password (put the user into the URL',
    );
  });
});

test.each([
  [
    '800C6304A87F0000:error:0A00045C:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required:../ssl/rec.c:1601:SSL alert number 116\n',
    true,
    'TLS: tlsv13 alert certificate required (it may require a client certificate: WARPOOL_REDIS_CERT and WARPOOL_REDIS_KEY)',
  ],
  ['MOVED 1 127.0.0.1:7000', false, 'MOVED 1 127.0.0.1:7000 (Redis Cluster is not supported)'],
  ['Connection is closed.', true, /\(it may require a client certificate/],
  ['Connection is closed.', false, /\(it may require TLS: rediss:\/\/\)/],
  ['connect ECONNREFUSED 127.0.0.1:1', true, 'connect ECONNREFUSED 127.0.0.1:1'],
])('describeConnectionError explains: %s, TLS: %s', (message, tls, shown) => {
  expect(describeConnectionError(new Error(message), tls)).toEqual(
    typeof shown === 'string' ? shown : expect.stringMatching(shown),
  );
});

describe.runIf(HAS_OPENSSL)('a client certificate', () => {
  const rejected = async (cert: string, key: string): Promise<string> => {
    vi.stubEnv('WARPOOL_REDIS_CERT', cert && at(cert));
    vi.stubEnv('WARPOOL_REDIS_KEY', key && at(key));
    onTestFinished(() => void vi.unstubAllEnvs());
    return await connectToRedis('rediss://127.0.0.1:1', {}, 'the server').then(() => 'opened', String);
  };

  test('requires a certificate and a key that match, or neither', async () => {
    expect(await rejected('client.pem', '')).toContain(
      'WARPOOL_REDIS_KEY: expected a file with the key of WARPOOL_REDIS_CERT, in PEM, found nothing',
    );
    expect(await rejected('', 'client.key')).toContain(
      'WARPOOL_REDIS_CERT: expected a file with a certificate, in PEM, ',
    );
    expect(await rejected('none.pem', 'client.key')).toMatch(/none\.pem", which cannot be read/);
    expect(await rejected('client.pem', 'good.key')).toMatch(/^InputError: WARPOOL_REDIS_CERT, .*key values mismatch/);
    expect(await rejected('client.key', 'client.key')).toMatch(/^InputError: .*no start line/);
    expect(await rejected('client.pem', 'client.key')).toContain('cannot be used as a queue: connect ECONN');
    expect(await rejected('', '')).toContain('cannot be used as a queue: connect ECONN');
  });
});
