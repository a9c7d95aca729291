/** `warpool merge` */

import { basename } from 'node:path';
import { dispose } from '../core/index.ts';
import { createMergeJson, createRunSheet, formatMergeSheet, formatSheet } from '../report/index.ts';
import { count, type OptionSpecs, type ParsedOptions } from '../rules/option-spec.ts';
import { SHARDS_MAX } from '../storage/index.ts';
import { isS3Url, mergeRemoteStores, openS3Parts } from '../storage/node.ts';
import { type CommandDeclaration, formatExamples } from './command.ts';
import { CommandExit, endIfStopped } from './failure.ts';
import { annotate } from './github.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { json, type LongRunningOptions } from './options.ts';
import { createLongProgressBar, watched } from './progress.ts';
import { loadRegistry, type RegistryOptions } from './registry.ts';
import { print, printJson, printStatus, readTextStyle } from './terminal.ts';

const OPTIONS = {
  shards: count(1, SHARDS_MAX, 'number of shards; also lists the shards to simulate again'),
  json,
} as const satisfies OptionSpecs;

type MergeCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions & LongRunningOptions;

export async function mergeFolders(
  folder: string,
  others: readonly string[],
  options: MergeCommandOptions,
  signals: Signals,
): Promise<void> {
  const { shards, json } = options;
  const requested = { shards, systems: await loadRegistry(options, folder), onNote: printStatus };
  const from = await Promise.all(
    others.map(async (other) => (isS3Url(other) ? await openS3Parts(other, { place: 'folders' }) : other)),
  );
  const merging = watched(createLongProgressBar(options, 'segments'), signals, (watch) =>
    mergeRemoteStores(folder, from, { ...requested, ...watch }),
  );
  const result = await merging.finally(() => {
    for (const place of from) if (typeof place !== 'string') place[dispose]();
  });
  if (json === true) printJson(createMergeJson(result));
  else {
    const style = readTextStyle(process.stdout);
    const { result: run } = result;
    print(formatMergeSheet(result, style));
    if (run !== undefined)
      print(`\n${formatSheet(createRunSheet(run, basename(folder), undefined, run.to - run.from, 'auto'), style)}`);
  }
  if (!result.complete) endIfStopped(signals, 'interrupted; run the same command to continue');
  annotate(result.faults.map(({ where, what }) => ({ title: where, message: what })));
  if (!result.complete) throw new CommandExit(1);
}

const MERGE_NOTES = `
Parts that are in several folders are compared by SHA-256. Parts that differ or are damaged are listed with their folder, and
nothing is replaced. Exit code 1 if parts are missing or differ.`;

export const command: CommandDeclaration = {
  description: 'Merges the parts of shards, lists missing parts, and completes the store if no part is missing.',
  parameters: [
    'folder of all shards, or a new folder',
    'sources with single shards: folders, s3://bucket/prefix; they are not changed',
  ],
  settings: OPTIONS,
  notes: [
    formatExamples('merge results', 'merge results shard-1 shard-2 shard-3', 'merge results --shards 8'),
    MERGE_NOTES,
  ],
  action: (folder: string, folders: string[], options: MergeCommandOptions) =>
    mergeFolders(folder, folders, options, catchSignals()),
};
