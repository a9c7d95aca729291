/** Models that take laws and roll faces: the automaton plays the reference model's battles, and the exact answer is theirs. */
import { expect, test } from 'vitest';
import { endingsFrom } from '../../src/agents/evaluate/evaluate.ts';
import { shapeOf } from '../../src/answers/tally.ts';
import type { Door } from '../../src/core/chance/door.ts';
import { branches } from '../../src/core/chance/enumerated.ts';
import { Sampled } from '../../src/core/chance/sampled.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { count, d, map, opposed, times } from '../../src/core/laws/index.ts';
import { compile } from '../../src/engines/automaton/compile.ts';
import { encodeAutomaton } from '../../src/engines/automaton/encode.ts';
import { FULL_BUDGET } from '../../src/engines/exact/budget.ts';
import { endingsOf } from '../../src/engines/kernel/chain.ts';
import { EndingsKernel } from '../../src/engines/kernel/endings.ts';
import { loadKernel } from '../../src/engines/kernel/kernel.ts';
import { playBattle } from '../../src/rules/battle.ts';
import type { Model } from '../../src/rules/system.ts';
import { some } from '../depth.ts';

interface Siege {
  readonly round: number;
  readonly attackers: number;
  readonly defenders: number;
  readonly stage: 'rest' | 'volley' | 'assault';
}

const WORDS = 3;
const WALLS = times(2, d(4));

/** A volley of opposed pools, then sorted dice against each other, ties to the defender. */
function volley(state: Siege, door: Door, hit: (face: number) => boolean): Siege {
  const { attackers, defenders } = state;
  // Made anew at every step, as rules may.
  const left = opposed(count(attackers, d(6), hit), count(defenders, d(6), hit));
  const lost = Math.min(defenders, door.take(map(left, (hits) => Math.floor(hits / 2))));
  return { ...state, stage: 'assault', defenders: defenders - lost };
}

function assault(state: Siege, door: Door): Siege {
  const { attackers, defenders } = state;
  const attack = door.roll(Math.min(3, attackers), 6);
  const defence = door.roll(Math.min(2, defenders), 6);
  const pairs = Math.min(attack.length, defence.length);
  const won = defence.filter((face, k) => k < pairs && (attack[k] ?? 0) > face).length;
  return { ...state, stage: 'rest', attackers: attackers - pairs + won, defenders: defenders - won };
}

function siege(maxRounds: number): Model<Siege> {
  return {
    outcomes: ['attacker', 'defender', 'stalemate'],
    metrics: [
      { name: 'attackers', min: 0, max: 100 },
      { name: 'rounds', min: 0, max: maxRounds },
    ],
    maxRounds,
    roundsMetric: 1,
    roundWords: WORDS,
    start: (door) => {
      door.seek(0);
      return { round: 0, attackers: 6, defenders: door.take(WALLS), stage: 'rest' };
    },
    step(state, door) {
      const round = state.stage === 'rest' ? state.round + 1 : state.round;
      door.seek(round * WORDS + (state.stage === 'assault' ? 1 : 0));
      return state.stage === 'assault'
        ? assault({ ...state, round }, door)
        : volley({ ...state, round }, door, (face) => face >= 5);
    },
    resting: ({ stage }) => stage === 'rest',
    outcome: ({ attackers, defenders }) => (defenders < 1 ? 'attacker' : attackers < 1 ? 'defender' : undefined),
    measure: ({ attackers, round }) => [attackers, round],
    key: ({ attackers, defenders, stage }) => `${String(attackers)},${String(defenders)},${stage}`,
  };
}

test.each(some([2, 30]))('rounds with laws and sorted faces, %d of them, as an automaton', async (maxRounds) => {
  const model = siege(maxRounds);
  const automaton = compile(model, 200_000);
  if (automaton === undefined) throw new Error('not compiled');
  const { endings, rounds } = automaton;
  const kernel = EndingsKernel.compiled(
    await loadKernel('rounds', 'release'),
    shapeOf(model),
    endings,
    encodeAutomaton(automaton),
    rounds,
  );
  const shares = new Map<string, number>();
  for (let index = 0; index < 3000; index++) {
    const played = playBattle(model, new Sampled(Stream.of(7n, index)));
    expect(kernel.play(7n, index), `battle ${String(index)}`).toEqual(played);
    shares.set(String(played.outcome), (shares.get(String(played.outcome)) ?? 0) + 1 / 3000);
  }
  kernel.close();
  for (const outcome of model.outcomes.keys()) {
    const exact = endingsOf(model, FULL_BUDGET)
      .filter((ending) => ending.outcome === outcome)
      .reduce((sum, { probability }) => sum + probability, 0);
    // Five standard errors: odds of a false alarm 6e-7.
    const spread = Math.sqrt((exact * (1 - exact)) / 3000);
    expect(Math.abs((shares.get(String(outcome)) ?? 0) - exact)).toBeLessThanOrEqual(5 * spread);
  }
});

test('from a state on, whoever decides, the exact answer is the same where nobody decides', () => {
  const model = siege(30);
  const state: Siege = { round: 0, attackers: 3, defenders: 3, stage: 'rest' };
  const uniform = endingsFrom(model, { state, answers: [] }, 'uniform', FULL_BUDGET);
  expect(uniform).toEqual(endingsFrom(model, { state, answers: [] }, 'scenario', FULL_BUDGET));
  expect(uniform.length).toBeGreaterThan(5);
});

test('three sorted dice against two: 2890, 2611 and 2275 of 7776', () => {
  const lost = new Map<number, number>();
  for (const { value, probability } of branches((door) => {
    const after = assault({ round: 1, attackers: 6, defenders: 4, stage: 'assault' }, door);
    return 4 - after.defenders;
  }))
    lost.set(value, (lost.get(value) ?? 0) + 7776 * probability);
  for (const [value, ways] of [
    [2, 2890],
    [1, 2611],
    [0, 2275],
  ] as const)
    expect(lost.get(value)).toBeCloseTo(ways, 9);
});
