/** Chooses who plays a run, and makes ready what the players are opened with. */

import { countBattle, emptyTally, shapeOf, summariseLaw } from '../../answers/index.ts';
import { BudgetError, grouped, InputError } from '../../core/index.ts';
import { type Opened, opened, playSeeded, type Scenario, tellRules } from '../../rules/index.ts';
import { type Allowance, budgetOf, FULL_BUDGET, largerBudget, type NotCompiled } from '../exact/budget.ts';
import { endingsOf } from '../kernel/chain.ts';
import { aliasTable } from '../kernel/endings.ts';
import { loadKernel } from '../kernel/kernel.ts';
import type { Work } from './foresight.ts';
import { checkLaw, proveAutomaton, proveLaw, proveRules } from './proof.ts';
import type { AutomatonSetup, PreparedRun, Run, SampledSetup, SoloSetup } from './run.ts';

// By what it is chosen who plays a run.

/** The most steps that compiling in the place of a kernel may take: about a second. */
const KERNEL_MOST = 250_000;

/** The most steps that are explored unasked in the place of rules as written, which bounds the memory. */
const STEPS_MOST = 2_000_000;

/** Steps that compiling a scenario may take, for so many battles; 0 where its kernel is faster than automata. */
export function stepsFor(battles: number, { system, scenario, model }: Opened): number {
  if (model.roundsMetric !== undefined && system.compiles?.(scenario) !== true) return 0;
  return Math.min(KERNEL_MOST, Math.floor(battles / (system.battlesPerStep ?? 20)));
}

/** Milliseconds for which rules are played to see how long a battle takes, twice: the first ones take longer. */
const TRIED = 4;

const known = new WeakMap<Scenario, number>();

/** Seconds that a battle takes by the rules as written in one thread, from some battles of the run. */
function paceOf(open: Opened, { seed, from, to }: Run): number {
  let pace = known.get(open.scenario);
  for (let time = 0; time < 2 && pace === undefined; time++) {
    const began = performance.now();
    let [battles, ms] = [0, 0];
    while (ms < TRIED && battles < to - from) {
      playSeeded(open, seed, from + battles++);
      ms = performance.now() - began;
    }
    if (time === 1 || ms > 10 * TRIED) pace = ms / 1000 / Math.max(1, battles);
  }
  known.set(open.scenario, pace ?? 0);
  return pace ?? 0;
}

/** Steps that take no longer than to see how long a battle takes: so many are explored before, if there are as many battles. */
const FREE = 2000;

/**
 * Exploring may take as long as the battles by so many threads. If it then was in vain, the run has taken twice as long as
 * the better choice would have; never more.
 * @param pace says how many seconds a battle takes
 */
export function allowanceFor(pace: () => number, battles: number, threads: number): Allowance {
  const share = battles / threads;
  return { steps: STEPS_MOST, free: Math.min(FREE, share), seconds: () => pace() * share };
}

// Makes ready what the players of a run are opened with; threads need no schema and no table of their own.

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

interface CompiledSetup extends Work {
  readonly setup: AutomatonSetup;
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
  const { endings, rounds, steps, seconds } = automaton;
  const module = await loadKernel(rounds === undefined ? 'automaton' : 'rounds');
  const code = encodeAutomaton(automaton);
  const setup: AutomatonSetup = { form: 'automaton', seed, module, shape: shapeOf(model), endings, code, rounds };
  proveAutomaton(open, setup);
  return { setup, steps, seconds };
}

/** What of an allowance so much work goes beyond. */
function beyond(
  { steps, seconds }: Work,
  { steps: most, free = 0, seconds: due }: Allowance,
): 'steps' | 'seconds' | undefined {
  if (steps > most) return 'steps';
  return due !== undefined && steps > free && seconds > due() ? 'seconds' : undefined;
}

