/** Rules that never return: signals end every command, and --rule-limit reports calls that take too long. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEPTH } from '../depth.ts';
import { file, interrupted, ROOT, type Said, warpool } from './warpool.ts';

const SCENARIO = file('looper.yaml', 'system: looper\nhp: 4\n');

/** Module that prints "spinning" and then loops or waits in the function that SPIN names. */
const MODULE = file(
  'looper.mjs',
  `import { writeSync } from 'node:fs';
import { defineSystem, integer } from 'warpool/system';
const at = process.env.SPIN;
const sleeper = process.env.SPIN_WAITS && new Int32Array(new SharedArrayBuffer(4));
const spin = (here) => {
  if (at !== here) return;
  writeSync(2, 'spinning\\n');
  if (sleeper) Atomics.wait(sleeper, 0, 0);
  for (;;);
};
spin('load');
if (at === 'await') await new Promise((resolve) => setTimeout(resolve, 1e9));
export default defineSystem({
  id: 'looper',
  title: 'Loops',
  about: 'Loops where it is told to.',
  fields: { hp: integer(1, 9) },
  check: () => spin('check'),
  battle: ({ hp }) => {
    spin('battle');
    return {
      outcomes: ['won', 'lost'],
      metrics: { left: { min: 0, max: 9, of: (g) => (spin('measure'), g.hp) } },
      start: () => (spin('start'), { hp, foe: 4 }),
      round: [
        (g, chance) => {
          if (g.hp === 1 && g.foe === 1) spin('rare');
          return { ...g, foe: Math.max(0, g.foe - (chance.roll(1, 6)[0] > 3 ? 1 : 0)) };
        },
        (g, chance) => (spin('phase'), { ...g, hp: Math.max(0, g.hp - (chance.roll(1, 6)[0] > 3 ? 1 : 0)) }),
      ],
      outcome: (g) => (spin('outcome'), g.foe === 0 ? 'won' : g.hp === 0 ? 'lost' : undefined),
      key: (g) => (spin('key'), \`\${g.hp},\${g.foe}\`),
    };
  },
  examples: { usual: { hp: 4 } },
});
`,
);

// The module imports the package as if it were installed.
mkdirSync(join(MODULE, '../node_modules'));
symlinkSync(ROOT, join(MODULE, '../node_modules/warpool'));

const OWN = ['--systems', MODULE];
const COMMANDS = {
  exact: ['exact', SCENARIO, ...OWN],
  run: ['run', SCENARIO, ...OWN, '--battles', '1e9'],
  reference: ['run', SCENARIO, ...OWN, '--battles', '1e9', '--engine', 'reference', '--exact', 'never'],
  find: ['find', SCENARIO, ...OWN, '--where', 'winner=won'],
  conform: ['conform', MODULE],
} as const;

type Name = keyof typeof COMMANDS;

const spinning = ({ stderr }: Said): boolean => stderr.includes('spinning');

describe.concurrent('a signal ends a command whose rules loop forever', () => {
  const cases: [Name, string][] = [
    ['run', 'rare'],
    ['conform', 'phase'],
    ['run', 'load'],
    ['reference', 'rare'],
  ];
  const more: [Name, string][] = (Object.keys(COMMANDS) as Name[]).flatMap((name) =>
    ['load', 'check', 'battle', 'start', 'outcome', 'measure', 'key'].map((where): [Name, string] => [name, where]),
  );
  // The reference engine does not call key.
  const requested = more.filter(([name, where]) => name !== 'reference' || where !== 'key');
  const signals = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const;
  // Each case uses one of the signals.
  const all = (DEPTH > 1 ? [...cases, ...requested] : cases.slice(0, 1)).flatMap(([name, where], k) =>
    signals.filter((_, s) => s === k % 2).map(([signal, code]) => [name, where, signal, code] as const),
  );
  test.each(all)('%s, in %s, %s', async (name, where, signal, code) => {
    const printed = await warpool(COMMANDS[name], {
      env: { SPIN: where },
      signals: [[signal, (stderr) => stderr.includes('spinning')]],
    });
    expect(printed).toMatchObject({ code, stdout: '' });
    expect(spinning(printed)).toBe(true);
  });
});

