/** Chooses who plays a run, and makes ready what the players are opened with. */

import { BudgetError, formatGrouped, InputError } from '../../core/index.ts';
import {
  type BoundScenario,
  createRulesErrorHandler,
  getBoundScenario,
  playSeededBattle,
  type Scenario,
} from '../../rules/index.ts';
import { addBattle, createCountsShape, createEmptyCounts, summarizeDistribution } from '../../stats/index.ts';
import {
  type CompileFailure,
  type CompileLimits,
  createBudget,
  FULL_BUDGET,
  suggestLargerBudget,
} from '../exact/budget.ts';
import { solveFinalStates } from '../kernel/chain-solver.ts';
import { createAliasTable } from '../kernel/final-state-kernel.ts';
import { loadKernel } from '../kernel/kernel.ts';
import type { ExplorationCost } from './cost-model.ts';
import { checkDistribution, crossCheckAutomaton, crossCheckDistribution, crossCheckRules } from './cross-check.ts';
import type { AutomatonSetup, PreparedRun, RunRequest, SampledSetup, ScenarioSetup } from './run.ts';

// By what it is chosen who plays a run.

/** The most steps that compiling in the place of a kernel may take: about a second. */
const KERNEL_STEPS_MAX = 250_000;

/** The most steps that are explored unasked in the place of rules as written, which bounds the memory. */
const UNREQUESTED_STEPS_MAX = 2_000_000;

/** Steps that compiling a scenario may take, for so many battles; 0 where its kernel is faster than automata. */
export function computeStepLimit(battles: number, { system, scenario, model }: BoundScenario): number {
  if (model.roundsMetric !== undefined && system.compiles?.(scenario) !== true) return 0;
  return Math.min(KERNEL_STEPS_MAX, Math.floor(battles / (system.battlesPerStep ?? 20)));
}

/** Milliseconds for which rules are played to see how long a battle takes, twice: the first ones take longer. */
const TRIAL_MS = 4;

const measuredPaces = new WeakMap<Scenario, number>();

/** Seconds that a battle takes by the rules as written in one thread, from some battles of the run. */
function measurePace(open: BoundScenario, { seed, from, to }: RunRequest): number {
  let pace = measuredPaces.get(open.scenario);
  for (let time = 0; time < 2 && pace === undefined; time++) {
    const began = performance.now();
    let [battles, ms] = [0, 0];
    while (ms < TRIAL_MS && battles < to - from) {
      playSeededBattle(open, seed, from + battles++);
      ms = performance.now() - began;
    }
    if (time === 1 || ms > 10 * TRIAL_MS) pace = ms / 1000 / Math.max(1, battles);
  }
  measuredPaces.set(open.scenario, pace ?? 0);
  return pace ?? 0;
}

/** Steps that take no longer than to see how long a battle takes: so many are explored before, if there are as many battles. */
const FREE_STEPS = 2000;

/**
 * Exploring may take as long as the battles by so many threads. If it then was in vain, the run has taken twice as long as
 * the better choice would have; never more.
 * @param pace says how many seconds a battle takes
 */
export function createCompileLimits(pace: () => number, battles: number, threads: number): CompileLimits {
  const share = battles / threads;
  return { steps: UNREQUESTED_STEPS_MAX, freeSteps: Math.min(FREE_STEPS, share), seconds: () => pace() * share };
}

// Makes ready what the players of a run are opened with; threads need no schema and no table of their own.

/** The most ways to end that an alias table has room for. */
const FINAL_STATES_MAX = 2 ** 20;

export interface ChooseEngineOptions {
  /** Ends what takes long: the run is then left to the slowest player, which will not play it. */
  readonly signal?: AbortSignal | undefined;
  /** That would play the run by the rules as written; 1 unless said otherwise. */
  readonly threads?: number | undefined;
  /** Battles that are played in any case; those of the run unless it may end earlier. */
  readonly minBattles?: number | undefined;
  /** Steps that exploring rules without a kernel may take, in the place of the time that it may take. */
  readonly steps?: number | undefined;
}

