/** Verifies a store: against itself throughout, and against battles that are played again. */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { BudgetError } from '../errors.ts';
import { budgetOf, FULL_BUDGET } from '../exact/budget.ts';
import { Pool } from '../pool/pool.ts';
import { simulate } from '../simulate.ts';
import { solve } from '../solve.ts';
import { digest, RULESET } from '../stats/digest.ts';
import { battlesIn, type Tally, type TallyShape } from '../stats/tally.ts';
import { pointsOf, segmentsOf } from '../sweep/segments.ts';
import { type AuditedCell, auditedCell, cellFaults, type Fault, segmentFaults } from './audit.ts';
import { keptTally } from './counts.ts';
import { histogramsOf } from './earlier.ts';
import { HISTOGRAMS, partsIn, TABLE } from './files.ts';
import { factsOf, partOf, storeDigest } from './finish.ts';
import { type OpenStore, openStore } from './open.ts';
import type { Row } from './rows.ts';
import type { SegmentFacts } from './segment.ts';
import { readRows } from './tables.ts';

export interface VerifyOptions {
  /** Cells that are played or solved again; as many as `probability` asks for, if it is there. */
  readonly cells?: number | undefined;
  /** With which a cell that somebody has altered, together with all its digests, is to be found: 0..1. */
  readonly probability?: number | undefined;
  /** The engine that plays again; `reference`, the rules as written, unless said otherwise. */
  readonly engine?: 'reference' | 'kernel' | undefined;
  /** Threads; as many as there are cores unless said otherwise. */
  readonly workers?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: { done: number; cells: number; before: number }) => void) | undefined;
  /**
   * Gives 0..below-1 at random; from the system's own source unless said otherwise. Not from a stream of this package:
   * who altered a cell could know beforehand which ones a seed chooses.
   */
  readonly pick?: ((below: number) => number) | undefined;
}

export interface Verification {
  readonly folder: string;
  /** Cells that were checked against their own counts, and parts against their hashes. */
  readonly cells: number;
  readonly parts: number;
  /** Cells, and battles of them, that were played again; cells that were solved again. */
  readonly replayed: number;
  readonly battles: number;
  readonly solved: number;
  readonly engine: 'reference' | 'kernel';
  /** The chance with which one cell that was altered together with all its digests would have been found. */
  readonly probability: number;
  readonly faults: readonly Fault[];
  /** False if the signal came first. */
  readonly complete: boolean;
}

/** Cells that are played again unless said otherwise. */
const CELLS = 10;

/** By how much a law may differ that is worked out again: rounding, on another machine. */
const ROUNDING = 1e-9;

/** Faults after which no more are looked for. */
const FAULTS_MAX = 100;

async function partFaults({ folder, manifest }: OpenStore): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const { file, sha256, bytes } of manifest.parts ?? []) {
    const found = await partOf(folder, file).catch(() => undefined);
    if (found === undefined) faults.push({ where: file, what: 'it is missing' });
    else if (found.sha256 !== sha256 || found.bytes !== bytes)
      faults.push({ where: file, what: 'its SHA-256 is not that of the manifest' });
  }
  return faults;
}

async function manifestFaults(store: OpenStore, facts: ReadonlyMap<number, SegmentFacts>): Promise<Fault[]> {
  const { manifest, folder, sweep } = store;
  if (!manifest.complete) return [];
  const faults = await partFaults(store);
  const due = segmentsOf(sweep, manifest.segmentSize);
  if (facts.size !== due)
    faults.push({ where: folder, what: `${String(facts.size)} of ${String(due)} segments are there` });
  if (manifest.digest !== storeDigest(facts.values()))
    faults.push({ where: 'manifest.json', what: 'the digest is another' });
  return faults;
}

function byCell(rows: readonly Row[]): Map<number, Row[]> {
  const found = new Map<number, Row[]>();
  for (const row of rows) {
    const own = found.get(row.cell);
    if (own === undefined) found.set(row.cell, [row]);
    else own.push(row);
  }
  return found;
}

/** The parts of a store by segment. */
interface Parts {
  readonly tables: ReadonlyMap<number, readonly string[]>;
  readonly histograms: ReadonlyMap<number, readonly string[]>;
}

/** The cells of a segment as its files have them. */
async function cellsOf(store: OpenStore, { tables, histograms }: Parts, segment: number): Promise<AuditedCell[]> {
  const { folder, sweep, manifest } = store;
  const rows = byCell(await readRows(join(folder, tables.get(segment)?.[0] ?? ''), sweep.columns));
  const counts = await histogramsOf(folder, histograms.get(segment) ?? []);
  const [from, to] = pointsOf(sweep, manifest.segmentSize, segment);
  return Array.from({ length: to - from }, (_, k) => from + k).flatMap((point) => {
    const cell = sweep.cell(point);
    return cell === undefined ? [] : [auditedCell(cell, sweep, rows.get(point) ?? [], counts.get(point) ?? [])];
  });
}

/** A digest of counts that says nothing of where they come from. */
function fingerprint(shape: TallyShape, tally: Tally): string {
  return digest({ scenarioHash: '', system: '', seed: 0n, from: 0, to: 0 }, shape, tally);
}

class Verifying {
  readonly #store: OpenStore;
  readonly #options: VerifyOptions;
  readonly faults: Fault[] = [];
  replayed = 0;
  battles = 0;
  solved = 0;
  cells = 0;

