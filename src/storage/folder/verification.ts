/** Verifies a folder: against itself throughout, and against battles that are played again. */

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

/** Some places among those of a store. */
export interface ChosenCells {
  has(place: number): boolean;
}

/**
 * A seed of which nobody knows anything beforehand, from the system's own source: who altered a cell must not know which
 * ones will be played again.
 */
export function createRandomSeed(): bigint {
  return randomBytes(8).readBigUInt64BE();
}

/** So many of the places 0..total-1, all sets of that size equally likely: R. W. Floyd's sampling without replacement. */
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

/** Something that is not as it should be. */
export interface VerificationFault {
  /** The file, or the cell. */
  readonly where: string;
  readonly what: string;
}

/** What an error of a file says, without the file's path: faults say where they are. */
export function createFault(where: string, error: unknown): VerificationFault {
  if (!(error instanceof RunError)) throw error;
  return { where, what: error.message.replace(/^.* cannot be read: /s, '') };
}

/** Whether the kernels that have played are those of this build. @param where they are told */
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

/** What `verifyStore` checks and plays again. */
export interface VerifyOptions {
  /** Cells that are played or solved again, or parts of a run; as many as `probability` asks for, if it is there. */
  readonly cells?: number | undefined;
  /** With which a cell that somebody has altered, together with all its digests, is to be found: 0..1. */
  readonly probability?: number | undefined;
  /** The engine that plays again; unless said otherwise `reference`, the rules as written, or, of a run, `kernel`. */
  readonly engine?: 'reference' | 'kernel' | undefined;
  /** Threads; as many as there are cores unless said otherwise. */
  readonly workers?: number | string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each cell that was checked, or, where threads check, ten times a second: cells done, and how many there are. */
  readonly onProgress?: ((progress: { done: number; cells: number; before: number }) => void) | undefined;
  /**
   * Chooses the same cells again as the verification that reported it. A fresh one from the system's own source unless
   * said otherwise: who altered a cell must not know beforehand which ones are played again.
   */
  readonly seed?: SeedLike | undefined;
  /** Systems that the store can be of: those of `loadScenario`. */
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

/** @throws InputError if an option cannot have its value */
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

/** What `verifyStore` checked, and the faults that it found. */
export interface Verification {
  readonly folder: string;
  /** Cells that were checked against their own counts, or parts of a run; and parts against their hashes. */
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
  readonly faults: readonly VerificationFault[];
  /** What is no fault, but should be known. */
  readonly notes: readonly string[];
  /** False if the signal came first, or so many faults were found that no more were looked for. */
  readonly complete: boolean;
}

/** Faults after which no more are looked for. */
export const FAULTS_MAX = 100;
