/** Exploration of a chain of a million states, a grid with a coin in each round, against a plain explorer. */
import { d } from '../src/core/distributions/algebra.ts';
import { BudgetError } from '../src/core/errors.ts';
import { createBudget } from '../src/engines/exact/budget.ts';
import { solveModel } from '../src/engines/kernel/chain-solver.ts';
import { createModel } from '../src/rules/custom/battle.ts';
import type { Row } from './row.ts';

interface Lives {
  readonly attacker: number;
  readonly defender: number;
}

const createGrid = (size: number) =>
  createModel<Lives>(
    {
      outcomes: ['attacker', 'defender'],
      start: () => ({ attacker: size, defender: size }),
      round: ({ attacker, defender }, chance) =>
        chance.sample(d(2)) === 1 ? { attacker: attacker - 1, defender } : { attacker, defender: defender - 1 },
      outcome: ({ attacker, defender }) => (defender === 0 ? 'attacker' : attacker === 0 ? 'defender' : undefined),
    },
    2 * size,
  );

/** Moves mass from layer to layer in maps; returns the probability that the attacker wins. */
function explorePlainly(size: number): number {
  let won = 0;
  let layer = new Map([['', { attacker: size, defender: size, mass: 1 }]]);
  while (layer.size > 0) {
    const next: typeof layer = new Map();
    for (const { attacker, defender, mass } of layer.values()) {
      if (defender === 0) won += mass;
      if (attacker === 0 || defender === 0) continue;
      for (const hit of [0, 1]) {
        const state = { attacker: attacker - hit, defender: defender - 1 + hit, mass: mass / 2 };
        const key = `${String(state.attacker)},${String(state.defender)}`;
        const known = next.get(key);
        if (known === undefined) next.set(key, state);
        else known.mass += state.mass;
      }
    }
    layer = next;
  }
  return won;
}

/** Measures CPU seconds, those of threads included. */
export async function timeCpu<T>(act: () => T | Promise<T>): Promise<{ readonly seconds: number; readonly result: T }> {
  const before = process.cpuUsage();
  const result = await act();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (user + system) / 1e6, result };
}

/** Lives of a grid with four times as many states as the solver accepts. */
const REJECTED = 4000;

/** Compares the rejection of a grid that exceeds the memory limit with the answer to a grid of a million states. */
async function measureRejection(size: number, answer: number): Promise<Row> {
  const reject = (): string => {
    try {
      solveModel(createGrid(REJECTED), createBudget(100_000_000));
    } catch (error) {
      if (error instanceof BudgetError) return error.message;
      throw error;
    }
    throw new Error(`a grid of ${String(REJECTED)} lives was not rejected`);
  };
  const { seconds, result } = await timeCpu(reject);
  const of = `times the answer to ${String(size)} lives`;
  const [, states] = /limit: (.+?) states/.exec(result) ?? [];
  return {
    suite: 'exact',
    name: 'rejection',
    value: 1e3 * seconds,
    unit: 'ms',
    ratio: seconds / answer,
    of,
    note: `${states ?? ''} states found`,
  };
}

/** Must run first: the peak memory of the process counts. */
export async function grid(quick: boolean): Promise<Row[]> {
  const size = quick ? 300 : 1000;
  solveModel(createGrid(10));
  const plain = await timeCpu(() => explorePlainly(size));
  const peak = process.resourceUsage().maxRSS;
  const { seconds, result } = await timeCpu(() => solveModel(createGrid(size), createBudget(100_000_000)));
  const bytes = (1024 * (process.resourceUsage().maxRSS - peak)) / result.states;
  const gap = Math.abs((result.distribution.outcomes[0] ?? 0) - plain.result);
  if (!(gap < 1e-12)) throw new Error(`the probability of the plain explorer differs by ${String(gap)}`);
  const note = `${result.states.toLocaleString('en')} states, ${bytes.toFixed(0)} bytes each`;
  const measured: Row = {
    suite: 'exact',
    name: 'grid',
    value: 1e3 * seconds,
    unit: 'ms',
    ratio: seconds / plain.seconds,
    of: 'times plain',
    note,
  };
  return [measured, await measureRejection(size, seconds)];
}
