/** Runs in folders of their own, played in this thread. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunExecutor } from '../../src/engines/pool/adaptive-runner.ts';
import { runInCallingThread } from '../../src/engines/pool/run-scheduler.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { formatWithChecksum } from '../../src/storage/folder/manifest.ts';
import { RunStore } from '../../src/storage/store/run.ts';
import { type RunShardResult, type StoredRunOptions, simulate } from '../../src/storage/store/simulate.ts';
import { readSweepStore } from '../../src/storage/store/sweep-store.ts';

const base = mkdtempSync(join(tmpdir(), 'warpool-counts-'));

let names = 0;

/** A place for a folder that is not there yet. */
export const place = (): string => join(base, `run-${String(names++)}`);

const side = { attack: 1, defense: 1 };

export const DUEL = validateScenario({
  system: 'attrition',
  mode: 'direct',
  attacker: { ...side, hp: 9 },
  defender: { ...side, hp: 8 },
});

/** Five ranges, the last of them short. */
export const ASKED = { battles: 4500, seed: 7, from: 33, rangeSize: 1000 } as const;

export const HERE: RunExecutor = { play: (run, options = {}) => runInCallingThread(run, options) };

/** Players of which only the first so many ranges can be had: then they are killed. */
export function mortal(ranges: number): RunExecutor & { played: number } {
  return {
    played: 0,
    play(run, options = {}) {
      if (this.played++ === ranges) throw new Error('killed');
      return runInCallingThread(run, options);
    },
  };
}

/** Simulates the run into a folder. @returns the result and the state of the store */
export async function into(folder: string, options: Partial<StoredRunOptions> = {}) {
  const result = await simulate(DUEL, { out: folder, ...ASKED, pool: HERE, ...options });
  return { result, ...result.store };
}

export const share = (folder: string, index: number, count: number, options: object = {}): Promise<RunShardResult> =>
  simulate(DUEL, { out: folder, ...ASKED, pool: HERE, shard: { index, of: count }, ...options });

/** The run of a folder. */
export const storeOf = async (folder: string): Promise<RunStore> => new RunStore(await readSweepStore(folder));

/** Changes what its manifest says, with a seal that fits it: what somebody does who knows how. */
export function forge(folder: string, change: (run: Record<string, unknown>) => object): void {
  const path = join(folder, 'manifest.json');
  const { seal: _seal, ...run } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  writeFileSync(path, formatWithChecksum(change(run)));
}
