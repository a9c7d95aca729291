/** Results of every shipped scenario: exact, or simulated if the exact answer is too expensive. */
import { readdirSync } from 'node:fs';
import { simulate } from '../../src/analysis/simulate.ts';
import { solveWithBudget } from '../../src/analysis/solve.ts';
import { createSideBudget } from '../../src/engines/exact/budget.ts';
import type { LuckInput } from '../../src/report/odds/luck.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { DEPTH, some } from '../depth.ts';

/** About one second. Scenarios that need more are simulated. */
const BUDGET = createSideBudget(20_000_000);

/** Number of simulated battles of a scenario beyond the budget. */
const BATTLES = 2000;

const FOLDERS = ['scenarios', 'examples/games', 'examples/systems'];

export interface Shipped {
  readonly file: string;
  readonly known: LuckInput;
}

async function knownOf(path: string, modules: readonly string[]): Promise<LuckInput> {
  const scenario = await loadScenario(path, modules.length === 0 ? {} : { systems: await loadSystems(modules) });
  try {
    const { summary, distribution: exactDistribution } = solveWithBudget(scenario, BUDGET);
    return { scenario, summary, counts: exactDistribution };
  } catch {
    const { summary, counts } = await simulate(scenario, { battles: BATTLES, seed: 1 });
    return { scenario, summary, counts, battles: BATTLES };
  }
}

async function inFolder(folder: string): Promise<Shipped[]> {
  const files = readdirSync(folder).toSorted();
  const systems = files.filter((file) => file.endsWith('.mjs')).map((file) => file.slice(0, -'.mjs'.length));
  const found: Shipped[] = [];
  const scenarios = files.filter((each) => each.endsWith('.yaml'));
  for (const file of DEPTH > 1 ? scenarios : some(scenarios)) {
    const modules = systems.filter((id) => file.startsWith(`${id}-`)).map((id) => `${folder}/${id}.mjs`);
    found.push({ file, known: await knownOf(`${folder}/${file}`, modules) });
  }
  return found;
}

/** Returns the results of all scenarios, or of some in the shallow suite, in the order of their names. */
export async function shipped(): Promise<Shipped[]> {
  return (await Promise.all(FOLDERS.map(inFolder))).flat();
}
