/** Makes ready what the players of a run are opened with; threads need no schema and no table of their own. */

import { summariseLaw } from '../../answers/summary.ts';
import { countBattle, emptyTally, shapeOf } from '../../answers/tally.ts';
import { grouped } from '../../core/chance/numerals.ts';
import { BudgetError, InputError } from '../../core/errors.ts';
import { tellRules } from '../../rules/guard.ts';
import { type Opened, opened } from '../../rules/opened.ts';
import type { Allowance, NotCompiled } from '../automaton/allowance.ts';
import { aliasTable } from '../exact/alias.ts';
import { budgetOf, FULL_BUDGET, largerBudget } from '../exact/budget.ts';
import { endingsOf } from '../kernel/chain.ts';
import { loadKernel } from '../kernel/load.ts';
import { about, allowanceFor, paceOf, sizeOf, stepsFor, whyNot } from './choice.ts';
import type { AutomatonSetup, PreparedRun, SampledSetup, Setup } from './forms.ts';
import { checkLaw, proveAutomaton, proveLaw, proveRules } from './proof.ts';
import type { Run } from './run.ts';

/** The most ways to end that an alias table has room for. */
const ENDINGS_MAX = 2 ** 20;

export interface SetupOptions {
  /** Ends what takes long: the run is then left to the slowest player, which will not play it. */
  readonly signal?: AbortSignal | undefined;
  /** That would play the run by the rules as written; 1 unless said otherwise. */
  readonly threads?: number | undefined;
  /** Battles that are played in any case; those of the run unless it may end earlier. */
  readonly due?: number | undefined;
  /** Steps that exploring rules without a kernel may take, in the place of the time that it may take. */
  readonly steps?: number | undefined;
}

interface CompiledSetup {
  readonly setup: AutomatonSetup;
  readonly steps: number;
}

/** The scenario as an automaton, or why it is none. */
async function compiled(
  seed: bigint,
  open: Opened,
  allowed: Allowance,
  signal: AbortSignal | undefined,
): Promise<CompiledSetup | NotCompiled> {
  const { model } = open;
  // The compiler is loaded where it pays alone: pages that play with a kernel go without.
  const { compilePatiently } = await import('../automaton/compile.ts');
  const automaton = await compilePatiently(model, allowed, signal).catch(tellRules(open));
  if ('because' in automaton) return automaton;
  const { encodeAutomaton } = await import('../automaton/encode.ts');
  const { endings, rounds, steps } = automaton;
  const module = await loadKernel(rounds === undefined ? 'automaton' : 'rounds');
  const code = encodeAutomaton(automaton);
  const setup: AutomatonSetup = { form: 'automaton', seed, module, shape: shapeOf(model), endings, code, rounds };
  proveAutomaton(open, setup);
  return { setup, steps };
}

/** An automaton that was asked for. */
async function askedFor({ seed, budget }: Run, open: Opened, signal?: AbortSignal): Promise<PreparedRun | undefined> {
  const { steps, moves } = budget === undefined ? FULL_BUDGET : budgetOf(budget);
  const made = await compiled(seed, open, { steps }, signal);
  if ('setup' in made) return { shape: open.shape, setup: made.setup, why: explored(made) };
  if (made.because === 'signal') return undefined;
  if (made.because !== 'steps')
    throw new InputError('engine', 'one that can play this scenario', `automaton; ${whyNot(made, open)}`);
  const price = `${sizeOf(made)} are to be explored, which takes ${about(made.seconds)} or more`;
  const suggested = largerBudget({ steps, moves }, { steps: made.steps });
  throw new BudgetError(`${price}; the budget is ${grouped(steps)} steps`, { suggested });
}

const explored = ({ steps }: CompiledSetup): string => `${grouped(steps)} steps of the rules were explored`;

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
  checkLaw(open, law.outcomes);
  proveLaw(open, summariseLaw(shape, law), endings.length);
  const table = aliasTable(endings.map(({ probability }) => probability));
  const ways = endings.map(({ outcome, metrics }) => ({ outcome, metrics }));
  return { form: 'sampled', seed, module: await loadKernel('sampled'), shape, endings: ways, table };
}

/** A system with a kernel: an automaton where it is known to be faster, and the run long enough. */
async function withKernel(run: Run, open: Opened, words: Int32Array<ArrayBuffer>, signal?: AbortSignal) {
  const { seed } = run;
  const { shape, system } = open;
  const steps = stepsFor(run.to - run.from, open);
  const made = steps === 0 ? undefined : await compiled(seed, open, { steps }, signal);
  if (made !== undefined && 'setup' in made) return { shape, setup: made.setup, why: explored(made) };
  const setup: Setup = { form: 'kernel', seed, module: await loadKernel(system.id), shape, words };
  return { shape, setup, why: `the kernel of ${system.id}` };
}

/** Rules without a kernel: they are explored for as long as they would take to play the battles. */
async function withoutKernel(run: Run, open: Opened, reference: Setup, options: SetupOptions): Promise<PreparedRun> {
  const { threads = 1, due = run.to - run.from, steps, signal } = options;
  const { shape } = open;
  const pace = steps === undefined ? paceOf(open, run) : undefined;
  const allowed = steps === undefined ? allowanceFor((pace ?? 0) * due, threads) : { steps };
  const made = await compiled(run.seed, open, allowed, signal);
  if ('setup' in made) return { shape, setup: made.setup, why: explored(made) };
  proveRules(open, run.to - run.from);
  return { shape, setup: reference, pace, why: whyNot(made, open, allowed) };
}

/**
 * Chooses who plays a run. The choice changes no battle.
 * @throws InputError if there is no such system, or the automaton is asked for and the rules cannot be compiled
 * @throws BudgetError if endings are to be drawn and there is no exact law, or the automaton is asked for and too large
 */
export async function prepare(run: Run, options: SetupOptions = {}): Promise<PreparedRun> {
  const { engine, scenario, seed } = run;
  const open = opened(scenario);
  const { shape, module: code } = open;
  const reference: Setup = { form: 'reference', seed, scenario, module: code };
  if (engine === 'sampled') return { shape, setup: await drawn(run, open), why: 'asked for' };
  const asked = engine === 'automaton' ? await askedFor(run, open, options.signal) : undefined;
  if (asked !== undefined) return asked;
  if (engine !== 'kernel') {
    proveRules(open, run.to - run.from);
    return { shape, setup: reference, why: 'asked for' };
  }
  const words = open.words();
  if (words !== undefined) return await withKernel(run, open, words, options.signal);
  return await withoutKernel(run, open, reference, options);
}
