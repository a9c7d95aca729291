/** Checks of exact answers, automata and runs against each other. */

import {
  contradiction,
  countsDigest,
  emptyTally,
  mergeTally,
  shapeOf,
  summarise,
  summariseLaw,
  type Tally,
  type TallyShape,
  toldContradiction,
  valueCounts,
} from '../answers/index.ts';
import { BudgetError, Sampled, Stream } from '../core/index.ts';
import {
  budgetOf,
  compile,
  conduct,
  EndingsKernel,
  encodeAutomaton,
  HERE,
  Kernel,
  loadKernel,
  openPlayer,
  prepare,
  roundCounter,
} from '../engines/index.ts';
import { type BattleResult, type Opened, openScenario, type Scenario, shown, watch } from '../rules/index.ts';
import { solveWithin } from '../studies/index.ts';
import { bruteLaw, explore } from './explore.ts';
import { type Check, type CheckedScenario, type CheckFound, percent, unchecked } from './finding.ts';

const KEY = 'Put into "key" all that the future depends on, or leave it out: then the whole state is the key.';

/** A hint where states of two rounds are never one. */
function counting(open: Opened): CheckFound[] {
  const field = roundCounter(open);
  if (field === undefined) return [];
  const message = `the states count the rounds (${field}): none of one round is ever one of another`;
  const advice =
    'So there are as many more for exact answers and fast runs as battles have rounds. Rounds are counted anyhow, in the ' +
    'metric "rounds", and "maxRounds" ends battles: leave it out unless the rules need it.';
  return [{ ok: true, message, advice }];
}

export const keys: Check = {
  id: 'keys',
  title: 'states of one key have one future',
  run({ open, effort }) {
    const { clashes, whole, states } = explore(open.model, effort.ways);
    const [clash] = clashes;
    if (clash === undefined)
      return [...(whole ? [] : [unchecked(`the first ${String(states)} states only`)]), ...counting(open)];
    const message = `two states have the key ${shown(clash.key)}, but differ in ${clash.differ}; ${clash.because}`;
    return [{ message, advice: `Exact answers and fast runs take one for the other. ${KEY}` }];
  },
};

/** An exact answer; undefined if it is too large. */
function solved(scenario: Scenario, steps: number): Tally | undefined {
  try {
    return solveWithin(scenario, { ...budgetOf(steps), brief: true }).law;
  } catch (error) {
    if (error instanceof BudgetError) return undefined;
    throw error;
  }
}

/** Probabilities of a law: of outcomes, and of the values of each metric with each. */
function* numbersOf({ outcomes, metrics }: TallyShape, law: Tally): Generator<[name: string, probability: number]> {
  for (const [o, outcome] of outcomes.entries()) {
    yield [outcome, law.outcomes[o] ?? 0];
    for (const [m, { name }] of metrics.entries())
      for (const [value, p] of valueCounts(law, m, o)) yield [`${name} ${String(value)} with ${outcome}`, p];
  }
}

/** The first number in which two laws differ. */
function difference(shape: TallyShape, one: Tally, other: Tally): string | undefined {
  const [a, b] = [new Map(numbersOf(shape, one)), new Map(numbersOf(shape, other))];
  for (const name of new Set([...a.keys(), ...b.keys()])) {
    const [p, q] = [a.get(name) ?? 0, b.get(name) ?? 0];
    if (Math.abs(p - q) > 1e-9) return `${name} has ${percent(p)}, but by playing every branch ${percent(q)}`;
  }
  return undefined;
}

/** The same scenario with fewer rounds; undefined if it has no such field. */
function shortened({ open }: CheckedScenario, rounds: number): Scenario | undefined {
  const { system, scenario, registry } = open;
  const result = system.schema.safeParse({ ...scenario, maxRounds: rounds });
  if (!result.success || system.model(result.data).maxRounds !== rounds) return undefined;
  return openScenario(result.data, registry);
}

export const exactly: Check = {
  id: 'exact',
  title: 'the exact answer is that of playing every branch of every battle',
  run(subject) {
    const { open, effort } = subject;
    let [scenario, brute] = [open.scenario, bruteLaw(open.model, effort.ways)];
    if (!brute.whole) {
      const shorter = brute.rounds > 0 ? shortened(subject, brute.rounds) : undefined;
      if (shorter === undefined) return [unchecked('too many branches')];
      [scenario, brute] = [shorter, bruteLaw(open.system.model(shorter), effort.ways)];
    }
    const law = brute.whole ? solved(scenario, 4 * effort.ways) : undefined;
    if (law === undefined) return [unchecked('too large for an exact answer')];
    const differs = difference(shapeOf(open.model), law, brute.law);
    if (differs !== undefined) {
      const rounds = scenario === open.scenario ? '' : ` (with maxRounds ${String(brute.rounds)})`;
      return [{ message: `the exact answer is wrong: ${differs}${rounds}`, advice: KEY }];
    }
    if (scenario === open.scenario) return [];
    return [{ ok: true, message: `the first ${String(brute.rounds)} rounds: there are too many branches for all` }];
  },
};

