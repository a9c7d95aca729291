/** The exact solver on every shipped scenario that it can answer: milliseconds, and as many battles as a kernel plays meanwhile. */
import { readdirSync } from 'node:fs';
import { BudgetError } from '../src/errors.ts';
import { type ExactBudget, FULL_BUDGET } from '../src/exact/solve.ts';
import { Kernel } from '../src/kernel/kernel.ts';
import { loadKernel } from '../src/kernel/load.ts';
import { loadScenario } from '../src/scenario/index.ts';
import { type ExactResult, solve } from '../src/solve.ts';
import { shapeOf } from '../src/stats/tally.ts';
import { requireSystem } from '../src/systems/index.ts';
import type { Scenario } from '../src/systems/system.ts';
import type { Options, Row } from './row.ts';
import { SEED } from './subjects.ts';

/** What can be answered in a fraction of a second. */
const QUICK_BUDGET: ExactBudget = { steps: 50_000, moves: 10_000_000 };

const BATTLES = 4096;

function answer(scenario: Scenario, budget: ExactBudget): ExactResult | undefined {
  try {
    return solve(scenario, budget);
  } catch (error) {
    if (error instanceof BudgetError) return undefined;
    throw error;
  }
}

async function kernelOf(scenario: Scenario): Promise<Kernel> {
  const system = requireSystem(scenario.system);
  return new Kernel(await loadKernel(system.id), shapeOf(system.model(scenario)), system.encode(scenario));
}

/** Seconds that a call of a kernel takes. */
function playing(kernel: Kernel, from: number): number {
  const began = performance.now();
  kernel.run(SEED, from, BATTLES);
  return (performance.now() - began) / 1000;
}

/** Answers and kernel calls in turn; the best of each counts. */
async function measure(file: string, { quick, say }: Options): Promise<Row | undefined> {
  const scenario = await loadScenario(`scenarios/${file}`);
  const budget = quick ? QUICK_BUDGET : FULL_BUDGET;
  const first = answer(scenario, budget);
  if (first === undefined) {
    say(`${file}: no exact answer within ${budget.steps.toLocaleString('en')} steps`);
    return undefined;
  }
  const kernel = await kernelOf(scenario);
  const turns = Math.max(1, Math.min(quick ? 10 : 50, Math.ceil((quick ? 0.2 : 2) / first.elapsedSeconds)));
  let [exact, battles] = [first.elapsedSeconds, Number.POSITIVE_INFINITY];
  for (let turn = 0; turn < turns; turn++) {
    exact = Math.min(exact, solve(scenario, budget).elapsedSeconds);
    for (let call = 0; call < 20; call++) {
      const from = (turn * 20 + call) * BATTLES;
      battles = Math.min(battles, playing(kernel, from));
    }
  }
  return {
    suite: 'exact',
    name: file.replace('.yaml', ''),
    value: exact * 1000,
    unit: 'ms',
    ratio: (exact / battles) * BATTLES,
    of: 'kernel battles',
    note: `${first.states.toLocaleString('en')} states, ${((exact * 1e9) / first.steps).toFixed(0)} ns a step`,
  };
}

export async function exact(options: Options): Promise<Row[]> {
  const rows: Row[] = [];
  for (const file of readdirSync('scenarios').sort()) {
    const row = await measure(file, options);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}
