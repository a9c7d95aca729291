/** Every panel, wide and narrow, light and dark: without findings of axe, and nothing cut off. Needs Chromium. */
import type { default as Axe, AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEPTH } from '../depth.ts';
import { inAllSights, launched, MISSING, type Offered, offered, PANELS, visit } from './browser.ts';

const AXE = 'node_modules/axe-core/axe.min.js';

/** One with decisions, prices and secret choices is nowhere: each has something to show in most panels. */
const SCENARIO = 'scenarios/phased-dice-last-stand.yaml';

/** What axe finds, a line each. */
async function findings(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate(
    async () => (await (globalThis as unknown as { axe: typeof Axe }).axe.run()) as AxeResults,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${String(target)}: ${String(failureSummary)}`),
  );
}

/** Elements that reach beyond the window and cannot be scrolled to within their own box. */
async function cutOff(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const scrolls = (each: Element | null): boolean =>
      each !== null &&
      (/auto|scroll|hidden|clip/.test(getComputedStyle(each).overflowX) || scrolls(each.parentElement));
    return [...document.querySelectorAll('body *')]
      .filter((each) => each.getBoundingClientRect().right > innerWidth + 1 && !scrolls(each.parentElement))
      .map((each) => each.outerHTML.slice(0, 120));
  });
}

describe.skipIf(MISSING || DEPTH === 1)('a panel', () => {
  let browser: Browser;
  let served: Offered;

  beforeAll(async () => {
    [browser, served] = await Promise.all([launched(), offered()]);
  });

  afterAll(async () => {
    await browser.close();
    await served.end();
  });

  test.each(PANELS)('%s has no findings of axe, and cuts nothing off', async (panel) => {
    // axe is a script of another place: the policy of the page is left out here alone.
    const { context, page, heard } = await visit(browser, served.url, { bypassCSP: true });
    await page.goto(await served.link(SCENARIO, { panel, battles: 100_000 }));
    await page.addScriptTag({ path: AXE });
    await inAllSights(page, panel, async (sight) => {
      expect(await findings(page), sight).toEqual([]);
      expect(await cutOff(page), sight).toEqual([]);
    });
    expect(heard).toEqual([]);
    await context.close();
  });
});
