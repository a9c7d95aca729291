/** `balance --per`: exchange rate between two fields. */
import { describe, expect, test } from 'vitest';
import { computeExchangeRate } from '../../src/analysis/balance/exchange-rate.ts';
import { balance } from '../../src/analysis/balance/index.ts';
import { solveSync } from '../../src/analysis/solve.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { called } from '../cli/called.ts';

const ARMIES = {
  system: 'phased-dice',
  mode: 'ground',
  attacker: { units: { rifleman: 8 } },
  defender: { units: { tank: 6 } },
};
const costs = { 'units.rifleman': 3, 'units.tank': 5 };
const priced = validateScenario({ ...ARMIES, costs });
const vary = [{ path: 'attacker.units.rifleman' }];
const ASKED = { vary, target: 'attacker=50%', per: 'defender.units.tank' };

const wins = (rifleman: number): number =>
  solveSync(validateScenario({ ...ARMIES, attacker: { units: { rifleman } } })).summary.outcomes.find(
    ({ name }) => name === 'attacker',
  )?.p ?? 0;

describe('the exchange rate of a field', () => {
  test('is interpolated between adjacent exact values', async () => {
    const { exchangeRates: rates, nearest } = await balance(priced, ASKED);
    const [seven, eight] = [wins(7), wins(8)];
    const at = 7 + (0.5 - seven) / (eight - seven);
    expect(rates).toEqual([
      {
        per: 'defender.units.tank',
        count: 6,
        at: expect.closeTo(at, 12) as number,
        between: [7, 8],
        value: expect.closeTo(at / 6, 12) as number,
        price: 5 / 3,
      },
    ]);
    expect(Object.fromEntries(nearest.points)).toEqual({ attacker: 24, defender: 30 });
  });

  test('has an interval from both adjacent simulated values', async () => {
    const [rate] =
      (
        await balance(priced, {
          ...ASKED,
          exact: 'never',
          battles: 20_000,
          vary: [{ path: 'attacker.units.rifleman', range: [4, 12] }],
        })
      ).exchangeRates ?? [];
    expect(rate?.interval?.[0]).toBeLessThan(rate?.at ?? 0);
    expect(rate?.interval?.[1]).toBeGreaterThan(rate?.at ?? 0);
    const mark = (value: number, at: number, interval: readonly [number, number]) => ({
      values: [at],
      value,
      interval,
      battles: 1,
      verdict: 'fails' as const,
      points: new Map(),
    });
    const pair = [mark(0.4, 10, [0.3, 0.52]), mark(0.6, 12, [0.55, 0.7])] as const;
    const by = computeExchangeRate(priced, ['a', 'b', 4], pair, 0.5);
    // Ends of the interval: (0.52, any) would be below 10; (0.3, 0.55) gives 10 + 2 x 0.2 / 0.25.
    expect(by).toMatchObject({ at: 11, between: [10, 12], value: 2.75 });
    expect(by.interval?.[0]).toBeCloseTo(10, 12);
    expect(by.interval?.[1]).toBeCloseTo(11.6, 12);
    expect(by.price).toBeUndefined();
  });

  test('requires no prices and is absent without the option per', async () => {
    const bare = await balance(validateScenario(ARMIES), ASKED);
    expect(bare.exchangeRates?.[0]?.price).toBeUndefined();
    expect(bare.nearest.points.size).toBe(0);
    expect((await balance(priced, { vary, target: 'attacker=50%' })).exchangeRates).toBeUndefined();
    const far = await balance(priced, { ...ASKED, vary: [{ path: 'attacker.units.rifleman', range: [1, 3] }] });
    expect(far.exchangeRates).toEqual([]);
  });

  test('is rejected for the varied field, zero or non-numeric fields, and two varied fields', async () => {
    await expect(balance(priced, { ...ASKED, per: 'attacker.units.rifleman' })).rejects.toThrow(
      'per: expected a field that is not varied',
    );
    await expect(balance(priced, { ...ASKED, per: 'attacker.units.tank' })).rejects.toThrow(
      'per: expected a field that is above 0',
    );
    await expect(balance(priced, { ...ASKED, per: 'defender.units' })).rejects.toThrow('per: expected a numeric field');
    await expect(balance(priced, { ...ASKED, vary: [...vary, { path: 'maxRounds' }] })).rejects.toThrow(
      'per requires exactly one varied field',
    );
  });
});

test('balance --per prints the exchange rate with points and prices', async () => {
  const args = [
    'balance',
    'examples/prices-duel.yaml',
    '--vary',
    'attacker.units.rifleman',
    '--per',
    'defender.units.tank',
    '--target',
    'attacker=50%',
  ];
  const { code, stdout } = await called([...args, '--set', 'attacker.units.rifleman=3', '--set', 'site=open']);
  expect(code).toBe(0);
  const flat = stdout.replaceAll('\n', ' ');
  expect(flat).toContain(
    'One of defender’s tank has the value of 1.33 of attacker’s rifleman: 7.98 for 6, interpolated between 7 and 8 (1.17 .. 1.33 for one). Its price is that of 1.67: expensive.',
  );
  expect(stdout).toMatch(/attacker’s rifleman +points\.attacker +points\.defender +attacker/);
  expect(stdout).toMatch(/\n +8 +24 +30 +50\.648 % +exact/);
  expect(stdout).toContain('\nwarpool run examples/prices-duel.yaml --set site=open --set attacker.units.rifleman=8\n');
  const json = JSON.parse((await called([...args, '--json'])).stdout) as {
    exchangeRates: unknown[];
    nearest: { costs: object };
  };
  expect(json.exchangeRates).toHaveLength(1);
  expect(json.nearest.costs).toEqual({ attacker: 24, defender: 30 });
});
