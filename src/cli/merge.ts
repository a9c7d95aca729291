/** `warpool merge` */
import { mergeFetched } from '../cluster/fetch.ts';
import { openS3 } from '../cluster/s3.ts';
import { isS3 } from '../cluster/s3-place.ts';
import { mergeJson, mergeSheet } from '../report/shards.ts';
import { version } from '../version.ts';
import { Ended } from './failure.ts';
import { annotate } from './github.ts';
import type { Signals } from './interrupt.ts';
import { longProgress } from './progress.ts';
import { type Known, registryFor } from './registry.ts';
import { look, print, printJson, say } from './terminal.ts';

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
  const asked = { shards, systems, signal: signals.stop, onProgress: bar.show, onNote: say };
  const from = await Promise.all(
    others.map(async (other) => (isS3(other) ? await openS3(other, { place: 'folders' }) : other)),
  );
  const result = await mergeFetched(folder, from, asked).finally(() => {
    bar.end();
    for (const place of from) if (typeof place !== 'string') place[Symbol.dispose]();
  });
  if (json === true) printJson(mergeJson(result, version()));
  else print(mergeSheet(result, look(process.stdout)));
  const code = signals.code();
  if (code !== undefined && !result.complete) throw new Ended(code, 'interrupted; the same command goes on');
  annotate(result.faults.map(({ where, what }) => ({ title: where, message: what })));
  if (!result.complete) throw new Ended(1);
}
