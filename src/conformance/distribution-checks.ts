/** Comparisons of exact answers, automata and runs. */

import { solveWithBudget } from '../analysis/index.ts';
import { BudgetError, SampledChance, Stream } from '../core/index.ts';
import {
  chooseEngine,
  compileAutomaton,
  createBudget,
  encodeAutomaton,
  FinalStateKernel,
  findRoundCounter,
  LOCAL_EXECUTOR,
  loadKernel,
  openSimulator,
  SystemKernel,
  scheduleRun,
} from '../engines/index.ts';
import {
  type BattleEnd,
  type BoundScenario,
  bindScenario,
  formatValue,
  type Scenario,
  traceBattle,
} from '../rules/index.ts';
import {
  type Counts,
  type CountsShape,
  computeCountsDigest,
  createCountsShape,
  createEmptyCounts,
  describeContradiction,
  findContradiction,
  listValueCounts,
  mergeCounts,
  summarizeBattles,
  summarizeDistribution,
} from '../stats/index.ts';
import { enumerateBattles, explore } from './explore-states.ts';
import {
  type CheckedScenario,
  type CheckMessage,
  type ConformanceCheck,
  createUnchecked,
  formatPercent,
} from './findings.ts';

const KEY_ADVICE = 'Put all that affects the future into "key", or omit it: then the whole state is the key.';

/** Creates a hint if states of two rounds are never equal. */
function findRoundCounting(open: BoundScenario): CheckMessage[] {
  const field = findRoundCounter(open);
  if (field === undefined) return [];
  const message = `the states count rounds (${field}), so no state occurs in two rounds`;
  const advice =
    'Exact answers and fast runs need that many times more states. Rounds are always counted in the ' +
    'metric "rounds", and "maxRounds" ends battles: omit the field unless the rules need it.';
  return [{ ok: true, message, advice }];
}

export const keysCheck: ConformanceCheck = {
  id: 'keys',
  title: 'states with the same key have the same future',
  run({ open, effort }) {
    const { clashes, isComplete, states } = explore(open.model, effort.ways);
    const [clash] = clashes;
    if (clash === undefined)
      return [
        ...(isComplete ? [] : [createUnchecked(`only the first ${String(states)} states`)]),
        ...findRoundCounting(open),
      ];
    const message = `two states have the key ${formatValue(clash.key)}, but differ in ${clash.differ}; ${clash.because}`;
    return [{ message, advice: `Exact answers and fast runs confuse them. ${KEY_ADVICE}` }];
  },
};

/** Computes an exact answer; undefined if it is too large. */
function solveIfAffordable(scenario: Scenario, steps: number): Counts | undefined {
  try {
    return solveWithBudget(scenario, { ...createBudget(steps), skipEstimate: true }).distribution;
  } catch (error) {
    if (error instanceof BudgetError) return undefined;
    throw error;
  }
}

/** Yields probabilities of a distribution: of outcomes, and of metric values with each outcome. */
function* listProbabilities(
  { outcomes, metrics }: CountsShape,
  distribution: Counts,
): Generator<[name: string, probability: number]> {
  for (const [o, outcome] of outcomes.entries()) {
    yield [outcome, distribution.outcomes[o] ?? 0];
    for (const [m, { name }] of metrics.entries())
      for (const [value, p] of listValueCounts(distribution, m, o))
        yield [`${name} ${String(value)} with ${outcome}`, p];
  }
}

/** Describes the first difference of two distributions. */
function findDifference(shape: CountsShape, one: Counts, other: Counts): string | undefined {
  const [a, b] = [new Map(listProbabilities(shape, one)), new Map(listProbabilities(shape, other))];
  for (const name of new Set([...a.keys(), ...b.keys()])) {
    const [p, q] = [a.get(name) ?? 0, b.get(name) ?? 0];
    if (Math.abs(p - q) > 1e-9)
      return `${name} has ${formatPercent(p)}, but enumerating all branches gives ${formatPercent(q)}`;
  }
  return undefined;
}

/** Returns the scenario with fewer rounds; undefined if it has no such field. */
function shortenScenario({ open }: CheckedScenario, rounds: number): Scenario | undefined {
  const { system, scenario, registry } = open;
  const result = system.schema.safeParse({ ...scenario, maxRounds: rounds });
  if (!result.success || system.model(result.data).maxRounds !== rounds) return undefined;
  return bindScenario(result.data, registry);
}

export const exactCheck: ConformanceCheck = {
  id: 'exact',
  title: 'the exact answer agrees with an enumeration of all branches',
  run(subject) {
    const { open, effort } = subject;
    let [scenario, brute] = [open.scenario, enumerateBattles(open.model, effort.ways)];
    if (!brute.isComplete) {
      const shorter = brute.rounds > 0 ? shortenScenario(subject, brute.rounds) : undefined;
      if (shorter === undefined) return [createUnchecked('too many branches')];
      [scenario, brute] = [shorter, enumerateBattles(open.system.model(shorter), effort.ways)];
    }
    const distribution = brute.isComplete ? solveIfAffordable(scenario, 4 * effort.ways) : undefined;
    if (distribution === undefined) return [createUnchecked('too large for an exact answer')];
    const differs = findDifference(createCountsShape(open.model), distribution, brute.distribution);
    if (differs !== undefined) {
      const rounds = scenario === open.scenario ? '' : ` (with maxRounds ${String(brute.rounds)})`;
      return [{ message: `the exact answer is wrong: ${differs}${rounds}`, advice: KEY_ADVICE }];
    }
    if (scenario === open.scenario) return [];
    return [{ ok: true, message: `only the first ${String(brute.rounds)} rounds: too many branches` }];
  },
};