/** The same, unless scenarios like it have shown that it is more than is allowed. */
async function attempted(
  seed: bigint,
  open: Opened,
  allowed: Allowance,
  signal: AbortSignal | undefined,
): Promise<CompiledSetup | NotCompiled> {
  const { Outlook } = await import('./foresight.ts');
  const outlook = new Outlook(open);
  const { expected } = outlook;
  const because = beyond(expected, allowed);
  if (because !== undefined) return { because, steps: Math.ceil(expected.steps), seconds: expected.seconds };
  const made = await compiled(seed, open, allowed, signal);
  const whole = 'setup' in made;
  if (whole || made.because !== 'signal') outlook.learn(made, whole);
  return made;
}

/** An automaton that was asked for. */
async function askedFor(
  { seed, budget }: Run,
  open: Opened,
  signal?: AbortSignal,
): Promise<PreparedRun<SoloSetup> | undefined> {
  const { steps, moves } = budget === undefined ? FULL_BUDGET : budgetOf(budget);
  const made = await compiled(seed, open, { steps }, signal);
  if ('setup' in made) return { shape: open.shape, setup: made.setup, why: explored(made) };
  if (made.because === 'signal') return undefined;
  const { about, sizeOf, whyNot } = await import('./why.ts');
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
async function withKernel(run: Run, open: Opened, signal?: AbortSignal): Promise<PreparedRun<SoloSetup> | undefined> {
  const { seed } = run;
  const { shape, system } = open;
  const steps = stepsFor(run.to - run.from, open);
  const made = steps === 0 ? undefined : await attempted(seed, open, { steps }, signal);
  if (made !== undefined && 'setup' in made) return { shape, setup: made.setup, why: explored(made) };
  const words = open.words();
  if (words === undefined) return undefined;
  const setup: SoloSetup = { form: 'kernel', seed, module: await loadKernel(system.id), shape, words };
  return { shape, setup, why: `the kernel of ${system.id}` };
}

/** Rules without a kernel: they are explored for as long as they would take to play the battles. */
async function withoutKernel(
  run: Run,
  open: Opened,
  reference: SoloSetup,
  options: SetupOptions,
): Promise<PreparedRun<SoloSetup>> {
  const { threads = 1, due = run.to - run.from, steps, signal } = options;
  const { shape } = open;
  const pace = () => paceOf(open, run);
  const allowed = steps === undefined ? allowanceFor(pace, due, threads) : { steps };
  // What is explored by steps follows from them alone, whatever was explored before.
  const made = await (steps === undefined ? attempted : compiled)(run.seed, open, allowed, signal);
  if ('setup' in made) return { shape, setup: made.setup, why: explored(made) };
  proveRules(open, run.to - run.from);
  const { whyNot } = await import('./why.ts');
  return { shape, setup: reference, pace: steps === undefined ? pace() : undefined, why: whyNot(made, open, allowed) };
}

/**
 * Chooses who plays a run. The choice changes no battle.
 * @throws InputError if there is no such system, or the automaton is asked for and the rules cannot be compiled
 * @throws BudgetError if endings are to be drawn and there is no exact law, or the automaton is asked for and too large
 */
export async function prepare(run: Run, options: SetupOptions = {}): Promise<PreparedRun<SoloSetup>> {
  const { engine, scenario, seed } = run;
  const open = opened(scenario);
  const { shape, module: code } = open;
  const reference: SoloSetup = { form: 'reference', seed, scenario, module: code };
  if (engine === 'sampled') return { shape, setup: await drawn(run, open), why: 'asked for' };
  const asked = engine === 'automaton' ? await askedFor(run, open, options.signal) : undefined;
  if (asked !== undefined) return asked;
  if (engine !== 'kernel') {
    proveRules(open, run.to - run.from);
    return { shape, setup: reference, why: 'asked for' };
  }
  const fast = open.system.encode === undefined ? undefined : await withKernel(run, open, options.signal);
  return fast ?? (await withoutKernel(run, open, reference, options));
}
