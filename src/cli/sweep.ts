/** `warpool sweep` */

import { THREADS } from '../analysis/index.ts';
import {
  createConflictError,
  createRequirementError,
  dispose,
  InputError,
  MAX_BATTLES,
  setProgressListener,
} from '../core/index.ts';
import {
  createPreparedStoreJson,
  createSweepEstimateJson,
  createSweepJson,
  createSweepShardJson,
  formatGrouped,
  formatPreparedStoreSheet,
  formatSweepEstimateSheet,
  formatSweepShardSheet,
  formatSweepSheet,
} from '../report/index.ts';
import { applyChangesOfFiles } from '../rules/index.ts';
import {
  count,
  flag,
  formatOptionName,
  type OptionSpecs,
  type ParsedOptions,
  pickOptions,
  text,
} from '../rules/option-spec.ts';
import { openSweep, type Shard, type Sweep } from '../storage/index.ts';
import {
  createStore,
  deliverShard,
  estimateSweep,
  getSweepMode,
  loadSweep,
  MODE,
  openS3Parts,
  runSweep,
  type ShardResult,
  type SweepExecutionOptions,
  type SweepMode,
  type SweepResult,
} from '../storage/node.ts';
import { type CommandDeclaration, formatExamples } from './command.ts';
import { addBudgetAdvice, CommandExit, RESUME_ADVICE, toStopError } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { createSetJson } from './open-scenario.ts';
import { json, type LongRunningOptions, queueOptions, set } from './options.ts';
import {
  type BarWatch,
  createLongProgressBar,
  createProgressBar,
  LEFT,
  type LongProgressBar,
  watched,
} from './progress.ts';
import { loadRegistry, type RegistryOptions } from './registry.ts';
import { parseShard } from './shard.ts';
import { print, printJson, printNote, printStatus, readTextStyle } from './terminal.ts';

/** Options of commands that fill a store, without those that only sweeps have. */
export const STORE_OPTIONS = {
  out: { ...text('folder', 'folder for the results: a new folder, or one with a sweep to continue'), short: 'o' },
  dryRun: flag('only print cells, segments, time and disk space of the sweep, or of --shard'),
  resume: MODE.resume,
  recompute: MODE.recompute,
  shard: text('i/n', 'simulate only shard i of n, such as 2/8; auto reads it from the scheduler'),
  store: text(
    'place',
    'object store for the parts, s3://bucket/prefix: with --shard instead of a folder, with --queue for transfer from workers',
  ),
  ...THREADS,
  ...queueOptions,
  json,
} as const satisfies OptionSpecs;

const { out, dryRun, resume, recompute, ...REST } = STORE_OPTIONS;

const OPTIONS = {
  set,
  out,
  dryRun,
  resume,
  extend: MODE.extend,
  battles: count(1, MAX_BATTLES, 'with --extend: total number of battles per cell'),
  recompute,
  prepare: flag('only prepare the folder for shards'),
  ...REST,
} as const satisfies OptionSpecs;

/** Parsed options of commands that fill a store. */
export type StoreCommandOptions = ParsedOptions<typeof STORE_OPTIONS> & RegistryOptions & LongRunningOptions;

type SweepCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions & LongRunningOptions;

/** Changed fields of the scenario. */
type SetOption = Pick<Partial<SweepCommandOptions>, 'set'>;

/** Formats the line of a sweep file that sets a larger budget. */
const formatBudgetInFile = (budget: number): string => `"budget: ${String(budget)}" in the file of the sweep`;

function throwWithAdvice(error: unknown): never {
  throw addBudgetAdvice(error, 'battles can be simulated: omit "exact: always"', formatBudgetInFile);
}

function parseMode(options: SweepCommandOptions): SweepMode {
  const mode = getSweepMode(options, formatOptionName);
  if (mode === 'extend' && options.battles === undefined)
    throw createRequirementError('--extend', '--battles <total per cell>');
  if (mode !== 'extend' && options.battles !== undefined)
    throw createRequirementError('--battles', '--extend; other sweeps take the number of battles from the file');
  return mode;
}

async function loadSweepFile(file: string, options: SweepCommandOptions): Promise<Sweep> {
  const { battles, set } = options;
  const sweep = await loadSweep(file, { systems: await loadRegistry(options, file) });
  if (battles === undefined && set === undefined) return sweep;
  const scenario = await applyChangesOfFiles(sweep.spec.scenario, set ?? []);
  return openSweep({ ...sweep.spec, scenario, ...(battles !== undefined && { battles }) }, file);
}

/** Points of a sweep whose condition takes long to evaluate, and blocks. */
const MANY_POINTS = 1_000_000;

