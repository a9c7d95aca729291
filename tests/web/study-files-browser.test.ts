/** The panels Matchup and Balance problem in Chromium. Needs Chromium and the built page. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DEPTH } from '../depth.ts';
import { inBrowser, lookedAt, MISSING } from './browser.ts';

/** Returns the file that a button saves. */
async function saved(page: Page, button: string): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

const press = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name, exact: true }).click();
};

describe.skipIf(MISSING || DEPTH === 1)('studies of files in a browser', () => {
  const served = inBrowser();

  test('a roster and a balance problem are edited, computed, stopped, saved and linked', async () => {
    const { page } = await served.visit();
    await page.goto(served.home);
    await page.getByRole('button', { name: /^Matchup/ }).click();
    await page.getByText('4 x 4 armies, 16 cells').waitFor();
    await press(page, 'Compute');
    await expect.poll(() => page.locator('figure[aria-busy=false] svg').count()).toBe(2);
    for (const title of ['Cycles', 'Equilibrium mix', 'Advantage of attacking'])
      await page.getByRole('heading', { name: title, exact: true }).waitFor();
    const json = await saved(page, 'JSON');
    expect(json.name).toBe('duels-matchup.json');
    expect(JSON.parse(json.text)).toMatchObject({ roster: 'Duelists', solved: 16, simulated: 0 });
    expect((await saved(page, 'CSV')).text.trimEnd().split('\r\n')).toHaveLength(17);
    const html = await saved(page, 'HTML report');
    expect(html.name).toBe('duels-matchup.html');
    expect(html.text).toMatch(/^<!doctype html>.*<figure.*warpool matchup duels\.yaml/s);
    expect(await lookedAt(page, 'matchup-result', 'figure[aria-busy=false] svg')).toEqual([]);

    const alpha = page.getByRole('textbox', { name: 'Alpha of alpha-rank' });
    await alpha.fill('-1');
    await page.locator('.problems li', { hasText: 'alpha: expected a number above 0' }).waitFor();
    expect(await page.getByRole('button', { name: 'Compute', exact: true }).isDisabled()).toBe(true);
    await alpha.fill('5');
    await page.locator('.problems li').waitFor({ state: 'detached' });
    await press(page, 'Compute');
    await page.getByText('warpool matchup duels.yaml --alpha 5').waitFor({ state: 'attached' });

    const editor = page.getByRole('textbox', { name: 'roster, in YAML or JSON' });
    await editor.focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('battels: 3\n');
    await page.locator('.problems li', { hasText: /^duels\.yaml:13:1 battels: expected .*battles/ }).waitFor();
    await page.getByText('The roster has changed. These results are for the older one.').waitFor();
    expect(await page.locator('.cm-lint-marker-error').count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Compute', exact: true }).isDisabled()).toBe(true);
    const before = page.url();
    await expect.poll(() => page.url()).not.toBe(served.home);
    await expect.poll(() => page.url().length).toBeGreaterThan(100);
    expect(before).toMatch(/^http/);
    await page.reload();
    await page.locator('.problems li', { hasText: 'battels' }).waitFor();

    await press(page, 'budget-game.yaml');
    await page.getByText('9 x 9 armies, 81 cells').waitFor();
    await press(page, 'Compute');
    await page.getByText(/^\d+ of 81 cells/).waitFor();
    await press(page, 'Stop');
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
    expect(await page.locator('figure svg').count()).toBe(0);
    expect(await page.locator('.studies .problem').count()).toBe(0);

    await page.getByRole('tab', { name: 'Balance problem' }).click();
    await page.getByText('441 settings, 4 targets').waitFor();
    await press(page, 'Compute');
    await page.locator('figure[aria-busy=false] svg').waitFor({ timeout: 100_000 });
    await page.locator('.lead', { hasText: /meets all 4 targets/ }).waitFor();
    expect(JSON.parse((await saved(page, 'JSON')).text)).toMatchObject({ problem: 'Three scenarios', settings: 441 });
    expect((await saved(page, 'HTML report')).name).toBe('three-scenarios-balance-problem.html');
    expect(await lookedAt(page, 'balance-problem-result', '.lead')).toEqual([]);
  }, 300_000);
});
