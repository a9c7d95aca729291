/** Verifies a store: its segments, and some of their cells, which are played and solved again. */

import { pause } from '#platform/pause';
import { countsDigest } from '../../answers/digest.ts';
import { battlesIn, type Tally } from '../../answers/tally.ts';
import { BudgetError, RunError } from '../../core/errors.ts';
import { answerPatiently } from '../../studies/decide.ts';
import {
  type Chosen,
  FAULTS_MAX,
  type Fault,
  faultOf,
  type Verification,
  type VerifyAsked,
  Verifying,
  type VerifyOptions,
  verifierOf,
} from '../folder/verify.ts';
import {
  type AuditedCell,
  auditedCell,
  type CountedPart,
  cellFaults,
  factsIn,
  histogramFaults,
  manifestFaults,
  partFaults,
  sameValue,
  segmentFaults,
} from './audit.ts';
import { makeCell, type PlayedCell, tidyRows } from './cell.ts';
import type { Fillers } from './fill.ts';
import { type Manifest, partName, SWEEPS } from './manifest.ts';
import { byCell, type ReadStore, readStore, type SegmentFacts } from './parts.ts';
import type { HistogramRow, Row } from './rows.ts';

/** By how much a law may differ that is worked out again: rounding, on another machine. */
const ROUNDING = 1e-9;

/** A segment as its files have it. */
interface Segment {
  readonly cells: readonly AuditedCell[];
  /** Rows in its part of `table/`. */
  readonly rows: number;
  readonly faults: readonly Fault[];
}

/** The rows of one part; none, and a fault, if it cannot be read. */
async function read<R>(file: string, rows: Promise<R[]>, faults: Fault[]): Promise<R[]> {
  try {
    return await rows;
  } catch (error) {
    faults.push(faultOf(file, error));
    return [];
  }
}

/** Rows of histograms of cells that the segment does not have. */
function homeless(
  parts: readonly (readonly [file: string, Map<number, HistogramRow[]>])[],
  cells: ReadonlySet<number>,
) {
  return parts.flatMap(([where, rows]) =>
    [...rows.keys()]
      .filter((cell) => !cells.has(cell))
      .map((cell) => ({ where, what: `it has cell ${String(cell)}, which the sweep leaves out` })),
  );
}

/** Cells between two pauses in which timers and signals are heard: some ten milliseconds. */
const PAUSE_EVERY = 16;

/** @param stopped whether what is left of it is not wanted any more */
async function segmentOf(
  store: ReadStore,
  { segment, battles }: SegmentFacts,
  stopped: () => boolean,
): Promise<Segment> {
  const { sweep, manifest } = store;
  const faults: Fault[] = await histogramFaults(store, segment);
  const table = store.tables.get(segment) ?? { file: '', listed: undefined };
  const open = (part: typeof table) => ({ ...part, listed: undefined });
  const rows = await read(table.file, store.rows(open(table), segment), faults);
  const own = byCell<Row>(rows);
  const counts: [string, Map<number, HistogramRow[]>][] = [];
  for (const part of store.counts.get(segment) ?? []) {
    // While a sweep is extended, counts may be there before their rows.
    const to = partName(part.file)?.counts?.to;
    if (!manifest.complete && Number(to) > battles) continue;
    counts.push([part.file, byCell(await read(part.file, store.histogramRows(open(part), segment), faults))]);
  }
  const [from, end] = store.points(segment);
  const cells: AuditedCell[] = [];
  for (let point = from; point < end && !stopped(); point++) {
    const cell = sweep.cell(point);
    const counted = counts.map(([file, of]): CountedPart => ({ file, rows: of.get(point) ?? [] }));
    if (cell !== undefined) cells.push(auditedCell(cell, sweep, own.get(point) ?? [], counted));
    if ((point - from) % PAUSE_EVERY === 0) await pause();
  }
  faults.push(...homeless(counts, new Set(cells.map(({ cell }) => cell.index))));
  return { cells, rows: rows.length, faults };
}

/** A store that is being verified, cell by cell. */
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
    const { found, faults } = await factsIn(this.#store, FAULTS_MAX);
    this.blame(...faults, ...manifestFaults(this.#store, found));
    this.#facts = [...found.values()];
    return this.#facts.reduce((sum, { cells }) => sum + cells, 0);
  }

  async all(chosen: Chosen, pool: Fillers): Promise<void> {
    for (const about of this.#facts) {
      if (this.stopped()) return;
      const { cells, rows, faults } = await segmentOf(this.#store, about, () => this.stopped());
      if (this.stopped()) return;
      this.blame(...faults, ...segmentFaults(about, cells, rows, `segment ${String(about.segment)}`));
      await this.#checkAll(cells, about, (cell) => (chosen.has(cell) ? pool : undefined));
    }
  }

  /** @param poolOf what plays a cell again; undefined if it was not chosen */
  async #checkAll(
    cells: readonly AuditedCell[],
    about: SegmentFacts,
    poolOf: (cell: number) => Fillers | undefined,
  ): Promise<void> {
    for (const cell of cells) {
      if (this.done % PAUSE_EVERY === 0) await pause();
      if (this.stopped()) return;
      await this.#check(cell, about, poolOf(this.done++));
    }
  }

  /** @param pool plays the cell again; undefined if it was not chosen */
  async #check(cell: AuditedCell, { battles }: SegmentFacts, pool: Fillers | undefined): Promise<void> {
    const { sweep, manifest } = this.#store;
    // While a sweep is extended, segments have as many battles as their own parts say.
    this.blame(...cellFaults(cell, manifest.complete ? sweep : { ...sweep, battles }));
    if (pool !== undefined) await this.#again(cell, pool);
    this.options.onProgress?.({ done: this.done, cells: manifest.cells ?? this.done, before: 0 });
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
