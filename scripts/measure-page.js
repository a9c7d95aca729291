/**
 * Measures the web app in Chromium, as `warpool app` serves it: the time from opening to the first result, without
 * caches, and 10^7 battles of attrition-direct, in turns with the same run on the command line. Prints the table of
 * docs/explanation/benchmarks.md. Needs the build, and Chromium (WARPOOL_CHROMIUM, default /usr/bin/chromium).
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chromium } from 'playwright-core';
import { told } from './figures.js';
import { enterRoot } from './files.js';

enterRoot();

const TURNS = 7;
const SCENARIO = 'scenarios/attrition-direct.yaml';
const BATTLES = '10000000';

const server = spawn(process.execPath, ['bin/warpool.js', 'app', SCENARIO], { stdio: ['ignore', 'pipe', 'inherit'] });
const [line] = await once(server.stdout, 'data');
const url = String(line).trim();
const executablePath = process.env['WARPOOL_CHROMIUM'] ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] });

/**
 * Reads a fact of the result, when it has the number of battles.
 * @param {import('playwright-core').Page} page @param {string} name @param {string} seed
 */
async function fact(page, name, seed) {
  const facts = page
    .locator('dl')
    .filter({ has: page.locator('dt', { hasText: /^seed$/ }) })
    .first();
  await facts
    .locator('dt', { hasText: /^seed$/ })
    .locator('xpath=following-sibling::dd[1]')
    .filter({ hasText: seed })
    .waitFor({ timeout: 60_000 });
  return await facts
    .locator('dt', { hasText: new RegExp(`^${name}$`) })
    .locator('xpath=following-sibling::dd[1]')
    .innerText();
}

/** Milliseconds until the first result. */
async function firstAnswer() {
  const context = await browser.newContext();
  const page = await context.newPage();
  const began = performance.now();
  await page.goto(url);
  await page.getByText('Outcomes', { exact: true }).first().waitFor();
  const took = performance.now() - began;
  await context.close();
  return took;
}

/**
 * Seconds that the web app and the command line report.
 * @param {import('playwright-core').Page} page
 * @param {string} seed
 */
async function run(page, seed) {
  await page.getByLabel('Battles', { exact: true }).fill(BATTLES);
  await page.getByLabel('Seed', { exact: true }).fill(seed);
  const here = Number.parseFloat(await fact(page, 'time', seed));
  const digest = await fact(page, 'digest', seed);
  const args = ['bin/warpool.js', 'run', SCENARIO, '--battles', BATTLES, '--seed', seed, '--exact', 'never', '--json'];
  const told = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  if (told.digest !== digest) throw new Error(`digests differ: ${digest} in the page, ${told.digest}`);
  return [here, told.elapsedSeconds];
}

const answers = [];
for (let turn = 0; turn < TURNS; turn++) answers.push(await firstAnswer());
const page = await browser.newPage();
await page.goto(url);
await page.getByText('Outcomes', { exact: true }).first().waitFor();
const runs = [];
for (let turn = 0; turn < TURNS; turn++) runs.push(await run(page, String(100 + turn)));
await browser.close();
server.kill('SIGINT');

/** @type {[string, string[]][]} */
const rows = [
  ['opening the page to the first answer, nothing cached, ms', told(answers, 0)],
  [
    '10^7 battles of attrition-direct in the page, s',
    told(
      runs.map(([here = 0]) => here),
      2,
    ),
  ],
  [
    'the same on the command line, s',
    told(
      runs.map(([, there = 0]) => there),
      2,
    ),
  ],
  [
    'page / command line, turn by turn',
    told(
      runs.map(([here = 0, there = 1]) => here / there),
      2,
    ),
  ],
];
process.stdout.write('| what | median | least | most |\n| --- | --- | --- | --- |\n');
for (const [what, figures] of rows) process.stdout.write(`| ${what} | ${figures.join(' | ')} |\n`);
