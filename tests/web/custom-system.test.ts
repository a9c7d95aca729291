/** Custom modules: allowed imports are rewritten to addresses of the web app, and others are rejected. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/core/errors.ts';
import { version } from '../../src/core/version.ts';
import { formatConformanceSheet } from '../../src/report/checks/conformance.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import { createNameLine, hashModule, hashModuleText, identifyModule } from '../../src/rules/identity.ts';
import { createExports, rewriteImports } from '../../web/engine/custom/imports.ts';
import { isOwnFile } from '../../web/engine/custom/restrictions.ts';
import { ownFolder } from '../custom-system.ts';
import { example } from '../examples/files.ts';

const TO = { 'warpool/system': 'page:/system.js', zod: 'blob:zod' };

const led = (text: string): Promise<string> => rewriteImports(text, 'duel.js', TO);

/** Returns the error of a rejected text. */
async function rejection(text: string): Promise<string> {
  const error: unknown = await led(text).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InputError);
  return (error as InputError).message;
}

describe('rewriteImports', () => {
  test.each([
    [
      `import { d } from 'warpool/system';\nexport default d;`,
      `import { d } from 'page:/system.js';\nexport default d;`,
    ],
    [`import*as s from"warpool/system";export{s}`, `import*as s from"page:/system.js";export{s}`],
    [`import 'warpool/system'; export {}`, `import 'page:/system.js'; export {}`],
    [`export * from 'warpool/system'`, `export * from 'page:/system.js'`],
    [`export { z } from "zod"`, `export { z } from "blob:zod"`],
    [
      `import { a } from 'warpool/system'; import { z } from 'zod'; export default [a, z]`,
      `import { a } from 'page:/system.js'; import { z } from 'blob:zod'; export default [a, z]`,
    ],
    [
      `import { d } from 'warpool/system' with { type: 'javascript' }; export { d }`,
      `import { d } from 'page:/system.js' with { type: 'javascript' }; export { d }`,
    ],
    [
      `import /* from 'x' */ { d } from\n // 'y'\n 'warpool/system'; export { d }`,
      `import /* from 'x' */ { d } from\n // 'y'\n 'page:/system.js'; export { d }`,
    ],
  ])('rewrites allowed imports: %s', async (text, expected) => {
    expect(await led(text)).toBe(expected);
  });

  test.each([
    `// import 'node:fs'\nexport default 1`,
    `/* import x from './x.js' */ export default 1`,
    `export default "import x from 'node:fs'"`,
    `export default 'it\\'s import("x")'`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a module
    'export default `import x from "y" ${"import(1)".length} ${`import("z")`}`',
    `export default /import\\("x"\\)/.test('')`,
    `const a = 4, b = 2, g = 1; export default a / b / g; // import('x')`,
    `export const { import: x } = {}`,
    `export default { import() { return 1 } }.import()`,
    `export default import.meta.url`,
    `const require = (x) => x; export default require('node:fs')`,
    `export const from = 'warpool/system'`,
  ])('leaves text without module imports unchanged: %s', async (text) => {
    expect(await led(text)).toBe(text);
  });

  test.each([
    [`import fs from 'node:fs'; export { fs }`, `duel.js:1:1`, `'node:fs'`],
    [`\r\nimport x from './x.js'; export { x }`, `duel.js:2:1`, `'./x.js'`],
    [`import x from 'https://elsewhere/x.js'; export { x }`, `duel.js:1:1`, `'https://elsewhere/x.js'`],
    [`import x from 'data:text/javascript,0'; export { x }`, `duel.js:1:1`, `'data:text/javascript,0'`],
    [`import x from 'warpool/system '; export { x }`, `duel.js:1:1`, `'warpool/system '`],
    [`import x from 'warpool/\\u0073ystem'; export { x }`, `duel.js:1:1`, String.raw`'warpool/\u0073ystem'`],
    [`import x from 'constructor'; export { x }`, `duel.js:1:1`, `'constructor'`],
    [`import x from 'skirmish-game'; export { x }`, `duel.js:1:1`, 'a package (only the command line loads packages)'],
    [`export * from '__proto__'`, `duel.js:1:1`, `'__proto__'`],
    [`export default await import('warpool/system')`, `duel.js:1:22`, 'a dynamic import'],
    [`const x = 'y';\nexport default () => import(x)`, `duel.js:2:22`, 'a dynamic import'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a module
    ['export default `${import("x")}`', `duel.js:1:19`, 'a dynamic import'],
    [`export default a/import('x')/b`, `duel.js:1:18`, 'a dynamic import'],
    [`import source x from 'warpool/system'; export { x }`, `duel.js:1:1`, 'of another kind'],
    [`import defer * as x from 'warpool/system'; export { x }`, `duel.js:1:1`, 'of another kind'],
  ])('rejects all other imports: %s', async (text, place, found) => {
    const message = await rejection(text);
    expect(message).toContain(`${place}: expected only imports of 'warpool/system' or 'zod'`);
    expect(message).toContain(found);
  });

  test.each([
    ['const x = 1;', 'duel.js: expected a module that exports a system, found neither import nor export'],
    ['module.exports = {}', 'duel.js: expected a module that exports a system, found neither import nor export'],
    ['', 'duel.js: expected a module that exports a system, found neither import nor export'],
    ['export default {', 'duel.js:1:1: expected JavaScript'],
    [`import { d from 'warpool/system'; export { d`, 'duel.js:1:'],
  ])('rejects text that is not a module: %s', async (text, message) => {
    expect(await rejection(text)).toContain(message);
  });

  test.each(['feint', 'conquest-dice', 'volley'])(
    'rewrites the import of the example %s and keeps its lines',
    async (name) => {
      const text = readFileSync(example(`${name}.mjs`), 'utf8');
      const code = await led(text);
      expect(code).toBe(text.replace("'warpool/system';", "'page:/system.js';"));
      expect(code.split('\n')).toHaveLength(text.split('\n').length);
    },
  );
});

describe('a module of one file', () => {
  test.each(['feint', 'conquest-dice', 'volley'])('has the hash of the command line: %s', async (name) => {
    const file = resolve(example(`${name}.mjs`));
    const lines = { 'warpool/system': createNameLine(`warpool@${version()}`) };
    expect(await hashModuleText(readFileSync(file, 'utf8'), lines)).toBe(await hashModule(pathToFileURL(file).href));
  });

  test('has the hash of the command line if it imports zod', async () => {
    const text = `import { z } from 'zod';\nexport const schema = z.int();\n`;
    const { folder } = ownFolder({ 'rules.js': text, 'zod.js': `import 'zod';\n` });
    const at = (name: string): string => pathToFileURL(join(folder, name)).href;
    const { rest } = await identifyModule(at('zod.js'), 'zod.js');
    expect(rest.join('')).toMatch(/^\["package","zod@\d+\.\d+\.\d+","[0-9a-f]{64}"\]\n$/);
    expect(await hashModuleText(text, { zod: rest.join('') })).toBe(await hashModule(at('rules.js')));
  });

  test('can import names that are reserved words', async () => {
    const text = createExports(['string', 'enum', 'null'], 'page:/system.js');
    expect(text).toContain('export { v1 as enum };');
    expect(await rewriteImports(text, 'it', { 'page:/system.js': 'page:/system.js' })).toBe(text);
  });
});

describe('isOwnFile for the worker of a module', () => {
  const BASE = 'http://127.0.0.1:8080/page/assets/worker-1a2b.js?own';

  test.each(['kernel-1.wasm', './thread-x_Y.js', 'http://127.0.0.1:8080/page/assets/a.js', new URL('a.js', BASE)])(
    'accepts a script or WebAssembly file in the folder of the worker: %s',
    (address) => {
      expect(isOwnFile(address, BASE)).toBe(true);
    },
  );

  test.each([
    'https://elsewhere/page/assets/a.js',
    '//elsewhere/page/assets/a.js',
    '../a.js',
    'sub/a.js',
    'a.js?secret=1',
    'a.json',
    'blob:http://127.0.0.1:8080/1',
    'data:text/javascript,0',
    'http://127.0.0.1:8081/page/assets/a.js',
    '%2e%2e/a.js',
    'http://[',
    { toString: () => 'a.js' },
    undefined,
  ])('rejects any other address: %s', (address) => {
    expect(isOwnFile(address, BASE)).toBe(false);
  });
});

test('the verbose conformance report says which check was incomplete and names no option', () => {
  const finding = { check: 'exact', scenario: 'siege', ok: true, checked: false, message: 'too large', advice: '' };
  const system = { system: 'duel', title: 'Duel', file: 'duel.js', files: {} };
  const conformed = { ...system, checks: [{ id: 'exact', title: 'exact answers' }], findings: [finding] };
  const last = (verbose: boolean): string[] =>
    formatConformanceSheet(conformed, verbose, { width: 200, paint: PLAIN_PAINT }).split('\n').slice(2);
  const verdict = 'duel conforms, 1 scenario tested; 1 scenario too large for some checks';
  expect(last(true)).toEqual(['-     exact answers', '      incomplete: too large', '', verdict, '']);
  expect(last(false)).toEqual(['-     exact answers', '', `${verdict} (see --verbose)`, '']);
});
