/** The built page in Chromium, served as the command serves it, with an ear for everything that should not happen. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { offerPage } from '../../src/cli/serve-page.ts';
import { linkOf } from '../../src/link/link.ts';
import type { Question } from '../../src/link/question.ts';
import { RULESET } from '../../src/stats/digest.ts';

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

/** The page, served as the command serves it. */
export interface Offered {
  readonly url: string;
  readonly end: () => Promise<void>;
  /** The address that asks a question of a scenario. */
  readonly link: (file: string, asked?: Partial<Omit<Question, 'effort'>> & { battles?: number }) => Promise<string>;
}

/** @throws RunError if the page is not built */
export async function offered(): Promise<Offered> {
  const { url, end } = await offerPage(undefined, { config: false });
  return {
    url,
    end,
    async link(file, { battles = 1_000_000, ...asked } = {}) {
      const usual = { seed: '1', panel: 'answer', notes: {}, ruleset: RULESET, file: basename(file) };
      const text = asked.text ?? readFileSync(file, 'utf8');
      return url + (await linkOf({ ...usual, ...asked, text, effort: { kind: 'battles', battles } }));
    },
  };
}

/** Panels of the page. */
export const PANELS = ['answer', 'battle', 'compare', 'sweep', 'optimal', 'own'] as const;

/** Waits until the panel shows something and nothing is under way: for a while nothing has changed. */
export async function settled(page: Page, still = 700): Promise<void> {
  await page.getByRole('tabpanel').first().waitFor();
  await page.evaluate(
    (ms) =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(resolve, ms);
        new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(resolve, ms);
        }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
      }),
    still,
  );
}

const PICTURES = process.env['WARPOOL_PICTURES'] ?? mkdtempSync(join(tmpdir(), 'warpool-pictures-'));

/** Wide and narrow, light and dark. */
const SIGHTS = [
  { width: 'wide', viewport: WIDE },
  { width: 'narrow', viewport: NARROW },
].flatMap((size) => (['light', 'dark'] as const).map((colorScheme) => ({ ...size, colorScheme })));

/** Shows the page in every way in which it is looked at, takes a picture of each, and does something there. */
export async function inAllSights(
  page: Page,
  name: string,
  act: (sight: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  for (const { width, viewport, colorScheme } of SIGHTS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await settled(page);
    await picture(page, `${name}-${width}-${colorScheme}`);
    await act(`${name}, ${width}, ${colorScheme}`);
  }
  await page.setViewportSize(WIDE);
}

/** Takes a picture of the whole page for people to look at. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}
