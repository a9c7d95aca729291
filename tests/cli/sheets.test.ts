/** Readability of printed tables and texts, run in this process. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readBaseline } from '../../bench/gate/baseline.ts';
import { gateTable } from '../../bench/gate/report.ts';
import { createProgram } from '../../src/cli/program.ts';
import { formatVerifySheet } from '../../src/report/sweep/verification.ts';
import { formatShortUpperBound } from '../../src/report/text/number-format.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import { DEPTH } from '../depth.ts';
import { DUEL } from './warpool.ts';
import { catchWriting, written } from './written.ts';

const HUNTERS = 'scenarios/attrition-hunters.yaml';

beforeEach(() => {
  // Commands keep their signal listeners until the process ends.
  vi.spyOn(process, 'on').mockReturnValue(process);
  catchWriting();
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = 0;
});

async function stdoutText(columns: number, ...args: readonly string[]): Promise<string> {
  vi.stubEnv('COLUMNS', String(columns));
  written.out = '';
  const warpool = await createProgram(args);
  await warpool.parseAsync(args, { from: 'user' }).catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'Ended') throw error;
  });
  return written.out;
}

describe('narrow output', () => {
  test('a ranking has complete notes and no empty columns', async () => {
    const files = ['direct', 'elite', 'nightfall'].map((name) => `scenarios/attrition-${name}.yaml`);
    const text = await stdoutText(60, 'compare', ...files, '--battles', '200');
    expect(text).not.toMatch(/\nmove this one/);
    expect(text).toMatch(/\nvariance reduction: unpaired battles/);
    expect(text).toContain('from exact values');
    expect(text).not.toContain('needed');
  });

  test('the note on omitted columns skips columns without a heading', async () => {
    const space = ['--space', 'attacker.hp=10..40', 'defender.attack=0..4'];
    const text = await stdoutText(50, 'sensitivity', DUEL, '--method', 'morris', '--trajectories', '2', ...space);
    expect(text).toMatch(/too narrow for: [^.]*sigma; use --json/);
  });

  test.runIf(DEPTH > 1)('a feature and its number are on one line', async () => {
    const text = await stdoutText(
      60,
      'best-response',
      'scenarios/phased-dice-great-wall.yaml',
      '--decisions',
      'retreat',
    );
    expect(text).toContain('instead of');
    expect(text).not.toMatch(/[a-z]\n {2}\d/);
  });

  test('sentences of verify are wrapped', () => {
    const counts = { cells: 55, parts: 2, replayed: 0, battles: 0, solved: 3, probability: 0.054545, seed: '12921' };
    const rest = { engine: 'kernel', faults: [], notes: [], complete: true } as const;
    const text = formatVerifySheet(
      { folder: 'results', ...counts, ...rest },
      { width: 60, tableWidth: 60, paint: PLAIN_PAINT },
    );
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(
      formatVerifySheet(
        { folder: 'results', ...counts, ...rest },
        { width: 80, tableWidth: 80, paint: PLAIN_PAINT },
        'cells',
        0.5,
      ),
    ).toContain('55 cells: sums, digests and all rows checked in 0.5 s, 110/s; 2 parts');
    expect(text.replaceAll('\n', ' ')).toContain('is detected with a probability of 5.45 %. --seed 12921');
  });
});

describe('balance', () => {
  const VARY = ['attacker.hp=10..14', 'defender.hp=10..14', 'defender.attack=1..3'];

  test('reports that the initial setting meets the target', async () => {
    const text = await stdoutText(
      200,
      'balance',
      DUEL,
      '--vary',
      ...VARY,
      '--target',
      'attacker=50%',
      '--tolerance',
      '5pp',
    );
    expect(text).toMatch(/ · 1 setting\n/);
    expect(text).toContain('\nThe search began at a setting that meets the target, so no other was examined.\n');
  });
});

test('the example of compare-rules changes the results of battles', async () => {
  const text = await stdoutText(200, 'compare-rules', HUNTERS, '--set', 'massDivisor=n-1', '--battles', '100');
  expect(text).not.toContain('no battle differs');
});

test('the help of schema has a line for each kind of file', async () => {
  vi.stubEnv('COLUMNS', '80');
  const schema = (await createProgram(['schema'])).commands.find((command) => command.name() === 'schema');
  schema?.outputHelp();
  expect(written.out).toMatch(/\nKinds:\nscenario {6}scenario files.*\nsweep {9}.*\nexpectations {2}/);
});

test('gateTable prints no table without findings', () => {
  const machine = { cpu: 'a processor', arch: 'x64', node: 'v20.0.0' };
  const rest = { machine, sameMachine: true, findings: [], notes: [], passed: true, seconds: {} };
  expect(gateTable(rest, { width: 80, paint: PLAIN_PAINT })).toBe(
    'The gate passes: 0 values are within their limits.\n',
  );
});

describe('errors', () => {
  test('equilibrium rejects a scenario with three players', async () => {
    const brawl = 'scenarios/attrition-brawl.yaml';
    await expect(stdoutText(80, 'equilibrium', brawl)).rejects.toThrow(
      'system: expected a system with two players, found 3',
    );
  });

  test('readBaseline rejects a missing file', async () => {
    await expect(readBaseline('missing.json')).rejects.toThrow(
      'missing.json: expected a baseline of the gate, found no such file',
    );
  });
});

test('formatShortUpperBound formats a value rounded up to 0.001 as 0.0010', () => {
  expect([0.00099, 0.001, 0.0089, 0.00071, 0.000099].map(formatShortUpperBound)).toEqual([
    '0.0010',
    '0.0010',
    '0.0089',
    '8e-4',
    '1e-4',
  ]);
});
