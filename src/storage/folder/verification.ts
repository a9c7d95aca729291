/** Verification of a folder: consistency of all files, and repetition of a sample of battles. */

import { randomBytes } from 'node:crypto';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { createStudyStream, RUN_POSITION, THREADS } from '../../analysis/index.ts';
import {
  createOptionsCheck,
  describeFound,
  InputError,
  type OptionChecks,
  RunError,
  type SeedLike,
  version,
} from '../../core/index.ts';
import { checkStart, computeKernelHash } from '../../engines/index.ts';
import type { Scenario, SystemsLike } from '../../rules/index.ts';

import { listKernelNames, type ManifestBase } from './manifest.ts';

/** Chosen positions of a store. */
export interface ChosenCells {
  has(place: number): boolean;
}

/**
 * Returns a random seed from the operating system: whoever altered a cell must not be able to predict which cells are
 * repeated.
 */
export function createRandomSeed(): bigint {
  return randomBytes(8).readBigUInt64BE();
}

/**
 * Chooses `wanted` of the positions 0..total-1, all subsets equally likely: R. W. Floyd's sampling without replacement.
 */
export function choosePlaces(total: number, wanted: number, seed: bigint): ChosenCells {
  if (wanted >= total) return { has: () => true };
  const stream = createStudyStream('verify', seed, 0);
  const chosen = new Set<number>();
  for (let top = total - wanted; top < total; top++) {
    const place = uniformInt(stream, 0, top);
    chosen.add(chosen.has(place) ? top : place);
  }
  return chosen;
}

/** Problem found by a verification. */
export interface VerificationFault {
  /** The file, or the cell. */
  readonly where: string;
  readonly what: string;
}

/** Creates a fault from an error of a file, without the path, which faults have separately. */
export function createFault(where: string, error: unknown): VerificationFault {
  if (!(error instanceof RunError)) throw error;
  return { where, what: error.message.replace(/^.* cannot be read: /s, '') };
}

/** Checks whether the kernels of this build simulated the results. @param where location in the reported fault */
export function checkKernels(
  manifest: Pick<ManifestBase, 'kernels' | 'warpool'>,
  scenario: Scenario,
  where: string,
): { faults: VerificationFault[]; notes: string[] } {
  const others = listKernelNames(scenario).filter((name) => manifest.kernels[name] !== computeKernelHash(name));
  if (others.length === 0) return { faults: [], notes: [] };
  const names = others.join(', ');
  if (manifest.warpool === version()) {
    const what = `its kernels are from another build of warpool ${version()}: ${names}`;
    return { faults: [{ where, what }], notes: [] };
  }
  return {
    faults: [],
    notes: [`made by warpool ${manifest.warpool}, whose kernels differ from version ${version()}: ${names}`],
  };
}

/** Options of `verifyStore`. */
export interface VerifyOptions {
  /**
   * Number of cells to simulate and solve again, or parts of a run; by default derived from `probability`, if it is
   * set.
   */
  readonly cells?: number | undefined;
  /** Probability, 0..1, of detecting one cell that was altered together with all its digests. */
  readonly probability?: number | undefined;
  /** Engine of the repetition; by default `reference`, the rules as written, or `kernel` for a run. */
  readonly engine?: 'reference' | 'kernel' | undefined;
  /** Number of threads; by default the number of cores. */
  readonly workers?: number | string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each checked cell, or, if threads check, ten times a second. */
  readonly onProgress?: ((progress: { done: number; cells: number; before: number }) => void) | undefined;
  /**
   * Seed of the chosen cells: repeats the choice of the verification that reported it. By default from the operating
   * system, so that whoever altered a cell cannot predict the choice.
   */
  readonly seed?: SeedLike | undefined;
  /** Custom systems, as for `loadScenario`. */
  readonly systems?: SystemsLike | undefined;
}

const VERIFY_OPTIONS: OptionChecks<VerifyOptions> = {
  cells: true,
  probability: true,
  engine: true,
  ...THREADS,
  signal: true,
  onProgress: true,
  seed: RUN_POSITION.seed,
  systems: true,
};

const checkNames = createOptionsCheck<VerifyOptions>('verifyStore', VERIFY_OPTIONS);

/** @throws InputError if an option is invalid */
export function checkVerifyOptions(options: VerifyOptions): void {
  checkNames(options);
  const { cells, probability, engine, signal } = options;
  checkStart(signal);
  if (cells !== undefined && !(Number.isSafeInteger(cells) && cells >= 0))
    throw new InputError('cells', 'an integer from 0', describeFound(cells));
  if (probability !== undefined && !(probability >= 0 && probability <= 1))
    throw new InputError('probability', 'a number 0..1', describeFound(probability));
  if (engine !== undefined && !['reference', 'kernel'].includes(engine))
    throw new InputError('engine', 'reference or kernel', describeFound(engine));
}

/** Result of `verifyStore`. */
export interface Verification {
  readonly folder: string;
  /** Cells, or parts of a run, checked against their counts; parts checked against their hashes. */
  readonly cells: number;
  readonly parts: number;
  /** Cells, and their battles, that were simulated again; cells that were solved again. */
  readonly replayed: number;
  readonly battles: number;
  readonly solved: number;
  readonly engine: 'reference' | 'kernel';
  /** Probability of detecting one cell that was altered together with all its digests. */
  readonly probability: number;
  /** Seed of the chosen cells, in decimal. */
  readonly seed: string;
  readonly faults: readonly VerificationFault[];
  /** Remarks that are not faults. */
  readonly notes: readonly string[];
  /** False if the signal aborted, or the maximum number of faults was reached. */
  readonly complete: boolean;
}

/** Maximum number of reported faults. */
export const FAULTS_MAX = 100;
