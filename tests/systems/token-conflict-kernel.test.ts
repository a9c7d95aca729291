/**
 * Token conflict: model, kernel and exact solver against a second implementation of the rules, over generated
 * scenarios.
 */
import { describe, expect, it } from 'vitest';
import { SampledChance } from '../../src/core/chance/sampled-chance.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { solveModel } from '../../src/engines/kernel/chain-solver.ts';
import { playBattle } from '../../src/rules/play-battle.ts';
import { createCountDistribution, type TokenConflict } from '../../src/rules/token-conflict/fields.ts';
import { tokenConflict } from '../../src/rules/token-conflict/index.ts';
import { listValueCounts } from '../../src/stats/counts.ts';
import { DEPTH } from '../depth.ts';
import { keyTest, Twins, tellingTest, turnTests } from './alike.ts';
import { bruteForce } from './token-conflict-brute.ts';
import { dealt, PLAYERS } from './token-conflict-dealt.ts';
import { scenario } from './token-conflict-fight.ts';

const SCENARIOS = DEPTH > 1 ? 400 : 120;
const BATTLES = 8 * DEPTH;
const SEED = 404n;

/** Yields the scenario with each combination of drawn counts, and its probability. */
function* drawings(given: TokenConflict): Generator<{ drawn: TokenConflict; probability: number }> {
  const distributions = given.areas.flatMap(({ tokens }, a) =>
    Object.entries(tokens).map(([name, each]) => ({ a, name, ...createCountDistribution(each) })),
  );
  const ways = distributions.reduce((product, { values }) => product * values.length, 1);
  for (let way = 0; way < ways; way++) {
    const areas = given.areas.map((area) => ({ ...area, tokens: { ...area.tokens } }));
    let [rest, probability] = [way, 1];
    for (const { a, name, values, weights } of distributions) {
      const k = rest % values.length;
      rest = Math.floor(rest / values.length);
      probability *= (weights[k] ?? 0) / weights.reduce((sum, weight) => sum + weight, 0);
      const area = areas[a];
      if (area !== undefined) area.tokens[name] = values[k] ?? 0;
    }
    yield { drawn: { ...given, areas }, probability };
  }
}

const ways = (given: TokenConflict) =>
  given.areas
    .flatMap(({ tokens }) => Object.values(tokens))
    .reduce<number>((product, each) => product * createCountDistribution(each).values.length, 1);

const scenarios = Array.from({ length: SCENARIOS }, (_, index) => dealt(index));
const all = { system: tokenConflict, scenarios, seed: SEED };

describe('the model', () => {
  it('equals a second implementation of the rules', () => {
    const seen = new Map<string, number>();
    for (const given of scenarios) {
      const [first] = drawings(given);
      const drawn = first?.drawn ?? given;
      const model = tokenConflict.model(drawn);
      const simulated = playBattle(model, new SampledChance(Stream.forBattle(SEED, 0)));
      const { outcome, metrics } = bruteForce(drawn);
      const expected = model.metrics.map(({ name }) => metrics[name] ?? 0);
      expect({ drawn, outcome: model.outcomes[simulated.outcome], metrics: simulated.metrics }).toEqual({
        ...{ drawn, outcome },
        metrics: expected,
      });
      for (const part of outcome.split(' + ')) seen.set(part, (seen.get(part) ?? 0) + 1);
    }
    expect([...seen.keys()]).toEqual(
      expect.arrayContaining([...PLAYERS, 'coexist', 'empty', 'city-destroyed', 'repelled']),
    );
    expect(seen.get('city-destroyed')).toBeGreaterThan(SCENARIOS / 8);
  });

  tellingTest(all, DEPTH > 1 ? 1 : 4);
  turnTests({ ...all, scenarios: scenarios.slice(0, 0.3 * SCENARIOS) }, 3);
});

