/** Verifies a run that is kept: against itself throughout, and against battles that are played again. */

import { countsDigest, digest, emptyTally, mergeTally, type Tally } from '../../answers/index.ts';
import type { Engine, Lease } from '../../engines/index.ts';
import { filesIn } from '../folder/files.ts';
import {
  type Chosen,
  faultOf,
  type Verification,
  type VerifyAsked,
  Verifying,
  type VerifyOptions,
  verifierOf,
} from '../folder/verify.ts';
import { type Range, RUN_FILE, RUNS, type RunManifest, rangeIn, rangesIn } from './manifest.ts';
import { RunStore } from './store.ts';

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

/** A run that is being verified, part by part. */
class VerifyingRun extends Verifying<RunManifest> {
  readonly folder: string;
  readonly manifest: RunManifest;
  readonly #store: RunStore;
  #parts: ReadonlyMap<string, Range> = new Map();

  constructor(store: RunStore, options: VerifyAsked) {
    super(options);
    this.folder = store.folder;
    this.manifest = store.run;
    this.#store = store;
  }

  async inventory(): Promise<number> {
    const { parts, strays } = await partsOf(this.#store);
    const { folder, run } = this.#store;
    this.#parts = parts;
    this.blameStrays(strays, 'run');
    if (!run.complete) {
      const due = run.precision === undefined ? ` of ${String(rangesIn(run))}` : '';
      this.blame({ where: folder, what: `the run is not finished: ${String(parts.size)}${due} parts are there` });
    }
    return parts.size;
  }

  async all(chosen: Chosen, pool: Lease): Promise<void> {
    const sum = emptyTally(this.#store.shape);
    for (const [file, range] of this.#parts) {
      if (this.stopped()) return;
      const again = chosen.has(this.done++);
      const tally = await this.#part(file, range, again ? pool : undefined);
      if (tally !== undefined) mergeTally(sum, tally);
      this.options.onProgress?.({ done: this.done, cells: this.#parts.size, before: 0 });
    }
    if (!this.stopped() && this.faults.length === 0) this.#whole(sum);
  }

  /** Reads a part. @param pool plays its battles as well */
  async #part(file: string, range: Range, pool: Lease | undefined): Promise<Tally | undefined> {
    try {
      const tally = await this.#store.read(range);
      if (pool !== undefined) await this.#replay(file, range, tally, pool);
      return tally;
    } catch (error) {
      if (this.options.signal?.aborted !== true) this.blame(faultOf(file, error));
      return undefined;
    }
  }

  async #replay(where: string, range: Range, tally: Tally, pool: Lease): Promise<void> {
    const { run, shape } = this.#store;
    const engine: Engine = run.engine === 'sampled' ? 'sampled' : this.engine;
    const again = { engine, scenario: run.scenario, seed: BigInt(run.seed), ...range };
    const played = await pool.play(again, { signal: this.options.signal });
    if (!played.complete) return;
    this.replayed++;
    this.battles += range.to - range.from;
    if (countsDigest(shape, played.tally) === countsDigest(shape, tally)) return;
    this.blame({ where, what: `engine ${engine} counts otherwise in ${String(range.to - range.from)} battles` });
  }

  /** Whether the digest of the run is that of all its parts. */
  #whole(sum: Tally): void {
    const { run } = this.#store;
    if (!run.complete) return;
    const played = this.#store.played({ from: run.from, to: run.end ?? run.to });
    if (digest(played, this.#store.shape, sum) !== run.digest)
      this.blame({ where: RUN_FILE, what: 'its digest is not that of its parts' });
  }
}

/**
 * Checks a run that is kept: the seal, battles, sums and digest of every part, the hashes and the digest of `run.json`;
 * some parts, chosen at random, are played again. `cells` of options and result are parts here: one is played again, by the
 * engine `kernel`, unless said otherwise.
 * @throws InputError if the folder has no run, or one of another version, or by rules that are not given; or an option
 *   cannot have its value
 */
export const verifyRun: (folder: string, options?: VerifyOptions) => Promise<Verification> = verifierOf(RUNS, {
  place: 'verifyRun',
  again: AGAIN,
  engine: 'kernel',
  open: async (folder, registry, options) =>
    new VerifyingRun(new RunStore(folder, await RUNS.read(folder, registry)), options),
});
