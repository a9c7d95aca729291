/** Plays many battles of a scenario and counts them. */
import { parseCount, parseSeed, type SeedLike } from './chance/seed.ts';
import { MAX_BATTLES } from './chance/stream.ts';
import { digest, scenarioHash } from './stats/digest.ts';
import { type Summary, summarise } from './stats/summary.ts';
import { shapeOf, type Tally, type TallyShape } from './stats/tally.ts';
import { requireSystem } from './systems/index.ts';
import type { Scenario } from './systems/system.ts';

/** `kernel`: compiled and fast; `reference`: the rules as written, for checking. They play the same battles. */
export type Engine = 'kernel' | 'reference';

export interface Progress {
  /** Battles finished and asked for. */
  readonly done: number;
  readonly asked: number;
}

export interface SimulateOptions {
  /** How many; 1 000 000 unless said otherwise. */
  readonly battles?: number;
  /** 0..2^64-1; 1 unless said otherwise. */
  readonly seed?: SeedLike;
  /** Index of the first battle; 0 unless said otherwise. */
  readonly from?: number;
  /** Threads; as many as there are cores unless said otherwise. Small runs stay in the calling thread. */
  readonly workers?: number;
  readonly engine?: Engine;
  /** Ends the run early; what was finished is returned. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export interface SimulationResult {
  readonly scenario: Scenario;
  readonly scenarioHash: string;
  readonly engine: Engine;
  readonly seed: bigint;
  /** Battles from..to-1 were played; `to` falls short of what was asked if the run was stopped. */
  readonly from: number;
  readonly to: number;
  readonly complete: boolean;
  readonly workers: number;
  readonly shape: TallyShape;
  readonly tally: Tally;
  readonly summary: Summary;
  /** SHA-256 that any other way of playing the same battles gives as well. */
  readonly digest: string;
  /** From the first job handed out to the merged tally. */
  readonly elapsedSeconds: number;
}
