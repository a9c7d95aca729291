/** `warpool merge` */

import { basename } from 'node:path';
import { dispose } from '../core/index.ts';
import { count, type Given, type Settings } from '../rules/setting.ts';
import { mergeJson, mergeSheet, printSheet, runSheet } from '../tell/index.ts';
import { SHARDS_MAX } from '../work/index.ts';
import { isS3, mergeFetched, openS3 } from '../work/node.ts';
import { type DeclaredCommand, examples } from './command.ts';
import { Ended, endIfStopped } from './failure.ts';
import { annotate } from './github.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { json, type Long } from './options.ts';
import { longProgress, watched } from './progress.ts';
import { type Known, registryFor } from './registry.ts';
import { look, print, printJson, say } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  shards: count(1, SHARDS_MAX, 'how many shards there were: also tell which of them are to be played again'),
  json,
} as const satisfies Settings;

type MergeOptions = Given<typeof ASKED> & Known & Long;

export async function merge(
  folder: string,
  others: readonly string[],
  options: MergeOptions,
  signals: Signals,
): Promise<void> {
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
  else {
    const style = look(process.stdout);
    const { result: run } = result;
    print(mergeSheet(result, style));
    if (run !== undefined)
      print(`\n${printSheet(runSheet(run, basename(folder), undefined, run.to - run.from, 'auto'), style)}`);
  }
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
