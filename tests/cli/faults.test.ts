/** Errors of modules that cannot be loaded, with the file and line of the fault. */
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { solveSync, toExactJson } from '../../src/analysis/solve.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import { describeThrown } from '../../src/rules/rules-guard.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { ownFolder } from '../custom-system.ts';
import { DEPTH, some } from '../depth.ts';
import { warpool } from './warpool.ts';

afterEach(() => {
  vi.useRealTimers();
});

const START = '--systems FOLDER/rules.js: expected a module that can be loaded, found ';

/**
 * Returns the error of the built command line for `rules.js` next to other files. The test runner itself would load the
 * module with a different loader.
 */
async function rejected(text: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const { folder } = ownFolder({ 'rules.js': text, ...files });
  const { code, stderr } = await warpool(['systems', '--systems', join(folder, 'rules.js')]);
  expect(code).toBe(2);
  // Node may print its own warning of the same fault.
  return stderr
    .replace(/^\((?:node:\d+\)|Use `node ).*\n/gm, '')
    .replace(/\n$/, '')
    .replaceAll(folder, 'FOLDER');
}

const MODULE = { 'package.json': '{ "type": "module" }' };

describe.concurrent('a syntax error is reported in the format of Node', () => {
  const SHOWN = `SyntaxError: Unexpected identifier 'c' (FOLDER/FILE:2)\nexport default { a: b c };\n                      ^`;

  test('in the module', async () => {
    expect(await rejected('\nexport default { a: b c };\n', MODULE)).toBe(START + SHOWN.replace('FILE', 'rules.js'));
  });

  test.runIf(DEPTH > 1)('in a file that it imports', async () => {
    const files = { ...MODULE, 'part.js': '\nexport default { a: b c };\n' };
    expect(await rejected(`import './part.js';\n`, files)).toBe(START + SHOWN.replace('FILE', 'part.js'));
  });

  test.runIf(DEPTH > 1)('in a file that it requires', async () => {
    const files = { 'package.json': '{ "type": "commonjs" }', 'part.js': '\nconst a = ;\n' };
    const shown = `SyntaxError: Unexpected token ';' (FOLDER/part.js:2)\nconst a = ;\n          ^`;
    expect(await rejected(`require('./part.js');\n`, files)).toBe(START + shown);
  });
});

describe.concurrent('an unresolved import is reported with its line', () => {
  const LOST = [
    [
      'a package',
      `\n\n  import a from 'none-such';\n`,
      `Cannot find package 'none-such' imported from FOLDER/rules.js`,
    ],
    [
      'a file',
      `\n\n  import a from './none.js';\n`,
      `Cannot find module 'FOLDER/none.js' imported from FOLDER/rules.js`,
    ],
  ] as const;
  test.each(some(LOST))('of %s', async (_, text, message) => {
    const shown = await rejected(text, MODULE);
    expect(shown).toMatch(`${START}Error: ${message}`);
    expect(shown).toMatch(/ \(FOLDER\/rules\.js:3:3\)$/);
  });

  test.runIf(DEPTH > 1)('of a name that is not exported', async () => {
    const shown = await rejected(`\nimport { nothing } from './blow.js';\n`, MODULE);
    expect(shown).toContain(`does not provide an export named 'nothing' (FOLDER/rules.js:2)\nimport { nothing }`);
  });
});

describe.concurrent('an ES module that Node loads as CommonJS is reported with a fix', () => {
  test.runIf(DEPTH > 1)('because of the nearest package.json', async () => {
    expect(await rejected('export default 1;\n', { 'package.json': '{ "type": "commonjs" }' })).toBe(
      `${START}an ES module that Node loads as CommonJS: FOLDER/rules.js; name it rules.mjs, or write "type": "module" in FOLDER/package.json`,
    );
  });

  test.runIf(DEPTH > 1)('because of its file extension', async () => {
    const shown = await rejected(`import './part.cjs';\n`, { ...MODULE, 'part.cjs': 'export default 1;\n' });
    expect(shown).toBe(`${START}an ES module that Node loads as CommonJS: FOLDER/part.cjs; name it part.mjs`);
  });

  test.runIf(DEPTH > 1)('CommonJS in an ES module has the error of Node with its line', async () => {
    const shown = await rejected('\nmodule.exports = {};\n', MODULE);
    expect(shown).toMatch(/ReferenceError: module is not defined in ES module scope[\s\S]* \(FOLDER\/rules\.js:2:1\)$/);
  });
});

describe.concurrent('any value that a module throws at load time is reported', () => {
  const THROWN: [string, string][] = [
    ['throw "text";', '"text" was thrown, which is not an Error and has no line'],
    ['throw null;', 'null was thrown, which is not an Error and has no line'],
    ['throw undefined;', 'undefined was thrown, which is not an Error and has no line'],
    ['throw Symbol("it");', 'Symbol(it) was thrown, which is not an Error and has no line'],
    ['throw { get message() { throw 1; } };', 'an object was thrown, which is not an Error and has no line'],
    ['throw { toString() { throw 1; } };', 'an object was thrown, which is not an Error and has no line'],
    ['throw () => 1;', 'a function was thrown, which is not an Error and has no line'],
    [
      'throw Object.defineProperty(new Error(), "message", { get() { throw 1; } });',
      'an error that throws when it is read',
    ],
  ];
  test.each(some(THROWN))('%s', async (text, message) => {
    expect(await rejected(text, MODULE)).toBe(START + message);
  });

  test.runIf(DEPTH > 1)('exports that throw when they are read', async () => {
    const shown = await rejected('export const it = { get id() { throw new Error("no id"); } };', MODULE);
    expect(shown).toBe(
      '--systems FOLDER/rules.js: expected a module that exports a system, found exports that throw when they are read: Error: no id',
    );
  });
});

test('loading a module with a pending top-level await fails after 30 s', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { folder } = ownFolder({ 'rules.js': 'await new Promise(() => {});\nexport {};\n', ...MODULE });
  const given = loadSystems([join(folder, 'rules.js')]).catch(String);
  while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(30_000);
  expect(await given).toContain('found Error: its top-level await is still pending after 30 s');
});

describe('values thrown by rules', () => {
  test.each([
    ['"text"', '"text" was thrown, which is not an Error and has no line'],
    ['null', 'null was thrown, which is not an Error and has no line'],
    ['undefined', 'undefined was thrown, which is not an Error and has no line'],
    ['Symbol("it")', 'Symbol(it) was thrown, which is not an Error and has no line'],
    ['{ get message() { throw 1; } }', 'an object was thrown, which is not an Error and has no line'],
    ['new TypeError("late")', 'TypeError: late at my-throw.js:4:34'],
  ])('%s is reported with system and scenario', async (thrown, message) => {
    const text = `import { myDuel } from './my-duel.js';
export default {
  ...myDuel,
  model: () => ({ start: () => { throw ${thrown}; }, outcomes: ['a'], metrics: [], maxRounds: 1, roundWords: 1 }),
};
`.replace('throw new', 'throw  new');
    const { folder } = ownFolder({ 'my-throw.js': text.replace('throw  new', 'throw new') });
    const systems = await loadSystems([join(folder, 'my-throw.js')]);
    const scenario = validateScenario({ system: 'my-duel', name: 'one' }, { systems });
    expect(() => toExactJson(solveSync(scenario))).toThrow(
      expect.objectContaining({
        name: 'RulesError',
        message: expect.stringMatching(
          new RegExp(
            `^my-duel: ${message.replace(/[()"]/g, '\\$&').replace(/:4:34$/, ':4:\\d+')} \\(scenario "one"\\)$`,
          ),
        ) as string,
      }) as Error,
    );
  });
});

test('describeThrown supports an error whose properties throw', () => {
  const hostile = new Proxy(new Error('it'), {
    get: () => {
      throw new Error('get');
    },
    getPrototypeOf: () => {
      throw new Error('prototype');
    },
  });
  expect(describeThrown(hostile)).toBe('an error that throws when it is read');
});
