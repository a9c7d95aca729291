/** Models that sample distributions and roll faces: automaton, reference and exact answer agree. */
import { expect, test } from 'vitest';
import type { Chance } from '../../src/core/chance/chance.ts';
import { enumerateBranches } from '../../src/core/chance/enumerated-chance.ts';
import { SampledChance } from '../../src/core/chance/sampled-chance.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { count, d, map, netSuccesses, times } from '../../src/core/distributions/index.ts';
import { compileAutomaton } from '../../src/engines/automaton/compile.ts';
import { encodeAutomaton } from '../../src/engines/automaton/encode-automaton.ts';
import { FULL_BUDGET } from '../../src/engines/exact/budget.ts';
import { solveFinalStates } from '../../src/engines/kernel/chain-solver.ts';
import { FinalStateKernel } from '../../src/engines/kernel/final-state-kernel.ts';
import { loadKernel } from '../../src/engines/kernel/kernel.ts';
import { enumerateResults } from '../../src/environments/evaluate/evaluator.ts';
import { playBattle } from '../../src/rules/play-battle.ts';
import type { Model } from '../../src/rules/system.ts';
import { createCountsShape } from '../../src/stats/counts.ts';
import { some } from '../depth.ts';

interface Siege {
  readonly round: number;
  readonly attackers: number;
  readonly defenders: number;
  readonly stage: 'rest' | 'volley' | 'assault';
}

const WORDS = 3;
const WALLS = times(2, d(4));

/** Runs a volley: net successes of one dice pool against another. */
function volley(state: Siege, chance: Chance, hit: (face: number) => boolean): Siege {
  const { attackers, defenders } = state;
  // Computed again at every step, as rules may do.
  const left = netSuccesses(count(attackers, d(6), hit), count(defenders, d(6), hit));
  const lost = Math.min(defenders, chance.sample(map(left, (hits) => Math.floor(hits / 2))));
  return { ...state, stage: 'assault', defenders: defenders - lost };
}

function assault(state: Siege, chance: Chance): Siege {
  const { attackers, defenders } = state;
  const attack = chance.roll(Math.min(3, attackers), 6);
  const defence = chance.roll(Math.min(2, defenders), 6);
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
    start: (chance) => {
      chance.seek(0);
      return { round: 0, attackers: 6, defenders: chance.sample(WALLS), stage: 'rest' };
    },
    step(state, chance) {
      const round = state.stage === 'rest' ? state.round + 1 : state.round;
      chance.seek(round * WORDS + (state.stage === 'assault' ? 1 : 0));
      return state.stage === 'assault'
        ? assault({ ...state, round }, chance)
        : volley({ ...state, round }, chance, (face) => face >= 5);
    },
    resting: ({ stage }) => stage === 'rest',
    outcome: ({ attackers, defenders }) => (defenders < 1 ? 'attacker' : attackers < 1 ? 'defender' : undefined),
    measure: ({ attackers, round }) => [attackers, round],
    key: ({ attackers, defenders, stage }) => `${String(attackers)},${String(defenders)},${stage}`,
  };
}

test.each(some([2, 30]))(
  'the automaton equals the reference in up to %d rounds with distributions and sorted faces',
  async (maxRounds) => {
    const model = siege(maxRounds);
    const automaton = compileAutomaton(model, 200_000);
    if (automaton === undefined) throw new Error('not compiled');
    const { finalStates: endings, rounds } = automaton;
    const kernel = FinalStateKernel.createCompiled(
      await loadKernel('rounds', 'release'),
      createCountsShape(model),
      endings,
      encodeAutomaton(automaton),
      rounds,
    );
    const shares = new Map<string, number>();
    for (let index = 0; index < 3000; index++) {
      const simulated = playBattle(model, new SampledChance(Stream.forBattle(7n, index)));
      expect(kernel.play(7n, index), `battle ${String(index)}`).toEqual(simulated);
      shares.set(String(simulated.outcome), (shares.get(String(simulated.outcome)) ?? 0) + 1 / 3000);
    }
    kernel.close();
    for (const outcome of model.outcomes.keys()) {
      const exact = solveFinalStates(model, FULL_BUDGET)
        .filter((ending) => ending.outcome === outcome)
        .reduce((sum, { probability }) => sum + probability, 0);
      // Five standard errors: odds of a false alarm 6e-7.
      const spread = Math.sqrt((exact * (1 - exact)) / 3000);
      expect(Math.abs((shares.get(String(outcome)) ?? 0) - exact)).toBeLessThanOrEqual(5 * spread);
    }
  },
);

test('enumerateResults ignores the policy if nobody decides', () => {
  const model = siege(30);
  const state: Siege = { round: 0, attackers: 3, defenders: 3, stage: 'rest' };
  const uniform = enumerateResults(model, { state, answers: [] }, 'uniform', FULL_BUDGET);
  expect(uniform).toEqual(enumerateResults(model, { state, answers: [] }, 'scenario', FULL_BUDGET));
  expect(uniform.length).toBeGreaterThan(5);
});

test('three sorted dice against two have 2890, 2611 and 2275 of 7776 cases', () => {
  const lost = new Map<number, number>();
  for (const { value, probability } of enumerateBranches((chance) => {
    const after = assault({ round: 1, attackers: 6, defenders: 4, stage: 'assault' }, chance);
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
