/** Every panel, wide and narrow, light and dark: no findings of axe, nothing cut off. Needs Chromium. */
import { describe, expect, test } from 'vitest';
import { DEPTH } from '../depth.ts';
import { inBrowser, lookedAt, MISSING, PANELS } from './browser.ts';

/** Scenario with content in most panels; no scenario has decisions, prices and secret choices together. */
const SCENARIO = 'scenarios/phased-dice-last-stand.yaml';

describe.skipIf(MISSING || DEPTH === 1)('the panel', () => {
  const served = inBrowser();

  test.each(PANELS)('%s has no axe findings and cuts nothing off', async (panel) => {
    const page = await served.opened(SCENARIO, { panel, battles: 100_000 });
    expect(await lookedAt(page, panel)).toEqual([]);
  });
});
