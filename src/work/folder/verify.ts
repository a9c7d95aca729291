/** Verifies a folder: against itself throughout, and against battles that are played again. */

import { randomBytes } from 'node:crypto';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import {
  describeFound,
  InputError,
  type Names,
  optionsOf,
  parseSeed,
  RunError,
  type SeedLike,
  version,
} from '../../core/index.ts';
import { checkStart, kernelHash, Lease } from '../../engines/index.ts';
import { type Registry, registryOf, type Scenario, type SystemsLike } from '../../rules/index.ts';
import { PLACE, streamFor, THREADS } from '../../studies/index.ts';

import { type Kind, kernelNames, type MadeBy } from './manifest.ts';

/** Some places among those of a store. */
export interface Chosen {
  has(place: number): boolean;
}

/**
 * A seed of which nobody knows anything beforehand, from the system's own source: who altered a cell must not know which
 * ones will be played again.
 */
export function freshSeed(): bigint {
  return randomBytes(8).readBigUInt64BE();
}

/** So many of the places 0..total-1, all sets of that size equally likely: R. W. Floyd's sampling without replacement. */
export function choosePlaces(total: number, wanted: number, seed: bigint): Chosen {
  if (wanted >= total) return { has: () => true };
  const stream = streamFor('verify', seed, 0);
  const chosen = new Set<number>();
  for (let top = total - wanted; top < total; top++) {
    const place = uniformInt(stream, 0, top);
    chosen.add(chosen.has(place) ? top : place);
  }
  return chosen;
}

/** Something that is not as it should be. */
export interface Fault {
  /** The file, or the cell. */
  readonly where: string;
  readonly what: string;
}

/** What an error of a file says, without the file's path: faults say where they are. */
export function faultOf(where: string, error: unknown): Fault {
  if (!(error instanceof RunError)) throw error;
  return { where, what: error.message.replace(/^.* cannot be read: /s, '') };
}

/** Whether the kernels that have played are those of this build. @param where they are told */
function kernelFaults(
  manifest: Pick<MadeBy, 'kernels' | 'warpool'>,
  scenario: Scenario,
  where: string,
): { faults: Fault[]; notes: string[] } {
  const others = kernelNames(scenario).filter((name) => manifest.kernels[name] !== kernelHash(name));
  if (others.length === 0) return { faults: [], notes: [] };
  const names = others.join(', ');
  if (manifest.warpool === version()) {
    const what = `kernels of another build of warpool ${version()} than this one: ${names}`;
    return { faults: [{ where, what }], notes: [] };
  }
  return {
    faults: [],
    notes: [`made by warpool ${manifest.warpool} with other kernels than those of ${version()}: ${names}`],
  };
}

/** What `verifyStore` and `verifyRun` check and play again. */
export interface VerifyOptions {
  /** Cells that are played or solved again; as many as `probability` asks for, if it is there. */
  readonly cells?: number | undefined;
  /** With which a cell that somebody has altered, together with all its digests, is to be found: 0..1. */
  readonly probability?: number | undefined;
  /** The engine that plays again; `reference`, the rules as written, unless said otherwise. */
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

const NAMES: Names<VerifyOptions> = {
  cells: true,
  probability: true,
  engine: true,
  ...THREADS,
  signal: true,
  onProgress: true,
  seed: PLACE.seed,
  systems: true,
};

/**
 * Makes the check of the options of a function that verifies.
 * @param place the function, as messages name it
 */
function verifyOptionsOf(place: string): (options: VerifyOptions) => void {
  const checkNames = optionsOf<VerifyOptions>(place, NAMES);
  return (options) => {
    checkNames(options);
    const { cells, probability, engine, signal } = options;
    checkStart(signal);
    if (cells !== undefined && !(Number.isSafeInteger(cells) && cells >= 0))
      throw new InputError('cells', 'an integer from 0', describeFound(cells));
    if (probability !== undefined && !(probability >= 0 && probability <= 1))
      throw new InputError('probability', 'a number 0..1', describeFound(probability));
    if (engine !== undefined && !['reference', 'kernel'].includes(engine))
      throw new InputError('engine', 'reference or kernel', describeFound(engine));
  };
}

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

/** Faults after which no more are looked for. */
export const FAULTS_MAX = 100;

/** The same, with the engine that plays again. */
export interface VerifyAsked extends VerifyOptions {
  readonly engine: Verification['engine'];
}

/** A folder that is being verified; its things are the cells of a sweep, or the parts of a run. */
export abstract class Verifying<M extends MadeBy> {
  abstract readonly folder: string;
  abstract readonly manifest: M;
  readonly faults: Fault[] = [];
  /** Things that were checked; those that were played, and solved, again; battles of them. */
  done = 0;
  replayed = 0;
  solved = 0;
  battles = 0;
  protected readonly options: VerifyAsked;

