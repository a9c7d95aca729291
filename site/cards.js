/** Pictures of the odds, which chats show beside a link: PNG 1200 by 630, and SVG for pages; made at build time. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { Resvg } from '@resvg/resvg-js';
import { PAGES } from './gather.js';

/** @param {string} file of dist/src */
const built = (file) => import(new URL(`../dist/src/${file}`, import.meta.url).href);
const { fontFiles } = await built('core/platform/node/files.js');
const { cardSvg } = await built('tell/share/card.js');
const { EXACT, playedText, toldOf, toldText } = await built('tell/share/told.js');

/** Files beside the pages, which VitePress copies as they are. */
const PUBLIC = `${PAGES}/public`;

const FONT = { loadSystemFonts: false, fontFiles: [...fontFiles()], defaultFontFamily: 'DejaVu Sans' };

/**
 * What a card says of a scenario.
 * @param {import('warpool').Scenario} scenario @param {import('warpool').Summary} summary
 * @param {number} [battles] that were played; left out of an exact answer
 * @returns {import('../src/tell/share/told.ts').Told}
 */
export const toldFor = (scenario, summary, battles) =>
  toldOf(scenario, summary, battles === undefined ? EXACT : playedText(battles));

/** @param {import('../src/tell/share/told.ts').Told} told @returns {string} the odds in words */
export const inWords = (told) => toldText(told);

/**
 * Writes the picture of an answer.
 * @param {string} name of its files, without an ending @param {import('../src/tell/share/told.ts').Told} told
 * @returns {string} its path on the site, without an ending
 */
export function writeCard(name, told) {
  const svg = cardSvg(told);
  if (existsSync(`${PUBLIC}/cards/${name}.svg`)) throw new Error(`the picture ${name} is drawn twice`);
  mkdirSync(`${PUBLIC}/cards`, { recursive: true });
  writeFileSync(`${PUBLIC}/cards/${name}.svg`, svg);
  writeFileSync(`${PUBLIC}/cards/${name}.png`, new Resvg(svg, { font: FONT }).render().asPng());
  return `cards/${name}`;
}
