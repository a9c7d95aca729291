/** Options of verifying a store. */
import type { SeedLike } from '../../core/chance/seed.ts';
import { InputError } from '../../core/errors.ts';
import { checkSignal } from '../../engines/pool/run.ts';
import type { SystemsLike } from '../../rules/index.ts';
import { describeFound } from '../../rules/scenario/finding.ts';
import { type Names, optionsOf } from '../../rules/scenario/options.ts';

/** What `verifyStore` and `verifyRun` check and play again. */
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
  /** Called after each cell that was read: cells done, and how many there are. */
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
  workers: true,
  signal: true,
  onProgress: true,
  seed: true,
  systems: true,
};

/**
 * Makes the check of the options of a function that verifies.
 * @param place the function, as messages name it
 */
export function verifyOptionsOf(place: string): (options: VerifyOptions) => void {
  const checkNames = optionsOf<VerifyOptions>(place, NAMES);
  return (options) => {
    checkNames(options);
    const { cells, probability, engine, signal } = options;
    checkSignal(signal);
    if (cells !== undefined && !(Number.isSafeInteger(cells) && cells >= 0))
      throw new InputError('cells', 'an integer from 0', describeFound(cells));
    if (probability !== undefined && !(probability >= 0 && probability <= 1))
      throw new InputError('probability', 'a number 0..1', describeFound(probability));
    if (engine !== undefined && !['reference', 'kernel'].includes(engine))
      throw new InputError('engine', 'reference or kernel', describeFound(engine));
  };
}
