/** Errors of commands: exit code, one clear message, no stack trace, and an empty standard output. */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DEPTH, some } from '../depth.ts';
import { called } from './called.ts';
import { DUEL, file, ROOT, warpool } from './warpool.ts';

const ZERO_HP = file(
  'zero.yaml',
  'system: attrition\nmode: direct\nattacker: { attack: 1, defense: 1, hp: 0 }\ndefender: { attack: 1, defense: 1, hp: 1 }\n',
);
const UNKNOWN_FIELD = file(
  'unknown.yaml',
  'system: attrition\nmode: direct\nattacker: { attack: 1, defense: 1, hp: 5 }\ndefender: { attack: 1, defense: 1, hp: 1 }\ncolour: red\n',
);
const ENDLESS = file(
  'endless.yaml',
  'system: attrition\nmode: direct\ndice: 8d100\nattacker: { attack: 1, defense: 1, hp: 100000 }\ndefender: { attack: 1, defense: 1, hp: 100000 }\n',
);
const WINGS = file(
  'wings.json',
  JSON.stringify({
    system: 'strength-cards',
    attacker: {
      units: [{ attack: 1, defense: 1, hp: 4, die: 'sample-1' }],
      airTokens: Array.from({ length: 13 }, () => ({ strength: 1 })),
    },
    defender: { units: [{ attack: 1, defense: 1, hp: 4, die: 'sample-1' }] },
  }),
);
const BINARY = file('binary.yaml', new Uint8Array([0, 255, 254, 7, 0, 1]));

