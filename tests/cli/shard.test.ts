/** Selection of a shard, and output and errors of commands for several machines. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Signals } from '../../src/cli/interrupt.ts';
import { mergeFolders } from '../../src/cli/merge.ts';
import { parseShard } from '../../src/cli/shard.ts';
import { runSweepFile } from '../../src/cli/sweep.ts';
import { place, sweepFile } from '../store/folders.ts';

const slurm = (id: number, count: number, min = 1, step = 1): Record<string, string> => ({
  SLURM_ARRAY_TASK_ID: String(id),
  SLURM_ARRAY_TASK_COUNT: String(count),
  SLURM_ARRAY_TASK_MIN: String(min),
  SLURM_ARRAY_TASK_STEP: String(step),
});

describe('parseShard', () => {
  test.each([
    ['2/8', {}, [2, 8]],
    ['1/1', slurm(7, 9), [1, 1]],
    ['auto', slurm(1, 4), [1, 4]],
    ['auto/4', slurm(4, 4), [4, 4]],
    ['auto', slurm(0, 4, 0), [1, 4]],
    ['auto', slurm(3, 4, 0), [4, 4]],
    ['auto', slurm(25, 4, 10, 5), [4, 4]],
    ['auto', { AWS_BATCH_JOB_ARRAY_INDEX: '0', AWS_BATCH_JOB_ARRAY_SIZE: '9' }, [1, 9]],
    ['auto/9', { AWS_BATCH_JOB_ARRAY_INDEX: '8' }, [9, 9]],
    ['auto/9', { JOB_COMPLETION_INDEX: '8' }, [9, 9]],
    ['auto/3', { JOB_COMPLETION_INDEX: '0', SLURM_ARRAY_TASK_ID: '' }, [1, 3]],
    ['auto', { ...slurm(2, 3), AWS_BATCH_JOB_ARRAY_INDEX: '1', AWS_BATCH_JOB_ARRAY_SIZE: '3' }, [2, 3]],
  ])('parses %s with %o', (value, variables, [index, of]) => {
    expect(parseShard(value, variables)).toEqual({ index, of });
  });

  test.each([
    ['', {}, '--shard: expected a shard such as 2/8, auto or auto/8, found ""'],
    ['3', {}, 'expected a shard such as 2/8, auto or auto/8, found "3"'],
    ['0/3', {}, '--shard: expected a shard 1..3 of 3, found 0/3'],
    ['4/3', {}, '--shard: expected a shard 1..3 of 3, found 4/3'],
    ['1/0', {}, '--shard: expected 1..1000000 shards, found 1/0'],
    ['1/2/3', {}, 'expected a shard such as 2/8'],
    ['-1/3', {}, 'expected a shard such as 2/8'],
    ['auto', {}, 'or a scheduler that sets SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or AWS_BATCH_JOB_ARRAY_INDEX'],
    ['auto', { JOB_COMPLETION_INDEX: '1' }, 'expected auto/n, because JOB_COMPLETION_INDEX has'],
    ['auto/4', { JOB_COMPLETION_INDEX: '4' }, 'expected an array 1-4; for single shards use i/n'],
    ['auto/5', slurm(2, 4), 'expected 4 shards, as for SLURM_ARRAY_TASK_ID, found auto/5'],
    ['auto', slurm(7, 2, 3, 1), 'for single shards use i/n, found SLURM_ARRAY_TASK_ID=7'],
    ['auto', slurm(12, 4, 10, 5), 'for single shards use i/n, found SLURM_ARRAY_TASK_ID=12'],
    ['auto', { SLURM_ARRAY_TASK_ID: 'x' }, 'SLURM_ARRAY_TASK_ID: expected a whole number, found "x"'],
    [
      'auto/3',
      { JOB_COMPLETION_INDEX: '0', ...slurm(2, 3) },
      '--shard: expected the same shard in SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX, found shard 2/3 and shard 1',
    ],
  ])('rejects %s with %o', (value, variables, message) => {
    expect(() => parseShard(value, variables)).toThrow(message);
  });
});

const SIGNALS: Signals = {
  stop: new AbortController().signal,
  getExitCode: () => undefined,
  runBlocking: (act) => act(),
  ignore: () => () => undefined,
};

/** Returns the standard output and the error of a command in this process. */
async function printed(act: () => Promise<void>): Promise<{ text: string; error: unknown }> {
  let text = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((part) => {
    text += String(part);
    return true;
  });
  let error: unknown;
  await act().catch((thrown: unknown) => {
    error = thrown;
  });
  write.mockRestore();
  return { text, error };
}

