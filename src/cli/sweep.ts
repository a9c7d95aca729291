/** `warpool sweep` */

import { dispose, hearWork, InputError, MAX_BATTLES } from '../core/index.ts';
import { applyChanges } from '../rules/index.ts';
import { count, flag, type Given, picked, type Settings, text } from '../rules/setting.ts';
import { THREADS } from '../studies/index.ts';
import {
  estimateJson,
  estimateSheet,
  grouped,
  preparedJson,
  preparedSheet,
  shardJson,
  shardSheet,
  sweepJson,
  sweepSheet,
} from '../tell/index.ts';
import { openSweep, type Shard, type Sweep } from '../work/index.ts';
import {
  deliverShard,
  estimateSweep,
  loadSweep,
  type Mode,
  openS3,
  prepareSweep,
  type ShardOptions,
  type ShardResult,
  type SweepOptions as StoreOptions,
  sweepInto,
  sweepShard,
} from '../work/node.ts';
import { type DeclaredCommand, examples } from './command.ts';
import { advised, Ended, stopped } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { json, type Long, queue, set } from './options.ts';
import { type BarWatch, LEFT, type LongBar, longProgress, progressBar, watched } from './progress.ts';
import { type Known, registryFor } from './registry.ts';
import { parseShard } from './shard.ts';
import { given } from './source.ts';
import { look, note, print, printJson, say } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  set,
  out: { ...text('folder', 'where the results go: a new folder, or one with a sweep that goes on'), short: 'o' },
  dryRun: flag('only show the cells, segments, time and disk of the sweep, or of --shard'),
  resume: flag('go on with an unfinished sweep'),
  extend: flag('give each cell as many battles as --battles says'),
  battles: count(1, MAX_BATTLES, 'how many battles each cell is to have in all, with --extend'),
  recompute: flag('replace the results by those of a changed sweep file'),
  prepare: flag('only make the folder ready for shards'),
  shard: text('i/n', 'play only this shard of n, as 2/8; auto: the one that a scheduler tells'),
  store: text(
    'place',
    'an object store, s3://bucket/prefix, takes the parts: with --shard in the place of a folder, with --on on their way from workers',
  ),
  ...THREADS,
  ...queue,
  json,
} as const satisfies Settings;

type SweepOptions = Given<typeof ASKED> & Known & Long;

/** How a larger budget is asked for in a sweep file. */
const IN_FILE = (budget: number): string => `"budget: ${String(budget)}" in the file of the sweep`;

function refused(error: unknown): never {
  throw advised(error, 'battles can be played: leave "exact: always" out', IN_FILE);
}

const MODES = ['resume', 'extend', 'recompute'] as const;

function modeOf(options: SweepOptions): Mode {
  const [mode, other] = MODES.filter((word) => options[word] === true);
  if (mode !== undefined && other !== undefined)
    throw new InputError(`--${other}`, `not together with --${mode}`, 'both');
  if (mode === 'extend' && options.battles === undefined)
    throw new InputError('--extend', 'how many battles a cell is to have: --battles', 'nothing');
  if (mode !== 'extend' && options.battles !== undefined)
    throw new InputError('--battles', '--extend beside it; other sweeps have their battles in the file', 'no --extend');
  return mode ?? 'new';
}

async function loaded(file: string, options: SweepOptions): Promise<Sweep> {
  const { battles, set } = options;
  const sweep = await loadSweep(file, { systems: await registryFor(options, file) });
  if (battles === undefined && set === undefined) return sweep;
  const scenario = applyChanges(sweep.spec.scenario, set ?? []);
  return openSweep({ ...sweep.spec, scenario, ...(battles !== undefined && { battles }) }, file);
}

/** Points of a sweep whose condition takes long to evaluate, and blocks. */
const MANY_POINTS = 1_000_000;