  constructor(options: VerifyAsked) {
    this.options = options;
  }

  get engine(): Verification['engine'] {
    return this.options.engine;
  }

  /** Compares the files with what the manifest says of them. @returns how many things there are */
  abstract inventory(): Promise<number>;

  /** Checks all things against themselves; those that were chosen are played again. */
  abstract all(chosen: Chosen, pool: Lease): Promise<void>;

  stopped(): boolean {
    return this.options.signal?.aborted === true || this.faults.length >= FAULTS_MAX;
  }

  /** Notes faults, each once. */
  blame(...faults: readonly Fault[]): void {
    for (const { where, what } of faults) {
      if (this.faults.length >= FAULTS_MAX) return;
      const known = this.faults.some((fault) => fault.where === where && fault.what === what);
      if (!known) this.faults.push({ where, what });
    }
  }

  /** Notes files that readers see among the parts, and that are none. */
  blameStrays(files: readonly string[], thing: Kind<M>['thing']): void {
    const what = `it is no part of this ${thing}; readers of the folder see it`;
    this.blame(...files.map((where) => ({ where, what })));
  }
}

/** How the folders of a kind are verified. */
export interface VerifyKind<M extends MadeBy> {
  /** The function that verifies them, as messages name it. */
  readonly place: string;
  /** Things that are played again unless said otherwise, and by which engine. */
  readonly again: number;
  readonly engine: Verification['engine'];
  /** Opens a folder. @throws RunError if its manifest is damaged: nothing else of it can be checked then */
  readonly open: (folder: string, registry: Registry, options: VerifyAsked) => Promise<Verifying<M>>;
}

async function verified<M extends MadeBy>(
  kind: Kind<M>,
  verifying: Verifying<M>,
  again: number,
  seed: bigint,
  options: VerifyOptions,
): Promise<Verification> {
  const { folder, manifest, engine } = verifying;
  const kernels = kernelFaults(manifest, kind.scenarioIn(manifest), kind.file);
  verifying.blame(...kernels.faults);
  const total = await verifying.inventory();
  const wanted = options.probability === undefined ? (options.cells ?? again) : Math.ceil(options.probability * total);
  await using pool = new Lease(options.workers);
  await verifying.all(choosePlaces(total, Math.min(total, wanted), seed), pool);
  const { done: cells, replayed, battles, solved, faults } = verifying;
  const counted = { cells, parts: manifest.parts?.length ?? 0, replayed, battles, solved };
  const probability = total === 0 ? 0 : Math.max(replayed, solved) / total;
  const end = { engine, probability, seed: String(seed), faults, notes: kernels.notes };
  return { folder, ...counted, ...end, complete: !verifying.stopped() };
}

/** Makes the function that verifies the folders of a kind. */
export function verifierOf<M extends MadeBy>(
  kind: Kind<M>,
  { place, again, engine: usual, open }: VerifyKind<M>,
): (folder: string, options?: VerifyOptions) => Promise<Verification> {
  const checkOptions = verifyOptionsOf(place);
  return async (folder, options = {}) => {
    checkOptions(options);
    const { engine = usual } = options;
    const seed = options.seed === undefined ? freshSeed() : parseSeed(options.seed);
    let verifying: Verifying<M>;
    try {
      verifying = await open(folder, registryOf(options.systems), { ...options, engine });
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      const none = {
        cells: 0,
        parts: 0,
        replayed: 0,
        battles: 0,
        solved: 0,
        probability: 0,
        notes: [],
        complete: true,
      };
      const found = { engine, seed: String(seed), faults: [faultOf(kind.file, error)] };
      return { folder, ...none, ...found };
    }
    return await verified(kind, verifying, again, seed, options);
  };
}
