/** `warpool conform`, in this process. */
import { afterEach, expect, test, vi } from 'vitest';
import { conformPaths } from '../../src/cli/conform.ts';
import { CommandExit } from '../../src/cli/failure.ts';
import { file } from '../cli/warpool.ts';
import { catchWriting, written } from '../cli/written.ts';
import { DEPTH } from '../depth.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const DUEL = 'tests/testing/duel.js';

test('prints a line for each check, and tests the given scenarios', async () => {
  catchWriting();
  const scenario = file('conform-dawn.yaml', 'system: good-duel\nname: dawn\nlives: 4\n');
  await conformPaths([DUEL, scenario], { quick: true, verbose: true });
  expect(written.out).toMatch(/^Duel · good-duel · tests\/testing\/duel\.js\n\nok {4}the schema reads/);
  expect(written.out).toContain('\ngood-duel conforms, 7 scenarios tested\n');
  expect(written.out).not.toContain('WRONG');
});

test('prints a failed check with a replay command, and exits with code 1', async () => {
  const module = file(
    'conform-untold.mjs',
    `import { duel } from '${process.cwd()}/tests/testing/duel.js';
export default duel('untold-duel', undefined, { rules: {} });\n`,
  );
  catchWriting();
  const ended = await conformPaths([module], { quick: true }).catch((error: unknown) => error);
  expect(ended).toBeInstanceOf(CommandExit);
  expect(ended).toMatchObject({ code: 1 });
  expect(written.out).toContain('WRONG replays match the counts, and every description is complete\n');
  expect(written.out).toMatch(
    /\n {6}echo '\{"system":"untold-duel".*\| warpool replay - --systems .*--seed 1 --battle 0\n/,
  );
  expect(written.out).toContain('untold-duel does not conform: 1 check failed');
  catchWriting();
  await expect(conformPaths([module], { quick: true, json: true })).rejects.toThrow(CommandExit);
  expect(JSON.parse(written.out)).toMatchObject({ ok: false, systems: [{ system: 'untold-duel', ok: false }] });
});

test.runIf(DEPTH > 1)('prints a hint without a failed check', async () => {
  const module = file(
    'conform-counting.mjs',
    `export { counting as default } from '${process.cwd()}/tests/testing/mistakes.js';\n`,
  );
  catchWriting();
  await conformPaths([module], { quick: true });
  expect(written.out.replaceAll(/\n {6}/g, ' ')).toMatch(
    /ok {4}states with the same key have the same future the states count rounds \(on\.turn\), .* unless the rules need it\. \(\d scenarios\)\n/,
  );
  expect(written.out).toContain('counted-rounds conforms');
});

test.runIf(DEPTH > 1)('prints missing declarations, and options without a description', async () => {
  const module = file(
    'conform-bare.mjs',
    `import { duel } from '${process.cwd()}/tests/testing/duel.js';
const stance = () => 'Red decides.';
export default [
  duel('bare-duel', undefined, { environment: undefined }),
  duel('mute-duel', undefined, { rules: { blow: () => 'A blow.', stance }, environment: undefined }),
];\n`,
  );
  catchWriting();
  await conformPaths([module], { quick: true });
  const [bare = '', mute = ''] = written.out.replaceAll(/\n {6}/g, ' ').split('mute-duel · ');
  const none = 'the system has no "environment"';
  expect(bare).toContain(`-     environments match their declarations ${none}\n`);
  expect(bare).toContain(`-     optimal policies use only what agents can observe ${none}\n`);
  expect(bare).toMatch(/conforms, \d scenarios tested\n/);
  expect(bare).not.toContain('no description');
  expect(mute).toMatch(
    /ok {4}replays match .* options of the decision "stance" have no description in replays: bold(; careful)?\. Add describe: \{ "bold": /,
  );
});

test('rejects missing files, scenarios without a module, and scenarios of other systems', async () => {
  await expect(conformPaths(['none.js'], {})).rejects.toThrow(
    'none.js: expected a file with a system, found no such file',
  );
  await expect(conformPaths(['a.yaml'], {})).rejects.toThrow('conform: expected a module or a package with a system');
  await expect(conformPaths([DUEL, 'scenarios/attrition-direct.yaml'], {})).rejects.toThrow(
    'expected a scenario of one of the modules, found a scenario of attrition',
  );
});
