/** `warpool sweep --prepare` and `--shard`: a sweep over several machines. */

import { InputError } from '../core/errors.ts';
import { version } from '../core/version.ts';
import { preparedJson, preparedSheet, shardJson, shardSheet } from '../tell/shards.ts';
import { deliverShard } from '../work/cluster/deliver.ts';
import { openS3 } from '../work/cluster/s3.ts';
import type { Shard } from '../work/folder/shard.ts';
import type { Mode } from '../work/store/begin.ts';
import { prepareSweep, type ShardOptions, type ShardResult, sweepShard } from '../work/store/shard.ts';
import type { Sweep } from '../work/sweep/sweep.ts';
import { Ended } from './failure.ts';
import type { Signals } from './interrupt.ts';
import { longProgress } from './progress.ts';
import { parseShard } from './shard.ts';
import { given, type Setting } from './source.ts';
import { look, print, printJson, say } from './terminal.ts';

/** Options of the command that these ways of playing a sweep look at. */
export interface ShardedOptions extends Setting {
  readonly out?: string;
  readonly prepare?: boolean;
  readonly shard?: string;
  readonly store?: string;
  readonly resume?: boolean;
  readonly extend?: boolean;
  readonly recompute?: boolean;
  readonly dryRun?: boolean;
  readonly workers?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Makes a store ready for shards. */
export async function prepare(
  out: string,
  sweep: Sweep,
  mode: Mode,
  { json, set }: Pick<ShardedOptions, 'json' | 'set'>,
): Promise<void> {
  const prepared = await prepareSweep(out, sweep, { mode });
  if (json === true) printJson({ ...preparedJson(prepared, version()), ...given({ set }) });
  else print(preparedSheet(prepared, look(process.stdout)));
}

/** Where the parts of a shard go: a folder, or a place in an object store. */
interface Target {
  readonly play: (sweep: Sweep, shard: Shard, options: ShardOptions) => Promise<ShardResult>;
  readonly close: () => void;
}

async function targetOf({ out, store }: Pick<ShardedOptions, 'out' | 'store'>): Promise<Target> {
  if (store === undefined) {
    if (out === undefined) throw new InputError('--out', 'a folder for the results', 'nothing');
    return { play: (...shard) => sweepShard(out, ...shard), close: () => undefined };
  }
  if (out !== undefined) throw new InputError('--store', 'not together with --out', 'both');
  const parts = await openS3(store, { onNote: say });
  return {
    play: (...shard) => deliverShard(parts, ...shard),
    close: () => {
      parts[Symbol.dispose]();
    },
  };
}

/** Plays one shard of a sweep. */
export async function playShard(sweep: Sweep, options: ShardedOptions, signals: Signals): Promise<void> {
  const { shard: asked = '', workers, json, quiet } = options;
  const shard = parseShard(asked);
  const target = await targetOf(options);
  const bar = longProgress(quiet === true, 'cells');
  signals.stop.addEventListener('abort', () => {
    bar.end();
    say('stopping: what is under way is left; Ctrl-C again quits at once');
  });
  const watch = { workers, signal: signals.stop, onProgress: bar.show };
  const result = await target.play(sweep, shard, watch).finally(() => {
    bar.end();
    target.close();
  });
  if (json === true) printJson({ ...shardJson(result, version()), ...given(options) });
  else print(shardSheet(result, look(process.stdout)));
  if (!result.complete) throw new Ended(signals.code() ?? 1, 'interrupted; the same command goes on');
}

const OTHERS = ['resume', 'extend', 'recompute', 'dryRun', 'prepare'] as const;

/** Refuses what says that the whole sweep is meant, or nothing of it. */
export function checkShardAlone(options: ShardedOptions): void {
  const other = OTHERS.find((name) => options[name] === true);
  if (other !== undefined)
    throw new InputError('--shard', `not together with --${other === 'dryRun' ? 'dry-run' : other}`, 'both');
}
