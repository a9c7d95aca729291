/** Makes ready what the players of a run are opened with; threads need no schema and no table of their own. */

import { grouped } from '../chance/numerals.ts';
import { BudgetError } from '../errors.ts';
import { aliasTable } from '../exact/alias.ts';
import { budgetOf, FULL_BUDGET } from '../exact/budget.ts';
import { endingsOf } from '../kernel/chain.ts';
import { loadKernel } from '../kernel/load.ts';
import { summariseLaw } from '../stats/summary.ts';
import { countBattle, emptyTally, shapeOf } from '../stats/tally.ts';
import { type Opened, opened } from '../systems/opened.ts';
import { tellRules } from '../systems/told.ts';
import type { AutomatonSetup, Prepared, SampledSetup, Setup } from './forms.ts';
import { proveAutomaton, proveLaw, proveRules } from './proof.ts';
import type { Run } from './run.ts';

/**
 * What compiling may take: battles that must be played for each step of the model, and the most steps. A step takes the
 * compiler 2 to 5 us, as long as ten battles of a kernel; whether there will be too many shows only when they were
 * taken, so as many again must be worth it. In the place of a kernel about a second; in that of the reference model, which
 * takes longer for a battle than the compiler for a step, some seconds, in which signals are heard.
 */
const WORTH = { kernel: { perStep: 20, most: 250_000 }, reference: { perStep: 1, most: 2_000_000 } };

/** The most ways to end that an alias table has room for. */
const ENDINGS_MAX = 2 ** 20;

/** Steps that compiling a scenario may take, for so many battles; 0 where its kernel is faster than automata. */
export function stepsFor(battles: number, { system, scenario, model }: Opened): number {
  const hasKernel = system.encode !== undefined;
  if (hasKernel && model.roundsMetric !== undefined && system.compiles?.(scenario) !== true) return 0;
  const { perStep, most } = WORTH[hasKernel ? 'kernel' : 'reference'];
  return Math.min(most, Math.floor(battles / perStep));
}

/** The scenario as an automaton, if the run is long enough to be worth it and the scenario small enough. */
async function compiled(
  { seed, from, to }: Run,
  open: Opened,
  signal: AbortSignal | undefined,
): Promise<AutomatonSetup | undefined> {
  const { model } = open;
  const steps = stepsFor(to - from, open);
  if (steps === 0) return undefined;
  // The compiler is loaded where it pays alone: pages that play with a kernel go without.
  const { compilePatiently } = await import('../automaton/compile.ts');
  const automaton = await compilePatiently(model, steps, signal).catch(tellRules(open));
  if (automaton === undefined) return undefined;
  const { encodeAutomaton } = await import('../automaton/encode.ts');
  const { endings, rounds } = automaton;
  const module = await loadKernel(rounds === undefined ? 'automaton' : 'rounds');
  const code = encodeAutomaton(automaton);
  const setup: AutomatonSetup = { form: 'automaton', seed, module, shape: shapeOf(model), endings, code, rounds };
  proveAutomaton(open, setup);
  return setup;
}

/** The exact law of the scenario, to draw from. */
async function drawn({ seed, budget }: Run, open: Opened): Promise<SampledSetup> {
  const { model, shape } = open;
  const endings = endingsOf(model, budget === undefined ? FULL_BUDGET : budgetOf(budget));
  if (endings.length > ENDINGS_MAX) {
    const [found, most] = [endings.length, ENDINGS_MAX].map(grouped);
    throw new BudgetError(`battles end in ${String(found)} ways; at most ${String(most)} can be drawn from`);
  }
  const law = emptyTally(shape);
  for (const { outcome, metrics, probability } of endings) countBattle(law, outcome, metrics, probability);
  proveLaw(open, summariseLaw(shape, law), endings.length);
  const table = aliasTable(endings.map(({ probability }) => probability));
  const ways = endings.map(({ outcome, metrics }) => ({ outcome, metrics }));
  return { form: 'sampled', seed, module: await loadKernel('sampled'), shape, endings: ways, table };
}

/**
 * @param signal ends what takes long: the run is then left to the slowest player, which will not play it
 * @throws InputError if there is no such system
 * @throws BudgetError if endings are to be drawn and there is no exact law
 */
export async function prepare(run: Run, signal?: AbortSignal): Promise<Prepared> {
  const { engine, scenario, seed } = run;
  const open = opened(scenario);
  const { system, shape, module: code } = open;
  const reference: Setup = { form: 'reference', seed, scenario, module: code };
  if (engine === 'reference') {
    proveRules(open, run.to - run.from);
    return { shape, setup: reference };
  }
  if (engine === 'sampled') return { shape, setup: await drawn(run, open) };
  const words = open.words();
  const automaton = await compiled(run, open, signal);
  if (automaton !== undefined) return { shape, setup: automaton };
  if (words === undefined) {
    proveRules(open, run.to - run.from);
    return { shape, setup: reference };
  }
  return { shape, setup: { form: 'kernel', seed, module: await loadKernel(system.id), shape, words } };
}
