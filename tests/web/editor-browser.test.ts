/** Editor and form in a browser, under the Content Security Policy of the page. Needs Chromium and the built page. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { default as Axe, AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLink } from '../../src/report/link/link.ts';
import { RULESET } from '../../src/stats/digest.ts';
import { DEPTH } from '../depth.ts';
import { launched, MISSING, picture, type Visit, visit } from './browser.ts';
import { served } from './folder.ts';

const PAGE = fileURLToPath(new URL('../../dist/page', import.meta.url));
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Runs only at depths above 1, because a browser takes seconds. */
describe.skipIf(MISSING || DEPTH === 1)('the editor', () => {
  let browser: Browser;
  let folder: Awaited<ReturnType<typeof served>>;
  let visited: Visit;
  let page: Page;

  beforeAll(async () => {
    [browser, folder] = await Promise.all([launched(), served(PAGE, true)]);
  });

  afterAll(async () => {
    await browser.close();
    await folder[Symbol.asyncDispose]();
  });

  const content = () => page.locator('.cm-content');
  const lines = async () => (await page.locator('.cm-line').allTextContents()).join('\n');
  const complaints = () => page.locator('.problems li');

  /** Opens the page with a text in the editor. */
  async function open(text: string, options: Parameters<typeof visit>[2] = {}): Promise<void> {
    visited = await visit(browser, folder.url, options);
    ({ page } = visited);
    await page.goto(`${folder.url}#game=attrition`);
    await content().waitFor();
    await content().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(text);
  }

  async function close(): Promise<void> {
    expect(visited.received).toEqual([]);
    await visited.context.close();
  }

  test('marks an error at its position with the message of the command line', async () => {
    await open(
      'system: attrition\nmode: direct\nattacker: { attack: 1, defense: 1, hp: 30 }\ndefender: { attack: 1, defense: 1, hp: x9 }',
    );
    const mark = page.locator('.cm-lintRange-error');
    await mark.waitFor();
    expect(await mark.textContent()).toBe('x9');
    expect(await complaints().allTextContents()).toEqual([
      'attrition-direct.yaml:4:40 defender.hp: expected an integer 1..100000, found "x9"',
    ]);
    await page.keyboard.press('Control+Home');
    await complaints().getByRole('button').click();
    await page.keyboard.press('Delete');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText('25');
    await page.waitForFunction(() => document.querySelectorAll('.problems li').length === 0);
    expect(await lines()).toContain('hp: 25 }');
    await close();
  });

  test('completes field names and values by keyboard', async () => {
    await open('system: attrition\nmode: indirect\n');
    await page.keyboard.type('cov');
    await page.locator('.cm-tooltip-autocomplete li[aria-selected]').waitFor();
    await page.waitForTimeout(100);
    await page.keyboard.press('Enter');
    await page.locator('.cm-tooltip-autocomplete li', { hasText: 'stronghold' }).waitFor();
    await page.keyboard.type('str');
    await page.waitForTimeout(300);
    await page.keyboard.press('Enter');
    expect(await lines()).toContain('\ncover: stronghold');
    await page.getByText('Cover of the target of the first shot.').waitFor();
    await page.keyboard.press('Control+Z');
    await page.keyboard.press('Control+Z');
    await page.keyboard.press('Control+Z');
    expect(await lines()).not.toContain('stronghold');
    await close();
  });

  test('moves the focus on Tab unless the indentation option is set', async () => {
    await open('system: attrition\n');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('checkbox');
    await page.keyboard.press('Space');
    await content().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Tab');
    expect(await lines()).toMatch(/\n {2}$/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('checkbox');
    await close();
  });

  test('updates the text from the form, and the form from the text', async () => {
    const text =
      '# Kept.\nsystem: attrition\nmode: direct # this too\nattacker: { attack: 1, defense: 1, hp: 30 }\ndefender: { attack: 1, defense: 1, hp: 25 }';
    await open(text);
    const show = (way: string) => page.getByRole('button', { name: way, exact: true }).click();
    await show('Form');
    const hp = page.locator('[data-place="attacker.hp"] input');
    expect(await hp.inputValue()).toBe('30');
    await hp.fill('0');
    await page.locator('[data-place="attacker.hp"] .wrong').waitFor();
    expect(await page.locator('[data-place="attacker.hp"]').innerText()).toContain(
      'expected an integer 1..100000, found 0',
    );
    await hp.fill('31');
    await page.locator('[data-place="maxRounds"] input').fill('7');
    await page.locator('[data-place="attacker.bypassesCover"] select').selectOption('true');
    await page.getByLabel('Remove attacker.bypassesCover').waitFor({ state: 'detached' });
    await page.locator('[data-place="attacker.tags"] summary').click();
    await page.getByRole('button', { name: 'Add to tags' }).first().click();
    await page.locator('[data-place="attacker.tags[0]"]').waitFor();
    await page.waitForFunction(() => document.querySelectorAll('.problems li').length === 0);
    await show('Text');
    expect(await lines()).toBe(
      `${text.replace('hp: 30', 'hp: 31, bypassesCover: true, tags: [Name 1]')}\nmaxRounds: 7`,
    );
    await content().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('[');
    await show('Form');
    await page.locator('.form-none, .wrong').first().waitFor();
    await close();
  });

  test('replaces the text by a scenario of another system that is chosen in the form', async () => {
    await open('system: attrition\n');
    await page.getByRole('button', { name: 'Form', exact: true }).click();
    await page.locator('[data-place="system"] select').selectOption({ label: 'token-conflict' });
    await page.locator('[data-place="areas"]').waitFor();
    await page.waitForFunction(() => document.querySelectorAll('.problems li').length === 0);
    await close();
  });

  test('shows the start of a text that is longer than the editor', async () => {
    visited = await visit(browser, folder.url, { viewport: { width: 640, height: 400 } });
    ({ page } = visited);
    const text = `system: attrition\n${'# and more\n'.repeat(100)}`;
    const requested = { seed: '1', effort: { kind: 'battles', battles: 1 }, panel: 'answer', notes: {} } as const;
    await page.goto(folder.url + (await createLink({ ...requested, text, file: 'long.yaml', ruleset: RULESET })));
    await content().waitFor();
    const box = page.locator('.cm-scroller');
    expect(await box.evaluate((each) => [each.scrollHeight > each.clientHeight, each.scrollTop])).toEqual([true, 0]);
    await close();
  });

  test('keeps text and cursor that were entered before it was loaded', async () => {
    visited = await visit(browser, folder.url);
    ({ page } = visited);
    await page.route(/\/text-[^/]*\.js$/, async (route) => {
      await page.locator('textarea').fill('system: attrition # kept');
      await page.keyboard.press('ArrowLeft');
      await route.continue();
    });
    await page.goto(`${folder.url}#game=attrition`);
    await content().waitFor();
    await page.keyboard.type('|');
    expect(await lines()).toBe('system: attrition # kep|t');
    await close();
  });

  test.each([
    [1280, 'light'],
    [390, 'dark'],
  ] as const)('has no axe findings at %d px, %s, in text and form', async (width, colorScheme) => {
    await open(
      'system: phased-dice\nmode: ground\nattacker: { units: { knight: 2 }, retreat: { afterRounds: 2 } }\ndefender: { units: { pikeman: x } }',
      {
        viewport: { width, height: 900 },
        colorScheme,
      },
    );
    await page.locator('.cm-lintRange-error').waitFor();
    for (const way of ['Text', 'Form']) {
      await page.getByRole('button', { name: way, exact: true }).click();
      await page.waitForTimeout(500);
      await page.evaluate(AXE);
      const found = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: typeof Axe };
        const { violations }: AxeResults = await axe.run('.side');
        return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
      });
      expect(found).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await picture(page, `editor-${way.toLowerCase()}-${String(width)}-${colorScheme}`);
    }
    await close();
  });
});
