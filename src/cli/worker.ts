/** `warpool worker` */
import { rm } from 'node:fs/promises';
import { Pool } from '../engines/pool/pool.ts';
import type { Registry } from '../rules/registry.ts';
import { duration, grouped, threadsText } from '../tell/text/digits.ts';
import { Hands, makeScratch } from '../work/cluster/hands.ts';
import { openS3 } from '../work/cluster/s3.ts';
import { isS3 } from '../work/cluster/s3-place.ts';
import { newWorkerName, serve } from '../work/cluster/serve.ts';
import { type SharedStore, sharedBucket, sharedFolder } from '../work/cluster/shared.ts';
import { SWEEPS } from '../work/store/manifest.ts';
import type { Signals } from './interrupt.ts';
import { openLink, type RedisOptions } from './redis.ts';
import { type Known, registryFor } from './registry.ts';
import { say } from './terminal.ts';

export interface WorkerOptions extends Known, RedisOptions {
  readonly store?: string;
  readonly workers?: number;
  readonly idle?: number;
  readonly quiet?: boolean;
}

/**
 * The store that is named, once it has shown that it can be read: a bucket may get its manifest later, from the
 * coordinator.
 */
async function storeAt(place: string, registry: Registry): Promise<SharedStore> {
  if (!isS3(place)) {
    await SWEEPS.read(place, registry);
    return sharedFolder(place, registry);
  }
  const store = sharedBucket(await openS3(place, { onNote: say }), registry);
  await store.manifest();
  return store;
}

/** Takes jobs until a signal comes. */
export async function worker(url: string, options: WorkerOptions, { stop: signal }: Signals): Promise<void> {
  const { workers, idle, quiet } = options;
  const tell = quiet === true ? (): void => undefined : say;
  const registry = await registryFor(options);
  const store = options.store === undefined ? undefined : await storeAt(options.store, registry);
  await using link = await openLink(url, options, 'the server');
  await using pool = await Pool.create({ workers });
  const [name, scratch] = [newWorkerName(), await makeScratch()];
  try {
    signal.addEventListener('abort', () => {
      tell('stopping: jobs under way are finished first; Ctrl-C again quits at once');
    });
    tell(`worker ${name}: ${threadsText(pool.workers)}, at ${link.where}`);
    const performer = new Hands({ redis: link.redis, registry, pool, worker: name, scratch, store });
    const onNote = (text: string): void => {
      say(`warpool: ${text}`);
    };
    const base = { link, registry, performer, worker: name, threads: pool.workers, store: store !== undefined };
    const { jobs, failed, busy } = await serve({ ...base, signal, idle, onNote });
    tell(`worker ${name}: ${grouped(jobs)} jobs, ${grouped(failed)} failed, ${duration(busy)} of its threads`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