/** Lets signals end the process at once while the condition of a large sweep is evaluated. @returns a function that ends this */
function allowExitDuringCondition({ spec, points }: Sweep, options: LongRunningOptions, signals: Signals): () => void {
  if (spec.where === undefined || points < MANY_POINTS) return () => undefined;
  if (options.quiet !== true)
    printStatus(`evaluating the condition at ${formatGrouped(points)} points; Ctrl-C quits at once`);
  const bar = createProgressBar(options, 'points');
  // Cells of the pilot report steps.
  setProgressListener((work) => {
    if ('unit' in work && work.unit === 'points') bar.show?.(work);
  });
  const listen = signals.ignore();
  return () => {
    setProgressListener(undefined);
    bar.end();
    listen();
  };
}

/** Shows progress; from its first report on the condition is `evaluated` and cells are simulated. */
function createSweepProgress(sweep: Sweep, options: LongRunningOptions, signals: Signals): LongProgressBar {
  const evaluated = allowExitDuringCondition(sweep, options, signals);
  const bar = createLongProgressBar(options, 'cells');
  return {
    show(progress) {
      evaluated();
      bar.show(progress);
    },
    end: bar.end,
  };
}

export async function printEstimate(
  sweep: Sweep,
  options: StoreCommandOptions & SetOption,
  signals: Signals,
): Promise<void> {
  const { json, set } = options;
  const shard = options.shard === undefined ? undefined : parseShard(options.shard);
  const evaluated = allowExitDuringCondition(sweep, options, signals);
  const estimate = await estimateSweep(sweep, { ...pickOptions(THREADS, options), shard, signal: signals.stop })
    .catch(throwWithAdvice)
    .catch((error: unknown) => {
      toStopError(error, signals);
    })
    .finally(evaluated);
  if (json === true) printJson({ ...createSweepEstimateJson(estimate, sweep), ...createSetJson({ set }) });
  else print(formatSweepEstimateSheet(estimate, sweep, readTextStyle(process.stdout)));
}

/** Runs a sweep by the workers of a queue. */
async function runOnWorkers(
  folder: string,
  sweep: Sweep,
  request: SweepExecutionOptions & { readonly mode: SweepMode },
  options: StoreCommandOptions,
): Promise<SweepResult> {
  const [{ runSweepOnQueue }, { connectToRedis }] = await Promise.all([
    import('../storage/cluster/coordinator.ts'),
    import('./connect-to-redis.ts'),
  ]);
  using place = options.store === undefined ? undefined : await openS3Parts(options.store, { onNote: printStatus });
  await using link = await connectToRedis(options.queue ?? '', options, '--queue');
  return await runSweepOnQueue(folder, sweep, request, {
    link,
    audit: options.audit,
    bucket: place,
    onNote: printNote,
  });
}

/** Runs a sweep into a folder, in this process or by the workers of a queue. */
export async function fillFolder(
  out: string,
  requested: Sweep,
  options: StoreCommandOptions,
  signals: Signals,
  mode: SweepMode = getSweepMode(options, formatOptionName),
): Promise<SweepResult> {
  const { queue } = options;
  const stopping = queue === undefined ? LEFT : 'waiting for the segments under way';
  const runWatched = (watch: BarWatch<LongProgressBar['show']>) => {
    const execution = { ...pickOptions(THREADS, options), ...watch };
    if (queue !== undefined) return runOnWorkers(out, requested, { mode, ...execution }, options);
    return runSweep(requested, { out, ...pickOptions(MODE, options), ...execution });
  };
  return await watched(createSweepProgress(requested, options, signals), signals, runWatched, stopping).catch(
    throwWithAdvice,
  );
}

/** Ends the command if not all cells are there. @param next how to continue, if it is not printed yet */
export function endIfIncomplete(result: SweepResult, signals: Signals, next: string): void {
  if (result.complete) return;
  const of = `${formatGrouped(result.done)} of ${formatGrouped(result.cells)} cells`;
  const ended = 'cancelled' in result && result.cancelled ? 'cancelled' : 'interrupted';
  throw new CommandExit(signals.getExitCode() ?? 1, `${ended} at ${of}${next}`);
}

async function runIntoFolder(
  out: string,
  requested: Sweep,
  mode: SweepMode,
  options: SweepCommandOptions,
  signals: Signals,
): Promise<void> {
  const { json } = options;
  const result = await fillFolder(out, requested, options, signals, mode);
  if (json === true) printJson({ ...createSweepJson(result), ...createSetJson(options) });
  else print(formatSweepSheet(result, readTextStyle(process.stdout)));
  // The summary says how to continue; JSON does not.
  endIfIncomplete(result, signals, json === true ? RESUME_ADVICE : '');
}

/** Prepares a store for shards. */
async function prepareStore(out: string, sweep: Sweep, { json, set, ...options }: SweepCommandOptions): Promise<void> {
  const prepared = await createStore(sweep, out, pickOptions(MODE, options));
  if (json === true) printJson({ ...createPreparedStoreJson(prepared), ...createSetJson({ set }) });
  else print(formatPreparedStoreSheet(prepared, readTextStyle(process.stdout)));
}

