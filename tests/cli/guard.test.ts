/** Rules cannot end the built command line or write to its output, and their unhandled rejections are reported. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Own, ownFolder } from '../custom-system.ts';
import { DEPTH, some } from '../depth.ts';
import { requireBuild } from '../pool/fixtures.ts';
import { type Said, warpool } from './warpool.ts';

const CLAIMS = `expectations: [{ name: even, scenario: duel.yaml, expect: attacker at least 40% }]\n`;

let own: Own;

beforeAll(() => {
  requireBuild();
  own = ownFolder({
    'package.json': '{ "type": "module" }',
    'duel.yaml': 'system: my-duel\n',
    'claims.yaml': CLAIMS,
  });
});

let modules = 0;

/** Runs a command with rules that execute `loading` at load time and `step` in every step. */
async function shown(words: readonly string[], loading: string, step = ''): Promise<Said> {
  const path = join(own.folder, `rules-${String(modules++)}.js`);
  const text = `import { myDuel } from './my-duel.js';
const model = (scenario) => {
  const { step, ...rest } = myDuel.model(scenario);
  return { ...rest, step: (state, chance) => { ${step}; return step(state, chance); } };
};
export default { ...myDuel, model };
${loading}
`;
  writeFileSync(path, text);
  const here = words.map((word) => (word.endsWith('.yaml') ? join(own.folder, word) : word));
  return await warpool([...here, '--systems', path]);
}

const COMMANDS: readonly (readonly string[])[] = [
  ['exact', 'duel.yaml', '--json'],
  ['run', 'duel.yaml', '--battles', '2000', '--engine', 'reference', '--exact', 'never', '--workers', '2', '--json'],
  ['run', 'duel.yaml', '--battles', '2000', '--json'],
  ['assert', 'claims.yaml', '--json'],
];

/** Commands to test: at depth 1, only the one that simulates on threads. */
const ASKED = DEPTH > 1 ? COMMANDS : COMMANDS.slice(1, 2);

describe.concurrent.each(ASKED.map((words) => [words.join(' '), words] as const))('%s', (_, words) => {
  test('process.exit in a rule is reported with its line and exits with 1', async () => {
    const { code, stdout, stderr } = await shown(words, '', 'process.exit(0)');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/process\.exit\(0\) was called: rules cannot end the program.* at rules-\d+\.js:4:\d+/);
  });

  test('console.log in rules does not change the JSON output', async () => {
    const { code, stdout, stderr } = await shown(words, 'console.log("loading");', 'console.log("stepping")');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toBeInstanceOf(Object);
    expect(stderr).toMatch(/^loading\n/);
  });
});

describe.concurrent('while a module is loaded', () => {
  const EXACT = ['exact', 'duel.yaml', '--json'];

  test.each(some(['process.exit(0)', 'process.exit()', 'process.exit(7)']))(
    '%s is reported and exits with 1',
    async (call) => {
      const { code, stdout, stderr } = await shown(EXACT, `${call};`);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`${call} was called: rules cannot end the program`);
      expect(stderr).toMatch(/\/rules-\d+\.js:7:9\)\n$/);
    },
  );

  test.runIf(DEPTH > 1)('a delayed process.exit or a changed process.exitCode still fails', async () => {
    const [{ code, stderr }, ending] = await Promise.all([
      shown(EXACT, 'setTimeout(() => process.exit(0)); await new Promise(() => {});'),
      shown(EXACT, 'process.on("exit", () => { process.exitCode = 0; }); throw new Error("no");'),
    ]);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('process.exit(0)') as string });
    expect(ending.code).toBe(2);
  });

  test.runIf(DEPTH > 1)('a top-level await that never settles is reported at once', async () => {
    const { code, stderr } = await shown(EXACT, 'await new Promise(() => {});');
    expect(code).toBe(2);
    expect(stderr).toMatch(/found Error: its top-level await never settles\n$/);
  });

  test.runIf(DEPTH > 1)('an unhandled rejection is reported with its line', async () => {
    const { code, stderr } = await shown(EXACT, 'Promise.reject(new Error("late"));');
    expect(code).toBe(2);
    expect(stderr).toMatch(/found Error: late \(.*\/rules-\d+\.js:7:16\)\n$/);
  });
});

test.runIf(DEPTH > 1).concurrent('an unhandled rejection in a rule is reported once, with its line', async () => {
  const { code, stderr } = await shown(['exact', 'duel.yaml'], '', 'Promise.reject(new Error("late"))');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^warpool: unhandled error: Error: late \(.*\/rules-\d+\.js:4:\d+\)\n$/);
});