/** Creates a copy of the command line without kernels; returns its path. */
function withoutKernels(): string {
  const clone = mkdtempSync(join(tmpdir(), 'warpool-'));
  onTestFinished(() => {
    rmSync(clone, { recursive: true });
  });
  for (const part of ['package.json', 'dist/program', 'dist/threads']) {
    cpSync(join(ROOT, part), join(clone, part), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  return join(clone, 'dist/program/main.cjs');
}

async function rejection(args: readonly string[], code: number, by = called): Promise<string> {
  const printed = await by(args);
  expect(printed).toMatchObject({ code, stdout: '' });
  expect(printed.stderr).not.toMatch(/^\s+at /m);
  expect(printed.stderr).toMatch(/\n$/);
  return printed.stderr;
}

describe('repeated options', () => {
  const FIND = ['find', DUEL, '--battles', '50'];
  test.each([
    [['run', DUEL, '--battles', '10', '--battles', '20'], '--battles'],
    [['run', DUEL, '--precision', '0.1', '--precision', '0.2'], '--precision'],
    [['replay', DUEL, '--battle', '3', '--battle', '4'], '--battle'],
    [['balance', DUEL, '--vary', 'attacker.hp', '--target', 'attacker=0.5', '--target', 'defender=0.5'], '--target'],
    [['sensitivity', DUEL, '--of', 'attacker', '--of', 'defender'], '--of'],
    [['rollout', DUEL, '--agents', 'attacker', '--agents', 'defender'], '--agents'],
    [['rollout', DUEL, '--policy', 'scenario', '--policy', 'uniform'], '--policy'],
    [['exact', DUEL, '--budget', '1e5', '--budget', '1e6'], '--budget'],
    [['assert', 'x.yaml', '--junit', 'a.xml', '--junit', 'b.xml'], '--junit'],
  ])('reject a second value: %j', async (args, option) => {
    expect(await rejection(args, 2)).toBe(`${option}: expected one value, found two\n`);
  });

  test('accept repeated switches', async () => {
    expect(await called(['run', DUEL, '--battles', '10', '--json', '--json', '-q', '-q'])).toMatchObject({ code: 0 });
  });

  test('combine several conditions of --where with "and"', async () => {
    const found = async (...args: string[]): Promise<unknown> => {
      const { stdout } = await called([...FIND, '--limit', '50', ...args, '--json']);
      return (JSON.parse(stdout) as { matches: { battle: number }[] }).matches.map(({ battle }) => battle);
    };
    const both = await found('--where', 'winner=attacker', '--where', 'rounds>9 || rounds=3');
    expect(both).toEqual(await found('--where', 'winner=attacker && (rounds>9 || rounds=3)'));
    expect(both).not.toEqual(await found('--where', 'rounds>9 || rounds=3'));
    expect(await rejection([...FIND, '--where', 'rounds>1', '--where', 'winner=nobody'], 2)).toContain('"nobody"');
  });

  test('use and report only the last --set value of a field', async () => {
    const set = ['--set', 'attacker.hp=20', '--set', 'defender.hp=9', '--set', 'attacker.hp=30'];
    const { stdout } = await called(['exact', DUEL, ...set, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ set: ['defender.hp=9', 'attacker.hp=30'] });
  });
});

describe('bad input exits with 2', () => {
  test.each(
    some([
      [['run', DUEL, '--seed', '-1'], '--seed: expected an integer 0..18446744073709551615, found "-1"\n'],
      [
        ['run', DUEL, '--seed', '18446744073709551616'],
        '--seed: expected an integer 0..18446744073709551615, found "18446744073709551616"\n',
      ],
      [['run', DUEL, '--battles', '0'], '--battles: expected an integer 1..9007199254740992, found "0"\n'],
      [['run', DUEL, '--battles', '1.5'], '--battles: expected an integer 1..9007199254740992, found "1.5"\n'],
      [['run', DUEL, '--battles', 'many'], '--battles: expected an integer 1..9007199254740992, found "many"\n'],
      [
        ['run', DUEL, '--precision', '0'],
        '--precision: expected a half-width of probabilities, 0.00001..0.25, or a part of each, such as 10%, found "0"\n',
      ],
      [
        ['run', DUEL, '--precision', '-0.01'],
        '--precision: expected a half-width of probabilities, 0.00001..0.25, or a part of each, such as 10%, found "-0.01"\n',
      ],
      [
        ['run', DUEL, '--precision', 'NaN'],
        '--precision: expected a half-width of probabilities, 0.00001..0.25, or a part of each, such as 10%, found "NaN"\n',
      ],
      [
        ['run', DUEL, '--precision', '1'],
        '--precision: expected a half-width of probabilities, 0.00001..0.25, or a part of each, such as 10%, found "1"\n',
      ],
      [
        ['run', DUEL, '--precision', '1e-6'],
        '--precision: expected a half-width of probabilities, 0.00001..0.25, or a part of each, such as 10%, found "1e-6"\n',
      ],
      [
        ['run', DUEL, '--precision', '0.1', '--precision-of', 'luck'],
        '--precision-of: expected one of outcomes, rounds, hp.attacker, hp.defender, found "luck"\n',
      ],
      [['run', DUEL, '--precision-of', 'rounds'], '--precision-of requires --precision\n'],
      [
        ['run', DUEL, '--precision', '10'],
        '--precision: expected a half-width of probabilities, 0.00001..0.25, or a part of each, such as 10%, found "10"\n',
      ],
      [['run', DUEL, '--precision', '80%'], '--precision: expected a part of each value, 0.1%..50%, found "80%"\n'],
      [['run', DUEL, '--precision', '0.01%'], '--precision: expected a part of each value, 0.1%..50%, found "0.01%"\n'],
      [
        ['run', DUEL, '--precision', '30pp'],
        '--precision: expected a half-width of probabilities, 0.00001..0.25, or a part of each, such as 10%, found "30pp"\n',
      ],
      [
        ['run', DUEL, '--precision', '1 percent'],
        '--precision: expected a half-width of probabilities, 0.00001..0.25, or a part of each, such as 10%, found "1 percent"\n',
      ],
      [
        ['run', DUEL, '--precision', '1pp', '--precision-of', 'rounds'],
        '--precision: expected a half-width above 0, in the unit of rounds, or a part, such as 1%, found "1pp"\n',
      ],
      [
        ['run', DUEL, '--precision', '0.01', '--precision-floor', '0.01'],
        '--precision-floor requires --precision in percent, such as 10%\n',
      ],
      [
        ['run', DUEL, '--precision', '10%', '--precision-floor', '0.9'],
        '--precision-floor: expected a probability 0.000001..0.5, found 0.9\n',
      ],
      [
        ['run', DUEL, '--precision', '0.1%', '--precision-floor', '1e-5'],
        '--precision-floor: expected a probability 0.0001..0.5, found 0.00001\n',
      ],
      [['run', DUEL, '--precision-floor', '0.1'], '--precision-floor requires --precision\n'],
      [['run', DUEL, '--precision-floor', 'x'], '--precision-floor: expected a number above 0, found "x"\n'],
      [['run', DUEL, '--workers', '0'], '--workers: expected an integer 1..256, found "0"\n'],
      [['run', DUEL, '--from', '1e17'], '--from: expected an integer 0..9007199254740991, found "1e17"\n'],
      [['run', DUEL, '--from', '9007199254740990', '--battles', '5'], '--battles: expected an integer 1..2, found 5\n'],
      [
        ['run', DUEL, '--engine', 'sampled', '--coverage'],
        '--coverage cannot be combined with --engine sampled, which draws results without simulating battles\n',
      ],
      [
        ['run', DUEL, '--engine', 'steam'],
        '--engine: expected one of kernel, automaton, reference, sampled, found "steam"\n',
      ],
      [['run', DUEL, '--exact', ''], '--exact: expected one of auto, always, never, found ""\n'],
      [['compare', DUEL], `scenarios: expected two files or more, found only ${DUEL}\n`],
      [
        ['compare', DUEL, 'scenarios/phased-dice-ground.yaml'],
        `scenarios/phased-dice-ground.yaml system: expected attrition, as in ${DUEL}, found phased-dice\n`,
      ],
      [
        ['compare', DUEL, DUEL, '--of', 'atacker'],
        '--of: expected one of attacker, defender, mutual, stalemate, rounds, hp.attacker, hp.defender, found "atacker" (did you mean attacker?)\n',
      ],
      [['replay', DUEL, '--battle', '-1'], '--battle: expected an integer 0..9007199254740991, found "-1"\n'],
    ]),
  )('%j', async (args, message) => {
    expect(await rejection(args, 2)).toBe(message);
  });

  test.each(['run', 'exact', 'replay', 'check'])('%s rejects bad scenarios', async (command) => {
    expect(await rejection([command, ZERO_HP], 2)).toMatch(
      /zero\.yaml:3:\d+ attacker\.hp: expected .*1\.\.100000.*found 0\n/,
    );
    expect(await rejection([command, UNKNOWN_FIELD], 2)).toMatch(/unknown\.yaml:5:1 .*colour/);
    expect(await rejection([command, BINARY], 2)).toContain('binary.yaml');
    expect(await rejection([command, '/no/such/file.yaml'], 2)).toContain(
      '/no/such/file.yaml: expected a readable file',
    );
  });

  test('check reports valid and invalid files', async () => {
    const { code, stdout, stderr } = await called(['check', ZERO_HP, DUEL, UNKNOWN_FIELD]);
    expect(code).toBe(2);
    expect(stdout).toBe(`${DUEL}: ok (attrition, direct)\n`);
    expect(stderr).toMatch(/zero\.yaml:3.*\n.*unknown\.yaml:5.*\n(.*\n)*2 of 3 files rejected\n$/);
  });

  test.each([
    ['systems', 'chess'],
    ['schema', 'chess'],
  ])('%s rejects the unknown name %s', async (...args) => {
    expect(await rejection(args, 2)).toMatch(/^(system|kind): expected one of .*attrition, .*found "chess"\n$/);
  });

  test('error messages contain no escape characters from a file', async () => {
    const sly = file('sly.json', '{"system": "attrition", "\\u001b[2J": 1}');
    expect(await rejection(['run', sly], 2)).not.toContain('\u001B');
  });
});

describe('wrong usage exits with 2', () => {
  test.each(
    some([
      [['rnu', DUEL], /unknown command 'rnu'\n\(Did you mean run\?\)/],
      [['run'], /missing required argument 'scenario'/],
      [['run', DUEL, DUEL], /too many arguments/],
      [['run', DUEL, '--battels', '5'], /unknown option '--battels'\n\(Did you mean --battles\?\)/],
      [['run', DUEL, '--seed'], /option '--seed <n>' argument missing/],
      [['check'], /missing required argument 'files'/],
      [['compare'], /missing required argument 'scenarios'/],
      [[], /Usage: warpool/],
    ]),
  )('%j', async (args, message) => {
    expect(await rejection(args, 2)).toMatch(message);
  });

  test('and points to the help of the command', async () => {
    expect(await rejection(['run', DUEL, '--nonsense'], 2, warpool)).toContain(
      'Run "warpool run --help" to list options.\n',
    );
  });
});

describe('failed commands', () => {
  test.each([
    [
      ['exact', ENDLESS],
      /^warpool: the exact answer needs .*states.*\n"--budget 5600000000" may be enough; "warpool run" estimates without a budget\n$/,
    ],
    [
      ['run', ENDLESS, '--exact', 'always'],
      /\n"--budget \d+" may be enough; an estimate needs no budget: omit "--exact always"\n$/,
    ],
    [
      ['equilibrium', WINGS],
      /^warpool: choices at air are hidden for so long that a stage has at least 4 097 x 1 pure strategies; a missing feature can be the reason\n.*--decisions.*\n$/,
    ],
  ])('%j exits with 1 and suggests an alternative', async (args, message) => {
    expect(await rejection(args, 1)).toMatch(message);
  });

  test.each(DEPTH === 1 ? ['run'] : ['run', 'compare-rules'])('%s exits with 1 without a kernel', async (command) => {
    const args = command === 'run' ? [command, DUEL] : [command, DUEL, '--set', 'attacker.hp=20'];
    expect(await warpool(args, { main: withoutKernels() })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'warpool: the kernel of attrition is not built; run "npm run build"\n',
    });
  });

  test('WARPOOL_DEBUG adds the stack trace', async () => {
    const { code, stderr } = await called(['run', DUEL, '--seed', 'x'], { WARPOOL_DEBUG: '1' });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^\s+at /m);
  });
});
