/** Share dialog, and answers in frames of other pages. Needs Chromium. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { loadScenario, solveSync } from '../../src/index.ts';
import { readLink } from '../../src/report/link/link.ts';
import { renderCardSvg } from '../../src/report/share/card.ts';
import { formatChatMessage } from '../../src/report/share/chat.ts';
import { createSharedAnswer, formatOdds } from '../../src/report/share/shared-answer.ts';
import { DEPTH } from '../depth.ts';
import { inBrowser, lookedAt, MISSING, NARROW, settled } from './browser.ts';

const SCENARIO = 'scenarios/attrition-direct.yaml';

async function reported() {
  const scenario = await loadScenario(SCENARIO);
  const { summary, distribution: exactDistribution } = solveSync(scenario);
  return createSharedAnswer({ scenario, exact: { summary, counts: exactDistribution } });
}

/** Serves a page with a frame from another local server. */
async function pageWith(html: string): Promise<{ url: string; end: () => void }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(`<!doctype html>${html}`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const end = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`, end };
}

describe.skipIf(MISSING || DEPTH === 1)('a shared answer', () => {
  const served = inBrowser();

  /** Returns the address that shows only the answer of a link. */
  const alone = (link: string): string => new URL(`/embed.html${new URL(link).hash}`, link).href;

  const embedded = async (file = SCENARIO): Promise<string> => alone(await served.link(file));

  /** Opens the share dialog of a link. */
  async function shared(page: Page, link?: string): Promise<void> {
    await page.goto(link ?? (await served.link(SCENARIO)));
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('dialog', { name: 'Share' }).getByRole('img').waitFor();
  }

  test('is available as link, text, image, and HTML for other pages', async () => {
    const { context, page, received } = await served.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
    await shared(page);
    const answer = await reported();
    const copied = async (name: string): Promise<string> => {
      await page.getByRole('dialog').getByRole('button', { name }).click();
      await page.getByRole('dialog').getByText(`${name}: copied`).waitFor();
      return await page.evaluate(() => navigator.clipboard.readText());
    };
    const link = await copied('Copy link');
    // Browsers compress differently from Node.js; the content is the same.
    expect(await readLink(new URL(link).hash)).toEqual(await readLink(new URL(await served.link(SCENARIO)).hash));
    expect(await copied('Copy as text')).toBe(formatChatMessage(answer, link));
    const saved = async (name: string): Promise<Buffer> => {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name }).click();
      return readFileSync(await (await download).path());
    };
    expect((await saved('Save SVG')).toString()).toBe(renderCardSvg(answer));
    const png = await saved('Save PNG');
    expect([png.subarray(1, 4).toString(), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(['PNG', 1200, 630]);
    await page.getByText('Embed in a page').click();
    const [frame, image] = [await copied('Copy frame'), await copied('Copy image')];
    expect(await page.getByRole('textbox', { name: 'frame' }).inputValue()).toBe(frame);
    expect(frame).toContain(`<iframe src="${alone(link)}" title="`);
    const [, source = ''] = /src="data:image\/svg\+xml;base64,([^"]+)"/.exec(image) ?? [];
    expect(Buffer.from(source, 'base64').toString()).toBe(renderCardSvg(answer));
    expect(image).toContain(`<a href="${link}">`);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(received).toEqual([]);
    await context.close();
  });

  test('is shown in a frame of another page, which receives its height', async () => {
    const listener = "addEventListener('message', ({ data }) => { (window.reported ??= []).push(data); });";
    const other = await pageWith(`<script>${listener}</script><iframe src="${await embedded()}" width="500"></iframe>`);
    const { context, page, received } = await served.visit();
    await page.goto(other.url);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Swordsmen against Pikemen' }).waitFor();
    const answer = await reported();
    const text = await frame.locator('main').innerText();
    for (const { p } of answer.parts) expect(text).toContain(formatOdds(p));
    expect(text).toContain(answer.lines[0]);
    expect(await frame.getByRole('button').count()).toBe(0);
    expect(await frame.locator('a, input, textarea, [tabindex]').count()).toBe(1);
    const way = frame.getByRole('link', { name: 'Open in warpool' });
    expect(await way.evaluate((a: HTMLAnchorElement) => [a.href, a.target, a.rel])).toEqual([
      await served.link(SCENARIO),
      '_blank',
      'noopener',
    ]);
    const messages = await page.evaluate(() => (globalThis as unknown as { reported: unknown[] }).reported);
    const height = await frame.locator('body').evaluate((body) => Math.ceil(body.getBoundingClientRect().height));
    expect(messages.at(-1)).toEqual({ warpool: 'height', height, answered: true });
    // Requests to the server of the page are allowed here.
    expect(received.filter((line) => !line.startsWith('request: '))).toEqual([]);
    await context.close();
    other.end();
  });

  test('follows hash changes of its frame without a reload, and rejects a damaged link', async () => {
    const { page } = await served.visit();
    await page.goto(await embedded());
    await page.getByRole('heading', { name: 'Swordsmen against Pikemen' }).waitFor();
    await page.evaluate(() => Object.assign(globalThis, { same: true }));
    const { hash } = new URL(await served.link('scenarios/attrition-elite.yaml'));
    await page.evaluate((next) => {
      location.assign(next);
    }, hash);
    await page.getByRole('heading', { name: 'The champion' }).waitFor();
    await page.evaluate(
      (next) => {
        location.assign(next);
      },
      hash.slice(0, -2),
    );
    await page.getByRole('alert').getByText('the link is incomplete or damaged').waitFor();
    expect(await page.evaluate(() => (globalThis as unknown as { same?: boolean }).same)).toBe(true);
  });

  test('is shown for every kind of address, or the error of an invalid address', async () => {
    const { page } = await served.visit();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const open = (address: string): Promise<unknown> => page.goto(new URL(address, served.home).href);
    await open(await embedded());
    await page.getByRole('heading', { name: 'Swordsmen against Pikemen' }).waitFor();
    // The parser of questions is loaded only for questions.
    expect(requests.filter((url) => /\/(ask|open|games|later)-(?!notices)[^/]*\.js$/.test(url))).toEqual([]);
    const way = page.getByRole('link', { name: 'Open in warpool' });
    for (const [address, odds] of [
      ['embed.html#ask=8%20attack%205', '81.8 %'],
      ['embed.html?scheme=dark&ask=8+attack+5', '81.8 %'],
      ['embed.html#game=attrition', '57.6 %'],
    ] as const) {
      await open('/help/index.html');
      await open(address);
      await page.getByText(odds).first().waitFor();
      expect(new URL((await way.getAttribute('href')) ?? '', served.home).href).toBe(
        new URL(address.replace('embed.html', '').replace('scheme=dark&', ''), served.home).href,
      );
    }
    for (const [address, words] of [
      ['embed.html#ask=3d6%20vs%202d8', 'Rolls of single dice are not supported'],
      ['embed.html#ask=will%20it%20rain', 'Not understood.'],
      ['embed.html#game=riks', 'expected the name of a game, found "riks"'],
      ['embed.html', 'The address of this page is not a link to a scenario.'],
      [(await embedded()).slice(0, -2), 'This link is incomplete or damaged. Copy the whole link again.'],
    ] as const) {
      await open('/help/index.html');
      await open(address);
      await page.getByRole('alert').getByText(words).waitFor();
    }
  });

  test('can be framed only by local pages, and the web app by none', async () => {
    const { context, page } = await served.visit();
    const away = await pageWith(`<iframe src="${await embedded()}"></iframe><iframe src="${served.url}"></iframe>`);
    const shown = async (address: string): Promise<number[]> => {
      await page.goto(address);
      await page.waitForTimeout(1500);
      return await Promise.all(
        page
          .frames()
          .slice(1)
          .map((frame) => frame.locator('#page').count()),
      );
    };
    expect(await shown(away.url)).toEqual([1, 0]);
    await page.route('https://elsewhere.test/', async (route) => {
      const body = `<iframe src="${await embedded()}"></iframe>`;
      await route.fulfill({ contentType: 'text/html', body });
    });
    expect(await shown('https://elsewhere.test/')).toEqual([0]);
    await context.close();
    away.end();
  });

  test('has no axe findings in the dialog and as a page', async () => {
    const { page } = await served.visit();
    await shared(page);
    await page.getByText('Embed in a page').click();
    expect(await lookedAt(page, 'share')).toEqual([]);
    await page.goto(await embedded());
    await page.getByRole('heading', { name: 'Swordsmen against Pikemen' }).waitFor();
    expect(await lookedAt(page, 'embed', 'main')).toEqual([]);
    for (const scheme of ['light', 'dark']) {
      await page.goto((await embedded()).replace('embed.html', `embed.html?scheme=${scheme}`));
      await page.getByRole('heading', { name: 'Swordsmen against Pikemen' }).waitFor();
      expect(await page.evaluate(() => document.documentElement.dataset['scheme'])).toBe(scheme);
    }
  });

  test('is printed on white without controls', async () => {
    const { page } = await served.visit({ colorScheme: 'dark' });
    await page.goto(await served.link(SCENARIO));
    await page.getByText('Swordsmen win 58 of 100 times').first().waitFor();
    // Numbers are in input fields, which are printed.
    const pressed = page.locator('button:visible, [role="tab"]:visible');
    expect(await pressed.count()).toBeGreaterThan(5);
    await settled(page);
    await page.emulateMedia({ media: 'print' });
    // Column headers with explanations and settings that link to fields are plain text in print.
    const left = page.locator('button:visible:not(th .explains, .settings .chip), [role="tab"]:visible');
    expect(await left.evaluateAll((all) => all.map(({ outerHTML }) => outerHTML))).toEqual([]);
    expect(await page.locator('.settings .chip:visible').count()).toBeGreaterThan(0);
    const heads = page.locator('th .explains:visible, .settings .chip:visible');
    const looks = await heads.evaluateAll((all) =>
      all.map((head) => {
        const { textDecorationLine, borderTopWidth, backgroundColor } = getComputedStyle(head);
        return [textDecorationLine, borderTopWidth, backgroundColor].join(' ');
      }),
    );
    expect([...new Set(looks)]).toEqual(['none 0px rgba(0, 0, 0, 0)']);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)');
    expect(await page.getByText('Swordsmen win 58 of 100 times').first().isVisible()).toBe(true);
  });

  test('is simulated if there is no exact answer', async () => {
    const { page } = await served.visit({ viewport: NARROW });
    await page.goto(await embedded('scenarios/attrition-mass.yaml'));
    await page.getByText(/^from 1\s000\s000 battles$/).waitFor();
  });
});
