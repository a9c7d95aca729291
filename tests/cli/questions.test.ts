/** Commands find and compare-rules, and option --coverage of run. */
import { describe, expect, test } from 'vitest';
import { called, getOutput } from './called.ts';
import { DUEL } from './warpool.ts';

interface Found {
  readonly searched: number;
  readonly matches: readonly { readonly battle: number; readonly outcome: string }[];
}

describe('find', () => {
  test('prints battles and the command to replay the first one', async () => {
    const stdout = await getOutput('find', DUEL, '--where', 'winner=defender && rounds>15');
    expect(stdout).toMatch(/^battle +outcome +rounds +hp\.attacker +hp\.defender\n/);
    expect(stdout.match(/ defender /g)).toHaveLength(5);
    expect(stdout).toContain(`warpool replay ${DUEL} --seed 1 --battle `);
  });

  test('--json prints one object', async () => {
    const { stdout } = await called([
      'find',
      DUEL,
      '--where',
      'outcome=mutual',
      '--limit',
      '2',
      '--seed',
      '7',
      '--json',
    ]);
    const { matches: found, searched } = JSON.parse(stdout) as Found;
    expect(found.map(({ outcome }) => outcome)).toEqual(['mutual', 'mutual']);
    expect(searched).toBe((found[1]?.battle ?? 0) + 1);
  });

  test('exits with 1 if no battle matches', async () => {
    const { code, stdout, stderr } = await called(['find', DUEL, '--where', 'rounds>9000', '--battles', '1e3']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('none of 1 000 battles');
  });

  test.each([
    [['--where', 'winner=nobody'], '--where:8: expected one of attacker, defender, mutual, stalemate, found "nobody"'],
    [['--where', 'rounds>1', '--limit', '0'], '--limit: expected an integer 1..1000000, found "0"'],
    [[], '--where'],
  ])('rejects %j', async (options, message) => {
    const { code, stdout, stderr } = await called(['find', DUEL, ...options]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });
});

describe('compare-rules', () => {
  test('distinguishes equal battles from a constant difference', async () => {
    const deadlock = 'scenarios/attrition-deadlock.yaml';
    const args = ['compare-rules', deadlock, '--set', 'attacker.hp=41', '--battles', '1e4'];
    const { stdout } = await called(args);
    expect(stdout).toMatch(/\nhp\.attacker +40\.\d+ +41\.\d+ +\+1\.\d+ .* constant difference\n/);
    expect(stdout).not.toMatch(/\nhp\.attacker .*no battle differs/);
    const { metrics } = JSON.parse((await called([...args, '--json'])).stdout) as {
      metrics: Record<string, { ci95: [number, number]; differing: number; varianceReduction: number | null }>;
    };
    const never = 1 - 0.025 ** 1e-4;
    // Hit points are 0..40 and 0..41: a difference may be -40..41.
    expect(metrics['hp.attacker']).toMatchObject({
      difference: 1,
      differing: 10_000,
      varianceReduction: null,
      mean: [40, 41],
    });
    expect(metrics['hp.attacker']?.ci95[0]).toBeCloseTo(1 - 41 * never, 12);
    expect(metrics['hp.attacker']?.ci95[1]).toBeCloseTo(1 + 40 * never, 12);
    expect(metrics['hp.defender']).toMatchObject({ difference: 0, differing: 0, varianceReduction: null });
  });

  test('--bounded prints intervals that are valid for every distribution', async () => {
    const args = ['compare-rules', DUEL, '--set', 'attacker.attack=2', '--battles', '2e4'];
    const [plain, bounded] = (await Promise.all([called(args), called([...args, '--bounded'])])).map(
      ({ stdout }) => stdout,
    );
    expect(plain).toContain('\nunobserved: largest effect of unobserved differences');
    expect(plain).not.toContain('betting');
    expect(bounded).toContain('\nintervals of differences are valid for every distribution in the declared ranges');
  });

  test('prints the values of both rules, their difference and the exact difference', async () => {
    const stdout = await getOutput('compare-rules', DUEL, '--set', 'attacker.attack=3', '--battles', '5e4');
    expect(stdout).toContain('duel · attacker.attack=3 · 50 000 battles each · seed 1\n');
    for (const part of ['original', 'changed', 'difference', '95 % interval', 'exact', 'variance', 'hp.defender']) {
      expect(stdout).toContain(part);
    }
  });

  test('omits outcomes that never occurred if there are many outcomes', async () => {
    const stock = 'scenarios/token-conflict-short-stock.yaml';
    const { stdout } = await called(['compare-rules', stock, '--set', 'players.rome.stock=12', '--battles', '1e4']);
    expect(stdout.match(/^(rome|gauls|coexist|empty) \+ /gm)).toHaveLength(12);
    expect(stdout).toContain('\n(--json also has 20 outcomes that never occurred)\n');
  });

  test('--json prints one object', async () => {
    const { stdout } = await called([
      'compare-rules',
      DUEL,
      '--set',
      'dice=2d10',
      'preyDamage=3',
      '--battles',
      '1e3',
      '--json',
    ]);
    const found = JSON.parse(stdout) as {
      set: string[];
      outcomes: Record<string, { p: number[]; varianceReduction: number | null }>;
    };
    expect(found.set).toEqual(['dice=2d10', 'preyDamage=3']);
    expect(found.outcomes['attacker']?.p).toHaveLength(2);
    expect(found.outcomes['stalemate']).toMatchObject({ p: [0, 0], varianceReduction: null });
  });

  test('rejects changes that make the scenario invalid', async () => {
    const { code, stderr } = await called(['compare-rules', DUEL, '--set', 'attacker.hp=none']);
    expect(code).toBe(2);
    expect(stderr).toContain('--set attacker.hp: expected an integer 1..100000, found "none"');
  });
});

describe('run --coverage', () => {
  test('adds the applied rules to tables and JSON', async () => {
    const args = ['run', DUEL, '--battles', '1e3', '--coverage', '100'];
    const { stdout } = await called(args);
    expect(stdout).toMatch(/rules that applied in the first 100 battles\n.*\n(.*\n)*direct\.blow +\d/);
    expect(stdout).toMatch(/mass\.hit +0 +never/);
    const { coverage } = JSON.parse((await called([...args, '--json'])).stdout) as {
      coverage: { battles: number; rules: Record<string, { fired: number; battles: number }> };
    };
    expect(coverage.battles).toBe(100);
    expect(coverage.rules['direct.blow']?.battles).toBe(100);
  });

  test('rejects a value that is not a number', async () => {
    const { code, stderr } = await called(['run', DUEL, '--coverage', 'all']);
    expect(code).toBe(2);
    expect(stderr).toContain('--coverage: expected an integer');
  });
});
