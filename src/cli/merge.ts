/** `warpool merge` */
import { mergeJson, mergeSheet } from '../report/shards.ts';
import { mergeStores } from '../store/merge.ts';
import { version } from '../version.ts';
import { Ended } from './failure.ts';
import { annotate } from './github.ts';
import type { Signals } from './interrupt.ts';
import { longProgress } from './progress.ts';
import { type Known, registryFor } from './registry.ts';
import { look, print, printJson } from './terminal.ts';

export interface MergeOptions extends Known {
  readonly shards?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export async function merge(
  folder: string,
  others: readonly string[],
  options: MergeOptions,
  signals: Signals,
): Promise<void> {
  const { shards, json, quiet } = options;
  const systems = await registryFor(options);
  const bar = longProgress(quiet === true, 'segments');
  const asked = { shards, systems, signal: signals.stop, onProgress: bar.show };
  const result = await mergeStores(folder, others, asked).finally(() => {
    bar.end();
  });
  if (json === true) printJson(mergeJson(result, version()));
  else print(mergeSheet(result, look(process.stdout)));
  const code = signals.code();
  if (code !== undefined && !result.complete) throw new Ended(code, 'interrupted; the same command goes on');
  annotate(result.faults.map(({ where, what }) => ({ title: where, message: what })));
  if (!result.complete) throw new Ended(1);
}