test.runIf(DEPTH > 1)('an interrupted run of a custom system prints the finished battles', async () => {
  const printed = await interrupted(COMMANDS.reference, ({ stderr }) => /interrupted at [1-9]/.test(stderr), 'SIGTERM');
  expect(printed.code).toBe(143);
  expect(printed.stdout).toContain('\ndigest ');
});

/** Limit in seconds. On a busy machine, calls that return must not reach it. */
const LIMIT = ['--rule-limit', '3'];

/** Makes a call wait instead of loop, to leave the cores free. The tests above cover loops. */
const late = (where: string) => ({ env: { SPIN: where, SPIN_WAITS: 'yes' } });

describe.concurrent('a call that exceeds --rule-limit is reported and ends the command', () => {
  const calls: [Name, string, RegExp][] = [
    ['run', 'phase', /^warpool: looper: phase 2 of round 1 did/m],
    ['exact', 'load', / looper\.mjs: loading the module did|\/looper\.mjs: loading the module did/],
    ['exact', 'await', /\/looper\.mjs: loading the module did/],
    ['exact', 'check', /^warpool: looper: check did/m],
    ['reference', 'rare', /^warpool: looper: phase 1 of round \d+ did/m],
    ['find', 'outcome', /^warpool: looper: outcome did/m],
  ];
  test.each(DEPTH > 1 ? calls : calls.slice(0, 1))('%s, in %s', async (name, where, expected) => {
    const { code, stdout, stderr } = await warpool([...COMMANDS[name], ...LIMIT], late(where));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(expected);
    expect(stderr).toMatch(/ did not end within 3 s; does every loop in it end\? "--rule-limit 300" allows 300 s.*\n$/);
  });

  test.runIf(DEPTH > 1)('conform reports it as a finding', async () => {
    const args = [...COMMANDS.conform, ...LIMIT];
    const [sheet, { code, stdout }] = await Promise.all([
      warpool(args, late('rare')),
      warpool([...args, '--json'], late('key')),
    ]);
    expect(sheet.code).toBe(1);
    expect(sheet.stdout).toMatch(
      /\nWRONG every call of the rules returns\n {6}phase 1 of round \d+ did not end within 3 s\./,
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      systems: [{ system: 'looper', findings: [{ check: 'ends', ok: false, message: 'key did not end within 3 s' }] }],
    });
  });
});

test.runIf(DEPTH > 1).concurrent('exact with --rule-limit 0 returns an answer', async () => {
  const { code, stdout } = await warpool([...COMMANDS.exact, '--json', '--rule-limit', '0']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ engine: 'exact', outcomes: { won: expect.any(Object) as object } });
});

test.runIf(DEPTH > 1)('a module that blocks in a system call is reported, and the process ends', async () => {
  const pipe = file('empty', '');
  rmSync(pipe);
  execFileSync('mkfifo', [pipe]);
  const module = file(
    'reader.mjs',
    `import { readFileSync } from 'node:fs';\nreadFileSync(${JSON.stringify(pipe)});\n`,
  );
  const { code, stderr } = await warpool(['check', SCENARIO, '--systems', module, '--rule-limit', '1']);
  expect({ code, stderr }).toEqual({
    code: null,
    stderr: expect.stringMatching(/\/reader\.mjs: loading the module did not end within 1 s.*\n$/) as string,
  });
});

test.runIf(DEPTH > 1).concurrent('a module that calls process.exit(0) fails with exit code 1', async () => {
  const module = file('leaver.mjs', 'process.exit(0);\n');
  const { code, stderr } = await warpool(['check', SCENARIO, '--systems', module]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('process.exit(0) was called') as string,
  });
});
