import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DEPTH, some } from '../depth.ts';
import { called, getOutput } from './called.ts';
import { CROWD, DUEL, file, interrupted } from './warpool.ts';

const studied = (...args: readonly string[]) => getOutput('sensitivity', ...args);

async function rejected(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await called(['sensitivity', ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  return stderr;
}

const SPACE = ['--space', 'attacker.hp=20..40', 'defender.attack=0..3'];

/** Scenario with long field paths that have equal ends. */
const SIEGE = 'scenarios/cube-bag-siege.yaml';

describe('sensitivity with one step per field', () => {
  test('prints ranked fields, with exact values if that is cheap', async () => {
    const text = await studied(DUEL);
    expect(text).toMatch(/^duel · attacker 57\.65 % unchanged · \d+ cells, exact\n\n.*down.*\nfield/s);
    expect(text).toMatch(/\nattacker’s attack +1 +1 +-\d\d\.\d +\+\d\.\d +█+/);
    expect(text).toContain('\nNo effect: ');
    const pocket = await studied('scenarios/strength-cards-pocket.yaml', '--fields', 'defender');
    expect(pocket).toContain('Skipped: defender’s no card (a percentage of 0 is 0: set its step size).');
    expect(pocket).toContain('defender’s fortification = -1, defender’s port fleets = -1');
    expect(text).toMatch(/in percentage\s+points\.\n/);
    expect(text).not.toContain('Bonferroni');
  });

  test('prints intervals of simulated effects', async () => {
    const text = await studied(
      CROWD,
      '--battles',
      '50',
      '--fields',
      'combatants[0].attack,maxRounds',
      '--of',
      'rounds',
    );
    expect(text).toMatch(/^a crowd · rounds \d+\.\d{3} unchanged · 5 cells of 50 battles · seed 1\n/);
    expect(text).toContain('95 % interval,\n');
    expect(text).toMatch(/\nred army’s attack .* \.\. /);
    expect(text).toContain('No effect on any of 50 battles: max rounds.');
    expect(text).toMatch(/Intervals hold simultaneously with 95 %\s+\(Bonferroni\)/);
  });

  test('prints complete labels in a pipe and in 80 columns', async () => {
    const args = ['sensitivity', SIEGE, '--exact', 'never', '--battles', '60'];
    const { stdout: piped } = await called(args);
    const { stdout: narrow } = await called(args, { COLUMNS: '80' });
    const labels = [...piped.matchAll(/^(\S+ armies \d \S.*?) {2,}.* \.\. /gm)].map(([, label = '']) => label);
    expect(labels.length).toBeGreaterThan(10);
    expect(new Set(labels).size).toBe(labels.length);
    expect(piped).not.toMatch(/\[\d\]/);
    const first = (line: string): string => /^ {0,2}(\S.*?)(?: {2,}|$)/.exec(line)?.[1] ?? '';
    const rows = narrow.split(/\n(?=\S)/).map((row) => row.split('\n').map(first).join(' '));
    for (const label of labels) expect(rows).toContain(label);
    expect(Math.max(...narrow.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

test('prints Morris screening and Sobol indices with their interpretation', async () => {
  const morris = await studied(DUEL, '--method', 'morris', ...SPACE, 'maxRounds=900..950');
  expect(morris).toMatch(/^duel · attacker · Morris’s screening, 20 trajectories · \d+ cells, exact · seed 1\n/);
  expect(morris).toMatch(/\nattacker’s hit points +20\.\.40 .*(linear|monotonic) +█+\n/);
  expect(morris).toMatch(/\nmax rounds .*none\n/);
  const sobol = await studied(
    DUEL,
    '--method',
    'sobol',
    ...SPACE,
    '--points',
    '32',
    '--exact',
    'never',
    '--battles',
    '60',
  );
  expect(sobol).toMatch(/^duel · attacker · Sobol’s indices, 32 base points · \d+ cells of 60 battles · seed 1\n/);
  expect(sobol).toMatch(/\nattacker’s hit points +20\.\.40 +0\.\d+ .* █+\n/);
  expect(sobol).toContain('Standard deviation over the space: ');
  expect(sobol).toMatch(/Sampling noise, \d+\.\d % of the variance\s+between cells/);
  const still = await studied(DUEL, '--method', 'sobol', '--space', 'maxRounds=900..950', '--points', '8');
  expect(still).toContain('attacker does not vary between the cells');
});

describe('--json', () => {
  const [number, interval] = [expect.any(Number) as number, [expect.any(Number), expect.any(Number)]];
  const object = async (...args: readonly string[]): Promise<unknown> => JSON.parse(await studied(...args, '--json'));

  test('prints the effects of steps', async () => {
    const step = { effect: number, ci95: interval, exact: true, differs: true };
    expect(await object(DUEL, '--fields', 'attacker.hp')).toMatchObject({
      system: 'attrition',
      scenario: { name: 'duel' },
      method: 'step',
      of: 'attacker',
      kind: 'outcome',
      seed: '1',
      cells: { exact: 3, simulated: 0 },
      complete: true,
      value: number,
      fields: [
        {
          path: 'attacker.hp',
          value: 30,
          down: { ...step, to: 29 },
          up: { ...step, to: 31 },
          effect: number,
          ci95: interval,
          verdict: 'effect',
        },
      ],
      skipped: [],
    });
  });

  test('prints Morris screening and Sobol indices', async () => {
    const axis = { path: 'attacker.hp', min: 20, max: 40, integer: true, effect: number, ci95: interval };
    expect(await object(DUEL, '--method', 'morris', ...SPACE, '--trajectories', '4')).toMatchObject({
      method: 'morris',
      trajectories: 4,
      fields: [
        { ...axis, muStar: number, muStarCi95: interval, mu: number, muCi95: interval, sigma: number, noise: 0 },
        {},
      ],
    });
    expect(await object(DUEL, '--method', 'sobol', ...SPACE, '--points', '64')).toMatchObject({
      method: 'sobol',
      points: 64,
      variance: number,
      noise: 0,
      fields: [{ ...axis, first: number, firstCi95: interval, total: number, totalCi95: interval }, {}],
    });
  });
});

test.each(
  some<[string[], string]>([
    [['--method', 'morrris'], '--method: expected one of step, morris, sobol'],
    [SPACE, '--space requires --method morris or --method sobol'],
    [['--method', 'sobol'], '--space: expected path=least..greatest'],
    [['--method', 'morris', ...SPACE, '--fields', 'attacker'], '--fields requires --method step\n'],
    [['--percent', 'ten'], '--percent: expected a number above 0'],
    [['--fields', 'attacker.hpp'], 'did you mean attacker.hp?'],
    [['--of', 'victory'], '--of: expected one of attacker'],
    [['--battles', '1'], '--battles: expected an integer 2..'],
  ]),
)('rejects bad input and names the option: %s', async (args, message) => {
  expect(await rejected(DUEL, ...args)).toContain(message);
});

test('rejects a bad scenario and names the file', async () => {
  expect(await rejected(file('none.yaml', 'system: attrition\nmode: direct\n'))).toContain('none.yaml');
});

test('--exact always fails if the exact answer is too large', async () => {
  const { code, stderr } = await called(['sensitivity', CROWD, '--exact', 'always', '--fields', 'maxRounds']);
  expect(code).toBe(1);
  expect(stderr).toContain('the exact answer exceeds');
});

test.runIf(DEPTH > 1)('Ctrl-C ends a study and prints the finished cells', async () => {
  const { code, stdout, stderr } = await interrupted(['sensitivity', CROWD, '--battles', '2000'], ({ stdout }) =>
    stdout.includes('ended early'),
  );
  expect(code).toBe(130);
  expect(stdout).toContain('ended early');
  expect(stderr).toMatch(/interrupted after \d+ cells/);
});

test.runIf(DEPTH > 1)('Ctrl-C before the first step prints only a message', async () => {
  const { code, stdout, stderr } = await interrupted(
    ['sensitivity', CROWD, '--battles', '1e6'],
    ({ code }) => code !== null,
  );
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  expect(stderr).toBe('stopped before the first step\n');
});

test.runIf(DEPTH > 1)('--figure writes SVG or PNG according to the file extension', async () => {
  const paths = ['steps.svg', 'steps.png'].map((name) => file(name, ''));
  for (const path of paths) {
    const { code, stderr } = await called(['sensitivity', DUEL, '--fields', 'attacker.hp', '--figure', path]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: `${path}: written\n` });
  }
  const [svg = '', png = ''] = paths;
  expect(readFileSync(svg, 'utf8')).toMatch(/^<svg [\s\S]*attacker’s hit points<[\s\S]*one step down/);
  expect(readFileSync(png).subarray(1, 4).toString()).toBe('PNG');
  expect(await rejected(DUEL, '--figure', 'steps.pdf')).toBe(
    '--figure: expected a file that ends in .svg or .png, found "steps.pdf"\n',
  );
});
