/** `warpool report` */

import { basename, dirname, extname, join, resolve } from 'node:path';
import { toldContradiction } from '../answers/index.ts';
import { InputError, RunError } from '../core/index.ts';
import { writeInto } from '../core/node.ts';
import { count, flag, type Given, type Settings, several, text, wordList } from '../rules/setting.ts';
import { fileNames, footerOf, grouped, type Report, reportJson, reportOf, storeSheet } from '../tell/index.ts';
import { pageOf, pngOf, svgOf } from '../tell/node.ts';
import { type DeclaredCommand, examples } from './command.ts';
import { Ended } from './failure.ts';
import type { Long } from './options.ts';
import { readTold } from './reading.ts';
import type { Known } from './registry.ts';
import { look, print, printJson, say } from './terminal.ts';

/** What a picture can be written as. */
export type PictureFormat = 'svg' | 'png' | 'json';

type Fixed = ReadonlyMap<string, string>;

/** Several `axis=value`; names may hold `=`, values may not. */
function fixed(value: string, place: string, before: Fixed = new Map()): Fixed {
  const at = value.lastIndexOf('=');
  if (at < 1) throw new InputError(place, 'axis=value', `"${value}"`);
  const axis = value.slice(0, at);
  if (before.has(axis)) throw new InputError(place, 'each axis once', `"${axis}" again`);
  return new Map([...before, [axis, value.slice(at + 1)]]);
}

/** What it is asked with. */
const ASKED = {
  out: text('file', 'the page (default: report.html, unless --figures or --text is given)'),
  figures: text('folder', 'write the pictures as files, too or alone'),
  format: {
    ...wordList('of the pictures, joined by commas: svg, png (300 dpi), json (Vega-Lite)', ['svg', 'png', 'json']),
    default: ['svg', 'png'],
    shown: 'svg,png',
  },
  x: text('axis', 'the axis that goes across (default: one with most values)'),
  y: text('axis', 'the axis that goes up (default: one with most values)'),
  fix: { about: 'axes that stand still, with their values', value: '<axis=value...>', read: fixed },
  of: several('name', 'outcomes and metrics with pictures (default: those that come, and telling ones)'),
  cell: count(0, Number.MAX_SAFE_INTEGER, 'the cell whose laws are shown (default: a typical one)'),
  text: flag('tables on standard output'),
  json: flag('what was found, as one JSON object on standard output'),
} as const satisfies Settings;

export type ReportOptions = Given<typeof ASKED> & Known & Long;

/** Times that a report reads a store: for what comes at all, and for what is shown. */
const READ = 2;

/** Where the page goes unless something else is asked for. */
const PAGE = 'report.html';

/** Writes a file whole or not at all. */
function write(path: string, content: string | Uint8Array): Promise<void> {
  return writeInto(dirname(path), basename(path), content);
}

/** A report never takes the place of what it was made of: no store has files that end so. */
function pagePath(path: string): string {
  if (/^\.html?$/i.test(extname(path))) return path;
  throw new InputError('--out', 'a file that ends in .html', `"${path}"`);
}

/** @returns the size of the page in kB */
async function writePage(report: Report, path: string): Promise<number> {
  const page = await pageOf(report);
  await write(path, page);
  return Math.round(Buffer.byteLength(page) / 1000);
}

async function writeFigures(
  { survey, pictures }: Report,
  folder: string,
  formats: readonly PictureFormat[],
): Promise<void> {
  const footer = footerOf(survey);
  const names = fileNames(pictures);
  for (const [p, picture] of pictures.entries()) {
    const name = names[p] ?? String(p);
    const svg = await svgOf(picture, footer, name);
    for (const format of formats) {
      const path = join(folder, `${name}.${format === 'json' ? 'vl.json' : format}`);
      if (format === 'svg') await write(path, `${svg}\n`);
      else await write(path, format === 'png' ? await pngOf(svg) : `${JSON.stringify(picture.spec, null, 1)}\n`);
    }
  }
  say(`${resolve(folder)}: ${grouped(pictures.length)} pictures written, each as ${formats.join(', ')}`);
}

/** @throws Ended if the store has an answer that contradicts itself: no sweep of this version writes one */
function doubt({ survey: { scores } }: Report): void {
  const { contradiction } = scores;
  if (contradiction === undefined) return;
  const text = toldContradiction(contradiction, contradiction.battles);
  const where = `cell ${grouped(contradiction.cell)}`;
  throw new Ended(
    1,
    `${where}: exact and played contradict each other: ${text}; "warpool verify" checks all of the store`,
  );
}

/**
 * Tells of a store: tables with --text, findings with --json, pictures with --figures, and a page with --out or if
 * nothing else is asked. The whole path of the page is the result where standard output has nothing else to hold.
 */
export async function tellStore(folder: string, options: ReportOptions): Promise<void> {
  const { out, figures, format, text, json, systems, config, quiet, ...wishes } = options;
  const silent = text !== true && json !== true;
  const page = out ?? (figures === undefined && silent ? PAGE : undefined);
  const path = page === undefined ? undefined : pagePath(page);
  if (text === true && json === true) throw new InputError('--json', 'no --text beside it', 'both');
  const report = await readTold(folder, { systems, config, quiet }, READ, (store) => reportOf(store, wishes));
  if (report.survey.cells === 0) throw new RunError(`${folder}: no cell is there yet`);
  if (json === true) printJson(reportJson(report));
  if (text === true) print(storeSheet(report, look(process.stdout)));
  if (figures !== undefined) await writeFigures(report, figures, format);
  if (path !== undefined) {
    const size = await writePage(report, path);
    say(`page written, ${grouped(size)} kB:`);
    if (silent) print(`${resolve(path)}\n`);
    else say(resolve(path));
  }
  doubt(report);
}

const NOTES = `
Of a grid, maps show the two axes with most values, a panel for each value of a third one
that has few, and the others at their middle values; --x, --y and --fix choose otherwise.
A sweep that is not complete can be reported too; the report says what is missing.`;

export const command: DeclaredCommand = {
  description: 'Tells what a sweep found: an HTML page that needs nothing else, pictures for a paper, tables.',
  takes: ['the store of a sweep'],
  asked: ASKED,
  after: [
    NOTES,
    examples(
      'report duels',
      'report duels --text',
      'report duels --json',
      'report duels --figures figures/ --format svg,png --of attacker',
      'report duels --x attacker.hp --y defender.hp --fix skill=2 --out slice.html',
    ),
  ],
  action: (folder: string, options: ReportOptions) => tellStore(folder, options),
};
