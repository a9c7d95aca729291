/** Option --html of `warpool systems <id>`: a page about a system. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder } from '../custom-system.ts';
import { called } from './called.ts';
import { warpool } from './warpool.ts';

/** Returns the text of a page without tags. */
const textOf = (page: string): string =>
  page
    .replaceAll(/<(style|script)>[\s\S]*?<\/\1>/g, '')
    .replaceAll('<wbr>', '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll(/\s+/g, ' ');

test('the page of a shipped system is self-contained and contains all declarations', async () => {
  const { folder } = ownFolder();
  const file = join(folder, 'dice.html');
  const { code, stdout, stderr } = await called(['systems', 'phased-dice', '--html', file]);
  expect(code).toBe(0);
  expect(stdout).toContain('phased-dice');
  expect(stderr).toMatch(/dice\.html: written, \d+ kB/);
  const page = readFileSync(file, 'utf8');
  expect(page).toContain('default-src &#39;none&#39;');
  expect(page).not.toMatch(/(?:src|href)="(?!#)/);
  const text = textOf(page);
  expect(text).toContain('<side>.units');
  expect(text).toContain('attacker, defender, mutual, stalemate, retreat');
  expect(text).toContain('decision policies, the default first');
  expect(text).toContain('Ground Combat');
  expect(text).toContain('Battle 0 of seed 1 of');
});

test('the page of a custom system has its id as file name and contains its hash', async () => {
  const { folder } = ownFolder();
  const args = ['systems', 'my-duel', '--systems', './my-duel.js'];
  const printed = await warpool([...args, '--html'], { cwd: folder });
  expect(printed.code).toBe(0);
  const [{ systemHash, fields }] = [
    JSON.parse((await warpool([...args, '--json'], { cwd: folder })).stdout) as {
      readonly systemHash: string;
      readonly fields: readonly { readonly path: string }[];
    },
  ];
  const text = textOf(readFileSync(join(folder, 'my-duel.html'), 'utf8'));
  expect(text).toContain(`hash of the rules ${systemHash}`);
  expect(text).toContain('a duel: the scenario, complete with all defaults');
  expect(text).toContain('warpool systems my-duel --systems ./my-duel.js --html my-duel.html');
  for (const { path } of fields) expect(text).toContain(path);
});

test('--html requires a system and a file name that ends in .html', async () => {
  const { folder } = ownFolder();
  expect(await called(['systems', '--html', join(folder, 'all.html')])).toMatchObject({
    code: 2,
    stderr: '--html requires a system, such as attrition\n',
  });
  const wrong = await called(['systems', 'attrition', '--html', join(folder, 'page.txt')]);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('--html: expected a file that ends in .html');
  expect(existsSync(join(folder, 'page.txt'))).toBe(false);
});
