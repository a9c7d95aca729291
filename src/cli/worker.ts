/** `warpool worker` */

import { THREADS } from '../analysis/index.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../core/node.ts';
import { ThreadPool } from '../engines/index.ts';
import { formatDuration, formatGrouped, formatThreadCount } from '../report/index.ts';
import type { SystemRegistry } from '../rules/index.ts';
import { count, type OptionSpecs, type ParsedOptions, text } from '../rules/option-spec.ts';
import {
  createWorkerName,
  isS3Url,
  LocalJobHandler,
  openS3Parts,
  openSharedBucket,
  openSharedFolder,
  runWorkerService,
  type SharedStore,
  SWEEP_FOLDERS,
} from '../storage/node.ts';
import { type CommandDeclaration, formatExamples } from './command.ts';
import { connectToRedis } from './connect-to-redis.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { longRunning, passwordFile, QUEUE_SERVER } from './options.ts';
import { loadRegistry, type RegistryOptions } from './registry.ts';
import { printNote, printStatus } from './terminal.ts';

const OPTIONS = {
  store: text(
    'place',
    'store for the parts: the folder of the sweep (its --out) if all machines can access it, or its object store (its --store), s3://bucket/prefix',
  ),
  ...THREADS,
  idle: count(1, 1_000_000, 'stop after this time without a job', 'seconds'),
  passwordFile,
  quiet: { ...longRunning.quiet, about: 'print only warnings and errors' },
} as const satisfies OptionSpecs;

type WorkerCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions;

/** Opens the named store, and checks that it can be read: a bucket may get its manifest later, from the coordinator. */
async function openStoreAt(place: string, registry: SystemRegistry): Promise<SharedStore> {
  if (!isS3Url(place)) {
    await SWEEP_FOLDERS.read(place, registry);
    return openSharedFolder(place, registry);
  }
  const store = openSharedBucket(await openS3Parts(place, { onNote: printStatus }), registry);
  await store.manifest();
  return store;
}

/** Runs jobs until a signal. */
export async function runWorker(url: string, options: WorkerCommandOptions, { stop: signal }: Signals): Promise<void> {
  const { workers, idle, quiet } = options;
  const printLine = quiet === true ? (): void => undefined : printStatus;
  const registry = await loadRegistry(options);
  const store = options.store === undefined ? undefined : await openStoreAt(options.store, registry);
  await using link = await connectToRedis(url, options, 'the server');
  await using pool = await ThreadPool.create({ workers });
  const [name, scratch] = [createWorkerName(), await createTemporaryFolder('scratch')];
  try {
    signal.addEventListener('abort', () => {
      printLine('stopping after the current jobs; Ctrl-C again quits at once');
    });
    printLine(`worker ${name}: ${formatThreadCount(pool.workers)}, at ${link.serverName}`);
    const performer = new LocalJobHandler({ redis: link.redis, registry, pool, worker: name, scratch, store });
    const base = { link, registry, performer, worker: name, threads: pool.workers, store: store !== undefined };
    const { jobs, failed, busy } = await runWorkerService({ ...base, signal, idle, onNote: printNote });
    printLine(
      `worker ${name}: ${formatGrouped(jobs)} jobs, ${formatGrouped(failed)} failed, ${formatDuration(busy)} of its threads`,
    );
  } finally {
    await removeTemporaryFolder(scratch);
  }
}

const WORKER_NOTES = `
Ctrl-C finishes the current jobs. Exit code 1 if several jobs failed in succession,
or if a coordinator found a wrong result and excluded the worker.`;

export const command: CommandDeclaration = {
  description: 'Runs jobs of sweeps and runs that were started with --queue, until you stop it.',
  parameters: [QUEUE_SERVER],
  settings: OPTIONS,
  notes: [
    formatExamples('worker redis://head.example.org', 'worker rediss://warpool@head.example.org:6380 --idle 600'),
    WORKER_NOTES,
  ],
  action: (url: string, options: WorkerCommandOptions) => runWorker(url, options, catchSignals()),
};
