/** Creates Redis servers for tests, and workers in this process. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { createTemporaryFolder } from '../../src/core/files/durable.ts';
import { ThreadPool } from '../../src/engines/pool/thread-pool.ts';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import type { SystemRegistry } from '../../src/rules/registry.ts';
import { RedisConnection } from '../../src/storage/cluster/redis-connection.ts';
import type { S3Parts } from '../../src/storage/cluster/s3-parts.ts';
import { openSharedBucket, openSharedFolder, type SharedStore } from '../../src/storage/cluster/shared-store.ts';
import {
  createWorkerName,
  type JobHandler,
  LocalJobHandler,
  runWorkerService,
  type WorkerSummary,
} from '../../src/storage/cluster/worker-service.ts';

export const PASSWORD = 'open sesame';

/** Whether redis-server is installed. Tests of queues are skipped without it. */
export const HAS_REDIS: boolean = spawnSync('redis-server', ['--version']).status === 0;
if (!HAS_REDIS) process.stderr.write('redis-server is not installed: tests of queues are skipped\n');

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

export class Server {
  readonly url: string;
  readonly #port: number;
  readonly #dir = mkdtempSync(join(tmpdir(), 'warpool-redis-'));
  #child: ChildProcess | undefined;

  constructor(port: number) {
    this.#port = port;
    this.url = `redis://127.0.0.1:${String(port)}`;
  }

  async start(): Promise<void> {
    const keep = ['--appendonly', 'yes', '--save', '', '--dir', this.#dir];
    const who = ['--port', String(this.#port), '--bind', '127.0.0.1', '--requirepass', PASSWORD];
    this.#child = spawn('redis-server', [...who, ...keep], { stdio: ['ignore', 'pipe', 'ignore'] });
    const { stdout } = this.#child;
    for await (const text of stdout ?? []) if (String(text).includes('Ready to accept')) break;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** Deletes all data of the server. */
  forget(): void {
    rmSync(this.#dir, { recursive: true, force: true });
    mkdirSync(this.#dir);
  }

  /** Suspends or resumes the server. */
  stand(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal);
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

/**
 * Starts a server that ends with the test. For a server of several tests, `onEnd` receives the function that ends it.
 */
export async function aServer(onEnd: (end: () => Promise<void>) => void = onTestFinished): Promise<Server> {
  const server = new Server(await freePort());
  await server.start();
  onEnd(() => server.end());
  return server;
}

export async function aLink(server: Server, onNote?: (text: string) => void): Promise<RedisConnection> {
  const link = await RedisConnection.open(server.url, { password: PASSWORD, onNote });
  onTestFinished(() => link[Symbol.asyncDispose]());
  return link;
}

export interface WorkerAsked {
  /** Path of a folder, or a prefix in an object store. */
  readonly store?: string | S3Parts;
  readonly registry?: SystemRegistry;
  /** Wraps the job handler, for example to change its results. */
  readonly between?: (performer: JobHandler) => JobHandler;
  readonly signal?: AbortSignal;
  readonly idle?: number;
  readonly onNote?: (text: string) => void;
}

export interface AWorker {
  readonly name: string;
  readonly ended: Promise<WorkerSummary>;
}

const asItIs = (performer: JobHandler): JobHandler => performer;

const storeOf = (store: string | S3Parts, registry: SystemRegistry): SharedStore =>
  typeof store === 'string' ? openSharedFolder(store, registry) : openSharedBucket(store, registry);

/** Starts a worker in this process, with one thread, that ends with the test. */
export async function aWorker(server: Server, requested: WorkerAsked = {}): Promise<AWorker> {
  const { store, registry = SHIPPED_REGISTRY, between = asItIs, signal, idle, onNote } = requested;
  const stop = new AbortController();
  const link = await RedisConnection.open(server.url, { password: PASSWORD });
  const pool = await ThreadPool.create({ workers: 1 });
  const [name, scratch] = [createWorkerName(), await createTemporaryFolder('scratch')];
  const shared = store === undefined ? undefined : storeOf(store, registry);
  const performer = between(
    new LocalJobHandler({ redis: link.redis, registry, pool, worker: name, scratch, store: shared }),
  );
  const either = AbortSignal.any([stop.signal, ...(signal === undefined ? [] : [signal])]);
  const base = { link, registry, performer, worker: name, threads: 1, store: store !== undefined, signal: either };
  const ended = runWorkerService({ ...base, idle, onNote });
  ended.catch(() => undefined);
  onTestFinished(async () => {
    stop.abort();
    await Promise.race([ended.catch(() => undefined), pause(5000)]);
    await link[Symbol.asyncDispose]();
    await pool.end();
    rmSync(scratch, { recursive: true, force: true });
  });
  return { name, ended };
}
