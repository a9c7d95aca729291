/** Links that show results, notices, help, explanations of column headers, font sizes, keys. Needs Chromium. */
import { deflateRawSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { computeCrc32 } from '../../src/report/link/crc32.ts';
import { readLink } from '../../src/report/link/link.ts';
import { RULESET } from '../../src/stats/digest.ts';
import { DEPTH } from '../depth.ts';
import { inBrowser, lookedAt, MISSING } from './browser.ts';

const SCENARIO = 'scenarios/attrition-direct.yaml';

const panel = (page: Page, name: string) => page.getByRole('tabpanel', { name });

describe.skipIf(MISSING || DEPTH === 1)('the web app', () => {
  const served = inBrowser();

  test('marks the scenario in a default sweep, and opens a cell by touch and keys', async () => {
    const { page } = await served.visit({ hasTouch: true });
    await page.goto(await served.link(SCENARIO, { panel: 'sweep' }));
    const sweep = panel(page, 'Sweep');
    await sweep.getByRole('combobox', { name: 'Field', exact: true }).selectOption('attacker.hp');
    await sweep.getByRole('combobox', { name: 'Second field' }).selectOption('defender.hp');
    await sweep.getByRole('button', { name: 'Sweep', exact: true }).click();
    await sweep.locator('figure[aria-busy=false] svg').waitFor();
    const reported = sweep.locator('.pointed');
    await expect
      .poll(() => reported.innerText())
      .toContain('attacker’s hit points 30, defender’s hit points 25 (the scenario itself)');
    expect(await reported.innerText()).toContain('57.6476\u00A0% exact');
    expect(await sweep.locator('figcaption').innerText()).toContain('The frame marks the unchanged scenario.');
    expect(await reported.getByRole('button').count()).toBe(0);
    const tile = sweep.locator('figure svg path', {
      has: page.locator('title', { hasText: 'hit points 35, defender’s hit points 30\n' }),
    });
    await tile.tap();
    await expect.poll(() => reported.innerText()).toContain('attacker’s hit points 35, defender’s hit points 30\n');
    await sweep.locator('.drawing').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => reported.innerText()).toContain('attacker’s hit points 40, defender’s hit points 30\n');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => reported.innerText()).toContain('attacker’s hit points 40, defender’s hit points 25\n');
    await reported.getByRole('button', { name: 'Open this scenario' }).click();
    await panel(page, 'Answer')
      .getByText(/battles simulated/)
      .first()
      .waitFor();
    expect(await page.locator('.cm-content').innerText()).toContain('hp: 40');
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await page.locator('.cm-content').innerText()).toContain('hp: 30');
  });

  test('shows the sweep, comparison, sensitivity and balance of a link at once', async () => {
    const { context, page, received } = await served.visit();
    await page.goto(await served.link(SCENARIO, { panel: 'sweep' }));
    await panel(page, 'Sweep').getByRole('button', { name: 'Sweep', exact: true }).click();
    await panel(page, 'Sweep').locator('figure[aria-busy=false] svg').waitFor();
    await page.getByRole('tab', { name: 'Compare' }).click();
    const compare = panel(page, 'Compare');
    await compare.getByRole('button', { name: 'Change a field' }).click();
    await compare.getByRole('button', { name: 'Compare', exact: true }).click();
    await compare.getByText(/^Swordsmen win: [\d.]+\s% becomes [\d.]+\s%\.$/).waitFor();
    await compare.getByRole('button', { name: 'Compute' }).click();
    await compare.getByRole('region', { name: 'Sensitivity' }).locator('figure svg').waitFor();
    await compare.getByRole('button', { name: 'Find', exact: true }).click();
    await compare.getByRole('region', { name: 'Balance' }).locator('.offers button').first().waitFor();
    await page.waitForTimeout(900);
    const link = page.url();
    expect(received).toEqual([]);
    await context.close();
    const other = await served.visit();
    await other.page.goto(link);
    const there = panel(other.page, 'Compare');
    await there.getByText(/^Swordsmen win: [\d.]+\s% becomes [\d.]+\s%\.$/).waitFor();
    await there.getByRole('region', { name: 'Sensitivity' }).locator('figure svg').waitFor();
    await there.getByRole('region', { name: 'Balance' }).locator('.offers button').first().waitFor();
    await other.page.getByRole('tab', { name: 'Sweep' }).click();
    await panel(other.page, 'Sweep').locator('figure[aria-busy=false] svg').waitFor();
    // Another scenario is not swept automatically.
    await other.page.getByRole('combobox', { name: 'Scenario' }).selectOption('phased-dice-ground');
    await other.page.waitForTimeout(1500);
    expect(await other.page.locator('.progress').count()).toBe(0);
    expect(other.received).toEqual([]);
    await other.context.close();
  });

  test('does not start the work of a link that takes more than some seconds', async () => {
    const { page } = await served.visit();
    const note = {
      one: { path: 'attacker.hp', low: '1', high: '200', step: '1' },
      how: 'battles',
      battles: '1000000',
      begun: true,
    };
    await page.goto(await served.link(SCENARIO, { panel: 'sweep', notes: { sweep: note } }));
    await panel(page, 'Sweep').getByText('200 cells', { exact: true }).waitFor();
    await page.waitForTimeout(1500);
    expect(await page.locator('.progress').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Sweep', exact: true }).isEnabled()).toBe(true);
  });

  test('suggests another value for a changed field', async () => {
    const page = await served.opened(SCENARIO, { panel: 'compare' });
    const copy = page.getByRole('region', { name: 'Changed copy' });
    await copy.getByRole('button', { name: 'Change a field' }).click();
    await copy.getByRole('combobox', { name: 'Field' }).selectOption('attacker.hp');
    expect(await copy.getByRole('textbox', { name: 'New value' }).inputValue()).toBe('31');
  });

  const hostile = (battles: number): string => {
    const requested = {
      ruleset: RULESET,
      file: 'a.yaml',
      battles,
      text: 'system: attrition\nmode: direct\nattacker: { attack: 1, defense: 1, hp: 3 }\ndefender: { attack: 1, defense: 1, hp: 3 }\n',
    };
    const packed = deflateRawSync(JSON.stringify(requested));
    return `#1.${packed.toString('base64url')}.${computeCrc32(packed).toString(16).padStart(8, '0')}`;
  };

  test('simulates a million of the 2^53 battles of a link, and all on demand', async () => {
    const { page } = await served.visit();
    await page.goto(served.home + hostile(2 ** 53 - 1));
    await panel(page, 'Answer').getByText('1 000 000 battles simulated').first().waitFor();
    const notice = page.getByRole('status').filter({ hasText: 'This link requests 9 007 199 254 740 991 battles' });
    await notice.waitFor();
    await notice.getByRole('button', { name: 'Simulate all' }).click();
    await panel(page, 'Answer')
      .getByText(/9 007 199 254 740 991|Simulating/)
      .first()
      .waitFor();
    await panel(page, 'Answer').getByRole('button', { name: 'Stop', exact: true }).click();
    expect(await notice.count()).toBe(0);
  });

  test('explains a damaged link in a notice that can be closed', async () => {
    const { page } = await served.visit();
    await page.goto(`${served.home}#1.abc.12345678`);
    const notice = page.getByRole('alert').filter({ hasText: 'link' });
    await notice.getByText('This link is incomplete or damaged.').waitFor();
    await notice.getByText('The page below is not from the link.').waitFor();
    // The start page.
    await page.getByRole('main').getByRole('heading').first().waitFor();
    expect(await page.getByRole('tab').count()).toBe(0);
    await notice.getByRole('button', { name: 'Close this notice' }).click();
    expect(await notice.count()).toBe(0);
  });

  test('explains column headers by keyboard, and lists constant metrics in one line', async () => {
    const page = await served.opened('scenarios/cube-bag-battering.yaml');
    const metrics = page.getByRole('region', { name: 'Metrics' }).first();
    await panel(page, 'Answer').getByText('1 000 000 battles simulated').first().waitFor();
    const head = page.getByRole('button', { name: 'SD', exact: true }).first();
    await page
      .getByText(/^The same in every battle: .*losses\.attacker\.spearman 0, .*conversions\.attacker 0/)
      .first()
      .waitFor();
    expect(await page.getByText('Always 0').count()).toBe(0);
    expect(await metrics.getByText('conversions.attacker').count()).toBe(0);
    await head.focus();
    await page.keyboard.press('Enter');
    await page.getByText('SD: standard deviation of one battle.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('SD: standard deviation of one battle.').waitFor({ state: 'detached' });
  });

  test('has manuals, a version, and a skip link', async () => {
    const { context, page } = await served.visit();
    await page.goto(served.url);
    await panel(page, 'Answer')
      .getByText(/battles simulated/)
      .first()
      .waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('tab-answer');
    expect(await page.locator('footer').innerText()).toMatch(/warpool \d+\.\d+\.\d+/);
    const [manual] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'Glossary' }).click(),
    ]);
    await manual.getByRole('heading', { level: 1 }).waitFor();
    await manual.getByRole('link', { name: 'Help' }).click();
    await manual.getByRole('link', { name: 'Custom rules' }).click();
    await manual.getByText('defineSystem').first().waitFor();
    const paths = ['favicon.ico', 'page.webmanifest', 'icon-192.png', 'icon-512.png'];
    for (const path of paths) expect((await page.request.get(served.home + path)).status(), path).toBe(200);
  });

  test('scales all fonts with the font size of the browser', async () => {
    const { page } = await served.visit();
    await page.goto(served.url);
    await page.locator('.cm-content').waitFor();
    // The table appears after the computation of the answer.
    await page.locator('table').first().waitFor();
    const sizes = () =>
      page.evaluate(() =>
        ['body', '.button', '[role=tab]', '.field label', 'table', 'h1'].map((selector) => {
          const element = document.querySelector(selector);
          return element === null ? 0 : Number.parseFloat(getComputedStyle(element).fontSize);
        }),
      );
    const before = await sizes();
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '32px';
    });
    expect(await sizes()).toEqual(before.map((size) => 2 * size));
  });

  test('distinguishes selected tabs and pressed buttons in forced colors', async () => {
    const { page } = await served.visit({ forcedColors: 'active' });
    await page.goto(served.url);
    await page.locator('.cm-content').waitFor();
    await expect.poll(() => page.locator('footer').evaluate((each) => getComputedStyle(each).display)).toBe('flex');
    const edge = (name: string) =>
      page.getByRole('tab', { name }).evaluate((each) => getComputedStyle(each).borderBottomColor);
    expect(await edge('Answer')).not.toBe(await edge('Battle'));
    const ground = (name: string) =>
      page.getByRole('button', { name, exact: true }).evaluate((each) => getComputedStyle(each).backgroundColor);
    expect(await ground('Text')).not.toBe(await ground('Form'));
  });

  test('hides the result of a battle at first, and opens the luckiest battle', async () => {
    const page = await served.opened(SCENARIO, { panel: 'battle' });
    const battle = panel(page, 'Battle');
    const ending = battle.getByRole('region', { name: 'Result' });
    await ending.waitFor();
    expect(await ending.locator('.lead').isVisible()).toBe(false);
    await battle.getByRole('button', { name: 'Luckiest battle' }).click();
    await battle.getByText(/^Among the first 10 000, battle [\d ]+ has a rarer outcome/).waitFor();
    await battle.getByRole('button', { name: 'Last step' }).click();
    await ending
      .getByText(/defender/i)
      .first()
      .waitFor();
    await ending.getByRole('button', { name: /^Copy: warpool replay/ }).waitFor();
  });

  test('prints only the table of a sweep with two fields, as a card', async () => {
    const { page } = await served.visit();
    await page.addInitScript(() => {
      Object.assign(globalThis, {
        print: () => {
          document.title = `printed ${document.documentElement.dataset['print'] ?? ''}`;
        },
      });
    });
    await page.goto(await served.link(SCENARIO, { panel: 'sweep' }));
    const sweep = panel(page, 'Sweep');
    await sweep.getByRole('combobox', { name: 'Field', exact: true }).selectOption('attacker.hp');
    await sweep.getByRole('combobox', { name: 'Second field' }).selectOption('defender.hp');
    await sweep.getByRole('button', { name: 'Sweep', exact: true }).click();
    await sweep.locator('figure[aria-busy=false] svg').waitFor();
    await sweep.getByText('Table', { exact: true }).click();
    await sweep.getByRole('button', { name: 'Print table as card' }).click();
    expect(await page.title()).toBe('printed card');
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => {
      document.documentElement.dataset['print'] = 'card';
    });
    // Hidden elements have no role.
    const card = page.locator('.printed');
    const isSeen = (selector: string) => page.locator(selector).first().isVisible();
    expect(await isSeen('.printed td')).toBe(true);
    expect(await isSeen('figure svg')).toBe(false);
    expect(await isSeen('h1')).toBe(false);
    expect(await card.innerText()).toContain('57.6476');
    expect(await card.innerText()).toMatch(/attrition-direct, exact; warpool \d/);
  });

  test('shows a pinned answer next to the new one, with the differences', async () => {
    const page = await served.opened(SCENARIO);
    await page.getByRole('button', { name: 'Pin this answer' }).click();
    const pinned = page.getByRole('region', { name: 'Pinned answer' });
    await pinned.getByText('This is the pinned scenario.').waitFor();
    await page.locator('.cm-content').waitFor();
    await page.getByText('Form', { exact: true }).click();
    await page.getByRole('textbox', { name: 'attacker hp' }).or(page.getByLabel(/^hp/).first()).first().fill('40');
    const row = pinned.getByRole('row', { name: /attacker wins/ });
    await row.getByText('57.65').waitFor();
    expect((await row.innerText()).split('\t').slice(1)).toEqual(['57.65 %', '75.33 %', '+17.69 pp']);
    // The pinned answer is in the address, and is kept on reload.
    const armies = /^Pinned: Swordsmen.* against .*pikemen/i;
    await pinned.getByRole('heading', { name: armies }).waitFor();
    await expect.poll(async () => (await readLink(new URL(page.url()).hash)).notes).toHaveProperty(['answer.pinned']);
    await page.waitForTimeout(800);
    await page.reload();
    await pinned.getByRole('heading', { name: armies }).waitFor();
    await row.getByText('+17.69 pp').waitFor();
    expect(await pinned.getByRole('list', { name: 'Odds' }).innerText()).toMatch(/58\s%/);
    await pinned.getByRole('button', { name: 'Open pinned scenario' }).click();
    await pinned.getByText('This is the pinned scenario.').waitFor();
    await pinned.getByRole('button', { name: 'Unpin' }).click();
    await page.getByRole('button', { name: 'Pin this answer' }).waitFor();
  });

  test('has no axe findings in a sweep and in notices', { timeout: 180_000 }, async () => {
    const { context, page } = await served.visit({ bypassCSP: true });
    await page.goto(served.url);
    await page.getByRole('tab', { name: 'Sweep' }).click();
    // A damaged link, opened in the same tab: the scenario stays.
    await page.goto(`${served.home}#1.abc.12345678`);
    await page.getByRole('alert').filter({ hasText: 'link' }).waitFor();
    await page.getByRole('button', { name: 'Sweep', exact: true }).click();
    await page.locator('figure[aria-busy=false] svg').waitFor();
    expect(await lookedAt(page, 'visitor-sweep')).toEqual([]);
    await context.close();
  });
});
