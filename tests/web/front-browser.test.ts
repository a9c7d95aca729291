/** Start page and units view in a browser. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { readLink } from '../../src/report/link/link.ts';
import { DEPTH } from '../depth.ts';
import { inBrowser, lookedAt, MISSING, NARROW, settled, type Visit } from './browser.ts';

const QUESTION = '4 infantry and 2 tanks attack 5 infantry and a fighter';

describe.skipIf(MISSING || DEPTH === 1)('the web app in the start and units views', () => {
  const served = inBrowser();

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const count = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
  const box = (page: Page) => page.getByRole('textbox', { name: 'Your question, in words' });
  /** Returns the text of the editor. */
  async function textOf(page: Page): Promise<string> {
    await button(page, 'Text').click();
    await page.locator('.cm-content').waitFor();
    return (await page.locator('.cm-line').allTextContents()).join('\n');
  }

  async function fresh(options: Parameters<typeof served.visit>[0] = {}): Promise<Visit> {
    return await served.visit({ view: 'Units', ...options });
  }

  async function opened(address: string, options: Parameters<typeof served.visit>[0] = {}): Promise<Visit> {
    const at = await fresh(options);
    await at.page.goto(served.home + address);
    await at.page.getByRole('form', { name: 'Units' }).waitFor();
    return at;
  }

  test('answers a question on a phone in three taps, without loading the editor', async () => {
    const viewport = { width: NARROW.width, height: 640 };
    const { page } = await fresh({ viewport, hasTouch: true });
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await page.goto(served.home);
    await box(page).tap();
    await page.keyboard.insertText(QUESTION);
    await page.getByText('4 infantry, 2 tanks').waitFor();
    await button(page, 'Show').tap();
    await count(page, 'infantry, Attacker').waitFor();
    expect(await count(page, 'infantry, Defender').inputValue()).toBe('5');
    expect(await count(page, 'fighter, Defender').inputValue()).toBe('1');
    const dock = page.locator('.dock');
    await dock.getByText('68 %').first().waitFor();
    // Both sides and the odds are on the first screen.
    const low = await dock.boundingBox();
    expect((low?.y ?? 0) + (low?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
    expect(loaded.filter((path) => /\/text-[^/]*\.js$/.test(path))).toEqual([]);
    await dock.tap();
    await expect
      .poll(() =>
        page
          .getByRole('tab', { name: 'Answer' })
          .boundingBox()
          .then((tab) => (tab?.y ?? 999) < 300),
      )
      .toBe(true);
    await expect.poll(() => dock.count()).toBe(0);
  });

  test('opens a setting from the list, and repeated taps on minus stop at 0', async () => {
    const { page } = await opened('#game=combined-arms');
    const settings = page.getByRole('list', { name: 'Settings that differ from their defaults' });
    await settings.getByRole('button', { name: 'Defender, losses: gun' }).click();
    const focused = () =>
      page.evaluate(() => document.activeElement?.closest('[data-place]')?.getAttribute('data-place'));
    expect(await focused()).toBe('defender.losses');
    await count(page, 'gun, Defender').waitFor();
    const minus = await button(page, 'Fewer: gun, Defender').boundingBox();
    for (let tap = 0; tap < 3; tap++) {
      await page.mouse.click((minus?.x ?? 0) + 8, (minus?.y ?? 0) + 8);
      await settled(page);
    }
    expect(await count(page, 'gun, Defender').inputValue()).toBe('0');
    await button(page, 'Clear').click();
    await button(page, 'Add gun, Defender').waitFor();
    await expect.poll(() => settings.count()).toBe(0);
  });

  test('answers during typing, and shows no odds for an invalid question', async () => {
    const { page } = await fresh();
    await page.goto(served.home);
    await page.getByText('For example:').waitFor();
    await page.getByText('27.12 %').first().waitFor();
    const odds = page.getByRole('list', { name: 'Odds' });
    // The odds of the example disappear with the first key.
    for (const [words, why] of [
      ['3 armies against 2 armies and an elephant', 'As Risk: “elephant” is not understood.'],
      ['4 infantry, 1 sub against 3 infantry', 'Land and sea units do not meet in one battle.'],
      ['1.5 tanks against 2 tanks', '“1.5” is not a whole number of units.'],
      ['2000 against 5', 'Risk takes at most 1 000 armies on a side: 2000 are too many.'],
      ['200 swordsmen against 300 archers', 'at most 400 cubes in total'],
    ] as const) {
      await box(page).fill(words);
      await page.locator('.understood').getByText(why).waitFor();
      expect(await odds.count()).toBe(0);
      await page.getByRole('status').getByText(why).waitFor();
    }
    await box(page).fill('3 brave armies against 2 armies');
    await button(page, 'Ask instead: 3 armies against 2 armies').click();
    await page.getByText('65.60 %').first().waitFor();
    expect(await box(page).inputValue()).toBe('3 armies against 2 armies');
    await page
      .getByRole('status')
      .getByText('Risk, 3 armies against 2 armies: Attacker 65.60 %, Defender 34.40 %.')
      .waitFor();
    await box(page).press('Enter');
    await count(page, 'armies, Attacker').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
    expect(await page.title()).toBe('3 armies against 2 armies · warpool');
    expect(await page.getByLabel('Scenario', { exact: true }).locator('option').first().textContent()).toBe(
      '3 armies against 2 armies',
    );
    expect(await textOf(page)).toContain('# 3 armies against 2 armies');
    await page.getByRole('link', { name: 'warpool' }).click();
    await expect.poll(() => box(page).inputValue()).toBe('3 armies against 2 armies');
    await page.getByText('65.60 %').first().waitFor();
  });

  test('removes the odds of an older question at once, and answers a long one', async () => {
    const { page } = await fresh();
    await page.goto(served.home);
    await page.getByText('27.12 %').first().waitFor();
    await box(page).fill('10 against 8');
    expect(await page.getByText('27.12 %').count()).toBe(0);
    await page.getByText('72.40 %').first().waitFor();
    await box(page).fill('1000 against 1000');
    // The first odds may arrive before "Computing" is shown.
    const odds = page.getByRole('list', { name: 'Odds' });
    await page.getByText('Computing …').or(odds).first().waitFor();
    await odds.waitFor();
  });

  test('keeps an invalid question from the address and shows no odds', async () => {
    const { page } = await fresh();
    await page.goto(`${served.home}#ask=${encodeURIComponent('3d6 vs 2d8')}`);
    await page.getByText('Rolls of single dice are not supported').first().waitFor();
    expect(await box(page).inputValue()).toBe('3d6 vs 2d8');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByRole('list', { name: 'Odds' }).count()).toBe(0);
    await box(page).fill('8 attakers agianst 5');
    await button(page, 'Show').click();
    await count(page, 'armies, Attacker').waitFor();
    await page.waitForURL(/#1/);
    await page.goBack();
    await expect.poll(() => box(page).inputValue()).toBe('3d6 vs 2d8');
    // Changes the hash of the open page.
    await page.goto(`${served.home}#ask=${encodeURIComponent('ten atack 8')}`);
    await count(page, 'armies, Attacker').waitFor();
    await page.getByRole('link', { name: 'warpool' }).click();
    await expect.poll(() => box(page).inputValue()).toBe('ten atack 8');
  });

  test('changes units by taps, keys and typing, with undo', async () => {
    const { page } = await opened('#game=combined-arms', { viewport: NARROW, hasTouch: true });
    const infantry = count(page, 'infantry, Attacker');
    await button(page, 'More: infantry, Attacker').tap();
    await button(page, 'More: infantry, Attacker').tap();
    await expect.poll(() => infantry.inputValue()).toBe('6');
    await infantry.press('ArrowDown');
    await expect.poll(() => infantry.inputValue()).toBe('5');
    await infantry.fill('12');
    await infantry.fill('99');
    expect(await infantry.getAttribute('aria-invalid')).toBe('true');
    await infantry.blur();
    await expect.poll(() => infantry.inputValue()).toBe('12');
    await button(page, 'Add bomber, Attacker').tap();
    await count(page, 'bomber, Attacker').waitFor();
    await button(page, 'Fewer: bomber, Attacker').tap();
    // The tile stays, so that a second tap brings nothing back.
    await expect.poll(() => count(page, 'bomber, Attacker').inputValue()).toBe('0');
    expect(await button(page, 'Add bomber, Attacker').count()).toBe(0);
    // Units that cannot take part are not offered.
    expect(await button(page, 'Add submarine, Attacker').count()).toBe(0);
    expect(await button(page, 'Add battleship, Defender').count()).toBe(0);
    await settled(page);
    await expect.poll(() => button(page, 'Undo').isEnabled()).toBe(true);
    const steps = async (): Promise<void> => {
      while (await button(page, 'Undo').isEnabled()) await button(page, 'Undo').tap();
    };
    await steps();
    await expect.poll(() => infantry.inputValue()).toBe('4');
    await button(page, 'Redo').tap();
    await expect.poll(() => infantry.inputValue()).not.toBe('4');
  });

  test('increments a number while a button is held', async () => {
    const { page } = await opened('#game=conquest-dice');
    const armies = count(page, 'armies, Attacker');
    await button(page, 'More: armies, Attacker').hover();
    await page.mouse.down();
    await expect.poll(async () => Number(await armies.inputValue())).toBeGreaterThan(13);
    await page.mouse.up();
    const held = await armies.inputValue();
    await settled(page);
    expect(await armies.inputValue()).toBe(held);
    expect(await textOf(page)).toContain(`attacker: ${held}`);
  });

  test('keeps comments, and shares its undo history with the text editor', async () => {
    const { page } = await opened('#game=combined-arms');
    await button(page, 'More: tank, Defender').click();
    await settled(page);
    await button(page, 'Swap sides').click();
    await expect.poll(() => count(page, 'tank, Attacker').inputValue()).toBe('3');
    const swapped = await textOf(page);
    expect(swapped).toContain('# The attacker takes the land');
    expect(swapped).toContain('attacker: { infantry: 4, tank: 3, fighter: 2');
    await button(page, 'Undo').click();
    await expect
      .poll(() => page.locator('.cm-content').innerText())
      .toContain('defender: { gun: 1, infantry: 4, tank: 3');
    await button(page, 'Undo').click();
    await expect
      .poll(() => page.locator('.cm-content').innerText())
      .toContain('defender: { gun: 1, infantry: 4, tank: 2');
    await button(page, 'Redo').click();
    await button(page, 'Units').click();
    await expect.poll(() => count(page, 'tank, Defender').inputValue()).toBe('3');
    await button(page, 'Clear').click();
    await button(page, 'Add tank, Defender').waitFor();
  });

  test('adds and removes units of lists, and edits fields of the rules', async () => {
    const { page } = await opened('#game=block-dice');
    await button(page, 'Add block, Attacker').click();
    await expect.poll(() => button(page, 'Remove C2 of Attacker').count()).toBe(2);
    await button(page, 'Remove C2 of Attacker').first().click();
    await expect.poll(() => button(page, 'Remove C2 of Attacker').count()).toBe(1);
    await page.getByText('Rules', { exact: true }).click();
    await page.getByLabel('maxRounds').fill('7');
    expect(await textOf(page)).toContain('maxRounds: 7');
  });

  test('stores the view in links, and the chosen view in the browser', async () => {
    const { context, page } = await opened('#game=phased-dice');
    await button(page, 'Form').click();
    await page.waitForURL(/#1/);
    expect((await readLink(new URL(page.url()).hash)).notes).toEqual({ 'editor.view': 'Form' });
    const other = await fresh();
    await other.page.goto(page.url());
    await other.page.getByRole('form', { name: 'Scenario' }).waitFor();
    // The link does not change the stored choice.
    const theirs = await other.context.newPage();
    await theirs.goto(`${served.home}#game=cube-bag`);
    await theirs.getByRole('form', { name: 'Units' }).waitFor();
    const mine = await context.newPage();
    await mine.goto(`${served.home}#game=cube-bag`);
    await mine.getByRole('form', { name: 'Scenario' }).waitFor();
    await other.context.close();
  });

  test.each([
    ['?game=space-fleets', 'dreadnought, Attacker', '2'],
    ['#ask=10%20against%208', 'armies, Attacker', '10'],
    ['#ask=3+cannons+v+2+knights+1+dragoon', 'knight, Defender', '2'],
  ])('opens the scenario of an address: %s', async (address, name, value) => {
    const at = await opened(address);
    expect(await count(at.page, name).inputValue()).toBe(value);
  });

  test('navigates from the start page to a game, back, and to the start page again', async () => {
    const { page } = await fresh();
    await page.goto(served.home);
    await page.getByRole('button', { name: /Axis & Allies/ }).click();
    await page.getByRole('form', { name: 'Units' }).waitFor();
    await page.waitForURL(/#1/);
    await page.goBack();
    await box(page).waitFor();
    await page.goForward();
    await page.getByRole('form', { name: 'Units' }).waitFor();
    await page.getByRole('link', { name: 'warpool' }).click();
    await box(page).waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await page.goBack();
    await page.getByRole('form', { name: 'Units' }).waitFor();
    expect(await count(page, 'infantry, Attacker').inputValue()).toBe('4');
  });

  test('suggests the right name for an unknown game in the address', async () => {
    const at = await fresh();
    await at.page.goto(`${served.home}#game=risk`);
    const alert = at.page.getByRole('alert');
    await alert.getByText('found "risk" (did you mean conquest-dice, as in Risk?)').waitFor();
    await box(at.page).waitFor();
  });

  test('has no axe findings on the start page and cuts nothing off', async () => {
    const at = await fresh();
    await at.page.goto(served.home);
    await at.page.getByText('27.12 %').first().waitFor();
    expect(await lookedAt(at.page, 'start')).toEqual([]);
  });

  test.each(['conquest-dice', 'combined-arms', 'hit-wound-save', 'cube-bag', 'strength-cards', 'token-conflict'])(
    'has no axe findings in the units of %s and cuts nothing off',
    async (game) => {
      const at = await opened(`#game=${game}`);
      expect(await lookedAt(at.page, `units-${game}`)).toEqual([]);
      await at.page.setViewportSize(NARROW);
      const steps = await at.page.locator('.nudge:visible').all();
      expect(steps.length).toBeGreaterThan(1);
      for (const each of steps) {
        const found = await each.boundingBox();
        expect(Math.min(found?.width ?? 0, found?.height ?? 0)).toBeGreaterThanOrEqual(40);
      }
    },
  );
});
