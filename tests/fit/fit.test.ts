/** Estimates of fields from observed battles: planted values, coverage of the intervals, and wrong input. */
import { describe, expect, test } from 'vitest';
import { fitFields } from '../../src/analysis/fit/fit.ts';
import { type ObservedBattles, parseObservations } from '../../src/analysis/fit/observations.ts';
import { InputError, loadScenario, type Scenario, simulate, solveSync, updateScenario } from '../../src/index.ts';
import { getBoundScenario } from '../../src/rules/index.ts';
import { computeChiSquareTail, listValueCounts } from '../../src/stats/index.ts';
import { DEPTH } from '../depth.ts';
import { uniformOf } from '../stats/draws.ts';

const direct = await loadScenario('scenarios/attrition-direct.yaml');
const duel = updateScenario(direct, { 'attacker.hp': 9, 'defender.hp': 9 });

/** Simulates battles, and returns them as observations of outcomes and rounds. */
async function observe(scenario: Scenario, battles: number, seed: number): Promise<ObservedBattles[]> {
  const { counts, shape } = await simulate(scenario, { battles, seed });
  const rounds = shape.metrics.findIndex(({ name }) => name === 'rounds');
  return shape.outcomes.flatMap((outcome, o) =>
    listValueCounts(counts, rounds, o).map(([value, count]) => ({ outcome, metrics: { rounds: value }, count })),
  );
}

describe('a planted value', () => {
  test('is found with an interval, and the model fits', async () => {
    const observations = await observe(updateScenario(direct, { 'attacker.hp': 27 }), 2000, 3);
    const {
      fields,
      test: model,
      exact,
      examined,
      bestSettings,
    } = await fitFields(direct, observations, {
      vary: [{ path: 'attacker.hp', range: [10, 40] }],
    });
    expect(fields).toEqual([
      { path: 'attacker.hp', value: 27, low: 27, high: 27, range: [10, 40], status: 'estimated' },
    ]);
    expect({ exact, examined, bestSettings }).toEqual({ exact: true, examined: 31, bestSettings: 1 });
    expect(model?.pValue).toBeGreaterThan(0.01);
  });

  test('does not depend on the order of metrics in observations', async () => {
    const metrics = [
      { rounds: 9, 'hp.attacker': 4 },
      { 'hp.attacker': 4, rounds: 9 },
    ];
    const [one, other] = await Promise.all(
      metrics.map((each) => {
        const observations = [{ outcome: 'attacker', metrics: metrics[0] as object as Record<string, number> }];
        return fitFields(direct, [...observations, { outcome: 'attacker', metrics: each }], {
          vary: [{ path: 'attacker.hp', range: [20, 40] }],
        });
      }),
    );
    expect(other?.fields).toEqual(one?.fields);
  });

  test('is found by simulation, too', async () => {
    const observations = await observe(updateScenario(direct, { 'attacker.hp': 27 }), 2000, 3);
    const { fields, exact } = await fitFields(direct, observations, {
      ...{ vary: [{ path: 'attacker.hp', range: [24, 30] }], exact: 'never', battles: 20_000 * DEPTH },
    });
    expect(exact).toBe(false);
    expect(fields[0]).toMatchObject({ value: 27, status: 'estimated' });
  });

  test('of two fields is found with two metrics', async () => {
    const hp = getBoundScenario(duel).shape.metrics.map(({ name }) => name);
    const truth = updateScenario(duel, { 'attacker.hp': 8, 'defender.hp': 7 });
    const rounds = hp.indexOf('rounds');
    const left = hp.indexOf('hp.attacker');
    const { shape } = getBoundScenario(truth);
    const joint = new Map<string, ObservedBattles>();
    // With one battle each, because counts do not have the joint distribution.
    for (let from = 0; from < 400; from++) {
      const one = (await simulate(truth, { battles: 1, from, seed: 1 })).counts;
      const o = one.outcomes.indexOf(1);
      const metrics = {
        rounds: listValueCounts(one, rounds)[0]?.[0] ?? 0,
        'hp.attacker': listValueCounts(one, left)[0]?.[0] ?? 0,
      };
      joint.set(String(from), { outcome: shape.outcomes[o] ?? '', metrics });
    }
    const { fields, metrics } = await fitFields(duel, [...joint.values()], {
      vary: [
        { path: 'attacker.hp', range: [5, 12] },
        { path: 'defender.hp', range: [5, 12] },
      ],
    });
    expect(metrics).toEqual(['rounds', 'hp.attacker']);
    expect(fields.map(({ value }) => value)).toEqual([8, 7]);
  });
});

