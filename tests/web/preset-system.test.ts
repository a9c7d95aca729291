/** `warpool app --systems`: the web app opens with the given system. Needs Chromium. */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../../src/cli/app.ts';
import { DEPTH } from '../depth.ts';
import { launched, MISSING, visit } from './browser.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples/systems');

describe.skipIf(MISSING || DEPTH === 1)('the web app with a module from --systems', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launched();
  });

  afterAll(async () => {
    await browser.close();
  });

  test.each([
    ['its scenario is answered without asking for a file', 'hand-less.yaml', '31.25'],
    ['its first example is shown, where no scenario was given', undefined, '50.00'],
  ])('%s', { timeout: 180_000 }, async (_, scenario, share) => {
    const file = scenario === undefined ? undefined : join(EXAMPLES, scenario);
    const { url, end } = await startApp(file, { config: false, systems: [join(EXAMPLES, 'hand.mjs')] });
    const { page, context, received } = await visit(browser, url);
    await page.goto(url);
    const answer = page.getByRole('tabpanel', { name: 'Answer' });
    await expect.poll(() => answer.textContent(), { timeout: 60_000 }).toContain(share);
    await page.getByRole('tab', { name: 'Custom rules' }).click();
    const own = page.getByRole('tabpanel', { name: 'Custom rules' });
    await expect.poll(() => own.textContent(), { timeout: 60_000 }).toContain('Duel of hidden hands');
    await expect.poll(() => own.textContent(), { timeout: 60_000 }).toContain('hand conforms');
    expect(await own.textContent()).not.toContain('contains code');
    expect(await own.getByRole('button', { name: 'volley.mjs' }).isVisible()).toBe(true);
    expect(received).toEqual([]);
    await context.close();
    await end();
  });
});
