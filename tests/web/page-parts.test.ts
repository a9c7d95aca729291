/** Small parts of the web app: line breaks, font sizes, the template of custom rules, the manuals. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { solveSync } from '../../src/analysis/solve.ts';
import { loadSystems } from '../../src/index.ts';
import { preventNumberBreaks } from '../../src/report/text/number-breaks.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { MANUAL_NAMES, renderManual } from '../../web/build/help.ts';
import { convertToRem } from '../../web/build/rem-sizes.ts';
import { extractFirstModule } from '../../web/build/template.ts';
import { checkSyntax } from '../../web/engine/custom/syntax.ts';

test.each([
  ['122 788 positions in 3 steps', '122_788 positions in 3 steps'],
  ['exactly 50.0000 %), 12 345 678', 'exactly 50.0000_%), 12_345_678'],
  ['+38.6 pp, 25 -> 40, 25 .. 30', '+38.6_pp, 25_->_40, 25_.._30'],
  ['36.3 % → 74.9 %, > 15, ± 0.1', '36.3_%_→_74.9_%, >_15, ±_0.1'],
  ['battle 12 3456 of 100 000', 'battle 12 3456 of 100_000'],
  ['no number at all', 'no number at all'],
])('preventNumberBreaks prevents line breaks inside the numbers of %s', (text, reported) => {
  expect(preventNumberBreaks(text).replaceAll('\u00A0', '_')).toBe(reported);
});

test('convertToRem converts font sizes from px to rem and keeps other lengths', () => {
  const css =
    'a { font-size: 14px; padding: 4px }\nb { font: 13px / 1.45 var(--mono); }\nc {\n  font:\n    15px / 1.5 sans;\n}';
  expect(convertToRem(css)).toBe(
    'a { font-size: 0.875rem; padding: 4px }\nb { font: 0.8125rem / 1.45 var(--mono); }\nc {\n  font:\n    0.9375rem / 1.5 sans;\n}',
  );
});

test('the template of custom rules is the game of the manual, with the same answer', async () => {
  const manual = readFileSync('docs/tutorials/custom-rules.md', 'utf8');
  const code = extractFirstModule(manual);
  expect(code.split('\n').length).toBeLessThan(30);
  checkSyntax(code, 'my-rules.js');
  const root = mkdtempSync(join(tmpdir(), 'warpool-rules-'));
  mkdirSync(join(root, 'node_modules'));
  symlinkSync(resolve('.'), join(root, 'node_modules', 'warpool'));
  writeFileSync(join(root, 'my-rules.mjs'), code);
  const systems = await loadSystems([join(root, 'my-rules.mjs')]);
  const [example] = systems.system('conquest').examples;
  const { summary } = solveSync(validateScenario(example?.scenario, { systems }));
  rmSync(root, { recursive: true });
  const p = summary.outcomes.find(({ name }) => name === 'attacker')?.p ?? 0;
  expect(manual).toContain(`${(100 * p).toFixed(7)} % for the attacker`);
});

test('extractFirstModule rejects a manual whose first block is not a system', () => {
  expect(() => extractFirstModule('# Rules\n\n```js\nconst a = 1;\n```\n')).toThrow(
    'expected a system as its first block',
  );
});

test.each([
  ['export default 1;\nconst = 2;\n', 'duel.js:2:7: expected JavaScript, found unexpected token'],
  [
    'const a: number = 1;\nexport { a };',
    'duel.js:1:8: expected JavaScript, found unexpected token (compile TypeScript',
  ],
  ["const text = 'open;\n", 'duel.js:1:14: expected JavaScript, found unterminated string constant'],
])('checkSyntax rejects text that is not JavaScript, with the position: %s', (text, reported) => {
  expect(() => {
    checkSyntax(text, 'duel.js');
  }).toThrow(reported);
});

test('the manuals link only to existing pages and headings', () => {
  const pages = new Map(
    MANUAL_NAMES.map((name) => [name, renderManual(readFileSync(`docs/${name}.md`, 'utf8'), name).html]),
  );
  let links = 0;
  for (const [name, html] of pages) {
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const [, href = ''] of html.matchAll(/<a href="([^"]+)"/g)) {
      if (/^https?:/.test(href) || href.endsWith('index.html')) continue;
      links++;
      const { pathname, hash } = new URL(href, `file:///${name}.html`);
      const to = decodeURIComponent(pathname.slice(1)).replace(/\.html$/, '');
      const there =
        to === name ? ids : new Set([...(pages.get(to) ?? '').matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
      expect(pages.has(to), `${name}: ${href}`).toBe(true);
      if (hash !== '') expect(there.has(decodeURIComponent(hash.slice(1))), `${name}: ${href}`).toBe(true);
    }
    expect(html).not.toMatch(/<script|<img| style="/);
  }
  expect(links).toBeGreaterThan(50);
});

test('THIRD-PARTY.txt names the bundled packages with their licenses', () => {
  const notices = readFileSync('dist/page/THIRD-PARTY.txt', 'utf8');
  const named = [...notices.matchAll(/^(\S+) \d\S* \(([\w.-]+)\)\n\n(.+)/gm)];
  const names = named.map(([, name]) => name);
  const sources = ['web/app', 'web/engine'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8')),
  );
  const imported = sources.flatMap((text) =>
    [...text.matchAll(/^import (?!type )[^;]*?'((?:@[\w-]+\/)?[a-z][\w-]*)(?:\/[\w/-]+)?';/gm)].map(
      ([, name = '']) => name,
    ),
  );
  // Some packages are dependencies, some are only in the workers.
  const expected = [
    ...imported,
    'preact',
    '@preact/signals-core',
    '@codemirror/view',
    '@lezer/lr',
    'vega',
    'yaml',
    'zod',
  ];
  for (const name of new Set(expected)) if (name !== 'warpool') expect(names).toContain(name);
  expect(notices.split(`\n${'-'.repeat(80)}\n\n`).length).toBe(named.length);
  for (const [text] of named) expect(text).toMatch(/licen[cs]e|copyright/i);
});
