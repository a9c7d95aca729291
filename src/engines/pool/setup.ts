/** Whether the states of a battle count its rounds: then none of one round is one of another, and there are as many more. */

import { summariseLaw } from '../../answers/summary.ts';
import { countBattle, emptyTally, shapeOf } from '../../answers/tally.ts';
import { grouped } from '../../core/chance/numerals.ts';
import { Sampled } from '../../core/chance/sampled.ts';
import { Stream } from '../../core/chance/stream.ts';
import { BudgetError, InputError } from '../../core/errors.ts';
import { tellRules } from '../../rules/guard.ts';
import { type Opened, opened, playSeeded } from '../../rules/opened.ts';
import type { Model, Scenario, State } from '../../rules/system.ts';
import { type Allowance, budgetOf, FULL_BUDGET, largerBudget, type NotCompiled } from '../exact/budget.ts';
import { endingsOf } from '../kernel/chain.ts';
import { aliasTable } from '../kernel/endings.ts';
import { loadKernel } from '../kernel/kernel.ts';
import { Outlook, type Work } from './foresight.ts';
import { checkLaw, proveAutomaton, proveLaw, proveRules } from './proof.ts';
import type { AutomatonSetup, PreparedRun, Run, SampledSetup, Setup } from './run.ts';

/** Battles and states that are looked at. */
const LOOKED = { battles: 20, states: 2000 };

type Path = readonly string[];

