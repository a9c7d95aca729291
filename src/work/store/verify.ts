/** Verifies a store: against itself throughout, and against battles that are played again. */

import { parseSeed } from '../../core/chance/seed.ts';
import { RunError } from '../../core/errors.ts';
import { Lease } from '../../engines/pool/shared.ts';
import { registryOf } from '../../rules/index.ts';
import { choosePlaces, freshSeed } from '../folder/chosen.ts';
import { type Fault, faultOf, kernelFaults } from '../folder/faults.ts';
import { type VerifyOptions, verifyOptionsOf } from '../folder/verify-options.ts';
import { MANIFEST } from './files.ts';
import { factsIn, manifestFaults, partFaults } from './inventory.ts';
import { type ReadStore, readStore } from './reading.ts';
import { Verifying } from './verifying.ts';

export type { VerifyOptions } from '../folder/verify-options.ts';

const checkOptions = verifyOptionsOf('verifyStore');

/** What `verifyStore` or `verifyRun` checked, and the faults that it found. */
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
  /** With which the cells were chosen, in decimal. */
  readonly seed: string;
  readonly faults: readonly Fault[];
  /** What is no fault, but should be known. */
  readonly notes: readonly string[];
  /** False if the signal came first, or so many faults were found that no more were looked for. */
  readonly complete: boolean;
}

/** Cells that are played again unless said otherwise. */
const CELLS = 10;

/** Faults after which no more are looked for. */
const FAULTS_MAX = 100;

/** What is told of a store whose manifest is damaged: nothing else of it can be checked. */
function unreadable(
  folder: string,
  error: unknown,
  seed: bigint,
  { engine = 'reference' }: VerifyOptions,
): Verification {
  const none = { cells: 0, parts: 0, replayed: 0, battles: 0, solved: 0, engine, probability: 0, seed: String(seed) };
  return { folder, ...none, faults: [faultOf(MANIFEST, error)], notes: [], complete: true };
}

async function verified(store: ReadStore, seed: bigint, options: VerifyOptions): Promise<Verification> {
  const { folder, manifest } = store;
  const verifying = new Verifying(store, options, FAULTS_MAX);
  const kernels = kernelFaults(manifest, store.sweep.spec.scenario, MANIFEST);
  verifying.blame(...kernels.faults);
  for await (const fault of partFaults(store)) {
    verifying.blame(fault);
    if (verifying.stopped()) break;
  }
  const facts = await factsIn(store, FAULTS_MAX);
  verifying.blame(...facts.faults, ...manifestFaults(store, facts.found));
  const total = [...facts.found.values()].reduce((sum, { cells }) => sum + cells, 0);
  const wanted = options.probability === undefined ? (options.cells ?? CELLS) : Math.ceil(options.probability * total);
  const chosen = choosePlaces(total, Math.min(total, wanted), seed);
  await using pool = wanted > 0 ? new Lease(options.workers) : undefined;
  await verifying.all(facts.found.values(), chosen, pool);
  const { cells, replayed, battles, solved, engine, faults } = verifying;
  const parts = manifest.parts?.length ?? 0;
  const probability = total === 0 ? 0 : Math.max(replayed, solved) / total;
  const played = { cells, parts, replayed, battles, solved, engine, probability, seed: String(seed) };
  return { folder, ...played, faults, notes: kernels.notes, complete: !verifying.stopped() };
}

/**
 * Checks hashes, sums, digests and every row of a store, then plays and solves some of its cells, chosen at random, again.
 *
 * Whatever does not fit to the rest is found for certain: a count that was altered changes the digest of its cell. Who
 * alters a count together with the digests, the rows and the manifest is found if the cell is chosen: with probability
 * chosen / cells. A damaged manifest, and a part that is missing or cannot be read, is a fault among others.
 * @throws InputError if the folder is no store, or one of another version, or made with rules that are not given, or the seed is none
 */
export async function verifyStore(folder: string, options: VerifyOptions = {}): Promise<Verification> {
  checkOptions(options);
  const seed = options.seed === undefined ? freshSeed() : parseSeed(options.seed);
  let store: ReadStore;
  try {
    store = await readStore(folder, registryOf(options.systems));
  } catch (error) {
    if (error instanceof RunError) return unreadable(folder, error, seed, options);
    throw error;
  }
  return await verified(store, seed, options);
}
