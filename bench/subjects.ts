/** The scenarios on which kernels are measured, one a system, and what each is measured against. */

import { digest, scenarioHash } from '../src/answers/digest.ts';
import { countBattle, emptyTally, shapeOf, type Tally, type TallyShape } from '../src/answers/tally.ts';
import { Sampled } from '../src/core/chance/sampled.ts';
import { Stream } from '../src/core/chance/stream.ts';
import { compile } from '../src/engines/automaton/compile.ts';
import { type AutomatonCode, encodeAutomaton } from '../src/engines/automaton/encode.ts';
import { endingsOf } from '../src/engines/kernel/chain.ts';
import { aliasTable, EndingsKernel } from '../src/engines/kernel/endings.ts';
import { Kernel, loadKernel } from '../src/engines/kernel/kernel.ts';
import { type BattleResult, playBattle } from '../src/rules/battle.ts';
import { SHIPPED } from '../src/rules/index.ts';
import { loadScenario } from '../src/rules/scenario/index.ts';
import type { Model, Scenario, State } from '../src/rules/system.ts';
import { solveWithin } from '../src/studies/solve.ts';
import { attrition } from './idiomatic/attrition.ts';
import { type Ending, generator, type IdiomaticBattle } from './idiomatic/battle.ts';
import { cubeBag } from './idiomatic/cube-bag.ts';
import { phasedDice } from './idiomatic/phased-dice.ts';
import { strengthCards } from './idiomatic/strength-cards.ts';
import { tokenConflict } from './idiomatic/token-conflict.ts';

export const SEED = 1n;

/** Battles over which contenders are compared before they are timed. */
const CHECKED = { digest: 4096, law: 100_000 };

const FILES: Readonly<Record<string, IdiomaticBattle>> = {
  'attrition-direct.yaml': attrition,
  'phased-dice-ground.yaml': phasedDice,
  'cube-bag-siege.yaml': cubeBag,
  'strength-cards-pocket.yaml': strengthCards,
  'token-conflict-pirates.yaml': tokenConflict,
};

/** A scenario as an automaton. */
export interface Compiled {
  readonly endings: readonly BattleResult[];
  /** Whether it counts rounds apart from endings. */
  readonly hasRounds: boolean;
  readonly code: AutomatonCode;
  open(): EndingsKernel;
}

export interface Subject {
  /** The name of the system. */
  readonly system: string;
  readonly file: string;
  readonly scenario: Scenario;
  readonly model: Model<State>;
  readonly shape: TallyShape;
  readonly words: Int32Array<ArrayBuffer>;
  readonly module: WebAssembly.Module;
  /** The scenario compiled, if it can be. */
  readonly automaton: Compiled | undefined;
  /** Opens what draws endings from the exact law. */
  readonly sampled: () => EndingsKernel;
  readonly idiomatic: IdiomaticBattle;
}

export function kernelOf({ module, shape, words }: Subject): Kernel {
  return new Kernel(module, shape, words);
}

function countReference({ model, shape }: Subject, battles: number): Tally {
  const counted = emptyTally(shape);
  for (let index = 0; index < battles; index++) {
    const { outcome, metrics } = playBattle(model, new Sampled(Stream.of(SEED, index)));
    countBattle(counted, outcome, metrics);
  }
  return counted;
}

/** @throws Error unless kernels and reference count the same over the first battles; returns their digest */
function checkDigest(subject: Subject): string {
  const { scenario, shape, system, automaton } = subject;
  const to = CHECKED.digest;
  const played = { scenarioHash: scenarioHash(scenario), system, seed: SEED, from: 0, to };
  const expected = digest(played, shape, countReference(subject, to));
  for (const kernel of [kernelOf(subject), ...(automaton === undefined ? [] : [automaton.open()])]) {
    kernel.run(SEED, 0, to);
    const found = digest(played, shape, kernel.take());
    if (found !== expected) throw new Error(`${system}: kernel digest ${found}, reference digest ${expected}`);
  }
  return expected;
}

/** Steps that compiling a subject may take. */
const STEPS = 400_000;

const engines = {
  automaton: await loadKernel('automaton'),
  rounds: await loadKernel('rounds'),
  sampled: await loadKernel('sampled'),
};

function automatonOf(model: Model<State>): Subject['automaton'] {
  const automaton = compile(model, STEPS);
  if (automaton === undefined) return undefined;
  const { endings, rounds } = automaton;
  const module = rounds === undefined ? engines.automaton : engines.rounds;
  const code = encodeAutomaton(automaton);
  const hasRounds = rounds !== undefined;
  return {
    endings,
    code,
    hasRounds,
    open: () => EndingsKernel.compiled(module, shapeOf(model), endings, code, rounds),
  };
}

function sampledOf(model: Model<State>): Subject['sampled'] {
  const endings = endingsOf(model);
  const table = aliasTable(endings.map(({ probability }) => probability));
  return () => EndingsKernel.sampled(engines.sampled, shapeOf(model), endings, table);
}

function ended(result: Ending | string): Ending {
  return typeof result === 'string' ? { outcome: result, metrics: {} } : result;
}

/**
 * Five standard errors, the seed being fixed: odds of a false alarm 6e-7 for each figure.
 * @throws Error unless the loop's outcomes, and means of the metrics that it reports, are those of the exact law
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
  const { outcomes, metrics } = solveWithin(scenario).summary;
  const check = (name: string, sum: number, mean: number, variance: number): void => {
    const miss = sum / CHECKED.law - mean;
    if (Math.abs(miss) <= 5 * Math.sqrt(variance / CHECKED.law) + 1e-12) return;
    throw new Error(`${system}: the idiomatic loop misses ${name} by ${String(miss)}`);
  };
  for (const { name, p } of outcomes) check(name, counts.get(name) ?? 0, p, p * (1 - p));
  for (const [name, sum] of sums) {
    const law = metrics.find((metric) => metric.name === name);
    if (law === undefined) throw new Error(`${system}: the idiomatic loop reports ${name}, which is no metric`);
    check(name, sum, law.mean, law.variance);
  }
}

/** Loads a subject and checks that all who play it play the same. */
async function subjectOf(file: string, idiomatic: IdiomaticBattle, say: (text: string) => void): Promise<Subject> {
  const scenario = await loadScenario(`scenarios/${file}`);
  const system = SHIPPED.system(scenario.system);
  const model = system.model(scenario);
  const module = await loadKernel(system.id);
  const fixed = { system: system.id, file, scenario, model, shape: shapeOf(model), module, idiomatic };
  const others = { automaton: automatonOf(model), sampled: sampledOf(model) };
  const subject = { ...fixed, ...others, words: system.encode(scenario) };
  say(`${file}: digest ${checkDigest(subject).slice(0, 16)}, same for kernel and reference`);
  checkLaw(subject);
  return subject;
}

/** All subjects, checked. */
export async function subjects(say: (text: string) => void): Promise<Subject[]> {
  const found: Subject[] = [];
  for (const [file, idiomatic] of Object.entries(FILES)) found.push(await subjectOf(file, idiomatic, say));
  return found;
}
