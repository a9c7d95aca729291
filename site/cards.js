/** Images of the odds for link previews (PNG, 1200 by 630) and pages (SVG), created at build time. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { Resvg } from '@resvg/resvg-js';
import { PAGES } from './gather.js';

/** @param {string} file of dist/src */
const built = (file) => import(new URL(`../dist/src/${file}`, import.meta.url).href);
const { BudgetError, simulate, solveSync } = await built('index.js');
const { getFontFiles } = await built('core/platform/node/files.js');
const { renderCardSvg } = await built('report/share/card.js');
const { createSharedAnswer, formatSharedAnswer } = await built('report/share/shared-answer.js');

/** Folder of files that VitePress copies. */
const PUBLIC = `${PAGES}/public`;

const FONT = { loadSystemFonts: false, fontFiles: [...getFontFiles()], defaultFontFamily: 'DejaVu Sans' };

/** Number of simulated battles without exact results. */
const PLAYED = 200_000;

/** Solves a scenario exactly; undefined if it takes too long. @param {import('warpool').Scenario} scenario */
function solved(scenario) {
  try {
    return solveSync(scenario);
  } catch (error) {
    if (error instanceof BudgetError) return undefined;
    throw error;
  }
}

/**
 * Creates the exact results of a scenario, if possible, and the shared result, which is otherwise simulated.
 * @param {import('warpool').Scenario} scenario
 * @returns {Promise<{ exact: import('warpool').Summary | undefined, told: import('../src/report/share/shared-answer.ts').SharedAnswer }>}
 */
export async function answered(scenario) {
  const exact = solved(scenario);
  if (exact !== undefined)
    return {
      exact: exact.summary,
      told: createSharedAnswer({ scenario, exact: { summary: exact.summary, counts: exact.distribution } }),
    };
  const { summary, counts } = await simulate(scenario, { battles: PLAYED, seed: 1 });
  return { exact: undefined, told: createSharedAnswer({ scenario, simulated: { summary, counts, battles: PLAYED } }) };
}

/** @param {import('../src/report/share/shared-answer.ts').SharedAnswer} told @returns {string} the odds in words */
export const inWords = (told) => formatSharedAnswer(told);

/**
 * Writes the images of a result.
 * @param {string} name of its files, without extension
 * @param {import('../src/report/share/shared-answer.ts').SharedAnswer} told
 * @returns {string} its path on the site, without extension
 */
export function writeCard(name, told) {
  const svg = renderCardSvg(told);
  if (existsSync(`${PUBLIC}/cards/${name}.svg`)) throw new Error(`duplicate image ${name}`);
  mkdirSync(`${PUBLIC}/cards`, { recursive: true });
  writeFileSync(`${PUBLIC}/cards/${name}.svg`, svg);
  writeFileSync(`${PUBLIC}/cards/${name}.png`, new Resvg(svg, { font: FONT }).render().asPng());
  return `cards/${name}`;
}
