/** Exact laws from kernels: those that export `solve` (assembly/core/law.ts) are asked before a chain is walked. */
import type { MetricCounts, Tally, TallyShape } from '../../answers/index.ts';
import { BudgetError, grouped, isHeard, tellNote } from '../../core/index.ts';
import type { Opened } from '../../rules/index.ts';
import { type ExactBudget, FULL_BUDGET, largerBudget, openText, stepsOf } from '../exact/budget.ts';
import { tellSeconds, tellSize } from '../exact/price.ts';
import type { ExactLaw } from './chain.ts';
import { instantiate } from './instance.ts';
import { type KernelExports, load, loadKernelNow } from './kernel.ts';
import { ANSWERS, SPAN } from './layout.ts';

interface Solver extends KernelExports {
  readonly lawAddress: WebAssembly.Global<'i32'>;
  readonly spansAddress: WebAssembly.Global<'i32'>;
  readonly lost: WebAssembly.Global<'f64'>;
  readonly states: WebAssembly.Global<'f64'>;
  readonly steps: WebAssembly.Global<'f64'>;
  readonly least?: WebAssembly.Global<'f64'>;
  readonly cut?: WebAssembly.Global<'i32'>;
  solve(moves: number, steps: number): number;
}

/** Whether a larger budget would change the answer. */
const isCut = ({ cut }: Solver): boolean => cut?.value === 1;

/** Moves that an answer may take in all: the rounds after the first fall make three to six times the least. */
const IN_ALL = 6;

/** Memory that an instance may keep from one scenario to the next. */
const KEPT_BYTES = 2 ** 26;

/** One instance a system, for all its scenarios; undefined for a system that has no kernel, or one that cannot solve. */
const solvers = new Map<string, Solver | undefined>();

function solverOf(system: string): Solver | undefined {
  if (!solvers.has(system)) {
    const module = loadKernelNow(system);
    const exports = module && (instantiate(module) as KernelExports | Solver);
    solvers.set(system, exports !== undefined && 'solve' in exports ? exports : undefined);
  }
  return solvers.get(system);
}

function lawOf(solver: Solver, { outcomes, metrics }: TallyShape): Tally {
  const { buffer } = solver.memory;
  const spans = new Int32Array(buffer, solver.spansAddress.value, SPAN.size * metrics.length);
  let at = solver.lawAddress.value;
  const next = (length: number): Float64Array => {
    const numbers = new Float64Array(buffer, at, length);
    at += length * 8;
    return numbers;
  };
  return {
    outcomes: next(outcomes.length).slice(),
    metrics: metrics.map(({ min, max }, m): MetricCounts => {
      const bins = max - min + 1;
      const numbers = next(bins * outcomes.length);
      const { least: low, most: high } = SPAN.read(spans, m * SPAN.size);
      const width = Math.max(0, high - low + 1);
      const counts = new Float64Array(outcomes.length * width);
      for (let o = 0; o < outcomes.length && width > 0; o++) {
        counts.set(numbers.subarray(o * bins + low - min, o * bins + high - min + 1), o * width);
      }
      return { low: width > 0 ? low : 0, width, counts };
    }),
  };
}

/** Whole numbers with separators; what exceeds their precision as a power of ten. */
const number = (value: number): string => (value < 1e15 ? grouped(value) : value.toExponential(1));

/** Steps that the budget must have, as far as is known. */
const stepsDue = ({ steps, least }: Solver): number => Math.max(steps.value, stepsOf(IN_ALL * (least?.value ?? 0)));

/** Steps that a kernel takes in a second, each with its moves: measured on mass combat. */
const STEPS_A_SECOND = 3_000_000;

function refuse(solver: Solver, budget: ExactBudget): never {
  const { states, steps, lost, memory } = solver;
  const most = steps.value > budget.steps ? budget.steps : stepsOf(budget.moves);
  const due = stepsDue(solver);
  const suggested = largerBudget(budget, { steps: due });
  const isKnown = due > most;
  const size = { states: states.value, steps: isKnown ? due : (suggested ?? 2 * most) };
  const pace = {
    states: states.value,
    steps: STEPS_A_SECOND,
    transitions: 0,
    seconds: 1,
    bytes: memory.buffer.byteLength,
  };
  throw new BudgetError(
    `the exact answer needs more than the budget of ${number(most)} steps: ` +
      `${isKnown ? '' : `${openText(lost.value)}; `}${tellSize(size, pace)}`,
    { suggested },
  );
}

/** Seconds from which on it is said before that there will be no progress. */
const TOLD = 2;

/**
 * Solves at one go, which can tell nothing while it lasts. Of a budget beyond the usual one, the usual one is tried before:
 * that takes a second at most, and tells how long the rest will.
 */
function solveAtOnce(solver: Solver, loaded: () => void, budget: ExactBudget): number {
  const attempt = ({ moves, steps }: ExactBudget): number => {
    loaded();
    return solver.solve(moves, steps);
  };
  if (!isHeard() || budget.moves <= FULL_BUDGET.moves) return attempt(budget);
  const answer = attempt(FULL_BUDGET);
  if (answer === ANSWERS.solved ? !isCut(solver) : answer !== ANSWERS.beyond || stepsDue(solver) > budget.steps)
    return answer;
  const seconds = Math.max(stepsDue(solver), FULL_BUDGET.steps) / STEPS_A_SECOND;
  if (seconds > TOLD) tellNote(`the exact answer is worked out at one go: some ${tellSeconds(seconds)}`);
  return attempt(budget);
}

/**
 * The law of a scenario as its system's kernel works it out; undefined if it does not.
 * @throws BudgetError if it takes more than the budget
 */
export function solveInKernel(open: Opened, budget: ExactBudget): ExactLaw | undefined {
  const { shape } = open;
  const { id: system } = open.system;
  const words = open.words();
  const solver = words && solverOf(system);
  if (solver === undefined || words === undefined) return undefined;
  const loaded = (): void => {
    load(solver, shape, words);
  };
  const answer = solveAtOnce(solver, loaded, budget);
  if (solver.memory.buffer.byteLength > KEPT_BYTES) solvers.delete(system);
  if (answer === ANSWERS.other) return undefined;
  if (answer === ANSWERS.noRoom) {
    throw new BudgetError(`the exact answer needs more memory than it may take: ${number(solver.states.value)} states`);
  }
  const [states, steps] = [solver.states.value, solver.steps.value];
  if (answer !== ANSWERS.solved || steps > budget.steps || (budget.whole === true && isCut(solver)))
    refuse(solver, budget);
  return { law: lawOf(solver, shape), lost: solver.lost.value, states, steps };
}
