/** Options of balance searches, sensitivity studies and expectations: names, defaults and rejected values. */
import { describe, expect, test } from 'vitest';
import { BALANCE } from '../src/analysis/balance/balance.ts';
import { CHECK_EXPECTATIONS } from '../src/analysis/expectations/check-expectations.ts';
import { expectationsJsonSchema } from '../src/analysis/expectations/index.ts';
import { STUDY } from '../src/analysis/sensitivity/cell-evaluator.ts';
import { MORRIS } from '../src/analysis/sensitivity/morris.ts';
import { SOBOL } from '../src/analysis/sensitivity/sobol.ts';
import { STEP } from '../src/analysis/sensitivity/step.ts';
import { command as assertCommand } from '../src/cli/assert.ts';
import { command as balanceCommand } from '../src/cli/balance.ts';
import { command as sensitivityCommand } from '../src/cli/sensitivity.ts';
import { formatOptionName, type OptionSpecs, resolveOptions } from '../src/rules/option-spec.ts';

test.each([
  [
    balanceCommand,
    '--set --vary --target --per --tolerance --exact --budget --battles --error-rate --bounded --seed --workers --search --out --resume ' +
      '--pipe --html --json',
  ],
  [
    sensitivityCommand,
    '--set --method --of --fields --step --percent --space --trajectories --levels --points --battles --exact --budget ' +
      '--seed --figure --html --json',
  ],
  [assertCommand, '--seed --battles --exact --budget --bounded --workers --update --allow-undecided --junit --json'],
])('a command has these options in this order', ({ settings: requested }, options) => {
  expect(Object.keys(requested).map(formatOptionName).join(' ')).toBe(options);
});

test.each<[string, OptionSpecs, object]>([
  ['a search', BALANCE, { exact: 'auto', battles: 1_000_000, errorRate: 0.01, seed: 1n }],
  ['a study', STUDY, { exact: 'auto', seed: 1n }],
  ['steps', STEP, { percent: 10 }],
  ['a screening', MORRIS, { trajectories: 20, levels: 4 }],
  ['indices', SOBOL, { points: 256 }],
  ['expectations', CHECK_EXPECTATIONS, { exact: 'auto' }],
])('options of %s have their default values', (_, settings, usual) => {
  expect(resolveOptions(settings, {})).toEqual(usual);
});

describe('ranges of options', () => {
  test.each<[string, OptionSpecs, number, number]>([
    ['errorRate', BALANCE, Number.MIN_VALUE, 0.25],
    ['battles', BALANCE, 1, 2 ** 52],
    ['budget', BALANCE, 1, 1e10],
    ['workers', BALANCE, 1, 256],
    ['battles', STUDY, 2, 10_000_000],
    ['budget', STUDY, 1, 1e10],
    ['percent', STEP, Number.MIN_VALUE, 1000],
    ['trajectories', MORRIS, 2, 1_000_000],
    ['levels', MORRIS, 2, 1_000_000],
    ['points', SOBOL, 8, 2 ** 20],
    ['battles', CHECK_EXPECTATIONS, 1, 2 ** 53],
    ['budget', CHECK_EXPECTATIONS, 1, 1e10],
    ['workers', CHECK_EXPECTATIONS, 1, 256],
  ])('%s accepts both ends and rejects values outside', (name, settings, least, most) => {
    const given = (value: number) => () => resolveOptions(settings, { [name]: value }, formatOptionName);
    for (const end of [least, most]) expect(given(end)).not.toThrow();
    for (const value of [0, least - 1, most + 2, Number.NaN])
      expect(given(value), String(value)).toThrow(`${formatOptionName(name)}: expected `);
  });

  test.each([BALANCE, STUDY, CHECK_EXPECTATIONS])('exact accepts only auto, always and never', (settings) => {
    const given = (exact: string) => () => resolveOptions(settings, { exact: exact as never });
    for (const word of ['auto', 'always', 'never']) expect(given(word)).not.toThrow();
    expect(given('alway')).toThrow('exact: expected one of auto, always, never, found "alway" (did you mean always?)');
  });
});

test('the schema of expectations has fields for the file and for each expectation', () => {
  const { properties } = expectationsJsonSchema() as { properties: Record<string, object> };
  const { expectations, ...usual } = properties;
  expect(usual).toMatchObject({
    seed: { default: 1 },
    battles: {},
    error: { default: 0.01 },
    bounded: { default: false },
  });
  const own = { seed: {}, battles: {}, error: { minimum: 1e-9, maximum: 0.25 }, bounded: {} };
  expect(expectations).toMatchObject({ items: { properties: own } });
});