/** Has signals end the process at once while the condition of a large sweep is evaluated. @returns the end of that */
function duringCondition({ spec, points }: Sweep, options: Long, signals: Signals): () => void {
  if (spec.where === undefined || points < MANY_POINTS) return () => undefined;
  if (options.quiet !== true) say(`evaluating the condition at ${grouped(points)} points; Ctrl-C quits at once`);
  const bar = progressBar(options, 'points');
  // Cells that are tried tell of steps.
  hearWork((work) => {
    if ('unit' in work && work.unit === 'points') bar.show?.(work);
  });
  const listen = signals.ignore();
  return () => {
    hearWork(undefined);
    bar.end();
    listen();
  };
}

/** Shows progress; from its first report on the condition is `evaluated` and cells are simulated. */
function showing(sweep: Sweep, options: Long, signals: Signals): LongBar {
  const evaluated = duringCondition(sweep, options, signals);
  const bar = longProgress(options, 'cells');
  return {
    show(progress) {
      evaluated();
      bar.show(progress);
    },
    end: bar.end,
  };
}

async function dryRun(sweep: Sweep, options: SweepOptions, signals: Signals): Promise<void> {
  const { json, set } = options;
  const shard = options.shard === undefined ? undefined : parseShard(options.shard);
  const evaluated = duringCondition(sweep, options, signals);
  const estimate = await estimateSweep(sweep, { ...picked(THREADS, options), shard, signal: signals.stop })
    .catch(refused)
    .catch((error: unknown) => {
      stopped(error, signals);
    })
    .finally(evaluated);
  if (json === true) printJson({ ...estimateJson(estimate, sweep), ...given({ set }) });
  else print(estimateSheet(estimate, sweep, look(process.stdout)));
}

/** Has the workers of a queue fill the store. */
async function askWorkers(
  folder: string,
  sweep: Sweep,
  watch: StoreOptions,
  options: SweepOptions,
): Promise<Awaited<ReturnType<typeof sweepInto>>> {
  const [{ sweepOn }, { openLink }] = await Promise.all([import('../work/cluster/ask.ts'), import('./redis.ts')]);
  using place = options.store === undefined ? undefined : await openS3(options.store, { onNote: say });
  await using link = await openLink(options.on ?? '', options, '--on');
  return await sweepOn(folder, sweep, watch, { link, audit: options.audit, place, onNote: note });
}

/** Plays a sweep into a folder, here or by the workers of a queue. */
async function playInto(out: string, asked: Sweep, mode: Mode, options: SweepOptions, signals: Signals): Promise<void> {
  const { json, on } = options;
  const stopping = on === undefined ? LEFT : 'what is under way is waited for';
  const playing = (watch: BarWatch<LongBar['show']>) => {
    const how = { mode, ...picked(THREADS, options), ...watch };
    return on === undefined ? sweepInto(out, asked, how) : askWorkers(out, asked, how, options);
  };
  const result = await watched(showing(asked, options, signals), signals, playing, stopping).catch(refused);
  if (json === true) printJson({ ...sweepJson(result), ...given(options) });
  else print(sweepSheet(result, look(process.stdout)));
  if (result.complete) return;
  const of = `${grouped(result.done)} of ${grouped(result.cells)} cells`;
  const next = on === undefined ? '--resume goes on' : 'the same command goes on, or, without --on, --resume';
  const ended = 'cancelled' in result && result.cancelled ? 'cancelled' : 'interrupted';
  throw new Ended(signals.code() ?? 1, `${ended} at ${of}; ${next}`);
}

/** Makes a store ready for shards. */
async function prepare(
  out: string,
  sweep: Sweep,
  mode: Mode,
  { json, set }: Pick<SweepOptions, 'json' | 'set'>,
): Promise<void> {
  const prepared = await prepareSweep(out, sweep, { mode });
  if (json === true) printJson({ ...preparedJson(prepared), ...given({ set }) });
  else print(preparedSheet(prepared, look(process.stdout)));
}

/** Where the parts of a shard go: a folder, or a place in an object store. */
interface Target {
  readonly play: (sweep: Sweep, shard: Shard, options: ShardOptions) => Promise<ShardResult>;
  readonly close: () => void;
}