/** The whole numbers of a state by their paths. */
function* numbersOf(value: unknown, path: Path = []): Generator<[name: string, path: Path, number: number]> {
  if (typeof value === 'number' && Number.isInteger(value)) yield [path.join('.'), path, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* numbersOf(inner, [...path, name]);
}

/** A state with one more at a path. */
function advanced(value: unknown, [name, ...path]: Path): unknown {
  if (name === undefined) return (value as number) + 1;
  const whole = value as Readonly<Record<string, unknown>>;
  const inner = advanced(whole[name], path);
  return Array.isArray(value) ? value.with(Number(name), inner) : { ...whole, [name]: inner };
}

/** States between two rounds. */
function* restingStates({ model }: { readonly model: Model<State> }): Generator<State> {
  let states = 0;
  for (let battle = 0; battle < LOOKED.battles && states < LOOKED.states; battle++) {
    const door = new Sampled(Stream.of(1n, battle));
    let state = model.start(door);
    while (model.outcome(state) === undefined && state.round <= model.maxRounds && states++ < LOOKED.states) {
      if (model.resting(state)) yield state;
      state = model.step(state, door);
    }
  }
}

/** The fields that are always as far from the number of the round as in the first state. */
function countersOf(states: readonly State[]): Path[] {
  const [first] = states;
  const apart = new Map([...numbersOf(first)].map(([name, path, number]) => [name, { path, number }]));
  apart.delete('round');
  apart.delete('phase');
  for (const state of states) {
    const found = new Map([...numbersOf(state)].map(([name, , number]) => [name, number]));
    for (const [name, { number }] of apart)
      if (found.get(name) !== number + state.round - (first?.round ?? 0)) apart.delete(name);
  }
  return [...apart.values()].map(({ path }) => path);
}

/**
 * The field of a battle's states that counts its rounds, as the author of the rules calls it: it is always as far from the
 * number of the round, and states that differ in it alone have different keys.
 * @returns undefined if there is none, or battles have too few rounds to tell
 */
export function roundCounter(open: { readonly model: Model<State> }): string | undefined {
  const states = [...restingStates(open)];
  const [first] = states;
  if (first === undefined || new Set(states.map(({ round }) => round)).size < 3) return undefined;
  const { model } = open;
  const path = countersOf(states).find((each) => model.key(advanced(first, each) as State) !== model.key(first));
  // The states of users lie below `at`.
  return path?.slice(path[0] === 'at' && path.length > 1 ? 1 : 0).join('.');
}

// By what it is chosen who plays a run, and how that is told.

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

/** A time, for people. */
const about = (seconds: number): string => `about ${grouped(Number(seconds.toPrecision(2)))} s`;

/** How many steps there are. */
const sizeOf = ({ steps }: NotCompiled): string => `at least ${grouped(steps)} steps`;

type Rules = Pick<Opened, 'model'>;

/** Why rules are played as written. */
export function whyNot(found: NotCompiled, open: Rules, allowed?: Allowance): string {
  const { because, steps, seconds } = found;
  switch (because) {
    case 'seconds': {
      const due = allowed?.seconds?.() ?? 0;
      const asked = 'the engine automaton explores them all the same';
      return `exploring ${sizeOf(found)} (${about(seconds)} or more) would take longer than these battles (${about(due)}); ${asked}${hint(open, due)}`;
    }
    case 'steps': {
      const budget = steps > FULL_BUDGET.steps ? ` with a budget of ${grouped(2 * steps)}` : '';
      const asked = `the engine automaton explores them${budget} (${about(seconds)} or more)`;
      return `${sizeOf(found)} are more than the ${grouped(allowed?.steps ?? 0)} that are explored unasked; ${asked}${hint(open)}`;
    }
    case 'keys':
      return 'the keys of its states take more memory than they may';
    case 'ways':
      return 'a draw has more ways than can be followed';
    case 'signal':
      return 'stopped before the rules were explored';
    case 'words':
      return 'the rounds have more words than an automaton can count, or do not tell how many';
    case 'draws':
      return 'more draws may follow each other in a round than an automaton can hold';
  }
}

/** Seconds that battles by the rules take before it is looked at why there are so many states. */
const WORTH_A_HINT = 0.2;

/** What authors can do about it, where it is worth the time to look. */
function hint(open: Rules, seconds = Number.POSITIVE_INFINITY): string {
  if (seconds < WORTH_A_HINT) return '';
  const field = roundCounter(open);
  if (field === undefined) return '';
  return `; its states count the rounds (${field}), so that none comes twice: rounds are counted anyhow`;
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
  const outlook = new Outlook(open);
  const { steps, seconds } = outlook.expected;
  const because = beyond({ steps, seconds }, allowed);
  if (because !== undefined) return { because, steps: Math.ceil(steps), seconds };
  const made = await compiled(seed, open, allowed, signal);
  const whole = 'setup' in made;
  if (whole || made.because !== 'signal') outlook.learn(made, whole);
  return made;
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
async function withKernel(run: Run, open: Opened, signal?: AbortSignal): Promise<PreparedRun | undefined> {
  const { seed } = run;
  const { shape, system } = open;
  const steps = stepsFor(run.to - run.from, open);
  const made = steps === 0 ? undefined : await attempted(seed, open, { steps }, signal);
  if (made !== undefined && 'setup' in made) return { shape, setup: made.setup, why: explored(made) };
  const words = open.words();
  if (words === undefined) return undefined;
  const setup: Setup = { form: 'kernel', seed, module: await loadKernel(system.id), shape, words };
  return { shape, setup, why: `the kernel of ${system.id}` };
}

/** Rules without a kernel: they are explored for as long as they would take to play the battles. */
async function withoutKernel(run: Run, open: Opened, reference: Setup, options: SetupOptions): Promise<PreparedRun> {
  const { threads = 1, due = run.to - run.from, steps, signal } = options;
  const { shape } = open;
  const pace = () => paceOf(open, run);
  const allowed = steps === undefined ? allowanceFor(pace, due, threads) : { steps };
  // What is explored by steps follows from them alone, whatever was explored before.
  const made = await (steps === undefined ? attempted : compiled)(run.seed, open, allowed, signal);
  if ('setup' in made) return { shape, setup: made.setup, why: explored(made) };
  proveRules(open, run.to - run.from);
  return { shape, setup: reference, pace: steps === undefined ? pace() : undefined, why: whyNot(made, open, allowed) };
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
  const fast = open.system.encode === undefined ? undefined : await withKernel(run, open, options.signal);
  return fast ?? (await withoutKernel(run, open, reference, options));
}