interface CompiledSetup extends ExplorationCost {
  readonly setup: AutomatonSetup;
}

/** The scenario as an automaton, or why it is none. */
async function compileSetup(
  seed: bigint,
  open: BoundScenario,
  allowed: CompileLimits,
  signal: AbortSignal | undefined,
): Promise<CompiledSetup | CompileFailure> {
  const { model } = open;
  // The compiler is loaded where it pays alone: pages that play with a kernel go without.
  const { compileAutomatonAsync } = await import('../automaton/compile.ts');
  const automaton = await compileAutomatonAsync(model, allowed, signal).catch(createRulesErrorHandler(open));
  if ('because' in automaton) return automaton;
  const { encodeAutomaton } = await import('../automaton/encode-automaton.ts');
  const { finalStates, rounds, steps, seconds } = automaton;
  const module = await loadKernel(rounds === undefined ? 'automaton' : 'rounds');
  const code = encodeAutomaton(automaton);
  const setup: AutomatonSetup = {
    form: 'automaton',
    seed,
    module,
    shape: createCountsShape(model),
    finalStates,
    code,
    rounds,
  };
  crossCheckAutomaton(open, setup);
  return { setup, steps, seconds };
}

/** What of an allowance so much work goes beyond. */
function findExceededLimit(
  { steps, seconds }: ExplorationCost,
  { steps: most, freeSteps = 0, seconds: due }: CompileLimits,
): 'steps' | 'seconds' | undefined {
  if (steps > most) return 'steps';
  return due !== undefined && steps > freeSteps && seconds > due() ? 'seconds' : undefined;
}

/** The same, unless scenarios like it have shown that it is more than is allowed. */
async function tryCompile(
  seed: bigint,
  open: BoundScenario,
  allowed: CompileLimits,
  signal: AbortSignal | undefined,
): Promise<CompiledSetup | CompileFailure> {
  const { CostModel } = await import('./cost-model.ts');
  const outlook = new CostModel(open);
  const { expected } = outlook;
  const because = findExceededLimit(expected, allowed);
  if (because !== undefined) return { because, steps: Math.ceil(expected.steps), seconds: expected.seconds };
  const made = await compileSetup(seed, open, allowed, signal);
  const whole = 'setup' in made;
  if (whole || made.because !== 'signal') outlook.addSample(made, whole);
  return made;
}

/** An automaton that was asked for. */
async function compileRequested(
  { seed, budget }: RunRequest,
  open: BoundScenario,
  signal?: AbortSignal,
): Promise<PreparedRun<ScenarioSetup> | undefined> {
  const { steps, moves } = budget === undefined ? FULL_BUDGET : createBudget(budget);
  const made = await compileSetup(seed, open, { steps }, signal);
  if ('setup' in made) return { shape: open.shape, setup: made.setup, why: formatExplored(made) };
  if (made.because === 'signal') return undefined;
  const { formatSeconds, formatSteps, explainFailure } = await import('./engine-reasons.ts');
  if (made.because !== 'steps')
    throw new InputError('engine', 'an engine that supports this scenario', `automaton; ${explainFailure(made, open)}`);
  const price = `exploring ${formatSteps(made)} takes ${formatSeconds(made.seconds)} or more`;
  const suggested = suggestLargerBudget({ steps, moves }, { steps: made.steps });
  throw new BudgetError(`${price}; the budget is ${formatGrouped(steps)} steps`, { suggested });
}

const formatExplored = ({ steps }: CompiledSetup): string => `${formatGrouped(steps)} steps of the rules were explored`;

