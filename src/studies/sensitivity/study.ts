/** What all studies are asked for and have in common. */
import { parseCount, parseSeed, type SeedLike } from '../../core/chance/stream.ts';
import type { Names } from '../../core/names.ts';
import type { CellRequest, CellSetting, Exactness, Laboratory, StudyCell } from './cells.ts';

export interface StudyOptions {
  /** An outcome or a metric; the scenario's first outcome but a stalemate, unless one is named. */
  readonly of?: string;
  /** 1 unless said otherwise. */
  readonly seed?: SeedLike;
  /** Battles of each cell that has no exact answer. */
  readonly battles?: number;
  /** `auto` unless said otherwise. */
  readonly exact?: Exactness;
  /** Steps that the exact answer to a cell may take, 1..10^10; by default what is affordable beside the battles. */
  readonly budget?: number;
  /** Ends the study early; what was finished is returned. */
  readonly signal?: AbortSignal;
  /** Called after every step, trajectory or base point. */
  readonly onProgress?: (progress: { readonly done: number; readonly asked: number }) => void;
}

export const STUDY_OPTIONS: Names<StudyOptions> = {
  of: true,
  seed: true,
  battles: true,
  exact: true,
  budget: true,
  signal: true,
  onProgress: true,
};

/** What every result begins with. Shares are 0..1, means in the metric's unit. */
export interface Study {
  readonly of: string;
  readonly kind: 'outcome' | 'metric';
  /** In decimal. */
  readonly seed: string;
  /** Battles of a cell that was simulated. */
  readonly battles: number;
  readonly cells: { readonly exact: number; readonly simulated: number };
  /** False if a signal ended it early. */
  readonly complete: boolean;
}

/** A cell keeps what happened in each of its battles while the study needs it: no more than these. */
const BATTLES_MAX = 10_000_000;

/** @throws InputError if an option is out of range */
export function settingOf(options: StudyOptions, battles: number): CellSetting {
  return {
    seed: parseSeed(options.seed ?? 1n),
    battles: parseCount(options.battles ?? battles, 'battles', 2, BATTLES_MAX),
    exact: options.exact ?? 'auto',
    budget: options.budget,
    of: options.of,
    signal: options.signal,
  };
}

export function studyOf({ subject, count }: Laboratory, { seed, battles }: CellSetting, complete: boolean): Study {
  return { of: subject.of, kind: subject.kind, seed: String(seed), battles, cells: { ...count }, complete };
}

/** Cells of a study that are evaluated together, and how many such lots there are. */
interface Lots {
  readonly lots: number;
  readonly requestsOf: (lot: number) => readonly CellRequest[];
  readonly take: (cells: readonly StudyCell[], lot: number) => void;
}

/**
 * Evaluates lot after lot until the signal comes.
 * @returns how many were taken, all of them the first
 */
export async function evaluateLots(lab: Laboratory, { lots, requestsOf, take }: Lots, options: StudyOptions) {
  for (let lot = 0; lot < lots; lot++) {
    const cells = await lab.evaluate(requestsOf(lot));
    if (cells === undefined) return lot;
    take(cells, lot);
    options.onProgress?.({ done: lot + 1, asked: lots });
  }
  return lots;
}
