/** Option --set of commands with a scenario, run in this process. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { sweepFile } from '../store/folders.ts';
import { DUEL } from './warpool.ts';
import { catchWriting, written } from './written.ts';

beforeEach(() => {
  // Commands keep their signal listeners until the process ends.
  vi.spyOn(process, 'on').mockReturnValue(process);
  catchWriting();
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function stdoutText(...args: readonly string[]): Promise<string> {
  written.out = '';
  await (await createProgram(args)).parseAsync(args, { from: 'user' });
  return written.out;
}

const SET = ['--set', 'attacker.hp=3', '--set', 'defender.hp=2'];
const TITLE = 'duel (attacker.hp=3, defender.hp=2) · ';
const GIVEN = ['attacker.hp=3', 'defender.hp=2'];

describe('--set', () => {
  test.each([
    ['exact'],
    ['replay'],
    ['sensitivity', '--fields', 'attacker.hp'],
    ['best-response'],
    ['balance', '--vary', 'attacker.attack=0..3', '--target', 'attacker=50%', '--tolerance', '0.5'],
  ])('is printed by %s in the title and in JSON', async (command, ...options) => {
    expect(await stdoutText(command, DUEL, ...SET, ...options)).toContain(TITLE);
    const json = JSON.parse(await stdoutText(command, DUEL, ...SET, ...options, '--json')) as object;
    expect(json).toMatchObject({ scenario: { name: 'duel' }, set: GIVEN });
    expect(JSON.parse(await stdoutText(command, DUEL, ...options, '--json'))).not.toHaveProperty('set');
  });

  test('yields the scenario hash that compare-rules prints', async () => {
    const changed = JSON.parse(await stdoutText('exact', DUEL, ...SET, '--json')) as { scenario: { hash: string } };
    const first = await stdoutText('compare-rules', DUEL, '--set', ...GIVEN, '--battles', '100', '--json');
    expect(JSON.parse(first)).toMatchObject({ changedHash: changed.scenario.hash });
  });

  test('is included in suggested commands', async () => {
    const found = await stdoutText(
      'find',
      DUEL,
      '--set',
      'attacker.name=Red Guard',
      '--where',
      'rounds > 1',
      '--limit',
      '1',
    );
    expect(found).toContain(`\nwarpool replay ${DUEL} --set 'attacker.name=Red Guard' --seed 1 --battle `);
    const even = ['--vary', 'defender.hp=1..4', '--target', 'attacker=0.5', '--tolerance', '20pp'];
    expect(await stdoutText('balance', DUEL, '--set', 'attacker.hp=2', ...even)).toMatch(
      new RegExp(`\\nwarpool run ${DUEL} --set attacker.hp=2 --set defender.hp=\\d\\n`),
    );
  });

  test('applies to all scenarios of compare and is printed', async () => {
    const compared = await stdoutText('compare', DUEL, DUEL, ...SET, '--battles', '100');
    expect(compared).toMatch(/^set in all scenarios: attacker\.hp=3, defender\.hp=2\nduel · duel \(2\) · /);
    expect(JSON.parse(await stdoutText('compare', DUEL, DUEL, ...SET, '--battles', '100', '--json'))).toMatchObject({
      set: GIVEN,
    });
    const wrong = stdoutText('compare', DUEL, DUEL, '--set', 'attacker.hp=none');
    await expect(wrong).rejects.toThrow(`${DUEL} --set attacker.hp: expected an integer 1..100000, found "none"`);
  });

  test('applies to rollout and manifest', async () => {
    const rollout = ['rollout', DUEL, ...SET, '--envs', '4'];
    expect(await stdoutText(...rollout)).toContain(TITLE);
    expect(JSON.parse(await stdoutText(...rollout, '--json'))).toMatchObject({ set: GIVEN });
    expect(await stdoutText('manifest', DUEL, ...SET)).not.toBe(await stdoutText('manifest', DUEL));
  });

  test('applies to the scenario of a sweep', async () => {
    const few = sweepFile('axes: [{ path: attacker.hp, range: [1, 3] }]\nbattles: 10\nexact: never');
    const sweep = ['sweep', few, '--dry-run', '--json'];
    const dry = JSON.parse(await stdoutText(...sweep, '--set', 'dice=1d6')) as object;
    expect(dry).toMatchObject({ set: ['dice=1d6'] });
  });

  test.each([
    [['attacker.hp'], '--set: expected path=value, found "attacker.hp"'],
    [['=3'], '--set: expected path=value, found "=3"'],
    [['attacker..hp=3'], '--set: expected a path such as attacker.hp or combatants[0].attack, found "attacker..hp"'],
    [['attacker.hpp=3'], '--set attacker.hpp: expected one of'],
    [['attacker.hpp=3'], '(did you mean hp?)'],
    [['attacker[2].hp=3'], '--set attacker["2"]: expected one of name, '],
    [['attacker.hp={'], '--set attacker.hp: expected a value in YAML, found "{"'],
    [['attacker.hp=3', 'defender.hp=0'], '--set defender.hp: expected an integer 1..100000, found 0'],
  ])('rejects %j', async (changes, message) => {
    await expect(stdoutText('exact', DUEL, ...changes.flatMap((change) => ['--set', change]))).rejects.toThrow(message);
  });
});

describe('scenarios with different outcomes', () => {
  const MODES = ['scenarios/attrition-direct.yaml', 'scenarios/attrition-brawl.yaml'];

  test('are not compared by an outcome or metric that one of them lacks', async () => {
    const message =
      '--of: expected one of mutual, stalemate, rounds, found "attacker", which is not an outcome of Brawl';
    await expect(stdoutText('compare', ...MODES)).rejects.toThrow(message);
    await expect(stdoutText('compare', ...MODES, '--of', 'hp.attacker')).rejects.toThrow(
      'found "hp.attacker", which is not a metric of Brawl',
    );
    await expect(stdoutText('compare', ...MODES, '--of', 'wacth')).rejects.toThrow('--of: expected one of ');
  });

  test('are compared by shared outcomes, and the others are listed separately', async () => {
    const text = await stdoutText('compare', ...MODES, '--of', 'mutual', '--battles', '1k');
    expect(text).toMatch(/\nmutual +6/);
    expect(text).not.toMatch(/\nattacker +/);
    expect(text).toMatch(/\nonly "Brawl" has the outcomes watch 6\d\.\d %, thieves 2\d/);
    const json = JSON.parse(await stdoutText('compare', ...MODES, '--of', 'mutual', '--battles', '1k', '--json')) as {
      outcomes: Record<string, unknown>;
      unshared: Record<string, unknown>;
    };
    expect(Object.keys(json.outcomes)).toEqual(['mutual', 'stalemate']);
    expect(json.unshared).toMatchObject({ attacker: { side: 0 }, watch: { side: 1 } });
  });

  test('have a unit with --best', async () => {
    const text = await stdoutText('compare', ...MODES, '--of', 'mutual', '--battles', '1k', '--best', 'highest');
    expect(text).toMatch(/percentage points\n/);
  });

  test('--indifference accepts percentage points only for probabilities', async () => {
    const best = ['--battles', '1k', '--best', 'highest', '--indifference', '1pp'];
    await expect(stdoutText('compare', DUEL, DUEL, ...best, '--of', 'rounds')).rejects.toThrow(
      '--indifference: expected a number in the unit of rounds, found 1pp',
    );
    expect(await stdoutText('compare', DUEL, DUEL, ...best)).toContain('within 1 percentage points');
    await expect(stdoutText('compare', DUEL, DUEL, '--indifference', '1%')).rejects.toThrow(
      '--indifference: expected a number above 0, or points of probabilities such as 1pp, found "1%"',
    );
  });

  test('an outcome that a different stock rules out is not listed as unshared', async () => {
    const stock = 'scenarios/token-conflict-short-stock.yaml';
    const json = JSON.parse(
      await stdoutText('compare-rules', stock, '--set', 'players.rome.stock=12', '--battles', '100', '--json'),
    ) as { unshared: object };
    expect(json.unshared).toEqual({});
  });
});

test('schema without arguments lists all kinds of files', async () => {
  const list = await stdoutText('schema');
  for (const kind of ['scenario, all', 'sweep', 'expectations', 'attrition', 'token-conflict'])
    expect(list).toMatch(new RegExp(`^${kind} +\\S`, 'm'));
  expect(await stdoutText('schema', 'scenario')).toBe(await stdoutText('schema', 'all'));
  await expect(stdoutText('schema', 'sweeps')).rejects.toThrow(
    /^kind: expected one of scenario, all, sweep, .*mean sweep\?\)$/,
  );
});
