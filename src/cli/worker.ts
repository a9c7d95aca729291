/** `warpool worker` */

import { makeTemporary, removeTemporary } from '../core/node.ts';
import { Pool } from '../engines/index.ts';
import type { Registry } from '../rules/index.ts';
import { count, type Given, type Settings, text } from '../rules/setting.ts';
import { THREADS } from '../studies/index.ts';
import { duration, grouped, threadsText } from '../tell/index.ts';
import {
  Hands,
  isS3,
  newWorkerName,
  openS3,
  type SharedStore,
  SWEEPS,
  serve,
  sharedBucket,
  sharedFolder,
} from '../work/node.ts';
import { type DeclaredCommand, examples } from './command.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { long, passwordFile, SERVER } from './options.ts';
import { openLink } from './redis.ts';
import { type Known, registryFor } from './registry.ts';
import { note, say } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  store: text(
    'place',
    'parts go there: the folder of the sweep (its --out), where all machines see it, or an object store that it has as its --store, s3://bucket/prefix',
  ),
  ...THREADS,
  idle: count(1, 1_000_000, 'end after so many seconds without a job', 'seconds'),
  passwordFile,
  quiet: { ...long.quiet, about: 'say only what goes wrong' },
} as const satisfies Settings;

type WorkerOptions = Given<typeof ASKED> & Known;

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
  const [name, scratch] = [newWorkerName(), await makeTemporary('scratch')];
  try {
    signal.addEventListener('abort', () => {
      tell('stopping: jobs under way are finished first; Ctrl-C again quits at once');
    });
    tell(`worker ${name}: ${threadsText(pool.workers)}, at ${link.where}`);
    const performer = new Hands({ redis: link.redis, registry, pool, worker: name, scratch, store });
    const base = { link, registry, performer, worker: name, threads: pool.workers, store: store !== undefined };
    const { jobs, failed, busy } = await serve({ ...base, signal, idle, onNote: note });
    tell(`worker ${name}: ${grouped(jobs)} jobs, ${grouped(failed)} failed, ${duration(busy)} of its threads`);
  } finally {
    await removeTemporary(scratch);
  }
}

const WORKER_NOTES = `
Ctrl-C finishes the jobs under way. Exit code 1 if several jobs failed one after the other,
or a coordinator found a wrong result and set the worker aside.`;

export const command: DeclaredCommand = {
  description: 'Plays the jobs of sweeps and runs that were started with --on, until it is stopped.',
  takes: [SERVER],
  asked: ASKED,
  after: [
    examples('worker redis://head.example.org', 'worker rediss://warpool@head.example.org:6380 --idle 600'),
    WORKER_NOTES,
  ],
  action: (url: string, options: WorkerOptions) => worker(url, options, catchSignals()),
};
