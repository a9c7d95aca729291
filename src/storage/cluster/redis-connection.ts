/** Connection to a Redis or Valkey server. Its packages are optional, and only this file loads them. */

import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Queue, QueueEvents, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { asyncDispose, InputError, RunError } from '../../core/index.ts';

const AUTHORITY_HINT = 'set NODE_EXTRA_CA_CERTS to the file with the certificate of its authority';
const USER_HINT = 'put the user into the URL, and the password into WARPOOL_REDIS_PASSWORD or --password-file';
const PERMISSIONS_HINT = 'docs/how-to/queue.md lists the keys and commands that a user needs';
const CLIENT_CERTIFICATE_HINT = 'it may require a client certificate: WARPOOL_REDIS_CERT and WARPOOL_REDIS_KEY';

type ErrorAdvice = readonly (readonly [like: RegExp, advice: string])[];

const ADVICE: ErrorAdvice = [
  [/SELF_SIGNED|UNABLE_TO_/, AUTHORITY_HINT],
  [/ALTNAME/, 'use a host name that its certificate contains'],
  [/WRONGPASS|NOAUTH|without any password/, USER_HINT],
  [/NOPERM/, PERMISSIONS_HINT],
  [/MOVED|CLUSTERDOWN/, 'Redis Cluster is not supported'],
];

/** Permanent errors: the server does not accept this user. */
const REJECTED = /WRONGPASS|NOAUTH|NOPERM/;

/** Advice for lost connections and timeouts with TLS, which may be due to certificates or to a server without TLS. */
const WITH_TLS: ErrorAdvice = [
  [/ECONNRESET|EPIPE|closed|certificate required|handshake failure/i, CLIENT_CERTIFICATE_HINT],
  [/no answer|ETIMEDOUT|WRONG_VERSION/, 'rediss:// uses TLS; without TLS, use redis://'],
];
const PLAIN: ErrorAdvice = [[/ECONNRESET|EPIPE|closed/, 'it may require TLS: rediss://']];

