/** Pictures of the odds, which chats show beside a link: PNG 1200 by 630, and SVG for pages; made at build time. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { Resvg } from '@resvg/resvg-js';
import { PAGES } from './gather.js';

/** @param {string} file of dist/src */
const built = (file) => import(new URL(`../dist/src/${file}`, import.meta.url).href);
const { BudgetError, simulate, solveSync } = await built('index.js');
const { getFontFiles } = await built('core/platform/node/files.js');
const { renderCardSvg } = await built('report/share/card.js');
const { createSharedAnswer, formatSharedAnswer } = await built('report/share/shared-answer.js');

/** Files beside the pages, which VitePress copies as they are. */
const PUBLIC = `${PAGES}/public`;

const FONT = { loadSystemFonts: false, fontFiles: [...getFontFiles()], defaultFontFamily: 'DejaVu Sans' };

/** Battles that are played where there is no exact answer. */
const PLAYED = 200_000;

/** The exact answer of a scenario; undefined where it would take too long. @param {import('warpool').Scenario} scenario */
function solved(scenario) {
  try {
    return solveSync(scenario);
  } catch (error) {
    if (error instanceof BudgetError) return undefined;
    throw error;
  }
}

/**
 * The exact answer of a scenario, if there is one, and what is told of it, which is played otherwise.
 * @param {import('warpool').Scenario} scenario
 * @returns {Promise<{ exact: import('warpool').Summary | undefined, told: import('../src/report/share/shared-answer.ts').SharedAnswer }>}
 */
export async function answered(scenario) {
  const exact = solved(scenario);
  if (exact !== undefined)
    return {
      exact: exact.summary,
      told: createSharedAnswer({ scenario, exact: { summary: exact.summary, tally: exact.distribution } }),
    };
  const { summary, tally } = await simulate(scenario, { battles: PLAYED, seed: 1 });
  return { exact: undefined, told: createSharedAnswer({ scenario, simulated: { summary, tally, battles: PLAYED } }) };
}

/** @param {import('../src/report/share/shared-answer.ts').SharedAnswer} told @returns {string} the odds in words */
export const inWords = (told) => formatSharedAnswer(told);

/**
 * Writes the picture of an answer.
 * @param {string} name of its files, without an ending @param {import('../src/report/share/shared-answer.ts').SharedAnswer} told
 * @returns {string} its path on the site, without an ending
 */
export function writeCard(name, told) {
  const svg = renderCardSvg(told);
  if (existsSync(`${PUBLIC}/cards/${name}.svg`)) throw new Error(`the picture ${name} is drawn twice`);
  mkdirSync(`${PUBLIC}/cards`, { recursive: true });
  writeFileSync(`${PUBLIC}/cards/${name}.svg`, svg);
  writeFileSync(`${PUBLIC}/cards/${name}.png`, new Resvg(svg, { font: FONT }).render().asPng());
  return `cards/${name}`;
}