/** The exact law of the scenario, to draw from. */
async function createSampledSetup({ seed, budget }: RunRequest, open: BoundScenario): Promise<SampledSetup> {
  const { model, shape } = open;
  const endings = solveFinalStates(model, budget === undefined ? FULL_BUDGET : createBudget(budget));
  if (endings.length > FINAL_STATES_MAX) {
    const [found, most] = [endings.length, FINAL_STATES_MAX].map(formatGrouped);
    throw new BudgetError(`battles have ${String(found)} final states; the limit is ${String(most)}`);
  }
  const law = createEmptyCounts(shape);
  for (const { outcome, metrics, probability } of endings) addBattle(law, outcome, metrics, probability);
  checkDistribution(open, law.outcomes);
  crossCheckDistribution(open, summarizeDistribution(shape, law), endings.length);
  const table = createAliasTable(endings.map(({ probability }) => probability));
  const ways = endings.map(({ outcome, metrics }) => ({ outcome, metrics }));
  return { form: 'sampled', seed, module: await loadKernel('sampled'), shape, finalStates: ways, table };
}

/** A system with a kernel: an automaton where it is known to be faster, and the run long enough. */
async function chooseWithKernel(
  run: RunRequest,
  open: BoundScenario,
  signal?: AbortSignal,
): Promise<PreparedRun<ScenarioSetup> | undefined> {
  const { seed } = run;
  const { shape, system } = open;
  const steps = computeStepLimit(run.to - run.from, open);
  const made = steps === 0 ? undefined : await tryCompile(seed, open, { steps }, signal);
  if (made !== undefined && 'setup' in made) return { shape, setup: made.setup, why: formatExplored(made) };
  const words = open.encodeWords();
  if (words === undefined) return undefined;
  const setup: ScenarioSetup = { form: 'kernel', seed, module: await loadKernel(system.id), shape, words };
  return { shape, setup, why: `the kernel of ${system.id}` };
}

/** Rules without a kernel: they are explored for as long as they would take to play the battles. */
async function chooseWithoutKernel(
  run: RunRequest,
  open: BoundScenario,
  reference: ScenarioSetup,
  options: ChooseEngineOptions,
): Promise<PreparedRun<ScenarioSetup>> {
  const { threads = 1, minBattles = run.to - run.from, steps, signal } = options;
  const { shape } = open;
  const pace = () => measurePace(open, run);
  const allowed = steps === undefined ? createCompileLimits(pace, minBattles, threads) : { steps };
  // What is explored by steps follows from them alone, whatever was explored before.
  const made = await (steps === undefined ? tryCompile : compileSetup)(run.seed, open, allowed, signal);
  if ('setup' in made) return { shape, setup: made.setup, why: formatExplored(made) };
  crossCheckRules(open, run.to - run.from);
  const { explainFailure } = await import('./engine-reasons.ts');
  return {
    shape,
    setup: reference,
    pace: steps === undefined ? pace() : undefined,
    why: explainFailure(made, open, allowed),
  };
}

/**
 * Chooses who plays a run. The choice changes no battle.
 * @throws InputError if there is no such system, or the automaton is asked for and the rules cannot be compiled
 * @throws BudgetError if endings are to be drawn and there is no exact law, or the automaton is asked for and too large
 */
export async function chooseEngine(
  run: RunRequest,
  options: ChooseEngineOptions = {},
): Promise<PreparedRun<ScenarioSetup>> {
  const { engine, scenario, seed } = run;
  const open = getBoundScenario(scenario);
  const { shape, module: code } = open;
  const reference: ScenarioSetup = { form: 'reference', seed, scenario, module: code };
  if (engine === 'sampled') return { shape, setup: await createSampledSetup(run, open), why: 'requested' };
  const asked = engine === 'automaton' ? await compileRequested(run, open, options.signal) : undefined;
  if (asked !== undefined) return asked;
  if (engine !== 'kernel') {
    crossCheckRules(open, run.to - run.from);
    return { shape, setup: reference, why: 'requested' };
  }
  const fast = open.system.encode === undefined ? undefined : await chooseWithKernel(run, open, options.signal);
  return fast ?? (await chooseWithoutKernel(run, open, reference, options));
}
