/** Makes ready what the players of a run are opened with; threads need no schema and no table of their own. */

import { compile } from '../automaton/compile.ts';
import { encodeAutomaton } from '../automaton/encode.ts';
import { grouped } from '../chance/numerals.ts';
import { BudgetError } from '../errors.ts';
import { aliasTable } from '../exact/alias.ts';
import { budgetOf, FULL_BUDGET } from '../exact/budget.ts';
import { endingsOf } from '../kernel/chain.ts';
import { loadKernel } from '../kernel/load.ts';
import { shapeOf, type TallyShape } from '../stats/tally.ts';
import { requireSystem } from '../systems/index.ts';
import type { Model, State } from '../systems/system.ts';
import type { AutomatonSetup, SampledSetup, Setup } from './player.ts';
import type { Run } from './run.ts';

/** Battles that must be played for each step of the model that compiling may take. */
const BATTLES_PER_STEP = 64;

/** The most steps that compiling may take: about a second. */
const STEPS_MAX = 250_000;

/** The most ways to end that an alias table has room for. */
const ENDINGS_MAX = 2 ** 20;

/** The scenario as an automaton, if the run is long enough to be worth it and the scenario small enough. */
async function compiled({ seed, from, to }: Run, model: Model<State>): Promise<AutomatonSetup | undefined> {
  // The kernels of systems with rounds are faster than their automata, by a factor of two to ten.
  if (model.roundsMetric !== undefined) return undefined;
  const automaton = compile(model, Math.min(STEPS_MAX, Math.floor((to - from) / BATTLES_PER_STEP)));
  if (automaton === undefined) return undefined;
  const { endings, rounds } = automaton;
  const module = await loadKernel(rounds === undefined ? 'automaton' : 'rounds');
  return { form: 'automaton', seed, module, shape: shapeOf(model), endings, code: encodeAutomaton(automaton), rounds };
}

/** The exact law of the scenario, to draw from. */
async function drawn({ seed, budget }: Run, model: Model<State>): Promise<SampledSetup> {
  const endings = endingsOf(model, budget === undefined ? FULL_BUDGET : budgetOf(budget));
  if (endings.length > ENDINGS_MAX) {
    const [found, most] = [endings.length, ENDINGS_MAX].map(grouped);
    throw new BudgetError(`battles end in ${String(found)} ways; at most ${String(most)} can be drawn from`);
  }
  const table = aliasTable(endings.map(({ probability }) => probability));
  const ways = endings.map(({ outcome, metrics }) => ({ outcome, metrics }));
  return { form: 'sampled', seed, module: await loadKernel('sampled'), shape: shapeOf(model), endings: ways, table };
}

export interface Prepared {
  readonly setup: Setup;
  readonly shape: TallyShape;
}

/**
 * @throws InputError if there is no such system
 * @throws BudgetError if endings are to be drawn and there is no exact law
 */
export async function prepare(run: Run): Promise<Prepared> {
  const { engine, scenario, seed } = run;
  const system = requireSystem(scenario.system);
  const model = system.model(scenario);
  const shape = shapeOf(model);
  if (engine === 'reference') return { shape, setup: { form: 'reference', seed, scenario } };
  if (engine === 'sampled') return { shape, setup: await drawn(run, model) };
  const automaton = await compiled(run, model);
  if (automaton !== undefined) return { shape, setup: automaton };
  const module = await loadKernel(system.id);
  return { shape, setup: { form: 'kernel', seed, module, shape, words: system.encode(scenario) } };
}
