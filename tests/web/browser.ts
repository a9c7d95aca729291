/** The built page in Chromium, served as the command serves it, with an ear for everything that should not happen. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { default as Axe, AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { startApp } from '../../src/cli/app.ts';
import { createLink } from '../../src/report/link/link.ts';
import type { LinkContent } from '../../src/report/link/link-content.ts';
import { RULESET } from '../../src/stats/digest.ts';

const CHROMIUM = process.env['WARPOOL_CHROMIUM'] ?? '/usr/bin/chromium';
export const MISSING = !existsSync(CHROMIUM);

if (MISSING) process.stderr.write(`\nSKIPPED: ${CHROMIUM} is not there, so no page is opened in a browser\n\n`);

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

/** @param more arguments beside those of all tests */
export const launched = (...more: string[]): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: [...ARGUMENTS, ...more] });

/** Milliseconds that a page may take to show something, on a busy machine. */
const PATIENCE = 50_000;

/** A wide screen, and a phone. */
const WIDE = { width: 1280, height: 900 };
export const NARROW = { width: 390, height: 844 };

/** A page, and what was heard that should not be: errors, warnings, dialogs, requests to other places. */
export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly heard: string[];
}

/** Only where nothing was chosen yet. */
function preferText(): void {
  try {
    localStorage.setItem('warpool.view', localStorage.getItem('warpool.view') ?? 'Text');
  } catch {
    // Frames without an origin have no storage.
  }
}

interface VisitOptions extends BrowserContextOptions {
  /** How the reader had scenarios shown last; a text unless given, units for those who have chosen nothing. */
  readonly view?: 'Text' | 'Units';
}

/** A page that has not been opened yet, in a context of its own. @param url where all requests may go */
export async function visit(browser: Browser, url: string, options: VisitOptions = {}): Promise<Visit> {
  const { view = 'Text', ...others } = options;
  const context = await browser.newContext({ viewport: WIDE, ...others });
  if (view === 'Text') await context.addInitScript(preferText);
  context.setDefaultTimeout(PATIENCE);
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
interface Offered {
  /** Without a question: the start. */
  readonly home: string;
  /** With a scenario to look at: attrition-direct. */
  readonly url: string;
  readonly end: () => Promise<void>;
  /** The address that asks a question of a scenario. */
  readonly link: (file: string, asked?: Partial<Omit<LinkContent, 'effort'>> & { battles?: number }) => Promise<string>;
}

/** @throws RunError if the page is not built */
async function offered(): Promise<Offered> {
  const { url, end } = await startApp(undefined, { config: false });
  return {
    home: url,
    url: `${url}#game=attrition`,
    end,
    async link(file, { battles = 1_000_000, ...asked } = {}) {
      const usual = { seed: '1', panel: 'answer', notes: {}, ruleset: RULESET, file: basename(file) };
      const text = asked.text ?? readFileSync(file, 'utf8');
      return url + (await createLink({ ...usual, ...asked, text, effort: { kind: 'battles', battles } }));
    },
  };
}

/** The page, and a browser to visit it with. */
export interface Served extends Omit<Offered, 'end'> {
  readonly browser: Browser;
  readonly visit: (options?: VisitOptions) => Promise<Visit>;
  /** A visit of the address that asks a question of a scenario. */
  readonly opened: (...asked: Parameters<Offered['link']>) => Promise<Page>;
}

/**
 * What the tests of a `describe` share: there from before the first of them until after the last. Visits that a test
 * leaves open are closed after it, and must have heard nothing.
 */
export function inBrowser(): Served {
  let browser: Browser;
  let page: Offered;
  const open = new Set<Visit>();
  // What was opened before all tests stays open.
  beforeEach(() => {
    open.clear();
  });
  afterEach(async () => {
    const visits = [...open];
    await Promise.all(visits.map(({ context }) => context.close()));
    expect(visits.flatMap(({ heard }) => heard)).toEqual([]);
  });
  beforeAll(async () => {
    [browser, page] = await Promise.all([launched(), offered()]);
  });
  afterAll(async () => {
    await browser.close();
    await page.end();
  });
  const visited = async (options?: VisitOptions): Promise<Visit> => {
    const made = await visit(browser, page.url, options);
    open.add(made);
    made.context.on('close', () => open.delete(made));
    return made;
  };
  return {
    get browser() {
      return browser;
    },
    get home() {
      return page.home;
    },
    get url() {
      return page.url;
    },
    link: async (...asked) => await page.link(...asked),
    visit: visited,
    async opened(...asked) {
      const { page: shown } = await visited();
      await shown.goto(await page.link(...asked));
      return shown;
    },
  };
}

/** Panels of the page. */
export const PANELS = ['answer', 'battle', 'compare', 'sweep', 'best-response', 'own'] as const;

/** Waits until the panel shows something and nothing is under way: for a while nothing has changed. */
export async function settled(page: Page, still = 700, there = 'main'): Promise<void> {
  await page.locator(there).first().waitFor();
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

/** Where pictures go. Without it none is taken: nothing is checked by them. */
const PICTURES = process.env['WARPOOL_PICTURES'];

/** Each width and each scheme of colours. */
const SIGHTS = [
  { width: 'wide', viewport: WIDE, colorScheme: 'light' },
  { width: 'narrow', viewport: NARROW, colorScheme: 'dark' },
] as const;

const AXE = 'node_modules/axe-core/axe.min.js';

/** What axe finds, a line each. */
async function findings(page: Page): Promise<string[]> {
  // Evaluated from outside, so that the policy of the page need not be left out.
  await page.evaluate(readFileSync(AXE, 'utf8'));
  const { violations } = await page.evaluate(
    async (): Promise<AxeResults> => await (globalThis as unknown as { axe: typeof Axe }).axe.run(),
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${String(target)}: ${String(failureSummary)}`),
  );
}

/** Elements that reach beyond the window and cannot be scrolled to within their own box. */
async function cutOff(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const scrolls = (each: Element | null): boolean =>
      each !== null &&
      (/auto|scroll|hidden|clip/.test(getComputedStyle(each).overflowX) || scrolls(each.parentElement));
    return [...document.querySelectorAll('body *')]
      .filter((each) => each.getBoundingClientRect().right > innerWidth + 1 && !scrolls(each.parentElement))
      .map((each) => each.outerHTML.slice(0, 120));
  });
}

/**
 * Shows the page wide and narrow, light and dark, and takes a picture of each for people.
 * @param there what is there once something is shown; a panel, unless given
 * @returns what is wrong: what axe finds, and what is cut off
 */
export async function lookedAt(page: Page, name: string, there?: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const { width, viewport, colorScheme } of SIGHTS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await settled(page, undefined, there);
    const sight = `${name}-${width}-${colorScheme}`;
    await picture(page, sight);
    wrong.push(...(await findings(page)).map((line) => `${sight}: ${line}`));
    wrong.push(...(await cutOff(page)).map((line) => `${sight}: cut off: ${line}`));
  }
  await page.setViewportSize(WIDE);
  return wrong;
}

/** Takes a picture of the whole page for people to look at, if they have said where. */
export async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}