  constructor(store: OpenStore, options: VerifyOptions) {
    this.#store = store;
    this.#options = options;
  }

  stopped(): boolean {
    return this.#options.signal?.aborted === true || this.faults.length >= FAULTS_MAX;
  }

  get engine(): 'reference' | 'kernel' {
    return this.#options.engine ?? 'reference';
  }

  /** Checks all segments against themselves; those cells that were chosen are played and solved again. */
  async all(facts: ReadonlyMap<number, SegmentFacts>, chosen: ReadonlySet<number>, pool: Pool): Promise<void> {
    const { folder } = this.#store;
    const parts = { tables: await partsIn(folder, TABLE), histograms: await partsIn(folder, HISTOGRAMS) };
    for (const [segment, about] of facts) {
      if (this.stopped()) return;
      const cells = await cellsOf(this.#store, parts, segment);
      this.faults.push(...segmentFaults(about, cells, `segment ${String(segment)}`));
      for (const cell of cells) {
        if (this.stopped()) return;
        this.faults.push(...cellFaults(cell, this.#store.sweep));
        if (chosen.has(this.cells++)) await this.#again(cell, pool);
        this.#options.onProgress?.({ done: this.cells, cells: this.#store.manifest.cells ?? this.cells, before: 0 });
      }
    }
  }

  async #again(audited: AuditedCell, pool: Pool): Promise<void> {
    if (audited.counts !== undefined) await this.#replay(audited, audited.counts, pool);
    if (audited.rows.some(({ exact }) => exact !== null)) this.#solve(audited);
  }

  async #replay({ cell, shape }: AuditedCell, counts: Tally, pool: Pool): Promise<void> {
    const { engine } = this;
    const battles = battlesIn(counts);
    const asked = { battles, seed: cell.seed, engine, pool, signal: this.#options.signal };
    const played = await simulate(cell.scenario, asked);
    if (!played.complete) return;
    this.replayed++;
    this.battles += battles;
    if (fingerprint(shape, keptTally(played.shape, played.tally, shape)) === fingerprint(shape, counts)) return;
    const what = `engine ${engine} counts otherwise in ${String(battles)} battles`;
    this.faults.push({ where: `cell ${String(cell.index)}`, what });
  }

  #solve({ cell, rows }: AuditedCell): void {
    const { budget: steps } = this.#store.sweep.spec;
    const budget = steps === undefined ? FULL_BUDGET : budgetOf(steps);
    try {
      const { outcomes, metrics } = solve(cell.scenario, budget).summary;
      this.solved++;
      for (const { kind, name, exact } of rows) {
        const outcome = outcomes.find((each) => each.name === name)?.p;
        const mean = metrics.find((each) => each.name === name)?.mean;
        const due = (kind === 'outcome' ? outcome : mean) ?? 0;
        if (exact !== null && Math.abs(exact - due) <= ROUNDING * Math.max(1, Math.abs(due))) continue;
        const what = `the exact value of ${name} is ${String(exact)}; solved again it is ${String(due)}`;
        this.faults.push({ where: `cell ${String(cell.index)}`, what });
      }
    } catch (error) {
      if (!(error instanceof BudgetError)) throw error;
    }
  }
}

/** Places among `cells`, all equally likely. */
function choose(cells: number, wanted: number, pick: (below: number) => number): Set<number> {
  const chosen = new Set<number>();
  // R. W. Floyd's sampling without replacement.
  for (let top = cells - wanted; top < cells; top++) {
    const place = pick(top + 1);
    chosen.add(chosen.has(place) ? top : place);
  }
  return chosen;
}

/**
 * Checks hashes, sums, digests and every row of a store, then plays and solves some of its cells, chosen at random, again.
 *
 * Whatever does not fit to the rest is found for certain: a count that was altered changes the digest of its cell. Who
 * alters a count together with the digests, the rows and the manifest is found if the cell is chosen: with probability
 * chosen / cells.
 * @throws InputError if the folder is no store
 * @throws RunError if a part cannot be read
 */
export async function verifyStore(folder: string, options: VerifyOptions = {}): Promise<Verification> {
  const store = await openStore(folder);
  const { pick = (below: number): number => randomInt(below) } = options;
  const verifying = new Verifying(store, options);
  if (store.manifest.ruleset !== RULESET)
    verifying.faults.push({
      where: 'manifest.json',
      what: `ruleset ${store.manifest.ruleset}; this is ruleset ${RULESET}`,
    });
  const facts = await factsOf(folder);
  verifying.faults.push(...(await manifestFaults(store, facts)));
  const total = [...facts.values()].reduce((sum, { cells }) => sum + cells, 0);
  const wanted = options.probability === undefined ? (options.cells ?? CELLS) : Math.ceil(options.probability * total);
  const chosen = choose(total, Math.min(total, wanted), pick);
  await using pool = await Pool.create({ workers: options.workers });
  await verifying.all(facts, chosen, pool);
  const { cells, replayed, battles, solved, engine, faults } = verifying;
  const parts = store.manifest.parts?.length ?? 0;
  const probability = total === 0 ? 0 : Math.max(replayed, solved) / total;
  return {
    folder,
    cells,
    parts,
    replayed,
    battles,
    solved,
    engine,
    probability,
    faults,
    complete: !verifying.stopped(),
  };
}