const SMALL = sweepFile('axes: [{ path: attacker.hp, range: [5, 8] }]\nbattles: 0\nexact: always');
const requested = { workers: 1, quiet: true };

test.each([
  [{ shard: '1/2', resume: true }, '--shard cannot be combined with --resume'],
  [{ shard: '1/2', prepare: true }, '--shard cannot be combined with --prepare'],
  [{ shard: '1/2', queue: 'redis://x' }, '--shard cannot be combined with --queue'],
  [{ shard: '1/2', out: undefined }, '--shard requires --out <folder> or --store <place>'],
  [{ prepare: true, resume: true, extend: true }, '--extend cannot be combined with --resume'],
  [{ prepare: true, dryRun: true }, '--prepare cannot be combined with --dry-run'],
])('sweep rejects %o', async (options, message) => {
  await expect(runSweepFile(SMALL, { out: place(), ...requested, ...options } as never, SIGNALS)).rejects.toThrow(
    message,
  );
});

test('--dry-run estimates a shard', async () => {
  const file = sweepFile('axes: [{ path: attacker.hp, range: [1, 300] }]\nbattles: 100k\nexact: never');
  const dry = (options: object) =>
    printed(() => runSweepFile(file, { dryRun: true, ...requested, ...options }, SIGNALS));
  const { text } = await dry({ shard: '2/3' });
  expect(text).toContain('17 of up to 18 points');
  expect(text).toMatch(/shard 2\/3 +102 cells \(34 %\) in 6 segments/);
  const { text: json } = await dry({ shard: '3/3', json: true });
  expect(JSON.parse(json)).toMatchObject({ segments: 17, segmentSize: 18, cells: 300 });
  expect(JSON.parse(json)).toMatchObject({ shard: { index: 3, of: 3, segments: 5, cells: 90 } });
  const { text: none } = await dry({ shard: '18/18', json: true });
  expect(JSON.parse(none)).toMatchObject({ shard: { segments: 0, cells: 0 } });
  expect((await dry({ shard: '3/2' })).error).toMatchObject({ name: 'InputError' });
});

test('a sweep is prepared, simulated and merged', async () => {
  const out = place();
  const ready = await printed(() => runSweepFile(SMALL, { out, prepare: true, ...requested }, SIGNALS));
  expect(ready.text).toContain('ready for shards');
  expect(ready.text).toContain(`warpool sweep <file> --out ${out} --shard i/n`);
  const missing = await printed(() => mergeFolders(out, [], { shards: 1, ...requested }, SIGNALS));
  expect(missing.error).toMatchObject({ name: 'Ended', code: 1 });
  for (const part of [
    'not complete',
    '0 of 4 cells',
    '4 cells are missing, in 1 segments: 0',
    'shards to run again: 1',
  ])
    expect(missing.text).toContain(part);
  const simulation = await printed(() => runSweepFile(SMALL, { out, shard: '1/1', ...requested }, SIGNALS));
  expect(simulation.text).toContain('shard 1/1 · 4 of 4 cells');
  expect(simulation.text).toContain(`when all shards are done: warpool merge ${out}`);
  const merged = await printed(() => mergeFolders(out, [], requested, SIGNALS));
  expect(merged.error).toBeUndefined();
  const { digest } = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as { digest: string };
  for (const part of ['complete', '4 of 4 cells', digest, `warpool report ${out}`]) expect(merged.text).toContain(part);
  const json = await printed(() => mergeFolders(out, [], { json: true, ...requested }, SIGNALS));
  expect(JSON.parse(json.text)).toMatchObject({
    complete: true,
    digest,
    missing: { segments: [], cells: 0, shards: null },
  });
});
