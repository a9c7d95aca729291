/** What the tests of the pool share. */
import { existsSync } from 'node:fs';
import type { RunRequest, RunResult } from '../../src/engines/pool/run.ts';
import { runInCallingThread } from '../../src/engines/pool/run-scheduler.ts';
import { attrition } from '../../src/rules/attrition/index.ts';
import { createCountsShape } from '../../src/stats/counts.ts';
import { computeDigest, hashScenario } from '../../src/stats/digest.ts';

/** Threads run the built package. */
export function requireBuild(): void {
  for (const file of ['workers/batch.js', 'kernels/release/attrition.wasm']) {
    if (!existsSync(new URL(`../../dist/${file}`, import.meta.url))) {
      throw new Error(`dist/${file} is missing: run npm run build before the tests of the pool`);
    }
  }
}

export const scenario = attrition.schema.parse(attrition.examples[0]?.scenario);

const shape = createCountsShape(attrition.model(scenario));

/** Battles from..to-1 of seed 7 unless `other` says otherwise. */
export function battles(from: number, to: number, other: Partial<RunRequest> = {}): RunRequest {
  return { engine: 'kernel', scenario, seed: 7n, from, to, ...other };
}

/** The digest of a result, and so of the range that was really played. */
export function digestOf({ seed }: RunRequest, { from, to, counts }: RunResult): string {
  return computeDigest({ scenarioHash: hashScenario(scenario), system: 'attrition', seed, from, to }, shape, counts);
}

/** The digest of a run that is played here. */
export async function expected(run: RunRequest): Promise<string> {
  return digestOf(run, await runInCallingThread(run));
}

export function workerFile(name: string): URL {
  return new URL(`workers/${name}.js`, import.meta.url);
}