describe('the kernel', () => {
  const counterparts = new Twins(all);

  it(`equals the reference over ${String(SCENARIOS)} scenarios`, () => {
    for (const given of scenarios) counterparts.expectSame(given, BATTLES);
  });

  it('passes cards and stocks on from city to city', () => {
    const areas = [
      { name: 'Thebes', limit: 30, city: 'c', tokens: { a: 7 } },
      { name: 'Ashur', limit: 30, city: 'a', tokens: { b: [6, 8] } },
      { name: 'Sais', limit: 30, city: 'b', tokens: { c: 7 } },
    ];
    const players = { c: { hand: 1, stock: 6, rank: 1 }, a: { stock: 5, rank: 2 }, b: { stock: 4, rank: 3 } };
    counterparts.expectSame(scenario({ areas, players }), 20);
  });

  it('supports the largest numbers of areas and players', () => {
    const crowd = Object.fromEntries(Array.from({ length: 16 }, (_, k) => [`p${String(k)}`, 1 + k]));
    const areas = Array.from({ length: 64 }, (_, k) => ({ name: `Area ${String(k)}`, limit: k, tokens: crowd }));
    const more = Object.fromEntries(Array.from({ length: 48 }, (_, k) => [`q${String(k)}`, { stock: 1 }]));
    counterparts.expectSame(scenario({ areas, players: more }), 3);
  });

  it('supports the largest counts', () => {
    const areas = [{ name: 'Delta', limit: 1, tokens: { a: [0, 1000], b: [0, 1000], c: 1000 } }];
    const players = { a: { advances: ['navalWarfare'], ships: { Delta: 1000 } } };
    counterparts.expectSame(scenario({ areas, players }), 30);
  });
});

/** Compares the distribution of the solver with an enumeration of all cases. */
function expectLaw(given: TokenConflict): void {
  const model = tokenConflict.model(given);
  const { distribution: exactDistribution, lost } = solveModel(model);
  expect(lost).toBe(0);
  const outcomes = new Map<string, number>();
  const values = model.metrics.map(() => new Map<number, number>());
  for (const { drawn, probability } of drawings(given)) {
    const { outcome, metrics } = bruteForce(drawn);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + probability);
    for (const [m, { name }] of model.metrics.entries()) {
      const value = metrics[name] ?? 0;
      values[m]?.set(value, (values[m].get(value) ?? 0) + probability);
    }
  }
  for (const [o, name] of model.outcomes.entries()) {
    expect(exactDistribution.outcomes[o]).toBeCloseTo(outcomes.get(name) ?? 0, 12);
  }
  for (const [m, expected] of values.entries()) {
    const found = listValueCounts(exactDistribution, m);
    expect(found.map(([value]) => value)).toEqual([...expected.keys()].sort((a, b) => a - b));
    for (const [value, p] of found) expect(p).toBeCloseTo(expected.get(value) ?? 0, 12);
  }
}

describe('the exact solver', () => {
  it.runIf(DEPTH > 1)('returns the distribution of an enumeration of all cases', () => {
    const small = scenarios.filter((given) => ways(given) > 1 && ways(given) <= 60).slice(0, 150);
    expect(small.length).toBe(150);
    for (const given of small) expectLaw(given);
  });

  it('distinguishes states that differ only in adjacent tokens or ships', () => {
    const areas = [
      { name: 'Delta', limit: 0, tokens: { a: 1, b: { 2: 1, 3: 1 } } },
      { name: 'Nubia', limit: 0, tokens: { a: 1, b: { 5: 1, 6: 1 } } },
    ];
    const pool = { Delta: 9, Nubia: 4 };
    expectLaw(scenario({ areas, players: { a: { advances: ['advancedMilitary'], adjacent: pool } } }));
    expectLaw(scenario({ areas, players: { a: { advances: ['navalWarfare'], ships: pool } } }));
  });

  keyTest(all, { most: DEPTH > 1 ? 30 : 10, compared: 10, merged: 0 });

  it.runIf(DEPTH > 1)('merges states of finished areas', () => {
    const areas = Array.from({ length: 4 }, (_, k) => ({
      name: `Area ${String(k)}`,
      limit: 1,
      tokens: { a: [1, 4], b: [1, 4] },
    }));
    const model = tokenConflict.model(scenario({ areas }));
    const whole = solveModel({ ...model, key: (state) => JSON.stringify(state) }, { steps: 4_000_000, moves: 1e9 });
    const merged = solveModel(model);
    expect(merged.states).toBeLessThan(0.7 * whole.states);
    for (const [o, p] of whole.distribution.outcomes.entries())
      expect(merged.distribution.outcomes[o]).toBeCloseTo(p, 12);
    expect(listValueCounts(merged.distribution, 0).map(([value]) => value)).toEqual(
      listValueCounts(whole.distribution, 0).map(([value]) => value),
    );
  });
});