async function targetOf({ out, store }: Pick<SweepOptions, 'out' | 'store'>): Promise<Target> {
  if (store === undefined) {
    if (out === undefined) throw new InputError('--out', 'a folder for the results', 'nothing');
    return { play: (...shard) => sweepShard(out, ...shard), close: () => undefined };
  }
  if (out !== undefined) throw new InputError('--store', 'not together with --out', 'both');
  const parts = await openS3(store, { onNote: say });
  return {
    play: (...shard) => deliverShard(parts, ...shard),
    close: () => {
      parts[dispose]();
    },
  };
}

/** Plays one shard of a sweep. */
async function playShard(sweep: Sweep, options: SweepOptions, signals: Signals): Promise<void> {
  const { shard: asked = '', json } = options;
  const shard = parseShard(asked);
  const target = await targetOf(options);
  const play = (watch: BarWatch<LongBar['show']>) =>
    target.play(sweep, shard, { ...picked(THREADS, options), ...watch });
  const result = await watched(showing(sweep, options, signals), signals, play, LEFT).finally(target.close);
  if (json === true) printJson({ ...shardJson(result), ...given(options) });
  else print(shardSheet(result, look(process.stdout)));
  if (!result.complete) throw new Ended(signals.code() ?? 1, 'interrupted; the same command goes on');
}

const OTHERS = ['resume', 'extend', 'recompute', 'prepare'] as const;

/** Refuses what says that the whole sweep is meant, or nothing of it. */
function checkShardAlone(options: SweepOptions): void {
  const other = OTHERS.find((name) => options[name] === true);
  if (other !== undefined) throw new InputError('--shard', `not together with --${other}`, 'both');
}

export async function sweep(file: string, options: SweepOptions, signals: Signals): Promise<void> {
  const mode = modeOf(options);
  const { out, shard, store, prepare: prepares = false, dryRun: dry = false } = options;
  if (shard !== undefined) checkShardAlone(options);
  else if (store !== undefined && options.on === undefined)
    throw new InputError('--store', '--shard or --on beside it', 'neither');
  if (prepares && dry) throw new InputError('--prepare', 'not together with --dry-run', 'both');
  const asked = await loaded(file, options);
  if (dry) await dryRun(asked, options, signals);
  else if (shard !== undefined) await playShard(asked, options, signals).catch(refused);
  else if (out === undefined) throw new InputError('--out', 'a folder for the results', 'nothing');
  else if (prepares) await prepare(out, asked, mode, options);
  else await playInto(out, asked, mode, options, signals);
}

const SWEEP_NOTES = `
A sweep that was killed or interrupted goes on with --resume, to the same bytes.
--extend gives every cell of a complete sweep more battles and plays only these.
--recompute is for a sweep file that was changed: cells that it kept are not played again.
Several machines play a sweep together: each one a shard of it, into one folder or one each, and
"warpool merge" completes the store. With --shard auto a Slurm array, an array job of AWS Batch or,
as auto/n, an Indexed Job of Kubernetes says which shard it is (docs/how-to/cluster.md).
With --on the workers of a queue play ("warpool worker"); the same command goes on after any end
(docs/how-to/queue.md).`;

export const command: DeclaredCommand = {
  description: 'Plays or solves every cell of a sweep file and stores the results as Parquet.',
  takes: ['sweep file in YAML or JSON; - reads standard input'],
  asked: ASKED,
  after: [
    examples(
      'sweep examples/duels.yaml --dry-run',
      'sweep examples/duels.yaml --out results',
      'sweep examples/duels.yaml --out results --resume',
      'sweep examples/duels.yaml --out results --extend --battles 1M',
      'sweep examples/duels.yaml --out results --shard 2/8',
    ),
    SWEEP_NOTES,
  ],
  action: (file: string, options: SweepOptions) => sweep(file, options, catchSignals()),
};
