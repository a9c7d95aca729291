/** `warpool run --out`: a run that is kept in a folder. */
import { InputError } from '../core/errors.ts';
import type { Engine, Progress } from '../engines/pool/run.ts';
import type { Scenario } from '../rules/system.ts';
import { askedOf, type RunAsked } from '../studies/simulate.ts';
import type { Label } from '../tell/json.ts';
import { Ended } from './failure.ts';
import type { Signals } from './interrupt.ts';
import { progressBar } from './progress.ts';
import { parseShard } from './shard.ts';
import { look, print, printJson, say } from './terminal.ts';

/** The options of `run` that keep it. */
export interface KeptOptions {
  readonly out?: string;
  readonly resume?: boolean;
  readonly prepare?: boolean;
  readonly shard?: string;
}

/** The options of `run` that matter as well where a run is only prepared, or shared out. */
export interface PlayOptions extends KeptOptions, RunAsked {
  readonly seed: bigint;
  readonly from: number;
  readonly workers?: number;
  readonly engine: Engine;
  readonly exact: 'auto' | 'always' | 'never';
  /** Steps that the exact answer, or the law to draw from, may take. */
  readonly budget?: number;
  /** Battles whose rules are counted. */
  readonly coverage?: number;
  readonly json?: boolean;
  /** The file of a page. */
  readonly page?: string;
  readonly quiet?: boolean;
}

interface Named {
  readonly scenario: Scenario;
  readonly title: string;
  readonly label: Label;
}

const HOW = ['resume', 'prepare', 'shard'] as const;

/** Refuses options that say nothing, or contradict each other. */
export function checkKept(options: PlayOptions): void {
  const [how, other] = HOW.filter((name) => options[name] !== undefined);
  if (how === undefined) return;
  if (options.out === undefined) throw new InputError('--out', `a folder, for there is --${how}`, 'nothing');
  if (other !== undefined) throw new InputError(`--${other}`, `not together with --${how}`, 'both');
  if (how === 'resume') return;
  const { page, coverage, precision, exact } = options;
  const told = { page, coverage, exact: exact === 'always' || undefined };
  for (const [name, value] of Object.entries(told))
    if (value !== undefined)
      throw new InputError(`--${name}`, `not together with --${how}, which tells no result`, 'both');
  if (how === 'shard' && precision !== undefined)
    throw new InputError('--precision', 'a number of battles, to play a share of them: --battles', String(precision));
}

async function prepare(out: string, { scenario, title, label }: Named, options: PlayOptions): Promise<void> {
  const [{ prepareRun }, sheet] = [await import('../work/tallies/into.ts'), await import('../tell/kept.ts')];
  const prepared = await prepareRun(out, scenario, askedOf(options));
  if (options.json === true) printJson(sheet.runPreparedJson(prepared, label));
  else print(sheet.runPreparedSheet(prepared, title, look(process.stdout)));
}

async function share(out: string, named: Named, options: PlayOptions, signals: Signals): Promise<void> {
  const { workers, budget, json, quiet } = options;
  const shard = parseShard(options.shard ?? '');
  const bar = progressBar(quiet === true);
  const signal = signals.stop;
  signal.addEventListener('abort', () => {
    bar.end();
    say('stopping: what is under way is left; Ctrl-C again quits at once');
  });
  const onProgress = (progress: Progress): void => bar.show?.(progress);
  const asked = { ...askedOf(options), shard, workers, budget, signal, onProgress };
  const [{ simulateShard }, sheet] = [await import('../work/tallies/into.ts'), await import('../tell/kept.ts')];
  const result = await simulateShard(out, named.scenario, asked).finally(() => {
    bar.end();
  });
  if (json === true) printJson(sheet.runShardJson(result, named.label));
  else print(sheet.runShardSheet(result, named.title, look(process.stdout)));
  if (!result.complete) throw new Ended(signals.code() ?? 1, 'interrupted; the same command goes on');
}

/**
 * Prepares a run for shards, or plays one, if that is asked for.
 * @returns false if the run itself is to be played
 */
export async function playedApart(named: Named, options: PlayOptions, signals: Signals): Promise<boolean> {
  const { out = '', prepare: prepares, shard } = options;
  if (prepares === true) await prepare(out, named, options);
  else if (shard !== undefined) await share(out, named, options, signals);
  else return false;
  return true;
}
