/** Helpers for runs in temporary folders, simulated in the calling thread. */
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

/** Returns the path of a folder that does not exist yet. */
export const place = (): string => join(base, `run-${String(names++)}`);

const side = { attack: 1, defense: 1 };

export const DUEL = validateScenario({
  system: 'attrition',
  mode: 'direct',
  attacker: { ...side, hp: 9 },
  defender: { ...side, hp: 8 },
});

/** Options of a run with five ranges, the last of which is short. */
export const ASKED = { battles: 4500, seed: 7, from: 33, rangeSize: 1000 } as const;

export const HERE: RunExecutor = { play: (run, options = {}) => runInCallingThread(run, options) };

/** Creates an executor that throws an error after a number of ranges, as if the process was killed. */
export function mortal(ranges: number): RunExecutor & { simulated: number } {
  return {
    simulated: 0,
    play(run, options = {}) {
      if (this.simulated++ === ranges) throw new Error('killed');
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

/** Opens the store of a run. */
export const storeOf = async (folder: string): Promise<RunStore> => new RunStore(await readSweepStore(folder));

/** Changes the manifest and updates its checksum, like a deliberate change. */
export function forge(folder: string, change: (run: Record<string, unknown>) => object): void {
  const path = join(folder, 'manifest.json');
  const { seal: _seal, ...run } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  writeFileSync(path, formatWithChecksum(change(run)));
}
