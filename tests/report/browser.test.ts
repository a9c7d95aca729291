/** The HTML report in a browser: no requests, no errors, and marks with tooltips. Requires Chromium. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderSweepReport } from '../../src/report/html/sweep-report.ts';
import { createSweepReport } from '../../src/report/sweep-report/report.ts';
import { DEPTH } from '../depth.ts';
import { launched, MISSING } from '../web/browser.ts';
import { axis, EVIL, MADE, outcomeRow, storeOf, sweepStore } from './store.ts';

/** Only at depth 2 and above, because starting a browser takes seconds. */
describe.skipIf(MISSING || DEPTH === 1)('HTML report in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'warpool-page-'));
  const received: string[] = [];
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    const file = join(folder, 'report.html');
    writeFileSync(file, await renderSweepReport(await createSweepReport(await sweepStore(EVIL))));
    browser = await launched();
    page = await browser.newPage({ viewport: { width: 1180, height: 900 } });
    const address = pathToFileURL(file).href;
    page.on('console', (message) => received.push(message.text()));
    page.on('pageerror', (error) => received.push(error.message));
    page.on('dialog', (dialog) => received.push(`dialog: ${dialog.message()}`));
    page.on('request', (request) => {
      if (request.url() !== address) received.push(`request: ${request.url()}`);
    });
    await page.goto(address);
  });

  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  test('sends no request, logs no error, and executes no code in names', async () => {
    await page.locator('footer, #methods').scrollIntoViewIfNeeded();
    await page.waitForLoadState('load');
    expect(received).toEqual([]);
    expect(await page.title()).toContain('</title><script>alert("name")');
    expect(await page.locator('figure img, figure b, section img').count()).toBe(0);
  });

  test('shows a tooltip for the mark under the pointer, and hides it afterwards', async () => {
    const reported = page.locator('#tooltip');
    expect(await reported.isVisible()).toBe(false);
    const mark = page.locator('figure#map-red path[data-tooltip]').first();
    await mark.scrollIntoViewIfNeeded();
    await mark.hover();
    expect(await reported.isVisible()).toBe(true);
    expect(await reported.textContent()).toMatch(
      /^<\/svg><script>alert\(4\)<\/script> \d+, .*\nred wins: \d+ % \(95 %: /,
    );
    await page.mouse.move(1, 1);
    expect(await reported.isVisible()).toBe(false);
    expect(received).toEqual([]);
  });

  test('fits into the width of the window, and its figures are wider than 300 pixels', async () => {
    const widths = await page.evaluate(() => ({
      page: document.documentElement.scrollWidth,
      window: innerWidth,
      drawn: [...document.querySelectorAll('figure svg')].map((svg) => svg.getBoundingClientRect().width),
    }));
    expect(widths.page).toBeLessThanOrEqual(widths.window);
    expect(Math.min(...widths.drawn)).toBeGreaterThan(300);
  });

  test('has all labels within their figures', async () => {
    const outside = await page.evaluate(() =>
      [...document.querySelectorAll('figure svg')].flatMap((svg) => {
        const room = svg.getBoundingClientRect();
        return [...svg.querySelectorAll('text')]
          .filter((text) => {
            const { left, right, top, bottom } = text.getBoundingClientRect();
            return left < room.left - 1 || right > room.right + 1 || top < room.top - 1 || bottom > room.bottom + 1;
          })
          .map((text) => text.textContent);
      }),
    );
    expect(outside).toEqual([]);
  });

  test('sorts and filters the cells by mouse and by keyboard', async () => {
    const cells = () => page.locator('#table tbody tr td:first-child').allTextContents();
    const before = await cells();
    expect(before).toEqual(Array.from({ length: 11 }, (_, k) => String(k)));
    const heads = page.locator('#table thead tr').first().locator('th');
    const red = heads.nth(3).locator('button');
    await red.click();
    expect(await heads.nth(3).getAttribute('aria-sort')).toBe('descending');
    const values = (await page.locator('#table tbody tr td:nth-child(4)').allTextContents()).map((text) =>
      Number.parseFloat(text),
    );
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    await red.press('Enter');
    expect(await heads.nth(3).getAttribute('aria-sort')).toBe('ascending');
    expect(await page.locator('#table [aria-sort]').count()).toBe(1);
    const field = page.getByRole('searchbox').nth(1);
    await field.fill('> 4');
    expect(await cells()).toHaveLength(7);
    expect(await page.locator('#table [role=status]').textContent()).toBe('7 of 11 rows match');
    await field.fill('');
    expect(await cells()).toHaveLength(11);
    expect(received).toEqual([]);
  });

  test('is dark in dark mode, including figures, and white on paper', async () => {
    const ground = () =>
      page.evaluate(() =>
        [document.body, ...document.querySelectorAll('figure svg > rect')].map((each) => {
          const { backgroundColor, fill } = getComputedStyle(each);
          return each === document.body ? backgroundColor : fill;
        }),
      );
    const white = new Set(['rgb(255, 255, 255)']);
    expect(new Set(await ground())).toEqual(white);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(new Set(await ground())).toEqual(new Set(['rgb(22, 24, 27)']));
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    expect(new Set(await ground())).toEqual(white);
    await page.emulateMedia({ colorScheme: null, media: null });
  });

  test.each([360, 400, 820, 1280])('clips nothing at a width of %d pixels', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    const found = await page.evaluate(() => {
      const wide = [...document.querySelectorAll('main *, header *')].filter((each) => {
        const box = each.closest('.scroll, .drawing');
        return (box === null || box === each) && each.getBoundingClientRect().right > innerWidth + 1;
      });
      return { page: document.documentElement.scrollWidth, wide: wide.map((each) => each.outerHTML.slice(0, 80)) };
    });
    expect(found).toEqual({ page: width, wide: [] });
    await page.setViewportSize({ width: 1180, height: 900 });
  });

  test('shows the value of the cell under the pointer where one shape has many tiles', async () => {
    const upTo = Array.from({ length: 60 }, (_, k) => k);
    const rows = upTo.flatMap((a) =>
      upTo.flatMap((b) => (a === 59 && b === 0 ? [] : [outcomeRow(60 * a + b, { a, b }, (60 * a + b) / 3600, 0.001)])),
    );
    const facts = { ...MADE, points: 3600, axes: [axis('a', upTo, '<b onclick="alert(5)">'), axis('b', upTo)] };
    const named = rows.map((row) => ({
      ...row,
      axes: { '<b onclick="alert(5)">': row.axes['a'] ?? 0, b: row.axes['b'] ?? 0 },
    }));
    const file = join(folder, 'large.html');
    writeFileSync(file, await renderSweepReport(await createSweepReport(storeOf(facts, named))));
    const large = await browser.newPage({ viewport: { width: 1180, height: 1000 } });
    await large.goto(pathToFileURL(file).href);
    const sheet = large.locator('figure#map-attacker path[data-tooltip]');
    expect(await sheet.count()).toBe(1);
    await sheet.scrollIntoViewIfNeeded();
    const box = (await sheet.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const at = async (a: number, b: number): Promise<string | null> => {
      await large.mouse.move(box.x + ((a + 0.5) * box.width) / 60, box.y + ((59.5 - b) * box.height) / 60);
      return await large.locator('#tooltip').textContent();
    };
    expect(await at(0, 0)).toBe('<b onclick="alert(5)"> 0, b 0\nattacker wins: 0 %');
    expect(await at(30, 59)).toBe('<b onclick="alert(5)"> 30, b 59\nattacker wins: 51.6 %');
    expect(await at(59, 0)).toBe('<b onclick="alert(5)"> 59, b 0\nno such cell');
    await large.close();
  });

  test('has titles of marks if JavaScript is disabled', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const still = await context.newPage();
    await still.goto(page.url());
    expect(await still.locator('figure#map-red path > title').count()).toBe(11);
    await context.close();
  });
});
