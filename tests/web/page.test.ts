/** The served web app answers without errors and without requests to other hosts. Needs Chromium. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { DEPTH } from '../depth.ts';
import { inBrowser, MISSING } from './browser.ts';

const SCENARIO = 'scenarios/attrition-direct.yaml';

describe.skipIf(MISSING)('the web app', () => {
  const served = inBrowser();

  const reported = (page: Page) => page.getByRole('tabpanel', { name: 'Answer' });

  test.runIf(DEPTH > 1)('answers the scenario of its address with the digest of the command line', async () => {
    const { digest } = await simulate(await loadScenario(SCENARIO), { battles: 10_000, seed: 7 });
    const requested = { battles: 10_000, seed: '7' };
    const page = await served.opened(SCENARIO, requested);
    await reported(page).getByText(digest).first().waitFor();
    expect(await reported(page).innerText()).toContain('10 000 battles simulated');
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    // The text of the link has a comment that the scenario of the web app omits.
    expect(await page.getByRole('combobox', { name: 'Scenario' }).inputValue()).toBe('attrition-direct');
  });
});
