/** Option --plan of `warpool run`: number of battles that a precision requires, before their simulation. */
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { createOutputJsonSchema } from '../../src/report/schemas/index.ts';
import { clopperPearson95 } from '../../src/stats/binomial.ts';
import { called, json } from './called.ts';
import { ROOT } from './warpool.ts';

const scenario = (name: string): string => join(ROOT, `scenarios/${name}.yaml`);
const GROUND = scenario('phased-dice-ground');

interface Planned {
  readonly source: string;
  readonly pilot: { readonly battles: number; readonly seconds: number };
  readonly workers: number;
  readonly battles: number;
  readonly values: readonly { readonly of: string; readonly value: number; readonly battles: number }[];
  readonly stopping: { readonly reached: boolean };
  readonly seconds: number;
}

const quietly = <T>(...args: readonly string[]) => json<T>(...args, '--quiet');

const planned = (...args: readonly string[]): Promise<Planned> => quietly<Planned>('run', ...args, '--plan');

describe('run --plan', () => {
  test.each([
    [GROUND, '--precision', '0.001'],
    [GROUND, '--precision', '20%'],
    [scenario('attrition-direct'), '--precision', '0.05', '--precision-of', 'rounds'],
    [scenario('attrition-direct'), '--precision', '1%', '--precision-of', 'rounds', '--bounded'],
  ])('predicts the battles of the run from the exact distribution: %s %s %s', async (...args) => {
    const plan = await planned(...args);
    expect(plan).toMatchObject({ source: 'exact', pilot: { battles: 65_536 }, stopping: { reached: true } });
    const run = await quietly<{ battles: number }>('run', ...args);
    expect(plan.battles).toBe(run.battles);
    expect(plan.seconds).toBeGreaterThan(0);
  });

  test('prints the minimum number of battles of each outcome', async () => {
    const { values } = await planned(GROUND, '--precision', '0.01');
    const wide = (p: number, n: number): number => {
      const [low, high] = clopperPearson95(Math.round(p * n), n);
      return (high - low) / 2;
    };
    expect(values.map(({ of }) => of)).toEqual(['attacker', 'defender', 'mutual', 'stalemate', 'retreat']);
    for (const { value, battles } of values) {
      expect(wide(value, battles)).toBeLessThanOrEqual(0.01);
      expect(wide(value, Math.floor(0.99 * battles))).toBeGreaterThan(0.01);
    }
  });

  test('prints exact values in metric units, and a time from the pilot rate', async () => {
    const duel = scenario('attrition-direct');
    const exact = await quietly<{ outcomes: Record<string, { p: number }> }>('exact', duel);
    for (const { of, value } of (await planned(duel, '--precision', '0.01')).values)
      expect(value).toBeCloseTo(exact.outcomes[of]?.p ?? -1, 14);
    const pocket = scenario('strength-cards-pocket');
    const means = await quietly<{ metrics: Record<string, { mean: number }> }>('exact', pocket);
    const plan = await planned(pocket, '--precision', '0.05', '--precision-of', 'margin');
    expect(plan.values).toMatchObject([{ of: 'margin', halfWidth: 0.05 }]);
    expect(plan.values[0]?.value).toBeCloseTo(means.metrics['margin']?.mean ?? 0, 12);
    const { pilot, battles, seconds, workers } = plan;
    const threads = (seconds * workers * pilot.battles) / (battles * pilot.seconds);
    expect([1, workers].some((each) => Math.abs(threads - each) < 1e-9)).toBe(true);
  });

  test('estimates the battles from a pilot with --exact never', async () => {
    const args = [GROUND, '--precision', '0.002', '--exact', 'never'];
    const [plan, run] = [await planned(...args), await quietly<{ battles: number }>('run', ...args)];
    expect(plan.source).toBe('pilot');
    expect(plan.battles / run.battles).toBeGreaterThan(0.6);
    expect(plan.battles / run.battles).toBeLessThan(1.7);
    const { stdout } = await called(['run', ...args, '--plan']);
    expect(stdout).toMatch(/^a run with this precision ends after about \d[\d ]+ battles; [\d ]+ at most: about /m);
    expect(stdout).toMatch(/^values are estimates from a pilot of 65 536 battles/m);
  });

  test('reports that --battles is too small for the precision', async () => {
    const plan = await planned(GROUND, '--precision', '0.001', '--battles', '50000', '--exact', 'never');
    expect(plan).toMatchObject({ battles: 50_000, pilot: { battles: 50_000 }, stopping: { reached: false } });
    const { stdout } = await called(['run', GROUND, '--precision', '0.001', '--battles', '50000', '--plan']);
    expect(stdout).toContain('simulates all 50 000 battles without reaching it');
  });

  test('prints JSON that fits its schema', async () => {
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true, strictTuples: false }).compile(
      createOutputJsonSchema('run-plan') as object,
    );
    validate(await planned(GROUND, '--precision', '10%'));
    expect(validate.errors).toBeNull();
  });

  test.each([
    [[], '--plan requires --precision\n'],
    [['--precision', '0.01', '--out', 'x'], '--out cannot be combined with --plan, which only runs a pilot\n'],
    [
      ['--precision', '0.9'],
      '--precision: expected a half-width of probabilities, 0.00001..0.25, or a part of each, such as 10%, found "0.9"\n',
    ],
  ] as const)('rejects %s', async (args, printed) => {
    const { code, stdout, stderr } = await called(['run', GROUND, '--plan', ...args]);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: printed });
  });
});
