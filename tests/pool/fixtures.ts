/** Helpers of the tests of thread pools. */
import { existsSync } from 'node:fs';
import type { RunRequest, RunResult } from '../../src/engines/pool/run.ts';
import { runInCallingThread } from '../../src/engines/pool/run-scheduler.ts';
import { attrition } from '../../src/rules/attrition/index.ts';
import { createCountsShape } from '../../src/stats/counts.ts';
import { computeDigest, hashScenario } from '../../src/stats/digest.ts';

/** Throws an error if the package is not built: threads run the built files. */
export function requireBuild(): void {
  for (const file of ['workers/batch.js', 'kernels/release/attrition.wasm']) {
    if (!existsSync(new URL(`../../dist/${file}`, import.meta.url))) {
      throw new Error(`dist/${file} is missing: run npm run build before the tests of the pool`);
    }
  }
}

export const scenario = attrition.schema.parse(attrition.examples[0]?.scenario);

const shape = createCountsShape(attrition.model(scenario));

/** Creates a request for battles from..to-1, with seed 7 unless `other` contains another one. */
export function battles(from: number, to: number, other: Partial<RunRequest> = {}): RunRequest {
  return { engine: 'kernel', scenario, seed: 7n, from, to, ...other };
}

/** Computes the digest of a result, for the range that was really simulated. */
export function digestOf({ seed }: RunRequest, { from, to, counts }: RunResult): string {
  return computeDigest({ scenarioHash: hashScenario(scenario), system: 'attrition', seed, from, to }, shape, counts);
}

/** Computes the digest of a run in the calling thread. */
export async function expected(run: RunRequest): Promise<string> {
  return digestOf(run, await runInCallingThread(run));
}

export function workerFile(name: string): URL {
  return new URL(`workers/${name}.js`, import.meta.url);
}
