/** Verification of a store: checks its segments, and simulates and solves some of their cells again. */

import { findExactAnswerOffThread } from '../../analysis/index.ts';
import { BudgetError, parseSeed, RunError } from '../../core/index.ts';
import { ThreadLease } from '../../engines/index.ts';
import { toRegistry } from '../../rules/index.ts';
import { type Counts, computeCountsDigest, createEmptyCounts, getBattleCount, mergeCounts } from '../../stats/index.ts';
import {
  type ChosenCells,
  checkKernels,
  checkVerifyOptions,
  choosePlaces,
  createFault,
  createRandomSeed,
  FAULTS_MAX,
  type Verification,
  type VerificationFault,
  type VerifyOptions,
} from '../folder/verification.ts';
import {
  type AuditedCell,
  findCellFaults,
  findManifestFaults,
  findPartFaults,
  findSegmentFaults,
  isSameValue,
  readSegmentInfos,
} from './audit.ts';
import { computeCell, createRows, type SimulatedCell } from './cell.ts';
import { readSegment, SegmentChecks } from './check-segments.ts';
import type { FillExecutor } from './fill-store.ts';
import { getStoreKind, MANIFEST } from './manifest.ts';
import { parseRange, RunStore } from './run.ts';
import { readSweepStore, type SegmentInfo, type SweepStore } from './sweep-store.ts';

/** Allowed difference of a repeated exact answer: rounding on another machine. */
const ROUNDING = 1e-9;

/** Milliseconds between two progress reports. */
const PROGRESS_EVERY = 100;

/** Verification of a store; its items are cells, or the parts of a run. */
class Verifying {
  readonly faults: VerificationFault[] = [];
  /** Checked items; items that were simulated and solved again; their battles. */
  done = 0;
  replayed = 0;
  solved = 0;
  battles = 0;
  /** Chosen items that are not simulated and solved again yet. */
  #repeats = 0;
  readonly engine: Verification['engine'];
  readonly #options: VerifyOptions;
  readonly #store: SweepStore;
  #facts: readonly SegmentInfo[] = [];

  constructor(store: SweepStore, options: VerifyOptions) {
    this.engine = options.engine ?? (store.sweep.run === undefined ? 'reference' : 'kernel');
    this.#options = options;
    this.#store = store;
  }

  stopped(): boolean {
    return this.#options.signal?.aborted === true || this.faults.length >= FAULTS_MAX;
  }

  /** Notes faults, each once. */
  blame(...faults: readonly VerificationFault[]): void {
    for (const { where, what } of faults) {
      if (this.faults.length >= FAULTS_MAX) return;
      const known = this.faults.some((fault) => fault.where === where && fault.what === what);
      if (!known) this.faults.push({ where, what });
    }
  }

