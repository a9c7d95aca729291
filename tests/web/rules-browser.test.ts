/** Custom rules written in the web app: run, answered, checked, stored, saved, and shared in links. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DEPTH } from '../depth.ts';
import { inBrowser, lookedAt, MISSING, NARROW } from './browser.ts';

const own = (page: Page) => page.getByRole('tabpanel', { name: 'Custom rules' });
const editor = (page: Page) => own(page).locator('.rules .cm-content');

async function begin(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Custom rules' }).click();
  await own(page).getByRole('button', { name: 'Write rules' }).click();
  await editor(page).waitFor();
}

/** Replaces a text in the editor by typing. */
async function replace(page: Page, text: string, by: string): Promise<void> {
  const line = editor(page).locator('.cm-line').filter({ hasText: text }).first();
  const before = await line.innerText();
  await line.click();
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+Home');
  await page.keyboard.press('Shift+Home');
  await page.keyboard.insertText(before.replace(text, by));
}

/** Opens a link with custom rules: expects one card, and the answer after the rules run. */
async function opensAsCard(page: Page, link: string): Promise<void> {
  await page.goto(link);
  const card = page.getByRole('alert').filter({ hasText: 'This link contains custom rules' });
  await card.getByRole('heading', { name: 'Conquest' }).waitFor();
  await page.getByText('Nothing that you enter leaves this browser.').waitFor();
  expect(await page.getByRole('alert').count()).toBe(1);
  expect(await page.getByRole('tab').count()).toBe(0);
  expect(await page.getByRole('form', { name: 'Units' }).count()).toBe(0);
  expect(await page.getByRole('combobox', { name: 'Scenario' }).count()).toBe(0);
  await card.getByRole('button', { name: 'Read the rules' }).click();
  const text = page.locator('pre.code');
  await text.getByText("id: 'conquest'").waitFor();
  // On a phone, the text starts below the card.
  await expect.poll(() => text.evaluate((each) => each.getBoundingClientRect().top < innerHeight / 2)).toBe(true);
  expect(await page.getByText('50.62').count()).toBe(0);
  await card.getByRole('button', { name: 'Run the rules' }).click();
  await page.getByRole('tabpanel', { name: 'Answer' }).getByText('50.62').first().waitFor();
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
}

