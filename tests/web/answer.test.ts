/** Answers during edits, stops, failures and crashes of the engine. Needs Chromium. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { parseScenario, simulate } from '../../src/index.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { DEPTH } from '../depth.ts';
import { inBrowser, lookedAt, MISSING } from './browser.ts';

const SCENARIO = 'scenarios/attrition-direct.yaml';
const HOSTILE = '<img src=x onerror=alert(1)>';

const duel = (name: string, hp: number): string => `system: attrition
mode: direct
attacker: { name: "${name}", attack: 1, defense: 1, hp: ${String(hp)} }
defender: { name: B, attack: 1, defense: 1, hp: ${String(hp)} }
`;

const open = (page: Page, name: string, text: string | Buffer) =>
  page.getByLabel('Scenario file').setInputFiles({ name, mimeType: 'text/yaml', buffer: Buffer.from(text) });

const battlesOf = (text: string): number =>
  Number(/([\d\u00A0\u202F ]+) battles/.exec(text)?.[1]?.replaceAll(/\D/g, ''));

describe.skipIf(MISSING || DEPTH === 1)('an answer', () => {
  const served = inBrowser();

  const reported = (page: Page) => page.getByRole('tabpanel', { name: 'Answer' });

  test('updates during simulation, and after a stop has the digest of the simulated battles', async () => {
    const page = await served.opened(SCENARIO, { battles: 10 ** 12, seed: '3' });
    await page.getByRole('button', { name: 'Simulate all' }).click();
    const status = reported(page).getByText(/^Simulating: .*(?:battles so far| left)$/);
    await status.waitFor();
    const seen = new Set<string>();
    for (let look = 0; look < 40 && seen.size < 4; look++) {
      seen.add(await status.innerText());
      await page.waitForTimeout(100);
    }
    expect(seen.size).toBe(4);
    // After two seconds, rate and remaining time are shown.
    const rate = /^Simulating: [\d\s]+ of 1\s000\s000\s000\s000 battles\s+[\d\s]+\/s\s+.* left$/;
    await reported(page).getByText(rate).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    const battles = battlesOf(
      await reported(page)
        .getByText(/battles simulated; stopped before the end$/)
        .innerText(),
    );
    const { digest } = await simulate(await loadScenario(SCENARIO), { battles, seed: 3 });
    expect(await reported(page).innerText()).toContain(digest);
  });

  test('to an edited scenario appears while the engine solves another one', async () => {
    const { page } = await served.visit();
    await page.goto(served.url);
    await open(page, 'long.yaml', duel('A', 4000));
    await page.getByRole('button', { name: 'Solve longer' }).click();
    await open(page, 'short.yaml', duel('A', 30));
    const { digest } = await simulate(parseScenario(duel('A', 30)), { battles: 1_000_000, seed: 1 });
    await reported(page).getByText(digest).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('keeps the exact probabilities when the engine was ended to stop other work', async () => {
    const page = await served.opened('scenarios/phased-dice-great-wall.yaml', { battles: 10_000 });
    await reported(page).getByText('57.93 %').first().waitFor();
    await page.getByRole('tab', { name: 'Best response' }).click();
    await page.getByText('Solving …').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.waitForTimeout(1200);
    await page.getByRole('tab', { name: 'Answer' }).click();
    await page.getByRole('textbox', { name: 'Seed' }).fill('2');
    const { digest } = await simulate(await loadScenario('scenarios/phased-dice-great-wall.yaml'), {
      battles: 10_000,
      seed: 2,
    });
    await reported(page).getByText(digest).first().waitFor();
    expect(await reported(page).innerText()).toMatch(/In 58 of 100 battles a side retreats \(57\.93\s%\)/);
  });

  test('is dimmed and labeled as older in every panel while the text has errors', async () => {
    const page = await served.opened('scenarios/phased-dice-last-stand.yaml', { battles: 1000 });
    await reported(page).getByText('1 000 battles simulated').waitFor();
    await page.getByRole('tab', { name: 'Battle' }).click();
    await page.getByText('Result', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Best response' }).click();
    await page.getByText('With its best response the').waitFor();
    await page.getByRole('tab', { name: 'Answer' }).click();
    expect(await page.locator('.older').count()).toBe(0);
    const code = page.locator('.cm-content');
    await code.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('3d6 vs 2d8');
    for (const name of ['Answer', 'Battle', 'Best response']) {
      await page.getByRole('tab', { name }).click();
      await page.getByText('Correct them to compute new results.').waitFor();
      const older = page.locator('.older').first();
      await older.waitFor();
      expect(Number(await older.evaluate((each) => getComputedStyle(each).opacity)), name).toBeLessThan(1);
      await page.getByText(/older question|for the older one/).waitFor();
    }
    await page.getByRole('tab', { name: 'Answer' }).click();
    expect(await reported(page).getByText('1 000 battles simulated').count()).toBe(0);
    expect(await lookedAt(page, 'answer-older')).toEqual([]);
    await code.click();
    await page.keyboard.press('Control+Z');
    await reported(page).getByText('1 000 battles simulated').waitFor();
    expect(await page.locator('.older').count()).toBe(0);
  });

  test('is labeled as older while the validation of the text takes long', async () => {
    const page = await served.opened(SCENARIO, { battles: 1000 });
    await reported(page).getByText('1 000 battles simulated').waitFor();
    // Drops all further messages to the engine.
    await page.evaluate(() => {
      Worker.prototype.postMessage = () => undefined;
    });
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('\n# more');
    await page.getByText('Checking the text …').waitFor();
    await page.locator('.older').first().waitFor();
    expect(await reported(page).getByText('1 000 battles simulated').count()).toBe(0);
  });

  test('disappears with an error when the simulation fails, also after an exact result', async () => {
    const { context, page } = await served.visit();
    await page.addInitScript(() => {
      const post = Reflect.get(Worker.prototype, 'postMessage') as (this: Worker, ...given: unknown[]) => void;
      Worker.prototype.postMessage = function (message: { path?: string[] }, ...rest: unknown[]) {
        if (message.path?.[0] === 'play') message.path = ['fail'];
        post.call(this, message, ...rest);
      };
    });
    await page.goto(await served.link(SCENARIO, { battles: 1000 }));
    await reported(page).getByRole('alert').filter({ hasText: 'the engine has no fail' }).waitFor();
    expect(await reported(page).locator('.lead').count()).toBe(0);
    expect(await reported(page).locator('.bars').count()).toBe(0);
    await context.close();
  });

  test('is missing for an invalid scenario, with the reason in all panels except Custom rules', async () => {
    const page = await served.opened(SCENARIO, { text: 'system: attriton', panel: 'best-response' });
    const why = page.getByText('Correct them to compute new results.');
    await why.waitFor();
    for (const name of ['Answer', 'Battle', 'Compare', 'Sweep', 'Best response']) {
      await page.getByRole('tab', { name }).click();
      expect(await why.isVisible(), name).toBe(true);
    }
    await page.getByRole('tab', { name: 'Custom rules' }).click();
    expect(await why.count()).toBe(0);
  });

  test('appears again after a crash of the engine, and the alert disappears', async () => {
    const { context, page } = await served.visit();
    await page.route(/assets\/worker-/, (route) => route.fulfill({ contentType: 'text/javascript', body: 'throw 1' }));
    await page.goto(served.url);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('The engine stopped');
    await page.unroute(/assets\/worker-/);
    // Work of the editor may have restarted it already; then the button is gone.
    const again = page.getByRole('button', { name: 'Restart engine' }).click({ timeout: 5000 });
    await again.catch(() => undefined);
    await reported(page)
      .getByText(/battles simulated$/)
      .waitFor();
    expect(await alert.count()).toBe(0);
    await context.close();
  });

  test('shows names from files and scenarios as text, not as HTML', async () => {
    const { page } = await served.visit();
    await page.goto(served.url);
    await open(page, `${HOSTILE}.yaml`, duel(HOSTILE, 20));
    await reported(page)
      .getByText(/^warpool run/)
      .first()
      .waitFor();
    await page.waitForFunction(() => document.title.includes('alert(1)'));
    await page.getByRole('button', { name: 'Form' }).click();
    await page.waitForTimeout(300);
    expect(await page.locator('img[src=x]').count()).toBe(0);
  });

  test.each([
    ['big.yaml', Buffer.alloc(10_000_000, 65), 'big.yaml: expected a file of at most 1 MiB, found a larger file'],
    ['bytes.yaml', Buffer.from([0, 1]), 'bytes.yaml: expected a text file, found a binary file (it has NUL bytes)'],
  ])('stays and an error is shown when %s cannot be opened', async (name, bytes, message) => {
    const { page } = await served.visit();
    await page.goto(served.url);
    await reported(page)
      .getByText(/battles simulated$/)
      .waitFor();
    await open(page, name, bytes);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain(message);
    expect(await reported(page).innerText()).toContain('1 000 000 battles simulated');
  });

  test.each([
    ['#1.AAAA.00000000', 'link, checksum: expected ff41d912, found "00000000": the link is incomplete or damaged'],
    ['#2.AAAA.00000000', 'link, version: expected 1, found 2: a newer web app is required'],
  ])('equals the answer of the start page for the invalid link %s, with an error', async (fragment, message) => {
    const { page } = await served.visit();
    await page.goto(served.home + fragment);
    await page.getByRole('list', { name: 'Odds' }).getByText('27.12 %').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain(message);
  });
});
