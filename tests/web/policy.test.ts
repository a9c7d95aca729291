/** What the page's policy keeps out, in the header and by the page alone, and what is left without a network. Needs Chromium. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { servedFrom } from '../../src/cli/served/files.ts';
import { simulate } from '../../src/running/simulate.ts';
import { loadScenario } from '../../src/scenario/index.ts';
import { DEPTH } from '../depth.ts';
import { inBrowser, MISSING, visit } from './browser.ts';

const SCENARIO = 'scenarios/attrition-direct.yaml';

/** Serves the page as servers do that set no headers. */
async function bareServer(): Promise<{ server: Server; url: string }> {
  const files = await servedFrom('dist/page');
  const server = createServer((request, response) => {
    const file = files.get((request.url ?? '').replace(/\?.*/, ''));
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': file.type }).end(file.body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/` };
}

/** Another site, and what of it was asked for. */
async function elsewhere(): Promise<{ url: string; asked: string[]; end: () => void }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('Access-Control-Allow-Origin', '*').end('trace("elsewhere")');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const end = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`, asked, end };
}

/** Tries what markup that came in from outside would try; what of it ran leaves a trace. */
async function attempts(page: Page, away: string): Promise<string[]> {
  return await page.evaluate(async (url) => {
    const traces: string[] = [];
    Object.assign(globalThis, { trace: (what: string) => traces.push(what) });
    const script = document.createElement('script');
    script.textContent = 'trace("inline script")';
    document.body.append(script);
    const box = document.createElement('div');
    const frame = `<iframe srcdoc="<script>parent.trace('frame')</script>"></iframe><iframe src="${url}frame"></iframe>`;
    box.innerHTML = `${frame}<img src="data:," onerror="trace('handler')"><img src="${url}image">
      <a id="way" href="javascript:trace('address')">x</a><p id="painted" style="color: rgb(1, 2, 3)">x</p>
      <link rel="stylesheet" href="${url}style"><form id="sent" action="${url}form"></form>`;
    document.body.append(box);
    document.getElementById('way')?.click();
    (document.getElementById('sent') as HTMLFormElement).submit();
    for (const source of ['data:text/javascript,trace("data")', `${url}script`]) {
      const from = document.createElement('script');
      from.src = source;
      document.body.append(from);
    }
    // Later: what is evaluated from outside may evaluate, what it sets off may not.
    setTimeout(() => {
      // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- to be refused
      new Function('trace("evaluated")')();
    });
    await fetch(`${url}fetch`).catch(() => undefined);
    navigator.sendBeacon(`${url}beacon`);
    const socket = new WebSocket(url.replace('http', 'ws'));
    socket.onopen = () => traces.push('socket');
    await new Promise((resolve) => setTimeout(resolve, 500));
    const painted = document.getElementById('painted');
    if (painted !== null && getComputedStyle(painted).color === 'rgb(1, 2, 3)') traces.push('inline style');
    box.remove();
    return traces;
  }, away);
}

/** Expects that none of it ran, and nobody was asked for anything. */
async function expectNothing(page: Page): Promise<void> {
  const { url, asked, end } = await elsewhere();
  const traces = await attempts(page, url);
  end();
  expect([traces, asked]).toEqual([[], []]);
}

describe.skipIf(MISSING || DEPTH === 1)('the page', () => {
  const served = inBrowser();
  let digest: string;

  beforeAll(async () => {
    ({ digest } = await simulate(await loadScenario(SCENARIO), { battles: 10_000, seed: 1 }));
  });

  const answered = async (page: Page): Promise<void> => {
    await page.getByRole('tabpanel').getByText(digest).first().waitFor();
  };

  test('runs no script but its own, and reaches nobody', async () => {
    const { context, page, heard } = await served.visit();
    await page.goto(await served.link(SCENARIO, { battles: 10_000 }));
    await answered(page);
    expect(heard).toEqual([]);
    await expectNothing(page);
    await context.close();
  });

  test('keeps the same policy and gives the same digest where a server sets no headers', async () => {
    const { server, url } = await bareServer();
    const { context, page, heard } = await visit(served.browser, url);
    const link = await served.link(SCENARIO, { battles: 10_000 });
    await page.goto(link.replace(served.url, url));
    await answered(page);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    expect(heard).toEqual([]);
    await expectNothing(page);
    await context.close();
    server.close();
    server.closeAllConnections();
  });

  test('cannot be put into a frame of another page', async () => {
    const { context, page } = await served.visit();
    await page.setContent(`<iframe src="${served.url}"></iframe>`);
    await page.waitForTimeout(500);
    expect(await page.frames()[1]?.locator('#page').count()).toBe(0);
    await context.close();
  });

  test('opens and answers without a network after the first visit', async () => {
    // 127.0.0.1 keeps nothing: there `warpool page` serves from the disk.
    const home = served.url.replace('127.0.0.1', 'localhost');
    const { context, page, heard } = await visit(served.browser, home);
    const link = await served.link(SCENARIO, { battles: 10_000 });
    await page.goto(link.replace(served.url, home));
    await answered(page);
    await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
    await page.waitForFunction(async () => (await navigator.serviceWorker.ready).active?.state === 'activated');
    await context.setOffline(true);
    await page.close();
    const again = await context.newPage();
    await again.goto(link.replace(served.url, home));
    await answered(again);
    expect(await again.evaluate(() => crossOriginIsolated)).toBe(true);
    for (const panel of ['Battle', 'Compare', 'Sweep', 'Optimal play', 'Own systems'])
      await again.getByRole('tab', { name: panel }).click();
    await again.waitForTimeout(500);
    expect(await again.getByText(/cannot be loaded|Failed to fetch/).count()).toBe(0);
    expect(heard).toEqual([]);
    await context.close();
  });
});