describe.skipIf(MISSING || DEPTH === 1)('custom rules that are written in the web app', () => {
  const served = inBrowser();

  test('start with the game of the manual, and are answered again after a change', async () => {
    const { page } = await served.visit();
    await page.goto(served.url);
    await begin(page);
    await own(page).getByRole('button', { name: 'Run the rules' }).click();
    const printed = own(page).getByRole('region', { name: 'Answer by these rules' });
    await printed.getByText(/^The attacker wins about half of the time \(50\.62\s%\)/).waitFor();
    const odds = await printed.getByRole('list', { name: 'Odds' }).getByRole('listitem').allInnerTexts();
    expect(odds.map((each) => each.trim().replaceAll(/\s+/g, ' '))).toEqual(['Attacker 50.62 %', 'Defender 49.38 %']);
    expect(await page.locator('.side .cm-content').innerText()).toContain('system: conquest');
    // The scenario uses the changed rules, which have another answer.
    await replace(page, "'defender' : undefined", "'nobody' : undefined");
    await replace(page, "['attacker', 'defender']", "['attacker', 'nobody']");
    await own(page).getByText('The rules have changed since the last run.').waitFor();
    await own(page).getByRole('button', { name: 'Run the rules' }).click();
    await printed.getByText('nobody').first().waitFor();
    await own(page).getByRole('button', { name: 'Rules are running' }).waitFor();
    await own(page).getByText('conquest conforms').waitFor();
    await page.getByRole('tab', { name: 'Answer' }).click();
    await page
      .getByRole('tabpanel', { name: 'Answer' })
      .getByText(/battles simulated/)
      .first()
      .waitFor();
  });

  test('are marked at the lines of syntax errors and runtime errors', async () => {
    const { page } = await served.visit();
    await page.goto(served.url);
    await begin(page);
    await replace(page, "id: 'conquest',", "id: 'conquest',,");
    await own(page)
      .getByText(/my-rules\.js:7:18: expected JavaScript, found unexpected token/)
      .waitFor();
    await own(page).locator('.cm-lint-marker-error').waitFor();
    await replace(page, "id: 'conquest',,", "id: 'conquest',");
    await own(page).locator('.cm-lint-marker-error').waitFor({ state: 'detached' });
    await replace(page, 'const won = chance', 'const won = dor');
    await own(page).getByRole('button', { name: 'Run the rules' }).click();
    await own(page)
      .locator('.problems')
      .getByText(/dor is not defined.*my-rules\.js:16/)
      .waitFor();
    await own(page).locator('.cm-lint-marker-error').waitFor();
  });

  test('are stored in the browser and saved as a file', async () => {
    const { context, page } = await served.visit();
    await page.goto(served.url);
    await begin(page);
    await replace(page, "title: 'Conquest'", "title: 'My own war'");
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      own(page).getByRole('button', { name: 'Save the rules' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('my-rules.js');
    expect(readFileSync(await download.path(), 'utf8')).toContain("title: 'My own war'");
    await expect.poll(() => page.evaluate(() => localStorage.getItem('warpool.rules'))).toContain('My own war');
    const again = await context.newPage();
    await again.goto(served.url);
    await again.getByRole('tab', { name: 'Custom rules' }).click();
    await own(again)
      .getByRole('button', { name: /^Resume my-rules\.js/ })
      .click();
    await editor(again).getByText("title: 'My own war'").waitFor();
  });

  test('are part of links, and run only after confirmation', async () => {
    const { context, page, received } = await served.visit();
    await page.goto(served.url);
    await begin(page);
    await own(page).getByRole('button', { name: 'Run the rules' }).click();
    await own(page)
      .getByText(/50\.62\s%/)
      .first()
      .waitFor();
    await page.getByRole('tab', { name: 'Answer' }).click();
    await expect.poll(() => page.url().length).toBeGreaterThan(800);
    await page.waitForTimeout(800);
    const link = page.url();
    // A scenario of a shipped system needs no rules.
    await page.getByRole('combobox', { name: 'Scenario' }).selectOption('attrition-direct');
    await expect.poll(() => page.url().length).toBeLessThan(500);
    expect(received).toEqual([]);
    await context.close();

    for (const options of [{}, { viewport: NARROW, view: 'Units' }] as const) {
      const other = await served.visit(options);
      await opensAsCard(other.page, link);
      if ('view' in options) {
        // The units of the rules are shown at once.
        await other.page.getByRole('form', { name: 'Units' }).getByRole('heading', { name: 'attacker' }).waitFor();
        await expect.poll(() => other.page.getByText('Unknown field.').count()).toBe(0);
      }
      expect(other.received).toEqual([]);
      await other.context.close();
    }

    // Shown units are updated when the rules run later.
    const left = await served.visit({ view: 'Units' });
    await left.page.goto(link);
    await left.page.getByRole('button', { name: 'Do not run' }).click();
    const strange = left.page.getByText('Unknown field.').first();
    await strange.waitFor();
    await begin(left.page);
    await own(left.page).getByRole('button', { name: 'Run the rules' }).click();
    await strange.waitFor({ state: 'detached', timeout: 15_000 });
    await left.context.close();
  });

  test('have no axe findings, and nothing is cut off', { timeout: 180_000 }, async () => {
    const { context, page } = await served.visit({ bypassCSP: true });
    await page.goto(served.url);
    await begin(page);
    await own(page).getByRole('button', { name: 'Run the rules' }).click();
    await own(page).getByText('conquest conforms').waitFor();
    await replace(page, "id: 'conquest',", "id: 'conquest',,");
    await own(page).locator('.cm-lint-marker-error').waitFor();
    expect(await lookedAt(page, 'rules')).toEqual([]);
    await context.close();
  });
});
