/** How much work an exact answer may be. */
import { parseCount } from '../../core/index.ts';

/** Work that an exact answer may take: `budgetOf(steps)` makes it. */
export interface ExactBudget {
  /** Steps (transitions before merging) that may be computed. */
  readonly steps: number;
  /** Transitions that may be followed while the mass moves: transitions x rounds. */
  readonly moves: number;
  /** A refusal tells what was found alone: to look ahead at what is to be expected may take more than such a budget. */
  readonly skipEstimate?: true;
  /** An answer that would leave more mass open than with a larger budget is refused: it then does not depend on the budget. */
  readonly requireComplete?: true;
}

/** Moves that a budget allows for each of its steps. */
const MOVES_PER_STEP = 500;

/** So many moves in steps of a budget: the unit of all that is told. */
export const movesToSteps = (moves: number): number => moves / MOVES_PER_STEP;

/** The most steps of a budget: with their moves some hours. */
export const STEPS_MAX = 10_000_000_000;

/**
 * A budget of so many steps, and of moves in proportion: 500 for each.
 * @throws InputError unless it is an integer 1..10^10
 */
export function createBudget(steps: number, place = 'budget'): ExactBudget {
  parseCount(steps, place, 1, STEPS_MAX);
  return { steps, moves: MOVES_PER_STEP * steps };
}

/** A whole number that is not less, and has two significant digits. */
function roundUp(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.ceil(value / unit) * unit;
}

/**
 * Steps of the budget to suggest in the place of one that is not enough: those needed as far as is known, at least
 * twice as many as it had; undefined if no budget has so many.
 */
export function suggestLargerBudget(
  { steps, moves }: ExactBudget,
  needed: Partial<ExactBudget> = {},
): number | undefined {
  const doubled = Math.max(2 * steps, (2 * moves) / MOVES_PER_STEP);
  const larger = roundUp(Math.max(doubled, needed.steps ?? 0, (needed.moves ?? 0) / MOVES_PER_STEP));
  return larger <= STEPS_MAX ? larger : undefined;
}

/** How much of all mass is still open, for people. */
export function formatOpenMass(mass: number): string {
  const share = Number(mass.toPrecision(3));
  return `still ${share < 1 ? String(share) : 'all'} of the probability mass open`;
}

/** Affordable when somebody waits for the exact answer itself: some seconds. */
export const FULL_BUDGET: ExactBudget = createBudget(4_000_000);

/**
 * Affordable beside a simulation of so many battles: a tenth of a second for a small one, about a
 * second for a million battles or more.
 */
export function createSideBudget(battles: number): ExactBudget {
  const steps = Math.min(250_000, Math.max(50_000, Math.floor(battles / 4)));
  return { steps, moves: 200 * steps };
}

// What compiling a scenario may take, and why it ends without an automaton.

/** What a compiler may take. */
export interface CompileLimits {
  /** Steps of the model that may be computed. */
  readonly steps: number;
  /** Steps that may be computed before it is asked how many seconds they may take. */
  readonly freeSteps?: number | undefined;
  /** Seconds that all steps may take, pauses and this question not counted; as long as it takes unless it is given. */
  readonly seconds?: (() => number) | undefined;
}

/**
 * Why a scenario is not compiled: it has too many steps, they take too long, a signal came, the words of its rounds are
 * not told or too many, too many draws follow each other, the names of the states take too much memory, or a draw has too
 * many ways.
 */
export interface CompileFailure {
  readonly because: 'steps' | 'seconds' | 'signal' | 'words' | 'draws' | 'keys' | 'ways';
  /** How many steps there are at least, as far as is known, and how long they would take. */
  readonly steps: number;
  readonly seconds: number;
}

/** Ends a compiler. */
export class CompileLimitError extends Error {
  readonly because: CompileFailure['because'];

  constructor(because: CompileFailure['because']) {
    super(because);
    this.because = because;
  }
}
