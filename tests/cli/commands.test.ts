/** Successful calls of the commands. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { version } from '../../src/core/version.ts';
import { GAMES } from '../../src/rules/games.ts';
import { shippedSystems } from '../../src/rules/index.ts';
import { DEPTH, some } from '../depth.ts';
import { called, getOutput, json } from './called.ts';
import { CROWD, DUEL, ROOT, warpool } from './warpool.ts';

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

const number = expect.any(Number) as number;

describe('run', () => {
  test('prints only tables, without color codes', async () => {
    const { code, stdout, stderr } = await warpool(['run', DUEL, '--battles', '1e4', '--seed', '7']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('duel · attrition · 10 000 battles · seed 7 · kernel\n');
    for (const part of ['outcome ', 'metric ', 'mean, given', 'exact %', '█', 'digest '])
      expect(stdout).toContain(part);
    expect(stdout).not.toContain('\u001B');
  });

  test('--json prints one object with the documented fields', async () => {
    const found = await json('run', DUEL, '--battles', '2_000', '--seed', '18446744073709551615');
    const outcome = { count: number, p: number, ci95: [number, number] };
    const metric = {
      mean: number,
      variance: number,
      min: number,
      max: number,
      ci95: [number, number],
      quantiles: { '0.05': number, '0.5': number, '0.95': number },
      histogram: expect.any(Object) as object,
    };
    expect(found).toMatchObject({
      warpool: manifest.version,
      ruleset: expect.any(String) as string,
      system: 'attrition',
      scenario: { name: 'duel', hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      engine: 'kernel',
      seed: '18446744073709551615',
      battles: 2000,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      elapsedSeconds: number,
      outcomes: {
        attacker: outcome,
        defender: outcome,
        mutual: outcome,
        stalemate: { count: 0, p: 0, ci95: [0, number] },
      },
      metrics: { rounds: metric, 'hp.attacker': metric, 'hp.defender': metric },
    });
  });

  test('returns the same digest with other engines and numbers of threads', async () => {
    const digests = await Promise.all(
      [
        ['--engine', 'reference'],
        ['--workers', '1'],
        ['--workers', '3'],
      ].map((how) => json('run', DUEL, '--battles', '5e3', '--exact', 'never', ...how)),
    );
    expect(new Set(digests.map(({ digest }) => digest)).size).toBe(1);
    expect(digests[0]).toMatchObject({ engine: 'reference' });
  });

  test('stops when the precision is reached and reports the interim analysis', async () => {
    const stdout = await getOutput('run', DUEL, '--precision', '0.01');
    expect(stdout).toMatch(
      /\nprecision reached: outcomes within ±0\.00\d+, requested ±0\.01\nstopped at interim analysis \d of \d; Clopper-Pearson 95 %/,
    );
    expect(stdout).toContain(' 20 480 battles ');
    const found = await json('run', DUEL, '--precision', '0.01');
    const stopping = {
      of: 'outcomes',
      precision: 0.01,
      halfWidth: number,
      reached: true,
      analysis: 4,
      analyses: 4,
      maxBattles: 20_480,
    };
    expect(found).toMatchObject({ battles: 20_480, requested: 20_480, complete: true, stopping });
  });

  test.runIf(DEPTH > 1)('stops at a relative precision with a floor', async () => {
    const { stdout } = await called(['run', DUEL, '--precision', '5 %', '--precision-floor', '0.01']);
    expect(stdout).toMatch(
      /\nprecision reached: outcomes within ±[0-4]\.\d+ % of each value \(of 0\.01 for smaller values\), requested ±5 %\n/,
    );
    const found = await json('run', DUEL, '--precision', '5%', '--precision-floor', '0.01', '--exact', 'never');
    const stopping = { precision: 0.05, floor: 0.01, reached: true, of: 'outcomes', relativeHalfWidth: number };
    expect(found).toMatchObject({ stopping });
    const { outcomes, stopping: end } = found as {
      outcomes: Record<string, { p: number; ci95: [number, number] }>;
      stopping: { relativeHalfWidth: number };
    };
    const parts = Object.values(outcomes).map(({ p, ci95: [low, high] }) => (high - low) / 2 / Math.max(0.01, p));
    expect(Math.max(...parts)).toBeCloseTo(end.relativeHalfWidth, 12);
    expect(end.relativeHalfWidth).toBeLessThanOrEqual(0.05);
    const points = await json('run', DUEL, '--precision', '1pp', '--exact', 'never');
    const plain = await json('run', DUEL, '--precision', '0.01', '--exact', 'never');
    expect(points).toMatchObject({ digest: plain['digest'], stopping: { precision: 0.01 } });
  });

  test('shows the effect of unobserved values; --bounded covers every distribution', async () => {
    const { stdout } = await called(['run', DUEL, '--battles', '1e4', '--exact', 'never', '--histograms', 'none']);
    expect(stdout).toMatch(/\nmetric +mean +95 % interval +unobserved < +SD /);
    expect(stdout).toMatch(/\nrounds +8\.\d\d +8\.\d\d \.\. 12\.\d\d +3\.7 /);
    const plain = await json('run', DUEL, '--battles', '1e4', '--exact', 'never');
    const bounded = await json('run', DUEL, '--battles', '1e4', '--exact', 'never', '--bounded');
    const rounds = ({ metrics }: Record<string, unknown>) =>
      (metrics as { rounds: { ci95: [number, number]; unobserved: number; range: unknown } }).rounds;
    expect(rounds(plain)).toMatchObject({ range: [0, 10_000] });
    expect(rounds(plain).unobserved).toBeCloseTo(1e4 * (1 - 0.025 ** 1e-4), 9);
    expect(rounds(bounded).ci95[0]).toBeLessThan(rounds(plain).ci95[0]);
    expect(rounds(bounded).ci95[1]).toBeGreaterThan(rounds(plain).ci95[1] + 3);
    const mean = ['--precision', '0.1', '--precision-of', 'hp.attacker', '--exact', 'never'];
    const [short, sure] = await Promise.all([json('run', DUEL, ...mean), json('run', DUEL, ...mean, '--bounded')]);
    expect(short).toMatchObject({ stopping: { intervalMethod: 'chow-robbins', errorRate: 0.04, reached: true } });
    expect(sure).toMatchObject({ stopping: { intervalMethod: 'betting', errorRate: 0.05, reached: true } });
    expect(Number(sure['battles'])).toBeGreaterThan(Number(short['battles']));
  });

  test('reports a missed precision on both streams and exits with 0', async () => {
    const { code, stdout, stderr } = await called(['run', DUEL, '--precision', '0.001', '--battles', '2e4']);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^warpool: precision not reached: outcomes within ±0\.\d+ after 20 000 battles, requested ±0\.001/,
    );
    expect(stdout).toContain('\nprecision not reached: ');
  });

  test('shows exact values according to --exact', async () => {
    expect(await json('run', DUEL, '--battles', '10', '--exact', 'never')).not.toHaveProperty('exact');
    expect(await json('run', DUEL, '--battles', '10', '--exact', 'always')).toHaveProperty('exact.outcomes.attacker.z');
    expect(await json('run', CROWD, '--battles', '10')).not.toHaveProperty('exact');
  });

  test('reads the scenario from standard input', async () => {
    const stdin = readFileSync(DUEL, 'utf8');
    const { code, stdout } = await warpool(['run', '-', '--battles', '1'], { stdin });
    expect(code).toBe(0);
    expect(stdout).toContain('stdin · attrition · 1 battle · seed 1');
    expect((await warpool(['check', '-'], { stdin })).stdout).toBe('stdin: ok (attrition, direct)\n');
  });

  test('starts at the battle of --from', async () => {
    const [whole, head, tail] = await Promise.all([
      json('run', DUEL, '--battles', '20'),
      json('run', DUEL, '--battles', '5'),
      json('run', DUEL, '--battles', '15', '--from', '5'),
    ]);
    const count = (run: Record<string, unknown>): number => {
      const { attacker } = run['outcomes'] as { attacker: { count: number } };
      return attacker.count;
    };
    expect(count(head) + count(tail)).toBe(count(whole));
    expect(tail).toMatchObject({ from: 5, battles: 15 });
  });

  test.each([['-v'], ['version'], ['-V'], ['--version']])('%s prints the version', async (word) => {
    expect(await called([word])).toEqual({ code: 0, stdout: `${version()}\n`, stderr: '' });
  });

  test('prints colors in a pipe only if FORCE_COLOR is set and NO_COLOR is not', async () => {
    const coloured = async (env: Record<string, string>): Promise<boolean> =>
      (await called(['run', DUEL, '--battles', '10'], env)).stdout.includes('\u001B');
    expect(await coloured({ FORCE_COLOR: '' })).toBe(false);
    expect(await coloured({ FORCE_COLOR: '1', NO_COLOR: '' })).toBe(true);
    expect(await coloured({ FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false);
  });
});

describe('exact', () => {
  test('prints tables', async () => {
    const stdout = await getOutput('exact', DUEL);
    expect(stdout).toContain('attacker        57.6475948\n');
  });

  test('--json prints one object with probabilities', async () => {
    const found = await json('exact', DUEL);
    expect(found).toMatchObject({ engine: 'exact', outcomes: { stalemate: { p: 0 } }, elapsedSeconds: number });
    const { outcomes } = found as { outcomes: { attacker: { p: number } } };
    expect(outcomes.attacker.p).toBeCloseTo(0.576_475_948, 9);
    for (const key of ['seed', 'battles', 'digest']) expect(found).not.toHaveProperty(key);
  });
});

describe('replay', () => {
  test('shows the battle that the run counted', async () => {
    const stdout = await getOutput('replay', DUEL, '--seed', '5', '--battle', '41');
    expect(stdout).toMatch(/^duel · attrition · seed 5 · battle 41\n\nRound 1\.\n/);
    const counted = await json('run', DUEL, '--seed', '5', '--from', '41', '--battles', '1');
    const [, outcome = ''] = /\nOutcome: (\w+)\n/.exec(stdout) ?? [];
    expect(counted).toHaveProperty(`outcomes.${outcome}.count`, 1);
  });

  test('--json prints one object with events', async () => {
    expect(await json('replay', DUEL, '--battle', '3')).toMatchObject({
      seed: '1',
      battle: 3,
      outcome: expect.any(String) as string,
      metrics: { rounds: number },
      events: expect.arrayContaining([{ kind: 'rule', id: 'round', facts: { round: 1 } }]) as unknown[],
    });
  });
});

describe('check', () => {
  test('prints a line for each file', async () => {
    const stdout = await getOutput('check', DUEL, CROWD);
    expect(stdout).toBe(`${DUEL}: ok (attrition, direct)\n${CROWD}: ok (attrition, mass, a crowd)\n`);
  });

  test('accepts all shipped scenarios', async () => {
    const shipped = readdirSync(join(ROOT, 'scenarios')).map((name) => join(ROOT, 'scenarios', name));
    expect(shipped).not.toEqual([]);
    expect(await called(['check', ...shipped])).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('systems and schema', () => {
  test('list all shipped systems and games', async () => {
    const { code, stdout } = await called(['systems']);
    expect(code).toBe(0);
    for (const { id } of shippedSystems) expect(stdout).toMatch(new RegExp(`^${id} `, 'm'));
    expect(JSON.parse((await called(['systems', '--json'])).stdout)).toHaveLength(shippedSystems.length + GAMES.length);
    for (const { id, title } of GAMES) expect(stdout).toContain(`\n${id}  ${title}\n`);
  });

  test.each(some(shippedSystems.map(({ id }) => id)))('describe the system %s', async (id) => {
    const sheet = await called(['systems', id, '--rules']);
    expect(sheet).toMatchObject({ code: 0, stderr: '' });
    expect(sheet.stdout).toContain('\nRules\n');
    const schema = await called(['schema', id]);
    expect(schema).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(schema.stdout)).toHaveProperty('$schema');
  });

  test('print one schema of all systems', async () => {
    const { code, stdout } = await called(['schema', 'all']);
    expect(code).toBe(0);
    for (const { id } of shippedSystems) expect(stdout).toContain(`"${id}"`);
  });
});

describe('help', () => {
  test('--version and --help print to standard output', async () => {
    expect(await called(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
    const help = await called(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('Examples:');
    const [, docs = ''] = /Documentation is in\s(.*)/.exec(help.stdout) ?? [];
    expect(existsSync(join(docs, 'README.md')), docs).toBe(true);
  });

  test.each(some(['run', 'exact', 'check', 'replay', 'systems', 'schema']))(
    '%s has help with examples',
    async (command) => {
      const help = await called([command, '--help']);
      expect(help).toMatchObject({ code: 0, stderr: '' });
      expect(help.stdout).toContain(`$ warpool ${command}`);
      expect((await called(['help', command])).stdout).toBe(help.stdout);
    },
  );
});

describe('equilibrium', () => {
  const BLUFF = 'scenarios/strength-cards-bluff.yaml';

  test('prints the value, both mixed strategies and the exploitability of the policies', async () => {
    const stdout = await getOutput('equilibrium', BLUFF, '--reward', 'capture', '--decisions', 'card');
    expect(stdout).toContain('Assault or barrage · strength-cards · reward capture\n');
    for (const part of ['Value for attacker: 0\n', 'player ', 'defender: ', 'Decisions in the equilibrium: 2\n'])
      expect(stdout).toContain(part);
  });

  test('--json prints one object', async () => {
    expect(await json('equilibrium', BLUFF)).toMatchObject({
      warpool: manifest.version,
      system: 'strength-cards',
      reward: 'win',
      decisions: expect.arrayContaining(['card', 'air']) as string[],
      value: expect.closeTo(-1, 12) as number,
      players: {
        attacker: { exploitability: expect.closeTo(0, 12) as number },
        defender: { exploitability: expect.closeTo(1, 12) as number },
      },
      outcomes: { defender: expect.closeTo(1, 12) as number },
      strategies: expect.any(Array) as unknown[],
    });
  });

  test('distinguishes air token decisions by the observed cards', async () => {
    const ISLAND = 'scenarios/strength-cards-island.yaml';
    const { strategies, decisions } = await json('equilibrium', ISLAND, '--reward', 'hp', '--decisions', 'card, air');
    expect(decisions).toEqual(['card', 'air']);
    const points = (strategies as { decision: string; player: string }[]).map((one) => `${one.player} ${one.decision}`);
    expect([...new Set(points)].sort()).toEqual(['attacker air', 'attacker card', 'defender air', 'defender card']);
    expect(points).toHaveLength(10);
  });

  test('accepts a table of rewards as JSON', async () => {
    const rounds = JSON.stringify({ attacker: { metrics: { rounds: 1 } } });
    const { value, reward } = await json('equilibrium', 'scenarios/phased-dice-fleet.yaml', '--reward', rounds);
    expect(value).toBeCloseTo(2.7903831018, 9);
    expect(reward).toMatchObject({ attacker: { metrics: { rounds: 1 } } });
    const best = await json('best-response', 'scenarios/phased-dice-fleet.yaml', '--reward', rounds);
    expect([best['value'], best['policyValue']]).toEqual([value, expect.closeTo(2.7903831018, 9)]);
    const { code, stderr } = await called(['equilibrium', BLUFF, '--reward', '{"attacker"']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--reward: expected a name, or JSON such as {')]);
  });

  test('rejects unknown rewards, unknown decisions and scenarios with three players', async () => {
    const rejection = async (...args: string[]): Promise<[number | undefined, string]> => {
      const { code, stderr } = await called(['equilibrium', ...args]);
      return [code ?? undefined, stderr];
    };
    expect(await rejection('scenarios/attrition-brawl.yaml')).toEqual([
      2,
      'scenarios/attrition-brawl.yaml: system: expected a system with two players, found 3: watch, thieves, guild\n',
    ]);
    expect(await rejection(BLUFF, '--reward', 'glory')).toEqual([
      2,
      expect.stringMatching(/reward: expected .*"glory"/),
    ]);
    expect(await rejection(BLUFF, '--decisions', 'tea')).toEqual([
      2,
      expect.stringMatching(/decisions.*: expected .*"tea"/),
    ]);
    expect(await rejection(BLUFF, '--budget', '10')).toEqual([1, expect.stringContaining('--decisions')]);
  });
});
