/** Opened files: names and content are not trusted. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { FILE_NAME_PATTERN, sanitizeFileName } from '../../src/report/link/link-content.ts';
import { readFileText } from '../../web/app/files.ts';
import { isSameScenario } from '../../web/app/same-scenario.ts';

test.each([
  ['duel.yaml', 'duel.yaml'],
  ['Ägypten (2).json', 'Ägypten (2).json'],
  ['../../etc/passwd', 'etc_passwd'],
  ['<img src=x onerror=alert(1)>.yaml', 'img src_x onerror_alert(1)_.yaml'],
  ['a\u202Elmay.exe', 'a_lmay.exe'],
  ['.hidden', 'hidden'],
  ['', 'scenario.yaml'],
  ['...', 'scenario.yaml'],
  [`${'x'.repeat(200)}.yaml`, `${'x'.repeat(60)}${'x'.repeat(15)}.yaml`],
])('sanitizeFileName converts %j to %j', (name, safe) => {
  expect(sanitizeFileName(name)).toBe(safe);
});

test('sanitizeFileName returns a name that is valid in links and downloads', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xffff), { maxLength: 120 }), (units) => {
      expect(FILE_NAME_PATTERN.test(sanitizeFileName(String.fromCharCode(...units)))).toBe(true);
    }),
  );
});

test.each([
  [new Uint8Array(1024 * 1024 + 1), 'a.yaml: expected a file of at most 1 MiB, found a larger file'],
  [new Uint8Array([1, 0, 2]), 'a.yaml: expected a text file, found a binary file (it has NUL bytes)'],
  [new Uint8Array([0xc3, 0x28]), 'a.yaml: expected text in UTF-8, found other bytes'],
])('readFileText rejects a file that is too large or not text: %#', async (bytes, reported) => {
  await expect(readFileText(new Blob([bytes]), 'a.yaml')).rejects.toThrow(reported);
});

test('readFileText returns the text unchanged', async () => {
  expect(await readFileText(new Blob(['system: \u{1F409}\r\n']), 'a.yaml')).toBe('system: \u{1F409}\r\n');
});

test('isSameScenario ignores comments and recognizes each shipped scenario', () => {
  const texts = readdirSync('scenarios').map((file) => readFileSync(`scenarios/${file}`, 'utf8'));
  const bare = texts.map((text) => text.replaceAll(/^#.*\n/gm, ''));
  for (const [t, text] of texts.entries()) {
    expect(texts.filter((shipped) => isSameScenario(`# mine\r\n\r\n${bare[t] ?? ''}  # end`, shipped))).toEqual([text]);
    expect(isSameScenario(`${text}\nmaxRounds: 7`, text)).toBe(false);
    // No shipped scenario has a quoted text that looks like a comment.
    expect(parse(text.replaceAll(/(?:^|[ \t])#.*/gm, ''))).toEqual(parse(text));
  }
});
