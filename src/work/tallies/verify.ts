/** Verifies a run that is kept: against itself throughout, and against battles that are played again. */

import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { countsDigest, digest } from '../../answers/digest.ts';
import { emptyTally, mergeTally, type Tally } from '../../answers/tally.ts';
import { parseSeed } from '../../core/chance/seed.ts';
import { RunError } from '../../core/errors.ts';
import type { Engine } from '../../engines/pool/run.ts';
import { Lease } from '../../engines/pool/shared.ts';
import { registryOf } from '../../rules/index.ts';
import { choosePlaces, freshSeed } from '../folder/chosen.ts';
import { type Fault, faultOf, kernelFaults } from '../folder/faults.ts';
import { filesIn } from '../folder/regular.ts';
import { type VerifyOptions, verifyOptionsOf } from '../folder/verify-options.ts';
import type { Verification } from '../store/verify.ts';
import { RUN_FILE, rangeIn } from './files.ts';
import { RUNS, type RunManifest } from './manifest.ts';
import { type Range, rangesIn } from './ranges.ts';
import { RunStore } from './store.ts';

const checkOptions = verifyOptionsOf('verifyRun');

/** Faults after which no more are looked for. */
const FAULTS_MAX = 100;

/** Parts that are played again unless said otherwise: each has some hundred million battles. */
const AGAIN = 1;

/** The parts of a run, and files that are none of it. */
async function partsOf({ folder, run }: RunStore): Promise<{ parts: Map<string, Range>; strays: string[] }> {
  const there = await filesIn(folder, RUNS.folders);
  const listed = run.parts?.map(({ file }) => file);
  const [parts, strays] = [new Map<string, Range>(), [] as string[]];
  for (const file of new Set([...(listed ?? []), ...there])) {
    const range = listed === undefined || listed.includes(file) ? rangeIn(run, file) : undefined;
    if (range === undefined) strays.push(file);
    else parts.set(file, range);
  }
  return { parts, strays };
}

class VerifyingRun {
  readonly faults: Fault[] = [];
  replayed = 0;
  battles = 0;
  readonly #store: RunStore;
  readonly #engine: Verification['engine'];
  readonly #options: VerifyOptions;
  readonly #threads: Lease;

  constructor(store: RunStore, engine: Verification['engine'], options: VerifyOptions, threads: Lease) {
    this.#store = store;
    this.#engine = engine;
    this.#options = options;
    this.#threads = threads;
  }

  stopped(): boolean {
    return this.#options.signal?.aborted === true || this.faults.length >= FAULTS_MAX;
  }

  /** Reads a part. @param again whether its battles are played as well */
  async part(file: string, range: Range, again: boolean): Promise<Tally | undefined> {
    try {
      const tally = await this.#store.read(range);
      if (again) await this.#replay(file, range, tally);
      return tally;
    } catch (error) {
      if (this.#options.signal?.aborted !== true) this.faults.push(faultOf(file, error));
      return undefined;
    }
  }

  async #replay(where: string, range: Range, tally: Tally): Promise<void> {
    const { run, shape } = this.#store;
    const engine: Engine = run.engine === 'sampled' ? 'sampled' : this.#engine;
    const again = { engine, scenario: run.scenario, seed: BigInt(run.seed), ...range };
    const played = await this.#threads.play(again, { signal: this.#options.signal });
    if (!played.complete) return;
    this.replayed++;
    this.battles += range.to - range.from;
    if (countsDigest(shape, played.tally) === countsDigest(shape, tally)) return;
    this.faults.push({ where, what: `engine ${engine} counts otherwise in ${String(range.to - range.from)} battles` });
  }

  /** Whether the digest of the run is that of all its parts. */
  whole(run: RunManifest, sum: Tally): void {
    if (!run.complete) return;
    const played = this.#store.played({ from: run.from, to: run.end ?? run.to });
    if (digest(played, this.#store.shape, sum) !== run.digest)
      this.faults.push({ where: RUN_FILE, what: 'its digest is not that of its parts' });
  }
}

async function verified(store: RunStore, seed: bigint, options: VerifyOptions): Promise<Verification> {
  const { folder, run, shape } = store;
  const { engine = 'kernel', probability: asked, cells: again = AGAIN } = options;
  const { parts, strays } = await partsOf(store);
  await using threads = new Lease(options.workers);
  const verifying = new VerifyingRun(store, engine, options, threads);
  const { faults } = verifying;
  const kernels = kernelFaults(run, run.scenario, RUN_FILE);
  faults.push(...kernels.faults);
  for (const where of strays) faults.push({ where, what: 'it is no part of this run; readers of the folder see it' });
  if (!run.complete) {
    const due = run.precision === undefined ? ` of ${String(rangesIn(run))}` : '';
    faults.push({ where: folder, what: `the run is not finished: ${String(parts.size)}${due} parts are there` });
  }
  const wanted = asked === undefined ? again : Math.ceil(asked * parts.size);
  const chosen = choosePlaces(parts.size, Math.min(parts.size, wanted), seed);
  const sum = emptyTally(shape);
  let done = 0;
  for (const [file, range] of parts) {
    if (verifying.stopped()) break;
    const tally = await verifying.part(file, range, chosen.has(done++));
    if (tally !== undefined) mergeTally(sum, tally);
    options.onProgress?.({ done, cells: parts.size, before: 0 });
  }
  if (!verifying.stopped() && faults.length === 0) verifying.whole(run, sum);
  const { replayed, battles } = verifying;
  const probability = parts.size === 0 ? 0 : replayed / parts.size;
  const counted = { cells: done, parts: run.parts?.length ?? 0, replayed, battles, solved: 0 };
  const end = { engine, probability, seed: String(seed), faults, notes: kernels.notes, complete: !verifying.stopped() };
  return { folder, ...counted, ...end };
}

/**
 * Checks a run that is kept: the seal, battles, sums and digest of every part, the hashes and the digest of `run.json`;
 * some parts, chosen at random, are played again. `cells` of options and result are parts here: one is played again, by the
 * engine `kernel`, unless said otherwise.
 * @throws InputError if the folder has no run, or one of another version, or by rules that are not given; or an option
 *   cannot have its value
 */
export async function verifyRun(folder: string, options: VerifyOptions = {}): Promise<Verification> {
  checkOptions(options);
  const seed = options.seed === undefined ? freshSeed() : parseSeed(options.seed);
  try {
    return await verified(new RunStore(folder, await RUNS.read(folder, registryOf(options.systems))), seed, options);
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    const none = { cells: 0, parts: 0, replayed: 0, battles: 0, solved: 0, probability: 0, notes: [], complete: true };
    return { folder, ...none, engine: 'kernel', seed: String(seed), faults: [faultOf(RUN_FILE, error)] };
  }
}

/** Whether a folder has a run, be it damaged. */
export async function isRun(folder: string): Promise<boolean> {
  return (await lstat(join(folder, RUN_FILE)).catch(() => undefined)) !== undefined;
}