test('intervals contain the true value in about 95 % of the data sets', async () => {
  const sets = DEPTH === 1 ? 100 : 1000;
  const battles = 40;
  const truth = 30;
  // A share that changes slowly with the field, so that many values are in the interval.
  const scenario = updateScenario(direct, { 'attacker.hp': truth, 'defender.hp': truth });
  const [p = 0] = solveSync(scenario).summary.outcomes.map((outcome) => outcome.p);
  let covered = 0;
  for (let set = 0; set < sets; set++) {
    const uniform = uniformOf(29n, set);
    let wins = 0;
    for (let battle = 0; battle < battles; battle++) wins += Number(uniform() < p);
    const observations = [
      { outcome: 'attacker', count: wins },
      { outcome: 'defender', count: battles - wins },
    ];
    const { fields } = await fitFields(scenario, observations, { vary: [{ path: 'attacker.hp', range: [18, 48] }] });
    const [{ low, high } = { low: 0, high: 0 }] = fields;
    covered += Number(low <= truth && truth <= high);
  }
  const [least, most] = DEPTH === 1 ? [0.86, 1] : [0.93, 0.97];
  expect(covered / sets).toBeGreaterThanOrEqual(least);
  expect(covered / sets).toBeLessThanOrEqual(most);
});

describe('the result of fitFields', () => {
  test('reports that the data do not determine a field', async () => {
    const few = [{ outcome: 'attacker', count: 2 }, { outcome: 'defender' }];
    const { fields, test: model } = await fitFields(direct, few, { vary: [{ path: 'attacker.hp', range: [20, 40] }] });
    expect(fields[0]).toMatchObject({ low: 20, high: 40, status: 'unidentified' });
    expect(model).toBeUndefined();
  });

  test('subtracts no degree of freedom for a field that the observations do not determine', async () => {
    const seen = Object.entries({ attacker: 210, defender: 190, mutual: 20 }).map(([outcome, count]) => ({
      ...{ outcome, count },
    }));
    const { fields, test: model } = await fitFields(direct, seen, {
      vary: [{ path: 'maxRounds', range: [1000, 1001] }],
    });
    expect([fields[0]?.status, model?.degreesOfFreedom]).toEqual(['unidentified', 2]);
    const both = [
      { path: 'maxRounds', range: [1000, 1001] },
      { path: 'attacker.hp', range: [10, 40] },
    ] as const;
    expect((await fitFields(direct, seen, { vary: both })).test?.degreesOfFreedom).toBe(1);
  });

  test('reports that an interval reaches the end of the range', async () => {
    const observations = await observe(updateScenario(direct, { 'attacker.hp': 27 }), 300, 3);
    const { fields } = await fitFields(direct, observations, { vary: [{ path: 'attacker.hp', range: [10, 27] }] });
    expect(fields[0]).toMatchObject({ high: 27, status: 'range-end' });
  });

  test('reports that the model does not fit', async () => {
    const long = [
      { outcome: 'attacker', metrics: { rounds: 25 }, count: 100 },
      { outcome: 'defender', metrics: { rounds: 3 }, count: 100 },
    ];
    const { test: model } = await fitFields(direct, long, { vary: [{ path: 'attacker.hp', range: [20, 40] }] });
    expect(model?.pValue).toBeLessThan(1e-6);
  });
});

test.each([
  [3.841458820694124, 1, 0.05],
  [5.991464547107979, 2, 0.05],
  [7.814727903251179, 3, 0.05],
  [18.307038053275146, 10, 0.05],
  [124.3421134, 100, 0.05],
  [20, 1, 7.744216431044086e-6],
  [0, 4, 1],
])('computeChiSquareTail returns the known value at %f with %i degrees of freedom', (value, degrees, tail) => {
  expect(computeChiSquareTail(value, degrees)).toBeCloseTo(tail, 9);
});