  /** Compares the files with the manifest. @returns the number of items */
  async inventory(): Promise<number> {
    const what = `it is not part of this ${getStoreKind(this.#store.manifest)}, but readers of the folder include it`;
    this.blame(...this.#store.strayFiles.map((where) => ({ where, what })));
    for await (const fault of findPartFaults(this.#store)) {
      this.blame(fault);
      if (this.stopped()) break;
    }
    const { infos, faults } = await readSegmentInfos(this.#store, (faults) => this.stopped() || faults >= FAULTS_MAX);
    this.blame(...faults, ...findManifestFaults(this.#store, infos));
    this.#facts = [...infos.values()];
    if (this.#store.sweep.run !== undefined) return this.#store.counts.get(0)?.length ?? 0;
    return this.#facts.reduce((sum, { cells }) => sum + cells, 0);
  }

  /** Checks the consistency of all items, and simulates the chosen ones again. @param repeats their number */
  async all(chosen: ChosenCells, repeats: number, pool: FillExecutor): Promise<void> {
    this.#repeats = repeats;
    if (this.#store.sweep.run !== undefined) await this.#checkRanges(new RunStore(this.#store), chosen, pool);
    else await this.#checkCells(chosen, pool);
  }

  /** Checks the parts of a run, and its row against their sum. */
  async #checkRanges(run: RunStore, chosen: ChosenCells, pool: FillExecutor): Promise<void> {
    const { counts: own, tables, sweep } = this.#store;
    const parts = own.get(0) ?? [];
    const counts = createEmptyCounts(run.shape);
    for (const { file } of parts) {
      if (this.stopped()) return;
      const again = chosen.has(this.done++);
      try {
        // Damage is reported already.
        if (this.faults.some(({ where }) => where === file)) continue;
        const part = await run.read(parseRange(file));
        mergeCounts(counts, part);
        if (again) await this.#replayRange(run, file, part, pool);
      } catch (error) {
        if (this.#options.signal?.aborted !== true) this.blame(createFault(file, error));
      }
      this.#options.onProgress?.({ done: this.done, cells: parts.length, before: 0 });
    }
    const [table, about] = [tables.get(0), this.#facts[0]];
    if (this.stopped() || this.faults.length > 0 || table === undefined || about === undefined) return;
    const rows = await this.#store.rows(table, 0);
    const audited = { cell: run.cell, shape: run.shape, counts, distribution: undefined, rows, faults: [] };
    this.blame(...findCellFaults(audited, sweep), ...findSegmentFaults(about, [audited], rows.length, table.file));
  }

  async #replayRange({ shape, cell }: RunStore, where: string, counts: Counts, pool: FillExecutor): Promise<void> {
    const { scenario, seed } = cell;
    const { spec } = this.#store.sweep;
    const engine = spec.engine === 'sampled' ? spec.engine : this.engine;
    const range = parseRange(where);
    const played = await pool.play({ engine, scenario, seed, ...range }, { signal: this.#options.signal });
    if (!played.complete) return;
    this.replayed++;
    this.battles += range.to - range.from;
    if (computeCountsDigest(shape, played.counts) !== computeCountsDigest(shape, counts))
      this.blame({ where, what: `engine ${engine} gets different counts in ${String(range.to - range.from)} battles` });
  }

  async #checkCells(chosen: ChosenCells, pool: FillExecutor): Promise<void> {
    const show = (checked: number): void => {
      const { cells = checked } = this.#store.manifest;
      this.#options.onProgress?.({ done: Math.min(checked, cells - this.#repeats), cells, before: 0 });
    };
    const checks = new SegmentChecks(this.#store, this.#facts, pool, show);
    // Nothing is written, so threads can be terminated at once.
    const stop = (): void => {
      checks.stop();
      void pool.end();
    };
    const { signal } = this.#options;
    signal?.addEventListener('abort', stop);
    const ignoreStop = (error: unknown): undefined => {
      if (signal?.aborted !== true) throw error;
    };
    const timer = setInterval(() => {
      show(checks.cells);
    }, PROGRESS_EVERY);
    try {
      for (const about of this.#facts) {
        const checked = this.stopped() ? undefined : await checks.next().catch(ignoreStop);
        if (checked === undefined) return;
        const first = this.done;
        this.done += checked.cells;
        this.blame(...checked.faults);
        const own = new Set([...Array(checked.cells).keys()].filter((n) => chosen.has(first + n)));
        if (own.size > 0) await this.#playAgain(about, own, pool);
      }
      show(checks.cells);
    } finally {
      checks.stop();
      clearInterval(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  /** @param chosen indices of its cells */
  async #playAgain(about: SegmentInfo, chosen: ReadonlySet<number>, pool: FillExecutor): Promise<void> {
    const { cells } = await readSegment(this.#store, about, () => this.stopped());
    for (const [n, cell] of cells.entries()) {
      if (this.stopped()) return;
      if (!chosen.has(n)) continue;
      await this.#resimulate(cell, pool);
      this.#repeats--;
    }
  }

  async #resimulate(audited: AuditedCell, pool: FillExecutor): Promise<void> {
    if (audited.counts !== undefined) await this.#replay(audited, audited.counts, pool);
    if (audited.rows.some(({ exact }) => exact !== null)) await this.#solve(audited);
  }

  /** Simulates a cell like the sweep did; undefined if the signal aborted. */
  async #simulateCell({ cell }: AuditedCell, battles: number, pool: FillExecutor): Promise<SimulatedCell | undefined> {
    const { sweep } = this.#store;
    const { signal } = this.#options;
    const spec = { ...sweep.spec, exact: 'never' as const };
    const requested = spec.precision === undefined ? { ...sweep, battles } : sweep;
    try {
      const options = { players: pool, signal, engine: this.engine };
      return (await computeCell(cell, { ...requested, spec }, options)).played;
    } catch (error) {
      if (signal?.aborted === true && error instanceof RunError) return undefined;
      throw error;
    }
  }

  async #replay(audited: AuditedCell, counts: Counts, pool: FillExecutor): Promise<void> {
    const battles = getBattleCount(counts);
    const played = await this.#simulateCell(audited, battles, pool);
    if (played === undefined) return;
    this.replayed++;
    this.battles += battles;
    const where = `cell ${String(audited.cell.index)}`;
    if (computeCountsDigest(audited.shape, played.counts) !== computeCountsDigest(audited.shape, counts))
      this.blame({ where, what: `engine ${this.engine} gets different counts in ${String(battles)} battles` });
    else this.#compare(audited, played);
  }

  /** Compares intervals of a run with a precision, which depend on how it stopped. */
  #compare({ cell, shape, rows }: AuditedCell, played: SimulatedCell): void {
    for (const [r, due] of createRows({ cell, shape, played }, this.#store.sweep).entries()) {
      const found = rows[r] ?? due;
      const off = (['low', 'high', 'reached'] as const).find((column) => !isSameValue(found[column], due[column]));
      if (off === undefined) continue;
      const what = `${off} is ${String(found[off])}; simulated again it is ${String(due[off])}`;
      this.blame({ where: `cell ${String(cell.index)} ${due.name}`, what });
    }
  }

  async #solve({ cell, rows }: AuditedCell): Promise<void> {
    const { budget } = this.#store.sweep.spec;
    const { signal } = this.#options;
    try {
      const answer = await findExactAnswerOffThread(cell.scenario, 'always', 0, budget, signal);
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

/** Default number of repeated cells, or of parts of a run, each with hundreds of millions of battles. */
const AGAIN = { sweep: 10, run: 1 };

async function runVerification(store: SweepStore, seed: bigint, options: VerifyOptions): Promise<Verification> {
  const { folder, manifest } = store;
  const verifying = new Verifying(store, options);
  const kernels = checkKernels(manifest, manifest.sweep.scenario, MANIFEST);
  verifying.blame(...kernels.faults);
  const total = await verifying.inventory();
  const usual = options.cells ?? AGAIN[getStoreKind(manifest)];
  const wanted = options.probability === undefined ? usual : Math.ceil(options.probability * total);
  await using pool = new ThreadLease(options.workers);
  const repeats = Math.min(total, wanted);
  await verifying.all(choosePlaces(total, repeats, seed), repeats, pool);
  const { engine, done: cells, replayed, battles, solved, faults } = verifying;
  const counted = { cells, parts: manifest.parts?.length ?? 0, replayed, battles, solved };
  const probability = total === 0 ? 0 : Math.max(replayed, solved) / total;
  const end = { engine, probability, seed: String(seed), faults, notes: kernels.notes };
  return { folder, ...counted, ...end, complete: !verifying.stopped() };
}

/**
 * Verifies a store: checks hashes, sums, digests and every row, and then simulates and solves randomly chosen cells
 * again. For a run it repeats parts instead of cells.
 *
 * Every inconsistency is found: an altered count changes the digest of its cell. An alteration of a count together with
 * all digests, rows and the manifest is found if the cell is chosen: with probability chosen / cells. A damaged
 * manifest, and a part that is missing or cannot be read, are faults too.
 * @throws InputError if the folder is not a store, has another version or missing rules, or the seed is invalid
 */
export async function verifyStore(folder: string, options: VerifyOptions = {}): Promise<Verification> {
  checkVerifyOptions(options);
  const seed = options.seed === undefined ? createRandomSeed() : parseSeed(options.seed);
  let store: SweepStore;
  try {
    store = await readSweepStore(folder, toRegistry(options.systems));
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    const { engine = 'reference' } = options;
    const none = { cells: 0, parts: 0, replayed: 0, battles: 0, solved: 0, probability: 0, notes: [], complete: true };
    return { folder, ...none, engine, seed: String(seed), faults: [createFault(MANIFEST, error)] };
  }
  return await runVerification(store, seed, options);
}
