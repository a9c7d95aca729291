/** Compare and Sweep in Chromium, including saved files. Needs Chromium and the built page. */
import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import type { AxeResults } from 'axe-core';
import type { Download, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DEPTH } from '../depth.ts';
import { inBrowser, MISSING, NARROW, picture } from './browser.ts';

const SCENARIO = 'scenarios/attrition-direct.yaml';

/** Returns the file that a button saves. */
async function saved(page: Page, button: string): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  const file: Download = download;
  return { name: file.suggestedFilename(), content: readFileSync(await file.path()) };
}

/** Returns width and height of a PNG, and whether it has several colors. */
function sizeOf(png: Buffer): { width: number; height: number; drawn: boolean } {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + view.getUint32(at)) {
    if (png.toString('latin1', at + 4, at + 8) !== 'IDAT') continue;
    parts.push(png.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  const pixels = inflateSync(Buffer.concat(parts));
  return { width: view.getUint32(16), height: view.getUint32(20), drawn: new Set(pixels).size > 50 };
}

const box = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });

describe.skipIf(MISSING || DEPTH === 1)('studies in a browser', () => {
  const served = inBrowser();

  test('two fields are swept, stopped, resumed, and saved as SVG, PNG, CSV and sweep file', async () => {
    const page = await served.opened(SCENARIO, { panel: 'sweep' });
    await box(page, 'Field').selectOption('attacker.hp');
    await box(page, 'Second field').selectOption('defender.hp');
    for (const [name, value] of [
      ['from', '10'],
      ['to', '110'],
      ['step', '10'],
    ] as const)
      for (const field of await page.getByRole('textbox', { name, exact: true }).all()) await field.fill(value);
    await box(page, 'Method').selectOption('battles');
    await page.getByRole('textbox', { name: 'Battles per cell' }).fill('100000');
    await page.getByRole('button', { name: 'Sweep', exact: true }).click();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByText(/of 121 cells; stopped/).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('figure[aria-busy=false] svg').waitFor();
    await expect.poll(() => page.locator('figure svg path > title').count()).toBe(121);
    const svg = await saved(page, 'SVG');
    expect(svg.name).toBe('attrition-direct-sweep.svg');
    expect(svg.content.toString()).toMatch(/^<svg role="img" aria-label="Each tile is a cell/);
    const png = await saved(page, 'PNG');
    expect(png.name).toBe('attrition-direct-sweep.png');
    const [, width = ''] = /width="([\d.]+)"/.exec(svg.content.toString()) ?? [];
    expect(sizeOf(png.content)).toMatchObject({ width: Math.round(3.2 * Number(width)), drawn: true });
    const csv = await saved(page, 'CSV');
    expect(csv.name).toBe('attrition-direct-sweep.csv');
    const lines = csv.content.toString().trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^\uFEFFcell,attacker\.hp,defender\.hp,kind,name,battles,estimate,/);
    expect(lines).toHaveLength(1 + 121 * 7);
    const file = await saved(page, 'Sweep file');
    expect(file.name).toBe('attrition-direct-sweep.yaml');
    expect(file.content.toString()).toMatch(/^scenario:\n {2}system: attrition\n/);
    await picture(page, 'sweep-map');
    await page.locator('summary', { hasText: 'Table' }).click();
    expect(await page.locator('details table tbody tr').count()).toBe(11);
  });

  test.each([
    ['sweep', 'Sweep'],
    ['compare', 'Compute'],
  ])('axe finds nothing in %s with a figure and a table', async (panel, button) => {
    const { context, page } = await served.visit({ bypassCSP: true });
    await page.goto(await served.link(SCENARIO, { panel }));
    if (panel === 'compare') await page.getByRole('button', { name: 'Change a field' }).click();
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.locator('figure[aria-busy=false] svg').waitFor();
    await page.addScriptTag({ path: 'node_modules/axe-core/axe.min.js' });
    const findings = await page.evaluate(async () => {
      const { violations } = await (globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run();
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(', ')}`);
    });
    expect(findings).toEqual([]);
    await context.close();
  });

  test.each([0, 400])('a finished sweep is complete if its messages arrive %d ms late', async (late) => {
    const { page } = await served.visit();
    // Browsers do not order messages of different channels: here one is slower.
    await page.addInitScript((ms) => {
      type Listen = (this: MessagePort, type: string, listener: (event: Event) => void) => void;
      const listen = Reflect.get(MessagePort.prototype, 'addEventListener') as Listen;
      const late: Listen = function (type, listener) {
        listen.call(this, type, (event) => {
          setTimeout(() => {
            listener.call(this, event);
          }, ms);
        });
      };
      Reflect.set(MessagePort.prototype, 'addEventListener', late);
    }, late);
    await page.goto(await served.link(SCENARIO, { panel: 'sweep' }));
    await page.getByRole('button', { name: 'Sweep', exact: true }).click();
    await page.locator('figure[aria-busy=false] svg').waitFor();
    await expect.poll(() => page.locator('details table tbody tr').count()).toBe(5);
    expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0);
  });

  test('threads solve cells of custom rules, and a heat map is printed on one page', async () => {
    const { page } = await served.visit();
    await page.goto(`${served.home}#game=combined-arms`);
    await page.getByRole('tab', { name: 'Sweep' }).click();
    await page.getByLabel('Second field').selectOption('defender.infantry');
    await page.getByRole('button', { name: 'Sweep', exact: true }).click();
    // Custom rules are solved in the browser: a busy machine needs more than the default of 30 s.
    await page.locator('figure[aria-busy=false] svg').waitFor({ timeout: 150_000 });
    expect(await page.locator('.problem').count()).toBe(0);
    await page.locator('summary', { hasText: 'Table' }).click();
    const rows = await page.locator('.printed tbody th').allTextContents();
    expect(rows.map(Number)).toEqual(rows.map(Number).toSorted((a, b) => b - a));
    await page.evaluate(() => {
      document.documentElement.dataset['print'] = 'card';
    });
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
    await page.emulateMedia({ media: 'print' });
    await page.getByText('Axis & Allies: 4 infantry, 2 artillery').waitFor();
  });

  test('a sweep shows progress from the click to the figure, even with a slow engine', async () => {
    const { page } = await served.visit();
    await page.addInitScript((ms) => {
      type Listen = (this: Worker, type: string, listener: (event: Event) => void) => void;
      const listen = Reflect.get(Worker.prototype, 'addEventListener') as Listen;
      const late: Listen = function (type, listener) {
        listen.call(this, type, (event) => {
          setTimeout(() => {
            listener.call(this, event);
          }, ms);
        });
      };
      Reflect.set(Worker.prototype, 'addEventListener', late);
    }, 300);
    await page.goto(await served.link(SCENARIO, { panel: 'sweep' }));
    const begin = page.getByRole('button', { name: 'Sweep', exact: true });
    await begin.click({ trial: true });
    const bare = await begin.evaluate(async (button) => {
      const frame = () => new Promise(requestAnimationFrame);
      const count = (what: string): number => document.querySelectorAll(what).length;
      (button as HTMLButtonElement).click();
      // Progress is drawn in the frame after the click.
      await frame();
      let frames = 0;
      for (;;) {
        await frame();
        if (count('[role=tabpanel] table tbody tr') > 0) return frames;
        if (count('[role=tabpanel] .progress') === 0) frames++;
      }
    });
    expect(bare).toBe(0);
    await page.locator('.progress').waitFor({ state: 'detached' });
    expect(await page.locator('details table tbody tr').count()).toBe(5);
  });

  test('a sweep with too many values is rejected before it starts', async () => {
    const page = await served.opened(SCENARIO, { panel: 'sweep' });
    await box(page, 'Field').selectOption('attacker.hp');
    await page.getByRole('textbox', { name: 'from' }).fill('1');
    await page.getByRole('textbox', { name: 'to', exact: true }).fill('201');
    await page.getByRole('textbox', { name: 'step' }).fill('1');
    await page.getByText('201 cells: this page allows at most 200 values of a field.').waitFor();
    const begin = page.getByRole('button', { name: 'Sweep', exact: true });
    expect(await begin.isEnabled()).toBe(false);
    await page.getByRole('textbox', { name: 'to', exact: true }).fill('200');
    await page.getByText('200 cells', { exact: true }).waitFor();
    expect(await begin.isEnabled()).toBe(true);
    await box(page, 'Second field').selectOption('defender.hp');
    await page.getByText('at most 40 values of each of two fields').waitFor();
  });

  test('the figure of a sweep on a phone has dark colors', async () => {
    const { page } = await served.visit({ viewport: NARROW, colorScheme: 'dark' });
    await page.goto(await served.link(SCENARIO, { panel: 'sweep' }));
    await box(page, 'Field').selectOption('defender.hp');
    await page.getByRole('button', { name: 'Sweep', exact: true }).click();
    await page.locator('figure[aria-busy=false] svg').waitFor();
    const ground = await page.locator('figure svg > rect').evaluate((each) => getComputedStyle(each).fill);
    expect(ground).toBe('rgb(22, 24, 27)');
    await picture(page, 'sweep-curve-narrow-dark');
  });

  test('a field is compared, sensitivities are computed, and a balance is applied', async () => {
    const page = await served.opened(SCENARIO, { panel: 'compare' });
    const copy = page.getByRole('region', { name: 'Changed copy' });
    await copy.getByRole('button', { name: 'Change a field' }).click();
    await copy.getByRole('combobox', { name: 'Field' }).selectOption('attacker.hp');
    await copy.getByRole('textbox', { name: 'New value' }).fill('32');
    await copy.getByRole('button', { name: 'Compare', exact: true }).click();
    await copy.getByText('becomes').waitFor();
    await page.getByRole('button', { name: 'Compute' }).click();
    await page.getByRole('region', { name: 'Sensitivity' }).locator('figure svg').waitFor();
    const even = page.getByRole('region', { name: 'Balance' });
    await even.getByRole('combobox', { name: 'Vary' }).selectOption('defender.hp');
    await even.getByRole('button', { name: 'Find' }).click();
    await even.getByRole('button', { name: 'Set defender’s hit points = 29' }).click();
    await even.getByText('The scenario has changed.').waitFor();
    await picture(page, 'compare');
    await page.getByRole('tab', { name: 'Answer' }).click();
    await page
      .getByText(/(Swordsmen|Pikemen) win .*4[89]\.\d+\s%/)
      .first()
      .waitFor();
  });
});
