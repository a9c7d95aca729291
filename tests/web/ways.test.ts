/** Typical tasks in the web app, from start to end. Needs Chromium. */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { compare } from '../../src/analysis/comparing/compare.ts';
import { replay } from '../../src/analysis/replay.ts';
import { simulate } from '../../src/analysis/simulate.ts';
import { readLink } from '../../src/report/link/link.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import { loadScenario, parseScenario, updateScenario } from '../../src/rules/scenario/index.ts';
import { DEPTH } from '../depth.ts';
import { inBrowser, lookedAt, MISSING, type Served, settled, type Visit } from './browser.ts';

const DUEL = 'scenarios/attrition-direct.yaml';
const MODULE = 'examples/games/conquest-dice.mjs';
const STAND = 'scenarios/phased-dice-last-stand.yaml';

const panel = (page: Page, name: string) => page.getByRole('tabpanel', { name });

async function savedBy(page: Page, act: () => Promise<void>): Promise<{ name: string; content: string }> {
  const started = page.waitForEvent('download');
  await act();
  const download = await started;
  return { name: download.suggestedFilename(), content: await text(await download.createReadStream()) };
}

describe.skipIf(MISSING || DEPTH === 1)('a visitor of the web app can', () => {
  const served = inBrowser();

  /** Opens a link, and expects no errors at the end. */
  async function on(
    ...[file, requested, act]: [...Parameters<Served['link']>, (at: Visit) => Promise<void>]
  ): Promise<void> {
    const at = await served.visit({ acceptDownloads: true });
    await at.page.goto(await served.link(file, requested));
    await act(at);
    expect(at.received).toEqual([]);
    await at.context.close();
  }

  test('choose a scenario, edit it as form and text, and see errors at their position', async () => {
    await on(DUEL, { battles: 10_000 }, async ({ page }) => {
      const head = page.getByRole('banner');
      await head.getByRole('combobox', { name: 'Scenario' }).selectOption('phased-dice-air-raid');
      await panel(page, 'Answer')
        .getByText(/battles simulated/)
        .waitFor();
      await page.getByText('Form', { exact: true }).click();
      expect(await lookedAt(page, 'way-1-form')).toEqual([]);
      await page.getByText('Text', { exact: true }).click();
      const code = page.locator('.cm-content');
      await code.click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(readFileSync(DUEL, 'utf8').replace('hp: 30', 'hp: 0'));
      await page
        .getByText(/attacker\.hp: expected .*1\.\.100000.*found 0/)
        .first()
        .waitFor();
      expect(await lookedAt(page, 'way-1-text')).toEqual([]);
      await page.keyboard.press('Control+A');
      const changed = readFileSync(DUEL, 'utf8').replace('hp: 30', 'hp: 29');
      await page.keyboard.insertText(changed);
      const { digest } = await simulate(parseScenario(changed), { battles: 10_000, seed: 1 });
      await panel(page, 'Answer').getByText(digest).first().waitFor();
    });
  });

  test('watch a simulation and stop it', async () => {
    await on(STAND, { battles: 2 ** 40 }, async ({ page }) => {
      const answer = panel(page, 'Answer');
      await page.getByRole('button', { name: 'Simulate all' }).click();
      await answer
        .getByText(/battles so far|time left|battles\/s/)
        .first()
        .waitFor();
      await answer
        .getByText(/95 % interval/)
        .first()
        .waitFor();
      await answer.getByRole('button', { name: 'Stop' }).click();
      await answer.getByText(/stopped before the end/).waitFor();
      const digest = /digest\s+([0-9a-f]{64})/.exec(await answer.innerText())?.[1];
      const battles = Number(/([\d\s]+) battles simulated/.exec(await answer.innerText())?.[1]?.replaceAll(/\D/g, ''));
      expect((await simulate(await loadScenario(STAND), { battles, seed: 1 })).digest).toBe(digest);
      expect(await lookedAt(page, 'way-2-stopped')).toEqual([]);
    });
  });

  test('step through a battle and find another one', async () => {
    await on(STAND, { panel: 'battle' }, async ({ page }) => {
      const shown = panel(page, 'Battle');
      await shown.getByRole('heading', { name: 'Battle 0 of seed 1' }).waitFor();
      await shown.getByRole('button', { name: 'One step forward' }).click();
      await shown.getByText('step 2 of').waitFor();
      expect(await lookedAt(page, 'way-3-step')).toEqual([]);
      await shown.getByLabel('Condition').fill('winner=attacker && rounds<2');
      await shown.getByRole('button', { name: 'Find next' }).click();
      await shown.getByRole('heading', { name: /Battle [1-9]\d* of seed 1/ }).waitFor();
      const battle = Number(/Battle (\d+) of/.exec(await shown.innerText())?.[1]);
      const { outcome, metrics } = replay(await loadScenario(STAND), { seed: 1, battle });
      expect([outcome, metrics['rounds']]).toEqual(['attacker', 1]);
    });
  });

  test('compare a scenario with a changed copy, compute sensitivities, and apply a balance', async () => {
    await on(DUEL, { panel: 'compare' }, async ({ page }) => {
      const shown = panel(page, 'Compare');
      await shown.getByRole('button', { name: 'Change a field' }).click();
      await shown.getByLabel('Field', { exact: true }).first().selectOption('attacker.hp');
      await shown.getByLabel('New value').first().fill('35');
      await shown.getByRole('button', { name: 'Compare', exact: true }).click();
      const scenario = await loadScenario(DUEL);
      const both = [scenario, updateScenario(scenario, { 'attacker.hp': 35 })];
      expect((await compare(both, { battles: 200_000, seed: 1 })).standings).toHaveLength(2);
      await shown.getByText(/95 %/).first().waitFor();
      await shown.getByRole('button', { name: 'Compute' }).click();
      await shown.getByRole('button', { name: 'SVG' }).first().waitFor();
      await shown.getByLabel('Vary').selectOption('defender.hp');
      await shown.getByRole('button', { name: 'Find', exact: true }).click();
      const apply = shown.getByRole('button', { name: /^Set .*hit points = / }).first();
      await apply.waitFor();
      expect(await lookedAt(page, 'way-4-compared')).toEqual([]);
      await apply.click();
      await expect.poll(() => page.locator('.cm-content').innerText()).toMatch(/defender: .*hp: (?!25)\d+/);
    });
  });

  test('sweep two fields, and save figure and table', async () => {
    await on(DUEL, { panel: 'sweep' }, async ({ page }) => {
      const shown = panel(page, 'Sweep');
      await shown.getByLabel('Field', { exact: true }).selectOption('attacker.hp');
      await shown.getByLabel('Second field').selectOption('defender.hp');
      await shown.getByRole('button', { name: 'Sweep', exact: true }).click();
      await shown.getByRole('button', { name: 'SVG' }).waitFor();
      expect(await lookedAt(page, 'way-5-map')).toEqual([]);
      const svg = await savedBy(page, () => shown.getByRole('button', { name: 'SVG' }).click());
      expect([svg.name, svg.content.slice(0, 4)]).toEqual(['attrition-direct-sweep.svg', '<svg']);
      const png = await savedBy(page, () => shown.getByRole('button', { name: 'PNG' }).click());
      expect([png.name, png.content.slice(1, 4)]).toEqual(['attrition-direct-sweep.png', 'PNG']);
      const csv = await savedBy(page, () => shown.getByRole('button', { name: 'CSV' }).click());
      expect(csv.content.split('\n')[0]).toContain('attacker.hp');
    });
  });

  test('see the best response at a decision', async () => {
    await on(STAND, { panel: 'best-response' }, async ({ page }) => {
      const shown = panel(page, 'Best response');
      await shown.getByRole('button', { name: 'Next decision' }).click();
      await shown
        .getByText(/^Decision: /)
        .first()
        .waitFor();
      expect(await lookedAt(page, 'way-6-optimal')).toEqual([]);
    });
  });

  test('reopen the same battle by its link', async () => {
    await on(STAND, { battles: 5000, seed: '77', panel: 'battle' }, async ({ page, context }) => {
      await panel(page, 'Battle').getByRole('heading', { name: 'Battle 0 of seed 77' }).waitFor();
      await panel(page, 'Battle').getByRole('button', { name: 'Next', exact: true }).click();
      await page.getByRole('heading', { name: 'Battle 1 of seed 77' }).waitFor();
      const before = page.url();
      await expect.poll(() => page.url()).not.toBe(before);
      const again = await context.newPage();
      await again.goto(page.url());
      await again.getByRole('heading', { name: 'Battle 1 of seed 77' }).waitFor();
    });
  });

  test('run a custom system after a warning', async () => {
    await on(DUEL, { panel: 'own', battles: 1000 }, async ({ page }) => {
      const shown = panel(page, 'Custom rules');
      await shown.getByLabel('Module with a system').setInputFiles(MODULE);
      await shown.getByText(/contains code/).waitFor();
      expect(await lookedAt(page, 'way-8-warning')).toEqual([]);
      await shown.getByRole('button', { name: /^Run / }).click();
      await shown.getByText(/conquest-dice conforms/).waitFor();
      expect(await lookedAt(page, 'way-8-own')).toEqual([]);
      await shown.getByRole('button', { name: 'siege' }).click();
      await panel(page, 'Answer')
        .getByText(/battles simulated/)
        .waitFor();
      const digest = /digest\s+([0-9a-f]{64})/.exec(await panel(page, 'Answer').innerText())?.[1];
      const systems = await loadSystems([MODULE]);
      await expect.poll(() => page.url()).toContain('#');
      await settled(page);
      const requested = await readLink(new URL(page.url()).hash);
      const siege = parseScenario(requested.text, { source: 'siege', systems });
      expect((await simulate(siege, { battles: 1000, seed: 1 })).digest).toBe(digest);
    });
  });
});