describe('invalid input', () => {
  const { shape } = getBoundScenario(direct);
  const parse = (...rows: string[]): ObservedBattles[] =>
    parseObservations(
      rows.map((row) => row.split(',')),
      shape,
      'seen.csv',
    );

  test('is rejected in rows of a table', () => {
    expect(parse('outcome,rounds,count', 'attacker,3,2')).toEqual([
      { outcome: 'attacker', metrics: { rounds: 3 }, count: 2 },
    ]);
    expect(() => parse('rounds', '3')).toThrow('seen.csv:1: expected a column "outcome", found columns rounds');
    expect(() => parse('outcome,outcome', 'a,b')).toThrow(
      'seen.csv:1: expected each column once, found "outcome" twice',
    );
    expect(() => parse('outcome,round', 'attacker,3')).toThrow(
      /^seen\.csv:1: expected columns: .*, found "round" \(did you mean rounds\?\)$/,
    );
    expect(() => parse('outcome,rounds', 'attacker,3', 'attacker,many')).toThrow(
      'seen.csv:3 rounds: expected a number, found "many"',
    );
    expect(() => parse('outcome', 'atacker')).toThrow('seen.csv:2 outcome: expected outcomes of the scenario:');
    expect(() => parse('outcome')).toThrow('seen.csv: expected at least one battle, found none');
  });

  test('is rejected in options and observations', async () => {
    const seen = [{ outcome: 'attacker' }];
    const vary = [
      { path: 'attacker.hp', range: [1, 300] as const },
      { path: 'defender.hp', range: [1, 300] as const },
    ];
    await expect(fitFields(direct, seen, { vary })).rejects.toThrow(
      'vary: expected at most 20 000 combinations of values, found 90 000',
    );
    await expect(fitFields(direct, [], { vary: vary.slice(1) })).rejects.toThrow('observations');
    await expect(fitFields(direct, [{ outcome: 'attacker', count: -1 }], { vary: vary.slice(1) })).rejects.toThrow(
      'observations[0].count: expected a whole number 0..2^53-1, found -1',
    );
    const two = [{ outcome: 'attacker', metrics: { rounds: 3, 'hp.attacker': 2 } }];
    await expect(fitFields(direct, two, { vary: [{ path: 'attacker.hp' }], exact: 'never' })).rejects.toThrow(
      'exact: expected auto or always, because several metrics require exact answers, found "never"',
    );
  });

  test.each([
    [
      { outcome: 'attacker', rounds: 9 },
      ' the keys outcome, metrics, count, found "rounds" (did you mean metrics: { "rounds": 9 }?)',
    ],
    [{ outcome: 'attacker', zz: 3 }, ': expected a mapping with the keys outcome, metrics, count, found "zz"'],
    [{ outcome: 'attacker', metric: {} }, 'found "metric" (did you mean metrics?)'],
    [[], ': expected a mapping with the keys outcome, metrics, count, found an empty list'],
    [{ count: 3 }, '.outcome: expected outcomes of the scenario: attacker, defender, mutual, stalemate, found nothing'],
    [{ outcome: 3 }, ', found 3'],
    [{ outcome: 'attacker', metrics: 3 }, '.metrics: expected a mapping of numbers, found 3'],
    [{ outcome: 'attacker', metrics: null }, '.metrics: expected a mapping of numbers, found null'],
    [{ outcome: 'attacker', metrics: { rounds: '9' } }, '.metrics.rounds: expected a finite number, found "9"'],
    [{ outcome: 'attacker', metrics: { rounds: Number.NaN } }, '.metrics.rounds: expected a finite number, found NaN'],
    [{ outcome: 'attacker', count: null }, '.count: expected a whole number 0..2^53-1, found null'],
  ])('is rejected in the observation %j', async (observation, message) => {
    const seen = [{ outcome: 'attacker' }, observation] as ObservedBattles[];
    const fit = fitFields(direct, seen, { vary: [{ path: 'attacker.hp' }] });
    await expect(fit).rejects.toThrow(InputError);
    await expect(fit).rejects.toThrow(/^observations\[1\]/);
    await expect(fit).rejects.toThrow(message);
  });

  test('is named if no setting can have the observations', async () => {
    const possible = { outcome: 'attacker', metrics: { rounds: 5 } };
    const impossible = { outcome: 'attacker', metrics: { rounds: 0 } };
    const vary = [{ path: 'attacker.hp', range: [20, 22] }] as const;
    await expect(fitFields(duel, [possible, impossible], { vary })).rejects.toThrow(
      /^observations\[1\]: expected a result that .* can have, found attacker, rounds 0, which is impossible in all settings$/,
    );
    const rows = parse('outcome,rounds', 'attacker,5', 'attacker,0');
    await expect(fitFields(duel, rows, { vary })).rejects.toThrow('seen.csv:3: expected a result');
    // Each result is possible in one of the two settings.
    const short = { outcome: 'stalemate', metrics: { rounds: 1 } };
    const long = { outcome: 'stalemate', metrics: { rounds: 2 } };
    const limits = [{ path: 'maxRounds', range: [1, 2] }] as const;
    await expect(fitFields(duel, [short, long], { vary: limits })).rejects.toThrow(
      'observations: expected results that one setting can have, found results that exclude each other',
    );
  });

  test('an aborted signal rejects the fit', async () => {
    const signal = AbortSignal.abort();
    await expect(
      fitFields(direct, [{ outcome: 'attacker' }], { vary: [{ path: 'attacker.hp' }], signal }),
    ).rejects.toThrow();
  });
});
