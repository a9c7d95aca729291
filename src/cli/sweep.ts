/** `warpool sweep` */

import { InputError } from '../core/errors.ts';
import { version } from '../core/version.ts';
import { changeScenario } from '../rules/scenario/index.ts';
import { estimateJson, estimateSheet, sweepJson, sweepSheet } from '../tell/sweep.ts';
import { grouped } from '../tell/text/digits.ts';
import { openS3 } from '../work/cluster/s3.ts';
import type { Mode } from '../work/store/begin.ts';
import { estimateSweep } from '../work/store/estimate.ts';
import { type SweepOptions as StoreOptions, sweepInto } from '../work/store/sweep.ts';
import { loadSweep } from '../work/sweep/read.ts';
import { openSweep, type Sweep } from '../work/sweep/sweep.ts';
import { advised, Ended, stopped } from './failure.ts';
import type { Signals } from './interrupt.ts';
import { longProgress } from './progress.ts';
import type { RedisOptions } from './redis.ts';
import { registryFor } from './registry.ts';
import { given } from './source.ts';
import { checkShardAlone, playShard, prepare, type ShardedOptions } from './sweep-shard.ts';
import { look, print, printJson, say } from './terminal.ts';

export interface SweepOptions extends ShardedOptions, RedisOptions {
  readonly battles?: number;
  /** The server of a queue. */
  readonly on?: string;
  readonly audit?: number;
}

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
  const sweep = await loadSweep(file, { systems: await registryFor(options) });
  if (battles === undefined && set === undefined) return sweep;
  const scenario = changeScenario(sweep.spec.scenario, set ?? []);
  return openSweep({ ...sweep.spec, scenario, ...(battles !== undefined && { battles }) }, file);
}

async function dryRun(sweep: Sweep, { workers, json, set }: SweepOptions, signals: Signals): Promise<void> {
  const estimate = await estimateSweep(sweep, workers, signals.stop)
    .catch(refused)
    .catch((error: unknown) => {
      throw stopped(error, signals);
    });
  if (json === true) printJson({ ...estimateJson(estimate, sweep, version()), ...given({ set }) });
  else print(estimateSheet(estimate, sweep, look(process.stdout)));
}

/** Has the workers of a queue fill the store. */
async function askWorkers(
  folder: string,
  sweep: Sweep,
  watch: StoreOptions,
  options: SweepOptions,
): Promise<Awaited<ReturnType<typeof sweepInto>>> {
  const [{ sweepOn }, { openLink }] = await Promise.all([import('../work/cluster/sweep.ts'), import('./redis.ts')]);
  using place = options.store === undefined ? undefined : await openS3(options.store, { onNote: say });
  await using link = await openLink(options.on ?? '', options, '--on');
  const onNote = (text: string): void => {
    say(`warpool: ${text}`);
  };
  return await sweepOn(folder, sweep, watch, { link, audit: options.audit, place, onNote });
}

/** Plays a sweep into a folder, here or by the workers of a queue. */
async function playInto(out: string, asked: Sweep, mode: Mode, options: SweepOptions, signals: Signals): Promise<void> {
  const { workers, json, quiet, on } = options;
  const bar = longProgress(quiet === true, 'cells');
  signals.stop.addEventListener('abort', () => {
    bar.end();
    say(`stopping: what is under way is ${on === undefined ? 'left' : 'waited for'}; Ctrl-C again quits at once`);
  });
  const watch = { mode, workers, signal: signals.stop, onProgress: bar.show };
  const playing = on === undefined ? sweepInto(out, asked, watch) : askWorkers(out, asked, watch, options);
  const result = await playing.catch(refused).finally(() => {
    bar.end();
  });
  if (json === true) printJson({ ...sweepJson(result, version()), ...given(options) });
  else print(sweepSheet(result, look(process.stdout)));
  if (result.complete) return;
  const of = `${grouped(result.done)} of ${grouped(result.cells)} cells`;
  const next = on === undefined ? '--resume goes on' : 'the same command goes on, or, without --on, --resume';
  const ended = 'cancelled' in result && result.cancelled ? 'cancelled' : 'interrupted';
  throw new Ended(signals.code() ?? 1, `${ended} at ${of}; ${next}`);
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
