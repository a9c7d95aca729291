/** The Answer panel: odds, remaining units, variations, luck and tables. Needs Chromium. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { solveSync } from '../../src/analysis/solve.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { DEPTH } from '../depth.ts';
import { inBrowser, lookedAt, MISSING, NARROW } from './browser.ts';

const SCENARIO = 'scenarios/attrition-direct.yaml';
const GROUND = 'scenarios/phased-dice-ground.yaml';

/** Too large for a quick exact answer, so that all is simulated. */
const LARGE = `system: attrition
mode: direct
attacker: { name: Swordsmen, attack: 1, defense: 1, hp: 3000 }
defender: { name: Pikemen, attack: 1, defense: 1, hp: 3000 }
`;

const reported = (page: Page) => page.getByRole('tabpanel', { name: 'Answer' });

const unfold = (page: Page, title: string) => reported(page).getByRole('heading', { name: title }).click();

/** Returns the headings from top to bottom. */
const headings = (page: Page) => reported(page).getByRole('heading', { level: 2 }).allInnerTexts();

describe.skipIf(MISSING || DEPTH === 1)('the Answer panel', () => {
  const served = inBrowser();

  test('starts with a sentence about wins, and lists the bar for screen readers', async () => {
    const page = await served.opened(SCENARIO, { battles: 10_000 });
    const lead = reported(page).locator('.lead').first();
    await lead.waitFor();
    expect(await lead.innerText()).toMatch(
      /^Swordsmen win 58 of 100 times \(57\.65\s%\) and then keep 13\.6 hit points on average\.$/,
    );
    const parts = reported(page).getByRole('list', { name: 'Odds' }).getByRole('listitem');
    expect((await parts.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      'Swordsmen 57.65 %',
      'Both sides fall 6.14 %',
      'Pikemen 36.22 %',
    ]);
    await reported(page).getByText('10 000 battles simulated').waitFor();
    expect(await headings(page)).toEqual(['Remaining', 'One more or fewer', 'Luck', 'Tables', 'Computation']);
    const widths = await reported(page)
      .locator('.stack rect')
      .evaluateAll((all) => all.map((each) => Number.parseFloat(each.getAttribute('width') ?? '')));
    expect(widths.reduce((sum, width) => sum + width, 0)).toBeCloseTo(100, 6);
  });

  test('shows how likely at least, exactly and at most n units remain', async () => {
    const { context, page, received } = await served.visit();
    await page.goto(await served.link(GROUND, { battles: 10_000 }));
    const exactDistribution = reported(page).getByRole('list', { name: 'Distribution of The attacker: units left' });
    await exactDistribution.waitFor();
    const exact = solveSync(await loadScenario(GROUND)).summary.metrics.find(({ name }) => name === 'left.attacker');
    const share = (from: number, to: number): string => {
      const sum = (exact?.histogram ?? []).reduce(
        (all, [value, p]) => (value >= from && value <= to ? all + p : all),
        0,
      );
      return `${(100 * sum).toFixed(1)} %`;
    };
    const row = async (label: string): Promise<string> => {
      const texts = (await exactDistribution.getByRole('listitem').allInnerTexts()).map((text) =>
        text.replaceAll(/\s+/g, ' ').trim(),
      );
      return texts.find((text) => text.startsWith(`${label} `)) ?? texts.join('; ');
    };
    expect(await row('3 or more')).toBe(`3 or more ${share(3, 99)}`);
    const left = reported(page)
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Remaining' }) });
    await left.getByRole('button', { name: 'Exactly' }).click();
    expect(await row('3')).toBe(`3 ${share(3, 3)}`);
    await left.getByRole('button', { name: 'At most' }).click();
    expect(await row('3 or fewer')).toBe(`3 or fewer ${share(0, 3)}`);
    expect(received).toEqual([]);
    await context.close();
  });

  test('computes the effect of one more unit on demand, and a button adds the unit', async () => {
    const page = await served.opened(GROUND, { battles: 10_000 });
    await reported(page).getByText('10 000 battles simulated').waitFor();
    const best = reported(page)
      .getByText(/^Of units already present, one more cannon helps most: \+\d+\.\d\d points/)
      .first();
    expect(await best.count()).toBe(0);
    await unfold(page, 'One more or fewer');
    await best.waitFor();
    const [, then = ''] = /to ([\d.]+\s%)/.exec(await best.innerText()) ?? [];
    await reported(page).getByRole('button', { name: 'One more cannon' }).first().click();
    await reported(page).getByRole('list', { name: 'Odds' }).getByText(then.replaceAll(/\s/g, ' ')).waitFor();
    await page
      .locator('.cm-content')
      .getByText(/cannon: 4/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page
      .locator('.cm-content')
      .getByText(/cannon: 3/)
      .first()
      .waitFor();
  });

  test('stops the computation of one more or fewer, and restarts it after an edit', async () => {
    const page = await served.opened(SCENARIO, { text: LARGE, battles: 10_000 });
    await reported(page).getByText('10 000 battles simulated').waitFor();
    await unfold(page, 'One more or fewer');
    const section = reported(page).locator('details').filter({ hasText: 'One more or fewer' });
    await section.getByText(/of \d+ steps|Working/).waitFor();
    await section.getByRole('button', { name: 'Stop' }).click();
    await section.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
    await section.getByText('Stopped before the end.').waitFor();
    expect(await section.getByText('All values are exact').count()).toBe(0);
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(LARGE.replaceAll('3000', '30'));
    await section.getByText('All values are exact').waitFor();
  });

  test('rates a result by the probability of this or a worse result', async () => {
    const page = await served.opened(SCENARIO, { battles: 10_000 });
    await reported(page).getByText('10 000 battles simulated').waitFor();
    await unfold(page, 'Luck');
    const how = reported(page).getByLabel('Your result');
    await how.waitFor();
    await how.selectOption({ label: 'Pikemen win' });
    const left = reported(page).getByLabel(/^hit points that Pikemen had left/);
    await left.fill('20');
    await reported(page).getByText('Bad luck for Swordsmen.').waitFor();
    const exactDistribution = solveSync(await loadScenario(SCENARIO));
    const hp = exactDistribution.shape.metrics.findIndex(({ name }) => name === 'hp.defender');
    const { low = 0, width = 0, counts = [] } = exactDistribution.distribution.metrics[hp] ?? {};
    const row = exactDistribution.shape.outcomes.indexOf('defender') * width;
    let worse = 0;
    for (let value = 20; value < low + width; value++) worse += counts[row + value - low] ?? 0;
    const text = await reported(page)
      .getByText(/^This or a worse result for Swordsmen/)
      .innerText();
    expect(text.replaceAll(/\s/g, ' ')).toContain(`(${(100 * worse).toFixed(2)} %)`);
    await reported(page)
      .getByRole('button', { name: /^Fewer hit points/ })
      .click();
    expect(await left.inputValue()).toBe('19');
  });

  test('rates the result of a replayed battle', async () => {
    const page = await served.opened(SCENARIO, { panel: 'battle', battles: 10_000 });
    const ending = page.getByRole('region', { name: 'Result' });
    // Closed before the last step.
    await ending.getByText('Result', { exact: true }).click();
    const text = await ending.innerText();
    const wins = text.includes('The attacker wins');
    const [, kept = ''] = (wins ? /hp\.attacker\s+(\d+)/ : /hp\.defender\s+(\d+)/).exec(text) ?? [];
    await ending.getByRole('button', { name: 'Rate this result' }).click();
    await reported(page)
      .getByText(/^This or a worse result for Swordsmen/)
      .waitFor();
    expect(await reported(page).getByLabel('Your result').inputValue()).toBe(wins ? 'attacker' : 'defender');
    expect(
      await reported(page)
        .getByRole('textbox', { name: /had left/ })
        .inputValue(),
    ).toBe(kept);
  });

  test('has no axe findings, wide and narrow, with all sections unfolded', async () => {
    const page = await served.opened(GROUND, { battles: 10_000 });
    await reported(page).getByText('10 000 battles simulated').waitFor();
    await unfold(page, 'One more or fewer');
    await reported(page).getByText('All values are exact').waitFor();
    await unfold(page, 'Luck');
    await reported(page)
      .getByText(/^This or a worse/)
      .waitFor();
    expect(await lookedAt(page, 'answer-unfolded')).toEqual([]);
  });

  test('folds tables and computation details on phones, but shows the number of battles', async () => {
    const { page } = await served.visit({ viewport: NARROW });
    await page.goto(await served.link(SCENARIO, { battles: 10_000 }));
    await reported(page).getByText('10 000 battles simulated').waitFor();
    await reported(page).getByRole('heading', { name: 'Tables' }).waitFor();
    expect(await reported(page).getByText('95 % interval', { exact: true }).first().isVisible()).toBe(false);
    expect(await page.getByRole('textbox', { name: 'Seed' }).isVisible()).toBe(false);
    await unfold(page, 'Computation');
    expect(await page.getByRole('textbox', { name: 'Seed' }).isVisible()).toBe(true);
    await unfold(page, 'Tables');
    expect(await reported(page).getByText('95 % interval', { exact: true }).first().isVisible()).toBe(true);
  });
});
