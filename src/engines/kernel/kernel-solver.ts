/**
 * Exact distributions from kernels: those that export `solve` (assembly/core/distribution.ts) are tried before a chain is
 * explored.
 */

import { BudgetError, formatGrouped, hasProgressListener, reportNote } from '../../core/index.ts';
import type { BoundScenario } from '../../rules/index.ts';
import type { Counts, CountsShape, MetricCounts } from '../../stats/index.ts';
import {
  type ExactBudget,
  FULL_BUDGET,
  formatOpenMass,
  LOWER_BOUND_MARGIN,
  movesToSteps,
  suggestLargerBudget,
} from '../exact/budget.ts';
import { formatSeconds, formatSize } from '../exact/cost-text.ts';
import type { ExactDistribution } from './chain-solver.ts';
import { instantiate } from './instance.ts';
import { type KernelExports, loadKernelSync, loadScenario } from './kernel.ts';
import { ANSWERS, SPAN } from './layout.ts';

interface SolverExports extends KernelExports {
  readonly distributionAddress: WebAssembly.Global<'i32'>;
  readonly spansAddress: WebAssembly.Global<'i32'>;
  readonly lost: WebAssembly.Global<'f64'>;
  readonly states: WebAssembly.Global<'f64'>;
  readonly steps: WebAssembly.Global<'f64'>;
  readonly least?: WebAssembly.Global<'f64'>;
  readonly cut?: WebAssembly.Global<'i32'>;
  solve(moves: number, steps: number): number;
}

/** Returns true if a larger budget would change the answer. */
const isCut = ({ cut }: SolverExports): boolean => cut?.value === 1;

/** Maximum moves relative to the minimum: the rounds after the first fall take three to six times the minimum. */
const MOVES_FACTOR = 6;

/** Maximum memory of an idle instance. */
const IDLE_BYTES_MAX = 2 ** 26;

/**
 * One instance per system, for all its scenarios; undefined for a system without a kernel, or whose kernel cannot
 * solve.
 */
const solvers = new Map<string, SolverExports | undefined>();

function loadSolver(system: string): SolverExports | undefined {
  if (!solvers.has(system)) {
    const module = loadKernelSync(system);
    const exports = module && (instantiate(module) as KernelExports | SolverExports);
    solvers.set(system, exports !== undefined && 'solve' in exports ? exports : undefined);
  }
  return solvers.get(system);
}

function readDistribution(solver: SolverExports, { outcomes, metrics }: CountsShape): Counts {
  const { buffer } = solver.memory;
  const spans = new Int32Array(buffer, solver.spansAddress.value, SPAN.size * metrics.length);
  let at = solver.distributionAddress.value;
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

/** Formats whole numbers with separators, and numbers beyond their precision as powers of ten. */
const formatNumber = (value: number): string => (value < 1e15 ? formatGrouped(value) : value.toExponential(1));

/** Computes the steps that the budget needs, as far as is known. */
const computeRequiredSteps = ({ steps, least }: SolverExports): number =>
  Math.max(steps.value, movesToSteps(MOVES_FACTOR * (least?.value ?? 0)));

/** Steps of a kernel per second, each with its moves: measured on mass combat. */
const STEPS_PER_SECOND = 3_000_000;

function throwBudgetError(solver: SolverExports, budget: ExactBudget): never {
  const { states, steps, lost, memory } = solver;
  const most = steps.value > budget.steps ? budget.steps : movesToSteps(budget.moves);
  const due = computeRequiredSteps(solver);
  const suggested = suggestLargerBudget(budget, { steps: due }, LOWER_BOUND_MARGIN);
  const isKnown = due > most;
  const size = { states: states.value, steps: isKnown ? due : 2 * most };
  const pace = {
    states: states.value,
    steps: STEPS_PER_SECOND,
    transitions: 0,
    seconds: 1,
    bytes: memory.buffer.byteLength,
  };
  throw new BudgetError(
    `the exact answer needs more than the budget of ${formatNumber(most)} steps: ` +
      `${isKnown ? '' : `${formatOpenMass(lost.value)}; `}${formatSize(size, pace)}`,
    { suggested, least: suggestLargerBudget(budget, { steps: due }) },
  );
}

/** Duration from which on a note is reported, because there is no progress. */
const WARNING_SECONDS = 2;

/**
 * Solves in one call, which cannot report progress. For a budget above the default, the default is tried first: that
 * takes at most a second, and yields an estimate of the duration.
 */
function solveInOneCall(solver: SolverExports, loaded: () => void, budget: ExactBudget): number {
  const trySolve = ({ moves, steps }: ExactBudget): number => {
    loaded();
    return solver.solve(moves, steps);
  };
  if (!hasProgressListener() || budget.moves <= FULL_BUDGET.moves) return trySolve(budget);
  const answer = trySolve(FULL_BUDGET);
  if (
    answer === ANSWERS.solved
      ? !isCut(solver)
      : answer !== ANSWERS.beyond || computeRequiredSteps(solver) > budget.steps
  )
    return answer;
  const seconds = Math.max(computeRequiredSteps(solver), FULL_BUDGET.steps) / STEPS_PER_SECOND;
  if (seconds > WARNING_SECONDS)
    reportNote(`the exact answer is computed in one step: about ${formatSeconds(seconds)}`);
  return trySolve(budget);
}

/**
 * Solves a scenario by the kernel of its system; undefined if the kernel cannot.
 * @throws BudgetError if it exceeds the budget
 */
export function solveInKernel(open: BoundScenario, budget: ExactBudget): ExactDistribution | undefined {
  const { shape } = open;
  const { id: system } = open.system;
  const words = open.encodeWords();
  const solver = words && loadSolver(system);
  if (solver === undefined || words === undefined) return undefined;
  const loaded = (): void => {
    loadScenario(solver, shape, words);
  };
  const answer = solveInOneCall(solver, loaded, budget);
  if (solver.memory.buffer.byteLength > IDLE_BYTES_MAX) solvers.delete(system);
  if (answer === ANSWERS.other) return undefined;
  if (answer === ANSWERS.noRoom) {
    throw new BudgetError(`the exact answer exceeds its memory limit: ${formatNumber(solver.states.value)} states`);
  }
  const [states, steps] = [solver.states.value, solver.steps.value];
  if (answer !== ANSWERS.solved || steps > budget.steps || (budget.requireComplete === true && isCut(solver)))
    throwBudgetError(solver, budget);
  return { distribution: readDistribution(solver, shape), lost: solver.lost.value, states, steps };
}