export const simulationCheck: ConformanceCheck = {
  id: 'played',
  title: 'simulation and exact answer agree',
  async run({ open, seed, effort }) {
    const { scenario, shape } = open;
    const distribution = solveIfAffordable(scenario, 4 * effort.ways);
    if (distribution === undefined) return [createUnchecked('too large for an exact answer')];
    const run = { engine: 'kernel' as const, scenario, seed, from: 0, to: effort.compared, budget: undefined };
    // Limited by steps instead of time, so that the check is reproducible.
    const prepared = await chooseEngine(run, { steps: effort.compared });
    const battles = prepared.setup.form === 'reference' ? effort.battles : effort.compared;
    const { counts } = await scheduleRun({ ...run, to: battles }, LOCAL_EXECUTOR, { prepared });
    const found = findContradiction(
      summarizeBattles(shape, counts),
      summarizeDistribution(shape, distribution),
      battles,
    );
    if (found === undefined) return [];
    return [{ message: describeContradiction(found, battles), advice: `This is not by chance. ${KEY_ADVICE}` }];
  },
};

/** Engine that simulates battles of a run. */
interface ComparedEngine {
  readonly name: string;
  readonly play: (seed: bigint, battle: number) => BattleEnd;
  readonly close: () => void;
}

async function openComparedEngines({ open, effort }: CheckedScenario): Promise<ComparedEngine[]> {
  const { model, shape, system } = open;
  const twins: ComparedEngine[] = [];
  const add = (name: string, kernel: SystemKernel | FinalStateKernel): void => {
    twins.push({
      name,
      play: (seed, battle) => kernel.play(seed, battle),
      close: () => {
        kernel.close();
      },
    });
  };
  const automaton = compileAutomaton(model, effort.compiled);
  if (automaton !== undefined) {
    const { finalStates, rounds } = automaton;
    const module = await loadKernel(rounds === undefined ? 'automaton' : 'rounds');
    add(
      'the automaton',
      FinalStateKernel.createCompiled(module, shape, finalStates, encodeAutomaton(automaton), rounds),
    );
  }
  const words = open.encodeWords();
  if (words !== undefined) add('the kernel', new SystemKernel(await loadKernel(system.id), shape, words));
  return twins;
}

function compareEngine({ open, seed, effort }: CheckedScenario, compared: ComparedEngine): CheckMessage[] {
  const describe = ({ outcome, metrics }: BattleEnd): string =>
    `${open.shape.outcomes[outcome] ?? ''} with ${metrics.join(', ')}`;
  let steps = 0;
  for (let battle = 0; battle < effort.battles && steps < effort.steps; battle++) {
    const reported = traceBattle(open.model, new SampledChance(Stream.forBattle(seed, battle)), effort.steps);
    steps += reported.steps;
    if (reported.result === undefined) continue;
    const [one, other] = [describe(reported.result), describe(compared.play(seed, battle))];
    if (one === other) continue;
    const message = `with the rules as written a battle ends as ${one}, but with ${compared.name} as ${other}`;
    const advice =
      'States with the same key must also use the same words of the stream for the same draws: two units that swap places ' +
      'are different states if each has separate dice.';
    return [{ message, advice, battle }];
  }
  return [];
}

export const automatonCheck: ConformanceCheck = {
  id: 'automaton',
  title: 'fast engines simulate the same battles as the rules as written',
  async run(subject) {
    const twins = await openComparedEngines(subject);
    if (twins.length === 0) return [createUnchecked('too large to compile: the slower rules as written simulate it')];
    try {
      return twins.flatMap((engine) => compareEngine(subject, engine)).slice(0, 1);
    } finally {
      for (const { close } of twins) close();
    }
  },
};

export const orderCheck: ConformanceCheck = {
  id: 'order',
  title: 'counts depend neither on the parts of a run nor on the order of its battles',
  async run({ open, seed, effort }) {
    const { scenario, shape } = open;
    const run = { engine: 'kernel' as const, scenario, seed, from: 0, to: effort.compiled, budget: undefined };
    const { setup } = await chooseEngine(run, { steps: effort.compiled });
    const battles = setup.form === 'reference' ? Math.min(60, effort.battles) : 600;
    const cut = Math.floor(battles / 3);
    const digests: string[] = [];
    for (const pieces of [
      [[0, battles]],
      [
        [cut, battles - cut],
        [0, cut],
      ],
      Array.from({ length: battles }, (_, k) => [battles - 1 - k, 1]),
    ]) {
      const player = await openSimulator(setup);
      const counts = createEmptyCounts(shape);
      for (const [from = 0, count = 0] of pieces) {
        player.play(from, count);
        mergeCounts(counts, player.take());
      }
      player.close();
      digests.push(computeCountsDigest(shape, counts));
    }
    if (new Set(digests).size === 1) return [];
    const message = `${String(battles)} battles have different counts if they are simulated in parts or in reverse order`;
    return [{ message, advice: 'Battles depend on earlier ones. Keep all that a battle changes in its state.' }];
  },
};