function findErrorCode(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/**
 * Message of OpenSSL between source locations: `80..:error:0A..:SSL routines:ssl3_read_bytes:alert ...:file:line:...`
 */
const OPENSSL = /^[\dA-F]+:error:[\dA-F]+:[^:]*:[^:]*:([^:]*):.*$/s;

/** Removes internal commands and source locations of OpenSSL. */
const cleanMessage = (text: string): string =>
  text
    .trim()
    .replace(/^NOAUTH .*/, 'NOAUTH it requires a password')
    .replace(OPENSSL, 'TLS: $1');

/** @param error of the connection or the server, or a timeout */
export function describeConnectionError(error: unknown, tls: boolean): string {
  const text = cleanMessage(error instanceof Error ? error.message : String(error));
  const said = error instanceof Error ? `${findErrorCode(error)} ${text}` : text;
  const [, advice] = [...ADVICE, ...(tls ? WITH_TLS : PLAIN)].find(([like]) => like.test(said)) ?? [];
  return advice === undefined ? text : `${text} (${advice})`;
}

/** Prefix of all keys, BullMQ's included. An ACL user needs no others. */
export const PREFIX = 'warpool';

/** Milliseconds for the first response of the server. */
const FIRST_ANSWER_MS = 10_000;

/** Milliseconds between heartbeats. */
export const HEARTBEAT_MS = 2000;

/** Milliseconds without a response: until a server counts as away, until the first report, and between reports. */
const SILENCE_MS = { away: 5000, first: FIRST_ANSWER_MS, later: 60_000 };

/** Milliseconds without data after which a connection is replaced. Blocking commands of BullMQ return within 10 s. */
const SOCKET_TIMEOUT = 20_000;

/** Milliseconds to wait for a connection to close: some never do after a restart of the server; less if it is away. */
const CLOSE_MS = 3000;
const CLOSE_AWAY_MS = 500;

/** Approximate number of entries in the event stream of a queue. */
const EVENTS_MAX = 1000;

/** Milliseconds for which a worker holds a job without renewing its lock, and between searches for such jobs. */
const LOCK_MS = 15_000;
const STALLED_CHECK_MS = 5000;

/** Maximum number of times that a job is taken from a worker that is gone. */
const STALLED_MAX = 10;

type BullModule = typeof import('bullmq');

/** Validates an address. @throws InputError */
function checkUrl(url: URL, place: string): void {
  const expected = 'redis://[user@]host[:port][/database], or rediss:// for TLS';
  if (!['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '' || url.search !== '' || url.hash !== '')
    throw new InputError(place, expected, `"${url.protocol}//${url.host}${url.search}"`);
  if (!/^(\/\d{0,4})?$/.test(url.pathname)) throw new InputError(place, expected, `the path ${url.pathname}`);
  if (url.password === '') return;
  const instead = 'no password, because other users can see it: WARPOOL_REDIS_PASSWORD or --password-file';
  throw new InputError(place, instead, 'one in the URL');
}

function parseUrl(text: string, place: string): URL {
  if (!URL.canParse(text)) throw new InputError(place, 'a URL such as redis://host:6379', `"${text}"`);
  const url = new URL(text);
  checkUrl(url, place);
  return url;
}

/** Client certificate for servers that require one: certificate and key as PEM texts. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: Partial<ClientCertificate> & { readonly servername?: string };
  readonly maxRetriesPerRequest: null;
  readonly retryStrategy: (times: number) => number;
  readonly socketTimeout: number;
  readonly connectionName: string;
}

/** Creates TLS options that verify the server's host name; an IP address is not sent as a server name. */
function createTlsOptions(host: string, certificate: ClientCertificate | undefined): NonNullable<RedisAddress['tls']> {
  return { ...(isIP(host) === 0 && { servername: host }), ...certificate };
}

/** @param place name of the URL in messages */
export function createRedisAddress(
  text: string,
  password: string | undefined,
  place: string,
  certificate?: ClientCertificate,
): RedisAddress {
  const url = parseUrl(text, place);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    host,
    port: url.port === '' ? 6379 : Number(url.port),
    db: Number(url.pathname.slice(1)),
    ...(url.username !== '' && { username: decodeURIComponent(url.username) }),
    ...(password !== undefined && { password }),
    ...(url.protocol === 'rediss:' && { tls: createTlsOptions(host, certificate) }),
    // Commands wait while the server is away.
    maxRetriesPerRequest: null,
    retryStrategy: (times: number) => Math.min(2000, 100 * times),
    socketTimeout: SOCKET_TIMEOUT,
    connectionName: PREFIX,
  };
}

async function loadPackages(): Promise<{ readonly bull: BullModule; readonly Client: typeof Redis }> {
  try {
    return { bull: await import('bullmq'), Client: (await import('ioredis')).Redis };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new RunError('queues need two more packages: npm install bullmq@6 ioredis@6', { cause: error });
  }
}

/** Describes settings of the server that can lose work. */
function findUnsafeSettings(info: string): string[] {
  const [, policy = 'noeviction'] = /^maxmemory_policy:(\S+)/m.exec(info) ?? [];
  const [, limit = '0'] = /^maxmemory:(\d+)/m.exec(info) ?? [];
  return policy === 'noeviction' || limit === '0'
    ? []
    : [`the server may drop jobs when its memory is full: set maxmemory-policy to noeviction (it is ${policy})`];
}

/** Returns the result of `work`, or undefined after `ms` milliseconds. */
export async function awaitBriefly<T>(work: Promise<T>, ms = CLOSE_MS): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, ms);
  });
  try {
    return await Promise.race([work.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when the signal aborts. */
export const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });

export interface RedisConnectionOptions {
  readonly password?: string | undefined;
  /** Only for rediss://. */
  readonly certificate?: ClientCertificate | undefined;
  /** Name of the URL in messages; default: `--queue`. */
  readonly place?: string | undefined;
  /** Called with warnings. */
  readonly onNote?: ((text: string) => void) | undefined;
}

export class RedisConnection implements AsyncDisposable {
  /** Name of the server in messages. */
  readonly serverName: string;
  readonly redis: Redis;
  readonly #bull: BullModule;
  readonly #options: RedisAddress;
  readonly #open = new Set<{ close(): Promise<void> }>();
  readonly #rejected = new AbortController();
  readonly #onNote: ((text: string) => void) | undefined;
  #answered = performance.now();
  #reported = Number.NEGATIVE_INFINITY;
  /** Latest error of a connection since the last response. */
  #why: unknown;

  private constructor(redis: Redis, bull: BullModule, options: RedisAddress, onNote: RedisConnectionOptions['onNote']) {
    this.serverName = `${options.host}:${String(options.port)}`;
    this.redis = redis;
    this.#bull = bull;
    this.#options = options;
    this.#onNote = onNote;
    redis.on('error', this.#handleError);
  }

  /**
   * @throws InputError if the URL is invalid or contains a password
   * @throws RunError if the server does not respond or rejects the user, or a package is missing
   */
  static async open(
    url: string,
    { password, certificate, place = '--queue', onNote }: RedisConnectionOptions = {},
  ): Promise<RedisConnection> {
    const options = createRedisAddress(url, password, place, certificate);
    const { bull, Client } = await loadPackages();
    const redis = new Client({ ...options, lazyConnect: true });
    const link = new RedisConnection(redis, bull, options, onNote);
    try {
      const text = await link.#awaitFirstAnswer();
      for (const worry of findUnsafeSettings(text)) onNote?.(`${link.serverName}: ${worry}`);
      return link;
    } catch (error) {
      redis.disconnect();
      throw error;
    }
  }

  /** Aborts, with a RunError as its reason, when the server no longer accepts this user. */
  get rejected(): AbortSignal {
    return this.#rejected.signal;
  }

  /**
   * Waits for work that needs the server. If the server rejects this user, waiting commands get no response: the work
   * has a moment to end by itself, then this throws the reason.
   */
  async unlessRejected<T>(work: Promise<T>): Promise<T> {
    const rejection = waitForAbort(this.rejected).then(async () => {
      await awaitBriefly(work);
      throw this.rejected.reason;
    });
    rejection.catch(() => undefined);
    return await Promise.race([work, rejection]);
  }

  /** False if the server is away: commands get no response now. */
  get isAnswering(): boolean {
    const isRecent = performance.now() - this.#answered < SILENCE_MS.away;
    return isRecent && this.redis.status === 'ready' && !this.rejected.aborted;
  }

  /** Calls `act` at every heartbeat until `ended`, one call at a time, and reports if the server does not respond. */
  async runHeartbeat(act: () => Promise<void>, ended: AbortSignal): Promise<void> {
    let isUnder = false;
    while (!ended.aborted) {
      if (!isUnder) {
        isUnder = true;
        void act()
          .then(this.#handleAnswer, this.#handleError)
          .finally(() => {
            isUnder = false;
          });
      }
      await pause(HEARTBEAT_MS, undefined, { signal: ended }).catch(() => undefined);
      this.#report();
    }
  }

  /** Resolves when the server is away; only while `watch` runs. */
  async waitForLoss(): Promise<void> {
    while (this.isAnswering) await pause(100);
  }

  /** @param name of a queue */
  queue(name: string): Queue {
    const queue = new this.#bull.Queue(name, {
      connection: this.#options,
      prefix: PREFIX,
      streams: { events: { maxLen: EVENTS_MAX } },
      defaultJobOptions: {
        removeOnComplete: { age: 86_400, count: 10_000 },
        removeOnFail: { age: 86_400, count: 1000 },
      },
    });
    return this.#addErrorListener(queue);
  }

  events(name: string): QueueEvents {
    return this.#addErrorListener(new this.#bull.QueueEvents(name, { connection: this.#options, prefix: PREFIX }));
  }

  /** @param id of the worker, which the server stores with each job */
  worker(name: string, id: string, concurrency: number, work: (data: unknown) => Promise<unknown>): Worker {
    const worker = new this.#bull.Worker(name, async ({ data }: { data: unknown }) => await work(data), {
      name: id,
      connection: this.#options,
      prefix: PREFIX,
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: STALLED_MAX,
    });
    return this.#addErrorListener(worker);
  }

  async [asyncDispose](): Promise<void> {
    const patience = this.isAnswering ? CLOSE_MS : CLOSE_AWAY_MS;
    await Promise.all([...this.#open].map((each) => awaitBriefly(each.close(), patience)));
    this.redis.disconnect();
  }

  /** Without a listener for its errors a connection would end the process. */
  #addErrorListener<
    T extends { close(): Promise<void>; on(event: 'error', listener: (error: Error) => void): unknown },
  >(made: T): T {
    made.on('error', this.#handleError);
    this.#open.add(made);
    return made;
  }

  readonly #handleError = (error: unknown): void => {
    // An error of the connection is more informative than errors of commands on it.
    if (this.#why === undefined || !/Connection is closed/.test(String(error))) this.#why = error;
    if (REJECTED.test(String(error))) this.#rejected.abort(this.#createUnusableError());
  };

  readonly #handleAnswer = (): void => {
    if (Number.isFinite(this.#reported)) this.#onNote?.(`${this.serverName} answers again`);
    this.#answered = performance.now();
    this.#reported = Number.NEGATIVE_INFINITY;
    this.#why = undefined;
  };

  #report(): void {
    const now = performance.now();
    const silent = now - this.#answered;
    if (silent < SILENCE_MS.first || now - this.#reported < SILENCE_MS.later) return;
    this.#reported = now;
    const why = this.#why === undefined ? '' : `: ${this.#describeRefusal()}`;
    this.#onNote?.(`no answer from ${this.serverName} for ${String(Math.round(silent / 1000))} s${why}; waiting`);
  }

  #describeRefusal(): string {
    return describeConnectionError(this.#why, this.#options.tls !== undefined);
  }

  #createUnusableError(): RunError {
    return new RunError(`${this.serverName} cannot be used as a queue: ${this.#describeRefusal()}`);
  }

  async #awaitFirstAnswer(): Promise<string> {
    const requested = this.redis.connect().then(() => this.#ask());
    requested.catch(this.#handleError);
    // Commands wait for a server that is away, but the first one only for this time.
    const info = await awaitBriefly(requested, FIRST_ANSWER_MS);
    if (info !== undefined && !this.rejected.aborted) {
      this.#handleAnswer();
      return info;
    }
    this.#why ??= `no answer in ${String(FIRST_ANSWER_MS / 1000)} s`;
    throw this.#createUnusableError();
  }

  /** Reads the settings of the server; the script tests that the user may use keys and scripts, and changes nothing. */
  async #ask(): Promise<string> {
    await this.redis.eval("return redis.call('DEL', KEYS[1])", 1, `${PREFIX}:nothing`);
    return await this.redis.info();
  }
}
