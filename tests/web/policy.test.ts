/** Content Security Policy of the web app, in headers and in the document, and offline use. Needs Chromium. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { readStaticFiles, type StaticFiles } from '../../src/cli/static-server/static-files.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { DEPTH } from '../depth.ts';
import { inBrowser, launched, MISSING, visit } from './browser.ts';

const SCENARIO = 'scenarios/attrition-direct.yaml';

/** Serves the web app without security headers, or other files. */
async function bareServer(other?: StaticFiles): Promise<{ server: Server; url: string }> {
  const files = other ?? (await readStaticFiles('dist/page'));
  const server = createServer((request, response) => {
    const file = files.get((request.url ?? '').replace(/\?.*/, ''));
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': file.type }).end(file.body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/` };
}

/** Starts a browser that treats a local server as a remote secure host. */
async function distant(local: string): Promise<{ browser: Browser; home: string }> {
  const home = local.replace('127.0.0.1', 'page.test');
  const rule = '--host-resolver-rules=MAP page.test 127.0.0.1';
  return { browser: await launched(rule, `--unsafely-treat-insecure-origin-as-secure=${new URL(home).origin}`), home };
}

/** Starts another site, and records the requests to it. */
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

/** Runs attacks of injected markup; each success leaves a trace. */
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
    // Delayed, because eval is allowed in code that the browser driver evaluates, but not in its timers.
    setTimeout(() => {
      // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- to be blocked
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

/** Expects that no attack ran and no request was sent. */
async function expectNothing(page: Page): Promise<void> {
  const { url, asked, end } = await elsewhere();
  const traces = await attempts(page, url);
  end();
  expect([traces, asked]).toEqual([[], []]);
}

describe.skipIf(MISSING || DEPTH === 1)('the web app', () => {
  const served = inBrowser();
  let digest: string;

  beforeAll(async () => {
    ({ digest } = await simulate(await loadScenario(SCENARIO), { battles: 10_000, seed: 1 }));
  });

  const answered = async (page: Page): Promise<void> => {
    await page.getByRole('tabpanel').getByText(digest).first().waitFor();
  };

  test('runs no injected script and sends no request to another host', async () => {
    const { context, page, received: heard } = await served.visit();
    await page.goto(await served.link(SCENARIO, { battles: 10_000 }));
    await answered(page);
    expect(heard).toEqual([]);
    await expectNothing(page);
    await context.close();
  });

  test('has the same policy and the same digest if a server sets no headers', async () => {
    const { server, url } = await bareServer();
    const { context, page, received: heard } = await visit(served.browser, url);
    const link = await served.link(SCENARIO, { battles: 10_000 });
    await page.goto(link.replace(served.home, url));
    await answered(page);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    expect(heard).toEqual([]);
    await expectNothing(page);
    await context.close();
    server.close();
    server.closeAllConnections();
  });

  test('cannot be embedded in a frame of another page', async () => {
    const { context, page } = await served.visit();
    await page.setContent(`<iframe src="${served.home}"></iframe>`);
    await page.waitForTimeout(500);
    expect(await page.frames()[1]?.locator('#page').count()).toBe(0);
    await context.close();
  });

  test('works offline after the first visit to a remote host', async () => {
    const { server, url } = await bareServer();
    const { browser, home } = await distant(url);
    const { context, page, received: heard } = await visit(browser, home);
    const link = await served.link(SCENARIO, { battles: 10_000 });
    await page.goto(link.replace(served.home, home));
    await answered(page);
    await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
    await page.waitForFunction(async () => (await navigator.serviceWorker.ready).active?.state === 'activated');
    await context.setOffline(true);
    await page.close();
    const again = await context.newPage();
    await again.goto(link.replace(served.home, home));
    await answered(again);
    expect(await again.evaluate(() => crossOriginIsolated)).toBe(true);
    for (const panel of ['Battle', 'Compare', 'Sweep', 'Best response', 'Custom rules'])
      await again.getByRole('tab', { name: panel }).click();
    await again.waitForTimeout(500);
    expect(await again.getByText(/cannot be loaded|Failed to fetch/).count()).toBe(0);
    expect(heard).toEqual([]);
    await browser.close();
    server.close();
    server.closeAllConnections();
  });

  test('reports that a newer version is ready', async () => {
    const files = new Map(await readStaticFiles('dist/page'));
    const { server, url } = await bareServer(files);
    const { browser, home } = await distant(url);
    const { page, received: heard } = await visit(browser, home);
    await page.goto(home);
    await page.waitForFunction(async () => (await navigator.serviceWorker.ready).active?.state === 'activated');
    const kept = files.get('/service-worker.js');
    if (kept === undefined) throw new TypeError('the page has no service worker');
    files.set('/service-worker.js', { ...kept, body: Buffer.concat([kept.body, Buffer.from('// newer')]) });
    await page.reload();
    await page.getByText('A newer version of this page is ready').waitFor();
    expect(heard).toEqual([]);
    await browser.close();
    server.close();
    server.closeAllConnections();
  });

  test.each(['localhost', 'warpool.localhost'])('stores nothing at %s, which other programs may use', async (name) => {
    const { server, url } = await bareServer();
    const { context, page, received: heard } = await visit(served.browser, url.replace('127.0.0.1', name));
    await page.goto(`${url.replace('127.0.0.1', name)}#game=attrition`);
    await page
      .getByText(/battles simulated/)
      .first()
      .waitFor();
    await page.waitForTimeout(3000);
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
    expect(await page.evaluate(async () => await caches.keys())).toEqual([]);
    expect(heard).toEqual([]);
    await context.close();
    server.close();
    server.closeAllConnections();
  });

  test('removes the service worker and the caches of an older version at localhost', async () => {
    const page: Uint8Array = Buffer.from('<p>older</p>');
    const script: Uint8Array = Buffer.from(`
      addEventListener('install', (event) => event.waitUntil(caches.open('warpool-0')));
      addEventListener('fetch', (event) => event.respondWith(new Response('<p>kept</p>', { headers: { 'Content-Type': 'text/html' } })));
    `);
    const plain = { cache: 'no-cache', tag: '"0"' };
    const files = new Map([
      ['/', { ...plain, type: 'text/html', body: page }],
      ['/service-worker.js', { ...plain, type: 'text/javascript', body: script }],
    ]);
    const { server, url } = await bareServer(files);
    const home = url.replace('127.0.0.1', 'localhost');
    const { context, page: tab } = await visit(served.browser, home);
    await tab.goto(home);
    await tab.evaluate(async () => {
      await navigator.serviceWorker.register('service-worker.js');
      await navigator.serviceWorker.ready;
    });
    await tab.goto(home);
    await tab.getByText('kept').waitFor();
    for (const [path, file] of await readStaticFiles('dist/page')) files.set(path, file);
    await tab.goto(home);
    await expect
      .poll(() => tab.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), {
        timeout: 20_000,
      })
      .toBe(0);
    // A new address, not a hash change of the open page.
    await tab.goto(`${home}?game=attrition`);
    await tab
      .getByText(/battles simulated/)
      .first()
      .waitFor();
    expect(await tab.evaluate(async () => await caches.keys())).toEqual([]);
    await context.close();
    server.close();
    server.closeAllConnections();
  });
});
