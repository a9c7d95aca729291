/** Command line for stored runs: killed runs resume, and JSON output matches its schemas. */
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  createPreparedRunJson,
  createResumableRunJson,
  createRunShardJson,
} from '../../src/report/run/resumable-run.ts';
import { merge, runPrepared, runShard } from '../../src/report/schemas/shards.ts';
import { createMergeJson, formatMergeSheet } from '../../src/report/sweep/shards.ts';
import { createStore } from '../../src/storage/store/create-store.ts';
import { mergeStores } from '../../src/storage/store/merge-stores.ts';
import { called } from '../cli/called.ts';
import { DUEL as FILE, warpool } from '../cli/warpool.ts';
import { ownFolder } from '../custom-system.ts';
import { DEPTH } from '../depth.ts';
import { ASKED, DUEL, into, place, share } from './folders.ts';

const PLAIN = { paint: { bold: String, dim: String, red: String, green: String }, width: 100 } as never;

/** Returns the number of parts in a folder. */
function partsIn(folder: string): number {
  try {
    return readdirSync(join(folder, 'histograms')).filter((name) => name.endsWith('.parquet')).length;
  } catch {
    return 0;
  }
}

describe('warpool run --out', () => {
  test.runIf(DEPTH > 1)(
    'resumes with --resume after SIGKILL, and prints the digest of an uninterrupted run',
    async () => {
      const { path } = ownFolder();
      const folder = place();
      const scenario = join(mkdtempSync(join(tmpdir(), 'warpool-killed-')), 'duel.json');
      writeFileSync(scenario, '{ "system": "my-duel" }');
      const run = ['run', scenario, '--systems', path, '--battles', '30e6', '--json', '--quiet'];
      const single = JSON.parse((await called(run)).stdout) as { digest: string };
      const killed = await warpool([...run, '--out', folder], { signals: [['SIGKILL', () => partsIn(folder) >= 2]] });
      expect(killed.code).toBeNull();
      const there = partsIn(folder);
      expect(there).toBeGreaterThanOrEqual(2);
      expect(there).toBeLessThan(8);
      const { code, stdout } = await called([...run, '--out', folder, '--resume']);
      expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({
        code: 0,
        digest: single.digest,
        store: { folder, parts: 8, battlesBefore: there * 2 ** 22 },
      });
      expect(readdirSync(join(folder, 'histograms')).every((name) => !name.startsWith('.'))).toBe(true);
    },
  );

  test('rejects options that require a folder, or exclude each other', async () => {
    const rejected = async (...options: string[]): Promise<string> => (await called(['run', FILE, ...options])).stderr;
    expect(await rejected('--resume')).toContain('--resume requires --out <folder>');
    expect(await rejected('--out', 'x', '--shard', '1/2', '--prepare')).toContain(
      '--shard cannot be combined with --prepare',
    );
    if (DEPTH === 1) return;
    expect(await rejected('--out', 'x', '--shard', '3/2')).toContain('--shard: expected a shard 1..2 of 2');
    expect(await rejected('--out', 'x', '--shard', '1/2', '--precision', '0.1')).toContain(
      '--precision cannot be combined with --shard',
    );
    expect(await rejected('--out', 'x', '--prepare', '--coverage', '5')).toContain('which prints no result');
  });
});

test('JSON of prepared runs, shards and merges matches the schemas', async () => {
  const [folder, label] = [place(), { name: 'duel' }];
  const plain = (value: object): unknown => JSON.parse(JSON.stringify(value));
  const prepared = plain(createPreparedRunJson(await createStore(DUEL, folder, ASKED), label));
  expect(runPrepared.parse(prepared)).toEqual(prepared);
  const shard = plain(createRunShardJson(await share(folder, 1, 2), label));
  expect(runShard.parse(shard)).toEqual(shard);
  for (const merged of [
    await mergeStores(folder),
    await into(folder, { resume: true }).then(() => mergeStores(folder)),
  ]) {
    const json = plain(createMergeJson(merged));
    expect(merge.parse(json)).toEqual(json);
    const found = merged.result === undefined ? 'battles 1 033..2 032 are missing' : `digest ${merged.result.digest}`;
    expect(formatMergeSheet(merged, PLAIN)).toContain(found);
  }
  expect(createResumableRunJson(await into(folder))).toEqual({ folder, parts: 5, battlesBefore: 4500 });
});
