/** Budgets of exact answers. */
import { parseCount } from '../../core/index.ts';

/** Limit of the work of an exact answer: created by `createBudget(steps)`. */
export interface ExactBudget {
  /** Maximum number of steps (transitions before merging). */
  readonly steps: number;
  /** Maximum number of moves of mass along transitions: transitions x rounds. */
  readonly moves: number;
  /** Errors report only the explored size: an estimate of the total may exceed such a budget. */
  readonly skipEstimate?: true;
  /**
   * Rejects answers whose truncated mass would be smaller with a larger budget, so that answers do not depend on the
   * budget.
   */
  readonly requireComplete?: true;
}

/** Moves per step of a budget. */
const MOVES_PER_STEP = 500;

/** Converts moves to steps of a budget, the unit of all messages. */
export const movesToSteps = (moves: number): number => moves / MOVES_PER_STEP;

/** Maximum budget: with its moves several hours. */
export const STEPS_MAX = 10_000_000_000;

/**
 * Creates a budget of a number of steps, with 500 moves for each.
 * @throws InputError if it is not an integer 1..10^10
 */
export function createBudget(steps: number, place = 'budget'): ExactBudget {
  parseCount(steps, place, 1, STEPS_MAX);
  return { steps, moves: MOVES_PER_STEP * steps };
}

/** Rounds up to two significant digits. */
function roundUp(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.ceil(value / unit) * unit;
}

/** Budgets for lower bounds of moves: mass combat takes up to four times, and an unneeded rest costs no time. */
export const LOWER_BOUND_MARGIN = 4;

/**
 * Suggests a larger budget: the needed steps as far as they are known, at least twice the previous budget; undefined if
 * that exceeds the maximum.
 * @param margin factor of the suggestion, up to the maximum
 */
export function suggestLargerBudget(
  { steps, moves }: ExactBudget,
  needed: Partial<ExactBudget> = {},
  margin = 1,
): number | undefined {
  const doubled = Math.max(2 * steps, (2 * moves) / MOVES_PER_STEP);
  const larger = roundUp(Math.max(doubled, needed.steps ?? 0, (needed.moves ?? 0) / MOVES_PER_STEP));
  return larger <= STEPS_MAX ? Math.min(STEPS_MAX, margin * larger) : undefined;
}

/** Formats the mass of unfinished battles. */
export function formatOpenMass(mass: number): string {
  const share = Number(mass.toPrecision(3));
  return `still ${share < 1 ? String(share) : 'all'} of the probability mass open`;
}

/** Budget of an exact answer that was requested: several seconds. */
export const FULL_BUDGET: ExactBudget = createBudget(4_000_000);

/**
 * Computes the budget of an exact answer next to simulated battles: 0.1 seconds for few, about a second for a million
 * or more.
 */
export function createSideBudget(battles: number): ExactBudget {
  const steps = Math.min(250_000, Math.max(50_000, Math.floor(battles / 4)));
  return { steps, moves: 200 * steps };
}

// Limits of the compilation of a scenario, and reasons for its failure.

/** Limits of a compiler. */
export interface CompileLimits {
  /** Maximum number of steps of the model. */
  readonly steps: number;
  /** Steps that are computed before `seconds` is called. */
  readonly freeSteps?: number | undefined;
  /** Maximum duration of all steps, without pauses and this call; default: no limit. */
  readonly seconds?: (() => number) | undefined;
  /** Number of battles for which these seconds are allowed. */
  readonly battles?: number | undefined;
}

/**
 * Reason of a failed compilation: too many steps or seconds, a signal, undeclared or too many words of a round, too
 * many draws in sequence, too much memory for keys, or too many results of a draw.
 */
export interface CompileFailure {
  readonly because: 'steps' | 'seconds' | 'signal' | 'words' | 'draws' | 'keys' | 'ways';
  /** Lower bound of the number of steps, and their duration. */
  readonly steps: number;
  readonly seconds: number;
}

/** Stops a compiler. */
export class CompileLimitError extends Error {
  readonly because: CompileFailure['because'];

  constructor(because: CompileFailure['because']) {
    super(because);
    this.because = because;
  }
}
