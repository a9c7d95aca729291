/** Colors of sides in bars, tables, battles and figures, in light and dark. Needs Chromium. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DARK_COLORS, NEUTRAL_COLORS, SIDE_COLORS } from '../../src/report/figures/theme.ts';
import { DEPTH } from '../depth.ts';
import { inBrowser, MISSING, NARROW } from './browser.ts';

const DIRECT = 'scenarios/attrition-direct.yaml';
const BATTERING = 'scenarios/cube-bag-battering.yaml';

/** Converts `rgb(213, 94, 0)` to `#d55e00`. */
function hex(shown: string): string {
  const parts = shown.match(/\d+/g)?.slice(0, 3) ?? [];
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
}

const styled = async (place: Locator, name: string): Promise<string> =>
  hex(await place.first().evaluate((element, of) => getComputedStyle(element).getPropertyValue(of), name));

const shown = (page: Page) => page.getByRole('tabpanel');

describe.skipIf(MISSING || DEPTH === 1)('the colors of sides', () => {
  const served = inBrowser();

  test.each(['light', 'dark'] as const)('are used in the bars and tables of an answer, %s', async (colorScheme) => {
    const { page } = await served.visit({ colorScheme });
    const due = [...SIDE_COLORS.slice(0, 2), NEUTRAL_COLORS[0] ?? ''].map((colour) =>
      colorScheme === 'dark' ? DARK_COLORS[colour] : colour,
    );
    await page.goto(await served.link(DIRECT, { panel: 'answer' }));
    const bars = shown(page).getByRole('list', { name: 'Outcomes by probability' }).locator('rect');
    await bars.nth(2).waitFor({ state: 'attached' });
    expect([await styled(bars, 'fill'), await styled(bars.nth(1), 'fill'), await styled(bars.nth(2), 'fill')]).toEqual(
      due,
    );
    const row = (name: string) =>
      shown(page)
        .getByRole('row', { name: new RegExp(`^${name}`) })
        .locator('i.tone');
    expect([
      await styled(row('attacker'), 'border-top-color'),
      await styled(row('hp.defender'), 'border-top-color'),
      await styled(row('mutual'), 'border-top-color'),
    ]).toEqual(due);
  });

  test('are used in the steps and cubes of a battle', async () => {
    const page = await served.opened(BATTERING, { panel: 'battle' });
    const step = (text: string) => shown(page).getByRole('option', { name: text }).first();
    await step('Attacker draws').waitFor();
    expect(await styled(step('Attacker draws').locator('i.tone'), 'border-top-color')).toBe(SIDE_COLORS[0]);
    expect(await styled(step('Defender’s garrison').locator('i.tone'), 'border-top-color')).toBe(SIDE_COLORS[1]);
    await step('Attacker draws').click();
    const cubes = shown(page).locator('.cube .face');
    expect(await styled(cubes, 'stroke')).toBe(SIDE_COLORS[0]);
    expect(await styled(cubes.last(), 'stroke')).toBe(NEUTRAL_COLORS[0]);
  });

  test('do not change in forced colors, and their marks fit on a phone', async () => {
    const { page } = await served.visit({ forcedColors: 'active', viewport: NARROW });
    await page.goto(await served.link(DIRECT, { panel: 'answer' }));
    const mark = shown(page).locator('th i.side0');
    await mark.first().waitFor({ state: 'attached' });
    expect(await styled(mark, 'border-top-color')).toBe(SIDE_COLORS[0]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });
});