export const played: Check = {
  id: 'played',
  title: 'simulation and exact answer agree',
  async run({ open, seed, effort }) {
    const { scenario, shape } = open;
    const law = solved(scenario, 4 * effort.ways);
    if (law === undefined) return [unchecked('too large for an exact answer')];
    const run = { engine: 'kernel' as const, scenario, seed, from: 0, to: effort.compared, budget: undefined };
    // By steps, not by time: what is checked depends on no clock.
    const prepared = await prepare(run, { steps: effort.compared });
    const battles = prepared.setup.form === 'reference' ? effort.battles : effort.compared;
    const { tally } = await conduct({ ...run, to: battles }, HERE, { prepared });
    const found = contradiction(summarise(shape, tally), summariseLaw(shape, law), battles);
    if (found === undefined) return [];
    return [{ message: toldContradiction(found, battles), advice: `Chance does not do this. ${KEY}` }];
  },
};

/** One that plays battles of a run. */
interface Twin {
  readonly name: string;
  readonly play: (seed: bigint, battle: number) => BattleResult;
  readonly close: () => void;
}

async function twinsOf({ open, effort }: CheckedScenario): Promise<Twin[]> {
  const { model, shape, system } = open;
  const twins: Twin[] = [];
  const add = (name: string, kernel: Kernel | EndingsKernel): void => {
    twins.push({
      name,
      play: (seed, battle) => kernel.play(seed, battle),
      close: () => {
        kernel.close();
      },
    });
  };
  const automaton = compile(model, effort.compiled);
  if (automaton !== undefined) {
    const { endings, rounds } = automaton;
    const module = await loadKernel(rounds === undefined ? 'automaton' : 'rounds');
    add('the automaton', EndingsKernel.compiled(module, shape, endings, encodeAutomaton(automaton), rounds));
  }
  const words = open.words();
  if (words !== undefined) add('the kernel', new Kernel(await loadKernel(system.id), shape, words));
  return twins;
}

function compared({ open, seed, effort }: CheckedScenario, twin: Twin): CheckFound[] {
  const tell = ({ outcome, metrics }: BattleResult): string =>
    `${open.shape.outcomes[outcome] ?? ''} with ${metrics.join(', ')}`;
  let steps = 0;
  for (let battle = 0; battle < effort.battles && steps < effort.steps; battle++) {
    const told = watch(open.model, new Sampled(Stream.of(seed, battle)), effort.steps);
    steps += told.steps;
    if (told.result === undefined) continue;
    const [one, other] = [tell(told.result), tell(twin.play(seed, battle))];
    if (one === other) continue;
    const message = `by the rules a battle ends as ${one}, but ${twin.name} plays it as ${other}`;
    const advice =
      'States of one key must also use the same words of the stream for the same things: two units that change places ' +
      'are not one state if each has dice of its own.';
    return [{ message, advice, battle }];
  }
  return [];
}

export const automata: Check = {
  id: 'automaton',
  title: 'what plays fast plays the same battles as the rules',
  async run(subject) {
    const twins = await twinsOf(subject);
    if (twins.length === 0)
      return [unchecked('too large to be compiled: its battles are played by the rules as written, which is slower')];
    try {
      return twins.flatMap((twin) => compared(subject, twin)).slice(0, 1);
    } finally {
      for (const { close } of twins) close();
    }
  },
};

export const order: Check = {
  id: 'order',
  title: 'neither the cut of a run nor the order of its battles changes what is counted',
  async run({ open, seed, effort }) {
    const { scenario, shape } = open;
    const run = { engine: 'kernel' as const, scenario, seed, from: 0, to: effort.compiled, budget: undefined };
    const { setup } = await prepare(run, { steps: effort.compiled });
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
      const player = await openPlayer(setup);
      const tally = emptyTally(shape);
      for (const [from = 0, count = 0] of pieces) {
        player.play(from, count);
        mergeTally(tally, player.take());
      }
      player.close();
      digests.push(countsDigest(shape, tally));
    }
    if (new Set(digests).size === 1) return [];
    const message = `${String(battles)} battles are counted differently if they are played in parts or from the last to the first`;
    return [{ message, advice: 'Battles depend on those before. Keep all that a battle changes in its state.' }];
  },
};
