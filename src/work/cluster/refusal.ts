/** Why a server cannot be used as a queue, and what may help. */

const AUTHORITY = 'NODE_EXTRA_CA_CERTS names a file with the certificate of its authority';
const USER = 'the user stands in the URL, its password in WARPOOL_REDIS_PASSWORD or --password-file';
const RIGHTS = 'docs/queue.md has the keys and commands that a user needs';
const CLIENT = 'it may ask for a certificate that it knows: WARPOOL_REDIS_CERT and WARPOOL_REDIS_KEY';

type Advice = readonly (readonly [like: RegExp, advice: string])[];

const ADVICE: Advice = [
  [/SELF_SIGNED|UNABLE_TO_/, AUTHORITY],
  [/ALTNAME/, 'the URL needs a name that its certificate has'],
  [/WRONGPASS|NOAUTH|without any password/, USER],
  [/NOPERM/, RIGHTS],
  [/MOVED|CLUSTERDOWN/, 'Redis Cluster is not supported'],
];

/** What ends a connection, or never answers on it, may expect TLS, or know nothing of it. */
const WITH_TLS: Advice = [
  [/ECONNRESET|EPIPE|closed|certificate required|handshake failure/i, CLIENT],
  [/no answer|ETIMEDOUT|WRONG_VERSION/, 'rediss:// asks for TLS; without it, redis://'],
];
const PLAIN: Advice = [[/ECONNRESET|EPIPE|closed/, 'it may ask for TLS: rediss://']];

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** What OpenSSL says, between places in its source: `80..:error:0A..:SSL routines:ssl3_read_bytes:alert ...:file:line:...` */
const OPENSSL = /^[\dA-F]+:error:[\dA-F]+:[^:]*:[^:]*:([^:]*):.*$/s;

/** Without commands that nobody of the server's users has typed, and without places in OpenSSL. */
const plainly = (text: string): string =>
  text
    .trim()
    .replace(/^NOAUTH .*/, 'NOAUTH it asks for a password')
    .replace(OPENSSL, 'TLS: $1');

/** @param error of the connection or the server, or what has not come */
export function refusal(error: unknown, tls: boolean): string {
  const text = plainly(error instanceof Error ? error.message : String(error));
  const said = error instanceof Error ? `${codeOf(error)} ${text}` : text;
  const [, advice] = [...ADVICE, ...(tls ? WITH_TLS : PLAIN)].find(([like]) => like.test(said)) ?? [];
  return advice === undefined ? text : `${text} (${advice})`;
}
