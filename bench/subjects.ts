/** Benchmark scenarios, one for each system, with the contenders of their kernels. */

import { solveWithBudget } from '../src/analysis/solve.ts';
import { SampledChance } from '../src/core/chance/sampled-chance.ts';
import { Stream } from '../src/core/chance/stream.ts';
import { compileAutomaton } from '../src/engines/automaton/compile.ts';
import { type AutomatonCode, encodeAutomaton } from '../src/engines/automaton/encode-automaton.ts';
import { solveFinalStates } from '../src/engines/kernel/chain-solver.ts';
import { createAliasTable, FinalStateKernel } from '../src/engines/kernel/final-state-kernel.ts';
import { loadKernel, SystemKernel } from '../src/engines/kernel/kernel.ts';
import { SHIPPED_REGISTRY } from '../src/rules/index.ts';
import { type BattleEnd, playBattle } from '../src/rules/play-battle.ts';
import { loadScenario } from '../src/rules/scenario/index.ts';
import type { Model, Scenario, State } from '../src/rules/system.ts';
import { addBattle, type Counts, type CountsShape, createCountsShape, createEmptyCounts } from '../src/stats/counts.ts';
import { computeDigest, hashScenario } from '../src/stats/digest.ts';
import { attrition } from './idiomatic/attrition.ts';
import { type Ending, generator, type IdiomaticBattle } from './idiomatic/battle.ts';
import { cubeBag } from './idiomatic/cube-bag.ts';
import { phasedDice } from './idiomatic/phased-dice.ts';
import { strengthCards } from './idiomatic/strength-cards.ts';
import { tokenConflict } from './idiomatic/token-conflict.ts';

export const SEED = 1n;

/** Number of battles for the comparison of contenders before the measurement. */
const CHECKED = { digest: 4096, law: 100_000 };

const FILES: Readonly<Record<string, IdiomaticBattle>> = {
  'attrition-direct.yaml': attrition,
  'phased-dice-ground.yaml': phasedDice,
  'cube-bag-siege.yaml': cubeBag,
  'strength-cards-pocket.yaml': strengthCards,
  'token-conflict-pirates.yaml': tokenConflict,
};

/** Scenario as an automaton. */
export interface Compiled {
  readonly endings: readonly BattleEnd[];
  /** True if it counts rounds separately from final states. */
  readonly hasRounds: boolean;
  readonly code: AutomatonCode;
  open(): FinalStateKernel;
}

export interface Subject {
  /** Name of the system. */
  readonly system: string;
  readonly file: string;
  readonly scenario: Scenario;
  readonly model: Model<State>;
  readonly shape: CountsShape;
  readonly words: Int32Array<ArrayBuffer>;
  readonly module: WebAssembly.Module;
  /** Automaton of the scenario, if possible. */
  readonly automaton: Compiled | undefined;
  /** Opens the sampler of final states from the exact distribution. */
  readonly sampled: () => FinalStateKernel;
  readonly idiomatic: IdiomaticBattle;
}

export function kernelOf({ module, shape, words }: Subject): SystemKernel {
  return new SystemKernel(module, shape, words);
}

function countReference({ model, shape }: Subject, battles: number): Counts {
  const counted = createEmptyCounts(shape);
  for (let index = 0; index < battles; index++) {
    const { outcome, metrics } = playBattle(model, new SampledChance(Stream.forBattle(SEED, index)));
    addBattle(counted, outcome, metrics);
  }
  return counted;
}

/** Compares kernel and reference over the first battles; returns their digest. @throws Error if they differ */
function checkDigest(subject: Subject): string {
  const { scenario, shape, system, automaton } = subject;
  const to = CHECKED.digest;
  const played = { scenarioHash: hashScenario(scenario), system, seed: SEED, from: 0, to };
  const expected = computeDigest(played, shape, countReference(subject, to));
  for (const kernel of [kernelOf(subject), ...(automaton === undefined ? [] : [automaton.open()])]) {
    kernel.run(SEED, 0, to);
    const found = computeDigest(played, shape, kernel.take());
    if (found !== expected) throw new Error(`${system}: kernel digest ${found}, reference digest ${expected}`);
  }
  return expected;
}

