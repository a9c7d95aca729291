/** `warpool merge` */

import { basename } from 'node:path';
import { dispose, InputError } from '../core/index.ts';
import { count, type Given, type Settings } from '../rules/setting.ts';
import { mergedRunJson, mergedRunSheet, mergeJson, mergeSheet, printSheet, runSheet } from '../tell/index.ts';
import { SHARDS_MAX } from '../work/index.ts';
import { isS3, type MergedRun, mergeFetched, mergeRun, openS3, RUNS } from '../work/node.ts';
import { type DeclaredCommand, examples } from './command.ts';
import { Ended, endIfStopped } from './failure.ts';
import { annotate } from './github.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { json, type Long } from './options.ts';
import { longProgress, progressBar, watched } from './progress.ts';
import { type Known, registryFor } from './registry.ts';
import { look, print, printJson, say } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  shards: count(1, SHARDS_MAX, 'how many shards there were: also tell which of them are to be played again'),
  json,
} as const satisfies Settings;

type MergeOptions = Given<typeof ASKED> & Known & Long;

function tellRun(folder: string, merged: MergedRun): void {
  const style = look(process.stdout);
  print(mergedRunSheet(merged, style));
  const { result } = merged;
  if (result === undefined) return;
  const sheet = runSheet(result, basename(folder), undefined, result.to - result.from, 'auto');
  print(`\n${printSheet(sheet, style)}`);
}

/** True if one of these places is a folder with a run. */
async function haveRun(places: readonly string[]): Promise<boolean> {
  const found = await Promise.all(places.filter((place) => !isS3(place)).map((place) => RUNS.isIn(place)));
  return found.includes(true);
}

/** The parts of a run: there is no number of shards to be told, for what is missing is ranges of battles. */
async function mergeTallies(
  folder: string,
  others: readonly string[],
  options: MergeOptions,
  signals: Signals,
): Promise<void> {
  const { shards, json } = options;
  const bucket = others.find(isS3);
  if (bucket !== undefined) throw new InputError('folders', 'folders, for this is a run', bucket);
  if (shards !== undefined) throw new InputError('--shards', 'a sweep to merge', 'a run');
  const systems = await registryFor(options, folder);
  const result = await watched(progressBar(options), signals, (watch) =>
    mergeRun(folder, others, { systems, ...watch }),
  );
  if (json === true) printJson(mergedRunJson(result));
  else tellRun(folder, result);
  annotate(result.damaged.map(({ where, what }) => ({ title: where, message: what })));
  if (result.result === undefined) throw new Ended(1);
}

export async function merge(
  folder: string,
  others: readonly string[],
  options: MergeOptions,
  signals: Signals,
): Promise<void> {
  if (await haveRun([folder, ...others])) {
    await mergeTallies(folder, others, options, signals);
    return;
  }
  const { shards, json } = options;
  const asked = { shards, systems: await registryFor(options, folder), onNote: say };
  const from = await Promise.all(
    others.map(async (other) => (isS3(other) ? await openS3(other, { place: 'folders' }) : other)),
  );
  const merging = watched(longProgress(options, 'segments'), signals, (watch) =>
    mergeFetched(folder, from, { ...asked, ...watch }),
  );
  const result = await merging.finally(() => {
    for (const place of from) if (typeof place !== 'string') place[dispose]();
  });
  if (json === true) printJson(mergeJson(result));
  else print(mergeSheet(result, look(process.stdout)));
  if (!result.complete) endIfStopped(signals, 'interrupted; the same command goes on');
  annotate(result.faults.map(({ where, what }) => ({ title: where, message: what })));
  if (!result.complete) throw new Ended(1);
}

const MERGE_NOTES = `
What several folders have is compared by SHA-256. Parts that differ or are damaged are named with their
folder, and nothing is replaced. Exit code 1 as long as anything is missing or in dispute.`;

export const command: DeclaredCommand = {
  description: 'Joins the parts of shards, tells what is missing, and completes the store when nothing is.',
  takes: [
    'the folder that all shards have filled, or a new one',
    'what single shards have filled: folders, s3://bucket/prefix; they are not changed',
  ],
  asked: ASKED,
  after: [examples('merge results', 'merge results shard-1 shard-2 shard-3', 'merge results --shards 8'), MERGE_NOTES],
  action: (folder: string, folders: string[], options: MergeOptions) => merge(folder, folders, options, catchSignals()),
};
