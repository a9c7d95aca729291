/** Chooses the engine of a run, and prepares the setup of its simulators. */

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

// Criteria for the choice of an engine.

/** Maximum steps of compiling instead of using a kernel: about a second. */
const KERNEL_STEPS_MAX = 250_000;

/** Maximum steps of an automatic exploration of rules without a kernel, which bounds the memory. */
const UNREQUESTED_STEPS_MAX = 2_000_000;

/** Computes the steps for compiling a scenario with this number of battles; 0 if its kernel is faster than automata. */
export function computeStepLimit(battles: number, { system, scenario, model }: BoundScenario): number {
  if (model.roundsMetric !== undefined && system.compiles?.(scenario) !== true) return 0;
  return Math.min(KERNEL_STEPS_MAX, Math.floor(battles / (system.battlesPerStep ?? 20)));
}

/**
 * Trials that measure the pace of rules. The fastest one counts: the first battles take longer, and other programs can
 * interrupt a trial for longer than it takes.
 */
const TRIALS = { count: 8, ms: 1, totalMs: 40 };

const measuredPaces = new WeakMap<Scenario, number>();

/** Measures the seconds per battle of the reference engine in one thread, with battles of the run. */
function measurePace(open: BoundScenario, { seed, from, to }: RunRequest): number {
  const known = measuredPaces.get(open.scenario);
  if (known !== undefined) return known;
  let [pace, total] = [from < to ? Number.POSITIVE_INFINITY : 0, 0];
  for (let trial = 0; trial < TRIALS.count && total < TRIALS.totalMs; trial++) {
    const began = performance.now();
    let [battles, ms] = [0, 0];
    while (ms < TRIALS.ms && battles < to - from) {
      playSeededBattle(open, seed, from + battles++);
      ms = performance.now() - began;
    }
    pace = Math.min(pace, ms / 1000 / Math.max(1, battles));
    total += ms;
  }
  measuredPaces.set(open.scenario, pace);
  return pace;
}

/** Steps that take less time than measuring the pace: explored first, if there are as many battles. */
const FREE_STEPS = 2000;

/**
 * Allows exploration for half of the time that the battles would take in these threads: an automaton is then faster,
 * and without one the run takes at most 1.5 times as long as without exploration.
 * @param pace returns the seconds per battle
 */
export function createCompileLimits(pace: () => number, battles: number, threads: number): CompileLimits {
  const share = battles / threads;
  const freeSteps = Math.min(FREE_STEPS, share);
  return { steps: UNREQUESTED_STEPS_MAX, freeSteps, battles, seconds: () => (pace() * share) / 2 };
}

// Creates setups of simulators; threads then need neither schemas nor tables of their own.

/** Maximum number of final states of an alias table. */
const FINAL_STATES_MAX = 2 ** 20;

export interface ChooseEngineOptions {
  /** Aborts long preparations: the run then gets the slowest engine, but is not simulated. */
  readonly signal?: AbortSignal | undefined;
  /** Number of threads for the reference engine; default 1. */
  readonly threads?: number | undefined;
  /** Minimum number of simulated battles; default: all, unless the run may end early. */
  readonly minBattles?: number | undefined;
  /** Maximum steps of the exploration of rules without a kernel, instead of a time limit. */
  readonly steps?: number | undefined;
}

interface CompiledSetup extends ExplorationCost {
  readonly setup: AutomatonSetup;
}

/** Compiles the scenario to an automaton, or returns the reason of the failure. */
async function compileSetup(
  seed: bigint,
  open: BoundScenario,
  allowed: CompileLimits,
  signal: AbortSignal | undefined,
): Promise<CompiledSetup | CompileFailure> {
  const { model } = open;
  // Loaded on demand: pages that use a kernel do not need the compiler.
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

/** Returns the limit that an amount of work exceeds. */
function findExceededLimit(
  { steps, seconds }: ExplorationCost,
  { steps: most, freeSteps = 0, seconds: due }: CompileLimits,
): 'steps' | 'seconds' | undefined {
  if (steps > most) return 'steps';
  return due !== undefined && steps > freeSteps && seconds > due() ? 'seconds' : undefined;
}

/** Compiles a scenario, unless the cost of similar ones exceeds the limits. */
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

/** Compiles an automaton on request. */
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

/** Creates the setup for sampling from the exact distribution. */
async function createSampledSetup({ seed, budget }: RunRequest, open: BoundScenario): Promise<SampledSetup> {
  const { model, shape } = open;
  const results = solveFinalStates(model, budget === undefined ? FULL_BUDGET : createBudget(budget));
  if (results.length > FINAL_STATES_MAX) {
    const [found, most] = [results.length, FINAL_STATES_MAX].map(formatGrouped);
    throw new BudgetError(`battles have ${String(found)} final states; the limit is ${String(most)}`);
  }
  const distribution = createEmptyCounts(shape);
  for (const { outcome, metrics, probability } of results) addBattle(distribution, outcome, metrics, probability);
  checkDistribution(open, distribution.outcomes);
  crossCheckDistribution(open, summarizeDistribution(shape, distribution), results.length);
  const table = createAliasTable(results.map(({ probability }) => probability));
  const ways = results.map(({ outcome, metrics }) => ({ outcome, metrics }));
  return { form: 'sampled', seed, module: await loadKernel('sampled'), shape, finalStates: ways, table };
}

/** Chooses the engine of a system with a kernel: an automaton if it is faster and the run is long enough. */
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

/** Chooses the engine of rules without a kernel: explores them for at most the time of the simulation. */
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
  // An exploration with a step limit is deterministic, independently of previous ones.
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
 * Chooses the engine of a run. The choice does not change battles.
 * @throws InputError if there is no such system, or the engine is `automaton` and the rules cannot be compiled
 * @throws BudgetError if the engine is `sampled` and there is no exact distribution, or the engine is `automaton` and
 *   the automaton too large
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
  const requested = engine === 'automaton' ? await compileRequested(run, open, options.signal) : undefined;
  if (requested !== undefined) return requested;
  if (engine !== 'kernel') {
    crossCheckRules(open, run.to - run.from);
    return { shape, setup: reference, why: 'requested' };
  }
  const fast = open.system.encode === undefined ? undefined : await chooseWithKernel(run, open, options.signal);
  return fast ?? (await chooseWithoutKernel(run, open, reference, options));
}
