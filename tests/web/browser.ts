/** Serves the built page as the command does, opens it in Chromium, and records errors. */
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

/** Starts Chromium. @param more additional arguments */
export const launched = (...more: string[]): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: [...ARGUMENTS, ...more] });

/** Time limit for a page on a busy machine, in milliseconds. */
const PATIENCE = 50_000;

/** A wide screen, and a phone. */
const WIDE = { width: 1280, height: 900 };
export const NARROW = { width: 390, height: 844 };

/** A page, and its unexpected events: errors, warnings, dialogs, requests to other hosts. */
export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly received: string[];
}

/** Selects the text view unless a view was chosen. */
function preferText(): void {
  try {
    localStorage.setItem('warpool.view', localStorage.getItem('warpool.view') ?? 'Text');
  } catch {
    // Frames without an origin have no storage.
  }
}

interface VisitOptions extends BrowserContextOptions {
  /** Stored view of the visitor (default: text). `Units` stores none. */
  readonly view?: 'Text' | 'Units';
}

/** Creates a page in its own context. @param url host to which requests are allowed */
export async function visit(browser: Browser, url: string, options: VisitOptions = {}): Promise<Visit> {
  const { view = 'Text', ...others } = options;
  const context = await browser.newContext({ viewport: WIDE, ...others });
  if (view === 'Text') await context.addInitScript(preferText);
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const received: string[] = [];
  const own = new URL(url).origin;
  page.on('console', (message) => {
    if (['error', 'warning', 'assert'].includes(message.type())) received.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => received.push(`error: ${error.message}`));
  page.on('crash', () => received.push('crash'));
  page.on('dialog', (dialog) => {
    received.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  // Includes requests of workers.
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== own && !['blob:', 'data:'].includes(protocol)) received.push(`request: ${request.url()}`);
  });
  return { context, page, received };
}

/** Web app as served by `warpool app`. */
interface Offered {
  /** Address of the start page. */
  readonly home: string;
  /** Address with the scenario attrition-direct. */
  readonly url: string;
  readonly end: () => Promise<void>;
  /** Creates a link to a scenario. */
  readonly link: (
    file: string,
    requested?: Partial<Omit<LinkContent, 'effort'>> & { battles?: number },
  ) => Promise<string>;
}

/** Serves the web app. @throws RunError if the web app is not built */
async function offered(): Promise<Offered> {
  const { url, end } = await startApp(undefined, { config: false });
  return {
    home: url,
    url: `${url}#game=attrition`,
    end,
    async link(file, { battles = 1_000_000, ...requested } = {}) {
      const usual = { seed: '1', panel: 'answer', notes: {}, ruleset: RULESET, file: basename(file) };
      const text = requested.text ?? readFileSync(file, 'utf8');
      return url + (await createLink({ ...usual, ...requested, text, effort: { kind: 'battles', battles } }));
    },
  };
}

/** The served page and a browser. */
export interface Served extends Omit<Offered, 'end'> {
  readonly browser: Browser;
  readonly visit: (options?: VisitOptions) => Promise<Visit>;
  /** Opens a link to a scenario. */
  readonly opened: (...requested: Parameters<Offered['link']>) => Promise<Page>;
}

/**
 * Shared page and browser of the tests of a `describe`. Pages that a test leaves open are closed after it, and must
 * have recorded no events.
 */
export function inBrowser(): Served {
  let browser: Browser;
  let page: Offered;
  const open = new Set<Visit>();
  // Pages opened before all tests stay open.
  beforeEach(() => {
    open.clear();
  });
  afterEach(async () => {
    const visits = [...open];
    await Promise.all(visits.map(({ context }) => context.close()));
    expect(visits.flatMap(({ received }) => received)).toEqual([]);
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
    link: async (...requested) => await page.link(...requested),
    visit: visited,
    async opened(...requested) {
      const { page: shown } = await visited();
      await shown.goto(await page.link(...requested));
      return shown;
    },
  };
}

/** Ids of the panels. */
export const PANELS = [
  'answer',
  'battle',
  'compare',
  'sweep',
  'matchup',
  'balance-problem',
  'best-response',
  'own',
] as const;

/** Waits until the panel has content and has not changed for a while. */
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

/** Folder of screenshots; without it, none are taken. No test checks them. */
const PICTURES = process.env['WARPOOL_PICTURES'];

/** All widths and color schemes. */
const SIGHTS = [
  { width: 'wide', viewport: WIDE, colorScheme: 'light' },
  { width: 'narrow', viewport: NARROW, colorScheme: 'dark' },
] as const;

const AXE = 'node_modules/axe-core/axe.min.js';

/** Returns the findings of axe, one line each. */
async function findings(page: Page): Promise<string[]> {
  // Evaluated through the browser driver, so that the Content Security Policy of the page stays in force.
  await page.evaluate(readFileSync(AXE, 'utf8'));
  const { violations } = await page.evaluate(
    async (): Promise<AxeResults> => await (globalThis as unknown as { axe: typeof Axe }).axe.run(),
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${String(target)}: ${String(failureSummary)}`),
  );
}

/** Returns elements that overflow the window and cannot be scrolled within their box. */
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
 * Shows the page wide and narrow, light and dark, and takes screenshots.
 * @param there selector of the expected content (default: a panel)
 * @returns findings of axe, and elements that are cut off
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

/** Takes a screenshot of the whole page, if a folder is set. */
export async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}
