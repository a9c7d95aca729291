/** Verifies a store: its segments, and some of their cells, which are played and solved again. */

import { battlesIn, countsDigest, type Tally } from '../../answers/index.ts';
import { BudgetError, RunError } from '../../core/index.ts';
import { answerPatiently } from '../../studies/index.ts';
import {
  type Chosen,
  FAULTS_MAX,
  type Verification,
  type VerifyAsked,
  Verifying,
  type VerifyOptions,
  verifierOf,
} from '../folder/verify.ts';
import { type AuditedCell, factsIn, manifestFaults, partFaults, sameValue } from './audit.ts';
import { makeCell, type PlayedCell, tidyRows } from './cell.ts';
import { Checks, segmentOf } from './check.ts';
import type { Fillers } from './fill.ts';
import { type Manifest, SWEEPS } from './manifest.ts';
import { type ReadStore, readStore, type SegmentFacts } from './parts.ts';

/** By how much a law may differ that is worked out again: rounding, on another machine. */
const ROUNDING = 1e-9;

/** Milliseconds between two reports of progress. */
const PROGRESS_EVERY = 100;

/** A store that is being verified. */
class VerifyingSweep extends Verifying<Manifest> {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly #store: ReadStore;
  #facts: readonly SegmentFacts[] = [];

  constructor(store: ReadStore, options: VerifyAsked) {
    super(options);
    this.folder = store.folder;
    this.manifest = store.manifest;
    this.#store = store;
  }

  async inventory(): Promise<number> {
    this.blameStrays(this.#store.strays, 'sweep');
    for await (const fault of partFaults(this.#store)) {
      this.blame(fault);
      if (this.stopped()) break;
    }
    const { found, faults } = await factsIn(this.#store, (faults) => this.stopped() || faults >= FAULTS_MAX);
    this.blame(...faults, ...manifestFaults(this.#store, found));
    this.#facts = [...found.values()];
    return this.#facts.reduce((sum, { cells }) => sum + cells, 0);
  }

  async all(chosen: Chosen, pool: Fillers): Promise<void> {
    const show = (done: number): void => {
      this.options.onProgress?.({ done, cells: this.#store.manifest.cells ?? done, before: 0 });
    };
    const checks = new Checks(this.#store, this.#facts, pool, show);
    // Nothing is written, so threads are not waited for.
    const stop = (): void => {
      checks.stop();
      void pool.end();
    };
    const { signal } = this.options;
    signal?.addEventListener('abort', stop);
    const unlessStopped = (error: unknown): undefined => {
      if (signal?.aborted !== true) throw error;
    };
    const timer = setInterval(() => {
      show(checks.cells);
    }, PROGRESS_EVERY);
    try {
      for (const about of this.#facts) {
        const checked = this.stopped() ? undefined : await checks.next().catch(unlessStopped);
        if (checked === undefined) return;
        const first = this.done;
        this.done += checked.cells;
        this.blame(...checked.faults);
        const own = new Set([...Array(checked.cells).keys()].filter((n) => chosen.has(first + n)));
        if (own.size > 0) await this.#playAgain(about, own, pool);
      }
    } finally {
      checks.stop();
      clearInterval(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  /** @param chosen numbers of its cells, from 0 */
  async #playAgain(about: SegmentFacts, chosen: ReadonlySet<number>, pool: Fillers): Promise<void> {
    const { cells } = await segmentOf(this.#store, about, () => this.stopped());
    for (const [n, cell] of cells.entries()) {
      if (this.stopped()) return;
      if (chosen.has(n)) await this.#again(cell, pool);
    }
  }

  async #again(audited: AuditedCell, pool: Fillers): Promise<void> {
    if (audited.counts !== undefined) await this.#replay(audited, audited.counts, pool);
    if (audited.rows.some(({ exact }) => exact !== null)) await this.#solve(audited);
  }

  /** Plays a cell as the sweep did; undefined if the signal came first. */
  async #played({ cell }: AuditedCell, battles: number, pool: Fillers): Promise<PlayedCell | undefined> {
    const { sweep } = this.#store;
    const { signal } = this.options;
    const spec = { ...sweep.spec, exact: 'never' as const };
    const asked = spec.precision === undefined ? { ...sweep, battles } : sweep;
    try {
      const options = { players: pool, signal, engine: this.engine };
      return (await makeCell(cell, { ...asked, spec }, options)).played;
    } catch (error) {
      if (signal?.aborted === true && error instanceof RunError) return undefined;
      throw error;
    }
  }

  async #replay(audited: AuditedCell, counts: Tally, pool: Fillers): Promise<void> {
    const battles = battlesIn(counts);
    const played = await this.#played(audited, battles, pool);
    if (played === undefined) return;
    this.replayed++;
    this.battles += battles;
    const where = `cell ${String(audited.cell.index)}`;
    if (countsDigest(audited.shape, played.tally) !== countsDigest(audited.shape, counts))
      this.blame({ where, what: `engine ${this.engine} counts otherwise in ${String(battles)} battles` });
    else this.#compare(audited, played);
  }

  /** Intervals of a run that ended by itself follow from how it ended. */
  #compare({ cell, shape, rows }: AuditedCell, played: PlayedCell): void {
    for (const [r, due] of tidyRows({ cell, shape, played }, this.#store.sweep).entries()) {
      const found = rows[r] ?? due;
      const off = (['low', 'high', 'reached'] as const).find((column) => !sameValue(found[column], due[column]));
      if (off === undefined) continue;
      const what = `${off} is ${String(found[off])}; played again it is ${String(due[off])}`;
      this.blame({ where: `cell ${String(cell.index)} ${due.name}`, what });
    }
  }

  async #solve({ cell, rows }: AuditedCell): Promise<void> {
    const { budget } = this.#store.sweep.spec;
    const { signal } = this.options;
    try {
      const answer = await answerPatiently(cell.scenario, 'always', 0, budget, signal);
      const { outcomes = [], metrics = [] } = answer?.summary ?? {};
      this.solved++;
      for (const { kind, name, exact } of rows) {
        const outcome = outcomes.find((each) => each.name === name)?.p;
        const mean = metrics.find((each) => each.name === name)?.mean;
        const due = (kind === 'outcome' ? outcome : mean) ?? 0;
        if (exact !== null && Math.abs(exact - due) <= ROUNDING * Math.max(1, Math.abs(due))) continue;
        const what = `the exact value of ${name} is ${String(exact)}; solved again it is ${String(due)}`;
        this.blame({ where: `cell ${String(cell.index)}`, what });
      }
    } catch (error) {
      const stopped = signal?.aborted === true && error instanceof RunError;
      if (!stopped && !(error instanceof BudgetError)) throw error;
    }
  }
}

/**
 * Checks hashes, sums, digests and every row of a store, then plays and solves some of its cells, chosen at random, again.
 *
 * Whatever does not fit to the rest is found for certain: a count that was altered changes the digest of its cell. Who
 * alters a count together with the digests, the rows and the manifest is found if the cell is chosen: with probability
 * chosen / cells. A damaged manifest, and a part that is missing or cannot be read, is a fault among others.
 * @throws InputError if the folder is no store, or one of another version, or made with rules that are not given, or the seed is none
 */
export const verifyStore: (folder: string, options?: VerifyOptions) => Promise<Verification> = verifierOf(SWEEPS, {
  place: 'verifyStore',
  again: 10,
  engine: 'reference',
  open: async (folder, registry, options) => new VerifyingSweep(await readStore(folder, registry), options),
});