/** Maximum number of steps to compile a subject. */
const STEPS = 400_000;

const engines = {
  automaton: await loadKernel('automaton'),
  rounds: await loadKernel('rounds'),
  sampled: await loadKernel('sampled'),
};

function automatonOf(model: Model<State>): Subject['automaton'] {
  const automaton = compileAutomaton(model, STEPS);
  if (automaton === undefined) return undefined;
  const { finalStates: endings, rounds } = automaton;
  const module = rounds === undefined ? engines.automaton : engines.rounds;
  const code = encodeAutomaton(automaton);
  const hasRounds = rounds !== undefined;
  return {
    endings,
    code,
    hasRounds,
    open: () => FinalStateKernel.createCompiled(module, createCountsShape(model), endings, code, rounds),
  };
}

function sampledOf(model: Model<State>): Subject['sampled'] {
  const endings = solveFinalStates(model);
  const table = createAliasTable(endings.map(({ probability }) => probability));
  return () => FinalStateKernel.createSampled(engines.sampled, createCountsShape(model), endings, table);
}

function ended(result: Ending | string): Ending {
  return typeof result === 'string' ? { outcome: result, metrics: {} } : result;
}

/**
 * Uses five standard errors and a fixed seed; the probability of a false alarm is 6e-7 for each value.
 * @throws Error if the outcomes of the loop, or means of its metrics, disagree with the exact distribution
 */
function checkLaw({ system, scenario, idiomatic }: Subject): void {
  const rng = generator(1);
  const counts = new Map<string, number>();
  const sums = new Map<string, number>();
  for (let k = 0; k < CHECKED.law; k++) {
    const { outcome, metrics } = ended(idiomatic(rng));
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    for (const [name, value] of Object.entries(metrics)) sums.set(name, (sums.get(name) ?? 0) + value);
  }
  const { outcomes, metrics } = solveWithBudget(scenario).summary;
  const check = (name: string, sum: number, mean: number, variance: number): void => {
    const miss = sum / CHECKED.law - mean;
    if (Math.abs(miss) <= 5 * Math.sqrt(variance / CHECKED.law) + 1e-12) return;
    throw new Error(`${system}: the idiomatic loop deviates in ${name} by ${String(miss)}`);
  };
  for (const { name, p } of outcomes) check(name, counts.get(name) ?? 0, p, p * (1 - p));
  for (const [name, sum] of sums) {
    const law = metrics.find((metric) => metric.name === name);
    if (law === undefined) throw new Error(`${system}: the idiomatic loop reports ${name}, which is not a metric`);
    check(name, sum, law.mean, law.variance);
  }
}

/** Loads a subject and checks that all its engines agree. */
async function subjectOf(file: string, idiomatic: IdiomaticBattle, say: (text: string) => void): Promise<Subject> {
  const scenario = await loadScenario(`scenarios/${file}`);
  const system = SHIPPED_REGISTRY.system(scenario.system);
  const model = system.model(scenario);
  const module = await loadKernel(system.id);
  const fixed = { system: system.id, file, scenario, model, shape: createCountsShape(model), module, idiomatic };
  const others = { automaton: automatonOf(model), sampled: sampledOf(model) };
  const subject = { ...fixed, ...others, words: system.encode(scenario) };
  say(`${file}: digest ${checkDigest(subject).slice(0, 16)}, same for kernel and reference`);
  checkLaw(subject);
  return subject;
}

/** Loads and checks all subjects. */
export async function subjects(say: (text: string) => void): Promise<Subject[]> {
  const found: Subject[] = [];
  for (const [file, idiomatic] of Object.entries(FILES)) found.push(await subjectOf(file, idiomatic, say));
  return found;
}
