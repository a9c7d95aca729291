/** Option --rare of `warpool run`: report, JSON and rejected options. */
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { estimateRareOutcome, loadScenario, type RareOutcomeEstimate } from '../../src/index.ts';
import { formatSheet } from '../../src/report/index.ts';
import { createRareOutcomeSheet } from '../../src/report/run/rare-outcome.ts';
import { createOutputJsonSchema } from '../../src/report/schemas/index.ts';
import { called, json } from './called.ts';
import { ROOT } from './warpool.ts';

const PLAIN = { paint: { bold: String, dim: String, yellow: String }, width: 100 } as never;

const DUEL = [
  'run',
  join(ROOT, 'scenarios/attrition-direct.yaml'),
  '--set',
  'attacker.hp=60',
  '--set',
  'defender.hp=10',
];
const FREQUENT = [...DUEL, '--rare', 'attacker', '--precision', '50%', '--quiet'];

test('prints the probability, its interval and the stages', async () => {
  const { code, stdout } = await called(FREQUENT);
  expect(code).toBe(0);
  expect(stdout).toMatch(/attacker: probability [\d.]+, relative error [\d.]+ %/);
  expect(stdout).toMatch(/95 % interval [\d.]+ \.\. [\d.]+/);
  expect(stdout).toMatch(/exact probability 0\.9[\d]+\n/);
  expect(stdout).toMatch(/stage +segments +reached +share/);
});

test('prints JSON that fits its schema', async () => {
  const printed = await json<{ outcome: string }>(...FREQUENT);
  const validate = new Ajv2020().compile(createOutputJsonSchema('run-rare') as object);
  expect(validate(printed), JSON.stringify(validate.errors)).toBe(true);
  expect(printed.outcome).toBe('attacker');
});

test('prints why an interval is not reliable', async () => {
  const scenario = await loadScenario(join(ROOT, 'scenarios/attrition-direct.yaml'));
  const estimate = await estimateRareOutcome(scenario, { outcome: 'attacker' });
  const format = (changes: Partial<RareOutcomeEstimate>) =>
    formatSheet(createRareOutcomeSheet({ ...estimate, reliable: false, ...changes }, 'duel'), PLAIN);
  const probability = estimate.probability;
  expect(format({})).toContain('the replications differ widely: the estimate is unreliable');
  expect(format({ emptyReplications: 2 })).toContain('2 of 20 replications missed the outcome: the estimate is');
  expect(format({ pilotProbability: 9 * probability })).toMatch(/a pilot estimated [\d.]+: the estimate is unreliable/);
  expect(format({ reliable: true })).not.toContain('unreliable');
});

test.each([
  [
    ['--rare', 'defendr'],
    '--rare: expected one of attacker, defender, mutual, stalemate, found "defendr" (did you mean defender?)',
  ],
  [
    ['--rare', 'defender', '--precision', '0.01'],
    '--precision: expected a part of the probability, 1%..100%, found "0.01"',
  ],
  [['--rare', 'defender', '--workers', '2'], '--workers cannot be combined with --rare'],
  [['--rare', 'defender', '--out', 'run'], '--out cannot be combined with --rare'],
  [['--rare', 'defender', '--exact', 'always'], '--exact cannot be combined with --rare'],
])('rejects %j', async (options, message) => {
  const { code, stderr } = await called([...DUEL, ...options]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
