/** The built page in Chromium, served as the command serves it, with an ear for everything that should not happen. */
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const CHROMIUM = process.env['WARPOOL_CHROMIUM'] ?? '/usr/bin/chromium';
export const MISSING = !existsSync(CHROMIUM);

if (MISSING) process.stderr.write(`\nSKIPPED: ${CHROMIUM} is not there, so the page is not opened in a browser\n\n`);

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const launched = (): Promise<Browser> => chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });

/** A wide screen, and a phone. */
export const WIDE = { width: 1280, height: 900 };
export const NARROW = { width: 390, height: 844 };

/** A page, and what was heard that should not be: errors, warnings, dialogs, requests to other places. */
export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly heard: string[];
}

/** A page that has not been opened yet, in a context of its own. @param url where all requests may go */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: WIDE, ...options });
  const page = await context.newPage();
  const heard: string[] = [];
  const own = new URL(url).origin;
  page.on('console', (message) => {
    if (['error', 'warning', 'assert'].includes(message.type())) heard.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => heard.push(`error: ${error.message}`));
  page.on('crash', () => heard.push('crash'));
  page.on('dialog', (dialog) => {
    heard.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  // Requests of workers too.
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== own && !['blob:', 'data:'].includes(protocol)) heard.push(`request: ${request.url()}`);
  });
  return { context, page, heard };
}

const PICTURES = process.env['WARPOOL_PICTURES'] ?? mkdtempSync(join(tmpdir(), 'warpool-pictures-'));

/** Takes a picture of the whole page for people to look at. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}
