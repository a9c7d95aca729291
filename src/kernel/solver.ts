/** Exact laws from kernels: those that export `solve` (assembly/core/law.ts) are asked before a chain is walked. */
import { BudgetError } from '../errors.ts';
import type { ExactBudget, ExactLaw } from '../exact/solve.ts';
import type { MetricCounts, Tally, TallyShape } from '../stats/tally.ts';
import { loadKernelNow } from './load.ts';
import { instantiate, type KernelExports, load } from './scenario.ts';

interface Solver extends KernelExports {
  readonly lawAddress: WebAssembly.Global<'i32'>;
  readonly spansAddress: WebAssembly.Global<'i32'>;
  readonly lost: WebAssembly.Global<'f64'>;
  readonly states: WebAssembly.Global<'i32'>;
  readonly steps: WebAssembly.Global<'i32'>;
  solve(moves: number): number;
}

/** What `solve` answers: the law is there, the scenario is none for it, or it would take more moves. */
const SOLVED = 0;
const OTHER = 1;

/** Memory that an instance may keep from one scenario to the next. */
const KEPT_BYTES = 2 ** 26;

/** One instance a system, for all its scenarios; undefined for a system whose kernel cannot solve. */
const solvers = new Map<string, Solver | undefined>();

function solverOf(system: string): Solver | undefined {
  if (!solvers.has(system)) {
    const exports = instantiate(loadKernelNow(system));
    solvers.set(system, 'solve' in exports ? (exports as unknown as Solver) : undefined);
  }
  return solvers.get(system);
}

function lawOf(solver: Solver, { outcomes, metrics }: TallyShape): Tally {
  const { buffer } = solver.memory;
  const spans = new Int32Array(buffer, solver.spansAddress.value, 2 * metrics.length);
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
      const [low = 0, high = -1] = spans.subarray(2 * m, 2 * m + 2);
      const width = Math.max(0, high - low + 1);
      const counts = new Float64Array(outcomes.length * width);
      for (let o = 0; o < outcomes.length && width > 0; o++) {
        counts.set(numbers.subarray(o * bins + low - min, o * bins + high - min + 1), o * width);
      }
      return { low: width > 0 ? low : 0, width, counts };
    }),
  };
}

/** A number of states or steps: an unsigned 32-bit integer. */
const count = ({ value }: WebAssembly.Global<'i32'>): number => value >>> 0;

function refuse(solver: Solver, affordable: string): never {
  const [states, steps] = [count(solver.states), count(solver.steps)].map((size) => size.toLocaleString('en'));
  throw new BudgetError(
    `the exact answer needs more than ${affordable}: ${String(states)} states, ${String(steps)} steps, ` +
      `${String(solver.lost.value)} of the mass still open`,
  );
}

/**
 * The law of a scenario as its system's kernel works it out; undefined if it does not.
 * @param encode gives the scenario as the kernel reads it
 * @throws BudgetError if it takes more than the budget
 */
export function solveInKernel(
  system: string,
  shape: TallyShape,
  encode: () => Int32Array,
  budget: ExactBudget,
): ExactLaw | undefined {
  const solver = solverOf(system);
  if (solver === undefined) return undefined;
  load(solver, shape, encode());
  const answer = solver.solve(budget.moves);
  if (solver.memory.buffer.byteLength > KEPT_BYTES) solvers.delete(system);
  if (answer === OTHER) return undefined;
  if (answer !== SOLVED) refuse(solver, `${budget.moves.toLocaleString('en')} moves of probability`);
  const [states, steps] = [count(solver.states), count(solver.steps)];
  if (steps > budget.steps) refuse(solver, `${budget.steps.toLocaleString('en')} steps`);
  return { law: lawOf(solver, shape), lost: solver.lost.value, states, steps };
}