/** Target of the parts of a shard: a folder, or a location in an object store. */
interface ShardTarget {
  readonly run: (sweep: Sweep, shard: Shard, options: SweepExecutionOptions) => Promise<ShardResult>;
  readonly close: () => void;
}

async function openShardTarget({ out, store }: Pick<StoreCommandOptions, 'out' | 'store'>): Promise<ShardTarget> {
  if (store === undefined) {
    if (out === undefined) throw createRequirementError('--shard', '--out <folder> or --store <place>');
    return { run: (sweep, shard, options) => runSweep(sweep, { out, shard, ...options }), close: () => undefined };
  }
  if (out !== undefined) throw createConflictError('--store', '--out');
  const parts = await openS3Parts(store, { onNote: printStatus });
  return {
    run: (...shard) => deliverShard(parts, ...shard),
    close: () => {
      parts[dispose]();
    },
  };
}

/** Runs one shard of a sweep. */
export async function runShard(
  sweep: Sweep,
  options: StoreCommandOptions & SetOption,
  signals: Signals,
): Promise<void> {
  const { shard: requested = '', json } = options;
  const shard = parseShard(requested);
  const target = await openShardTarget(options);
  const play = (watch: BarWatch<LongProgressBar['show']>) =>
    target.run(sweep, shard, { ...pickOptions(THREADS, options), ...watch });
  const result = await watched(createSweepProgress(sweep, options, signals), signals, play, LEFT).finally(target.close);
  if (json === true) printJson({ ...createSweepShardJson(result), ...createSetJson(options) });
  else print(formatSweepShardSheet(result, readTextStyle(process.stdout)));
  if (!result.complete) throw new CommandExit(signals.getExitCode() ?? 1, 'interrupted; the same command continues');
}

const WHOLE_SWEEP_OPTIONS = ['resume', 'extend', 'recompute', 'prepare', 'queue'] as const;

/** Rejects options of the whole sweep with a shard, and an object store that nothing would use. */
export function checkShardOptions(
  options: Pick<StoreCommandOptions, 'shard' | 'store'> &
    Readonly<Partial<Record<(typeof WHOLE_SWEEP_OPTIONS)[number], boolean | string | undefined>>>,
): void {
  const { shard, store, queue } = options;
  const other = WHOLE_SWEEP_OPTIONS.find((name) => options[name] !== undefined && options[name] !== false);
  if (shard !== undefined && other !== undefined) throw createConflictError('--shard', `--${other}`);
  if (shard === undefined && store !== undefined && queue === undefined)
    throw createRequirementError('--store', '--shard or --queue');
}

export async function runSweepFile(file: string, options: SweepCommandOptions, signals: Signals): Promise<void> {
  const mode = parseMode(options);
  const { out, shard, prepare: prepares = false, dryRun: dry = false } = options;
  checkShardOptions(options);
  if (prepares && dry) throw createConflictError('--prepare', '--dry-run');
  const requested = await loadSweepFile(file, options);
  if (dry) await printEstimate(requested, options, signals);
  else if (shard !== undefined) await runShard(requested, options, signals).catch(throwWithAdvice);
  else if (out === undefined) throw new InputError('--out', 'a folder for the results', 'nothing');
  else if (prepares) await prepareStore(out, requested, options);
  else await runIntoFolder(out, requested, mode, options, signals);
}

const SWEEP_NOTES = `
--resume continues a sweep that was killed or interrupted, with byte-identical results. --extend simulates additional battles
for every cell of a complete sweep. --recompute updates the results after a change of the sweep file, and reuses
unchanged cells.
To share a sweep among machines, run one shard on each, into one folder or into separate folders; "warpool merge" completes
the store. --shard auto reads the shard from a Slurm array, an array job of AWS Batch or, as auto/n, an Indexed Job of
Kubernetes (docs/how-to/cluster.md).
With --queue, the workers of a queue simulate the battles ("warpool worker"); run the same command again to continue
after an interruption (docs/how-to/queue.md).`;

export const command: CommandDeclaration = {
  description: 'Simulates or solves every cell of a sweep file and stores the results as Parquet.',
  parameters: ['sweep file in YAML or JSON; - reads standard input'],
  settings: OPTIONS,
  notes: [
    formatExamples(
      'sweep examples/duels.yaml --dry-run',
      'sweep examples/duels.yaml --out results',
      'sweep examples/duels.yaml --out results --resume',
      'sweep examples/duels.yaml --out results --extend --battles 1M',
      'sweep examples/duels.yaml --out results --shard 2/8',
    ),
    SWEEP_NOTES,
  ],
  action: (file: string, options: SweepCommandOptions) => runSweepFile(file, options, catchSignals()),
};
