/**
 * Exact solver on every shipped scenario that it can solve: milliseconds, and the battles that a kernel simulates in
 * this time.
 */
import { readdirSync } from 'node:fs';
import { type ExactResult, solveWithBudget } from '../src/analysis/solve.ts';
import { BudgetError } from '../src/core/errors.ts';
import { type ExactBudget, FULL_BUDGET } from '../src/engines/exact/budget.ts';
import { loadKernel, SystemKernel } from '../src/engines/kernel/kernel.ts';
import { SHIPPED_REGISTRY } from '../src/rules/index.ts';
import { loadScenario } from '../src/rules/scenario/index.ts';
import type { Scenario } from '../src/rules/system.ts';
import { createCountsShape } from '../src/stats/counts.ts';
import { grid } from './grid.ts';
import { type Contender, race } from './race.ts';
import type { Options, Row } from './row.ts';
import { SEED } from './subjects.ts';

/** Budget of a fraction of a second. */
const QUICK_BUDGET: ExactBudget = { steps: 50_000, moves: 10_000_000 };

const BATTLES = 4096;

function answer(scenario: Scenario, budget: ExactBudget): ExactResult | undefined {
  try {
    return solveWithBudget(scenario, budget);
  } catch (error) {
    if (error instanceof BudgetError) return undefined;
    throw error;
  }
}

/** Creates fresh instances that simulate new battles. */
async function playing(scenario: Scenario): Promise<Contender> {
  const system = SHIPPED_REGISTRY.system(scenario.system);
  const [module, shape, words] = [
    await loadKernel(system.id),
    createCountsShape(system.model(scenario)),
    system.encode(scenario),
  ];
  let from = 0;
  return () => {
    const kernel = new SystemKernel(module, shape, words);
    return () => {
      kernel.run(SEED, from, BATTLES);
      from += BATTLES;
      return BATTLES;
    };
  };
}

/** Alternates exact answers and kernel calls; the best time of each counts. */
async function measure(file: string, { quick, say }: Options): Promise<Row | undefined> {
  const scenario = await loadScenario(`scenarios/${file}`);
  const budget = quick ? QUICK_BUDGET : FULL_BUDGET;
  const first = answer(scenario, budget);
  if (first === undefined) {
    say(`${file}: no exact results within ${budget.steps.toLocaleString('en')} steps`);
    return undefined;
  }
  const turns = Math.max(1, Math.min(quick ? 5 : 25, Math.ceil((quick ? 0.2 : 2) / first.elapsedSeconds)));
  const solving = () => () => {
    solveWithBudget(scenario, budget);
    return 1;
  };
  const contenders = { exact: solving, kernel: await playing(scenario) };
  const times = await race(contenders, { turns, time: 10, samples: 1, warmUp: 0 });
  const [exact, battle] = ['exact', 'kernel'].map((name) => Math.min(...(times.get(name) ?? []))) as [number, number];
  return {
    suite: 'exact',
    name: file.replace('.yaml', ''),
    value: exact / 1e6,
    unit: 'ms',
    ratio: exact / battle,
    of: 'kernel battles',
    note: `${first.states.toLocaleString('en')} states, ${(exact / first.steps).toFixed(0)} ns a step`,
  };
}

export async function exact(options: Options): Promise<Row[]> {
  const rows = await grid(options.quick);
  for (const file of readdirSync('scenarios').sort()) {
    const row = await measure(file, options);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}
