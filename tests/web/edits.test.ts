/** Edits are not lost: opening a scenario can be undone, Back works, drafts are stored. Needs Chromium. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { readLink } from '../../src/report/link/link.ts';
import { addDraft, type Draft, parseDrafts } from '../../web/app/drafts.ts';
import { DEPTH } from '../depth.ts';
import { inBrowser, lookedAt, MISSING, settled } from './browser.ts';

const SCENARIO = 'scenarios/attrition-direct.yaml';

const draft = (at: number, length = 10): Draft => ({ file: 'a.yaml', text: 'x'.repeat(length), at });

describe('drafts', () => {
  test('are limited in number and size, and the newest are kept', () => {
    let all: Draft[] = [];
    for (let at = 1; at <= 20; at++) all = addDraft(all, draft(at));
    expect(all.map(({ at }) => at)).toEqual([20, 19, 18, 17, 16, 15, 14, 13]);
    expect(addDraft(all, draft(15, 20)).map(({ text }) => text.length)).toEqual([10, 10, 10, 10, 10, 20, 10, 10]);
    expect(addDraft(all, draft(21, 499_990)).map(({ at }) => at)).toEqual([21, 20]);
    expect(addDraft([], draft(1, 500_001))).toEqual([]);
  });

  test.each([
    null,
    '',
    '{',
    '{}',
    '[1, null, {}]',
    '[{"file":"<img>","text":"a","at":1}]',
    '[{"file":"a.yaml","at":1}]',
  ])('are left out if they are invalid: %s', (stored) => {
    expect(parseDrafts(stored)).toEqual([]);
  });
});

describe.skipIf(MISSING || DEPTH === 1)('an edit', () => {
  const served = inBrowser();

  /** Returns the text of the editor. It waits for the editor, which is loaded when the view `Text` is opened. */
  const lines = async (page: Page): Promise<string> => {
    await page.locator('.cm-line').first().waitFor();
    return (await page.locator('.cm-line').allTextContents()).join('\n');
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const scenario = (page: Page) => page.getByRole('combobox', { name: 'Scenario' });

  /** Adds a comment at the end of the text. */
  async function edit(page: Page, comment: string): Promise<void> {
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText(`# ${comment}`);
  }

  test('is restored by Undo after another scenario was opened', async () => {
    const page = await served.opened(SCENARIO, { battles: 1000 });
    await page.locator('.cm-content').waitFor();
    expect(await button(page, 'Undo').isDisabled()).toBe(true);
    expect(await button(page, 'Redo').isDisabled()).toBe(true);
    await edit(page, 'mine');
    const mine = await lines(page);
    await scenario(page).selectOption('attrition-woods');
    await expect.poll(() => lines(page)).not.toContain('mine');
    const woods = await lines(page);
    await button(page, 'Undo').click();
    expect(await lines(page)).toBe(mine);
    await expect.poll(() => page.title()).toContain('attrition-direct');
    await button(page, 'Redo').click();
    expect(await lines(page)).toBe(woods);
    await expect.poll(() => page.title()).toContain('attrition-woods');
    const buffer = Buffer.from('system: attrition # from disk\n');
    await page.getByLabel('Scenario file').setInputFiles({ name: 'disk.yaml', mimeType: 'text/yaml', buffer });
    await expect.poll(() => lines(page)).toContain('from disk');
    await button(page, 'Form').click();
    for (let n = 0; n < 2; n++) await button(page, 'Undo').click();
    await button(page, 'Text').click();
    expect(await lines(page)).toBe(mine);
    await button(page, 'Undo').click();
    expect(await lines(page)).not.toContain('mine');
    expect(await button(page, 'Undo').isDisabled()).toBe(true);
  });

  test('is restored by Back, and Forward returns to the scenario opened after it', async () => {
    const { page } = await served.visit();
    await page.goto(served.url);
    await page.locator('.cm-content').waitFor();
    await edit(page, 'mine');
    await scenario(page).selectOption('attrition-woods');
    await expect.poll(() => page.title()).toContain('attrition-woods');
    await settled(page);
    await edit(page, 'woods');
    await settled(page);
    await page.goBack();
    await expect.poll(() => lines(page)).toContain('# mine');
    await expect.poll(() => page.title()).toContain('attrition-direct');
    await page.goForward();
    await expect.poll(() => lines(page)).toContain('# woods');
    await settled(page);
    await page.goBack();
    await expect.poll(() => lines(page)).toContain('# mine');
  });

  test('survives an immediate reload, as does the form view', async () => {
    const page = await served.opened(SCENARIO, { battles: 1000 });
    await page.locator('.cm-content').waitFor();
    await button(page, 'Form').click();
    await settled(page);
    expect((await readLink(new URL(page.url()).hash)).notes).toEqual({ 'editor.view': 'Form' });
    await button(page, 'Text').click();
    await edit(page, 'late');
    await button(page, 'Form').click();
    await page.reload();
    await page.locator('[data-place="attacker.hp"]').waitFor();
    expect(await button(page, 'Form').getAttribute('aria-pressed')).toBe('true');
    await scenario(page).selectOption('attrition-woods');
    await page.locator('[data-place="attacker.hp"]').waitFor();
    await button(page, 'Undo').click();
    await button(page, 'Text').click();
    await expect.poll(() => lines(page)).toContain('# late');
  });

  test('is offered as a draft in a new tab and when its scenario is reopened', async () => {
    const { context, page } = await served.visit();
    await page.goto(served.url);
    await page.locator('.cm-content').waitFor();
    await edit(page, 'mine');
    await page.close();
    const tab = await context.newPage();
    await tab.goto(served.url);
    const offer = tab.getByText(/You edited attrition-direct\.yaml/);
    await offer.waitFor();
    expect(await lines(tab)).not.toContain('mine');
    expect(await lookedAt(tab, 'edit-offered')).toEqual([]);
    await button(tab, 'Open draft').click();
    await expect.poll(() => lines(tab)).toContain('# mine');
    expect(await offer.count()).toBe(0);
    await scenario(tab).selectOption('attrition-woods');
    await expect.poll(() => tab.title()).toContain('attrition-woods');
    expect(await offer.count()).toBe(0);
    await scenario(tab).selectOption('attrition-direct');
    await offer.waitFor();
    await button(tab, 'Delete draft').click();
    expect(await offer.count()).toBe(0);
    expect(await tab.evaluate(() => localStorage.getItem('warpool.drafts'))).toBe('[]');
  });
});
