/** Options of verifying a store. */
import type { SeedLike } from '../chance/seed.ts';
import type { SystemsLike } from '../systems/index.ts';

/** What `verifyStore` checks and plays again. */
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
