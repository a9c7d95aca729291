/** `warpool report` */

import { basename, dirname, extname, join, resolve } from 'node:path';
import { createConflictError, InputError, RunError } from '../core/index.ts';
import { writeInto } from '../core/node.ts';
import {
  createFileNames,
  createReportJson,
  createSweepReport,
  formatFooter,
  formatGrouped,
  formatSweepReportSheet,
  type SweepReport,
} from '../report/index.ts';
import { loadResvg, renderPng, renderSvg, renderSweepReport } from '../report/node.ts';
import { count, flag, type OptionSpecs, type ParsedOptions, several, text, wordList } from '../rules/option-spec.ts';
import { describeContradiction } from '../stats/index.ts';
import { type CommandDeclaration, formatExamples } from './command.ts';
import { CommandExit } from './failure.ts';
import type { LongRunningOptions } from './options.ts';
import { readStoreWithProgress } from './read-store.ts';
import type { RegistryOptions } from './registry.ts';
import { print, printJson, printStatus, readTextStyle } from './terminal.ts';

/** Formats of figures. */
export type FigureFormat = 'svg' | 'png' | 'json';

type FixedAxes = ReadonlyMap<string, string>;

/** Several `axis=value`; names may hold `=`, values may not. */
function parseFixedAxes(value: string, place: string, before: FixedAxes = new Map()): FixedAxes {
  const at = value.lastIndexOf('=');
  if (at < 1) throw new InputError(place, 'axis=value', `"${value}"`);
  const axis = value.slice(0, at);
  if (before.has(axis)) throw new InputError(place, 'each axis at most once', `"${axis}" again`);
  return new Map([...before, [axis, value.slice(at + 1)]]);
}

const OPTIONS = {
  out: text('file', 'HTML report (default: report.html, or none with --figures or --text)'),
  figures: text('folder', 'write the figures as files into this folder'),
  format: wordList(
    'formats of the figures, joined by commas: svg, png (300 dpi, requires @resvg/resvg-js), json (Vega-Lite) (default: svg, and png if possible)',
    ['svg', 'png', 'json'],
  ),
  x: text('axis', 'horizontal axis (default: one with the most values)'),
  y: text('axis', 'vertical axis (default: one with the most values)'),
  fix: { about: 'axes to hold constant, with their values', value: '<axis=value...>', read: parseFixedAxes },
  of: several('name', 'outcomes and metrics with figures (default: observed outcomes and informative metrics)'),
  cell: count(0, Number.MAX_SAFE_INTEGER, 'cell whose distributions are shown (default: a typical cell)'),
  text: flag('print tables on standard output'),
  json: flag('print the results as one JSON object on standard output'),
} as const satisfies OptionSpecs;

export type ReportCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions & LongRunningOptions;

/** Number of passes over the store: one finds the observed outcomes, one collects the data. */
const STORE_READS = 2;

/** Default path of the HTML report. */
const DEFAULT_PATH = 'report.html';

/** Writes a file atomically. */
function writeReportFile(path: string, content: string | Uint8Array): Promise<void> {
  return writeInto(dirname(path), basename(path), content);
}

/** Requires `.html`, so that a report cannot overwrite files of a store. */
function checkReportPath(path: string): string {
  if (/^\.html?$/i.test(extname(path))) return path;
  throw new InputError('--out', 'a file that ends in .html', `"${path}"`);
}

/** Checks that the formats can be written. @returns the default ones if none are requested */
async function resolveFormats({ figures, format: requested }: ReportCommandOptions): Promise<readonly FigureFormat[]> {
  if (figures === undefined) return [];
  if (requested?.includes('png') === false) return requested;
  const loaded = loadResvg().then(() => requested ?? (['svg', 'png'] as const));
  return requested === undefined ? await loaded.catch(() => ['svg'] as const) : await loaded;
}

/** @returns size of the HTML file in kB */
async function writeReportHtml(report: SweepReport, path: string): Promise<number> {
  const page = await renderSweepReport(report);
  await writeReportFile(path, page);
  return Math.round(Buffer.byteLength(page) / 1000);
}

async function writeFigures(
  { survey, figures }: SweepReport,
  folder: string,
  formats: readonly FigureFormat[],
): Promise<void> {
  const footer = formatFooter(survey);
  const names = createFileNames(figures);
  for (const [p, picture] of figures.entries()) {
    const name = names[p] ?? String(p);
    const svg = await renderSvg(picture, footer, name);
    for (const format of formats) {
      const path = join(folder, `${name}.${format === 'json' ? 'vl.json' : format}`);
      if (format === 'svg') await writeReportFile(path, `${svg}\n`);
      else
        await writeReportFile(
          path,
          format === 'png' ? await renderPng(svg) : `${JSON.stringify(picture.spec, null, 1)}\n`,
        );
    }
  }
  printStatus(`${resolve(folder)}: ${formatGrouped(figures.length)} figures written, each as ${formats.join(', ')}`);
}

/** @throws CommandExit if the store has an inconsistent answer, which no sweep of this version writes */
function checkScores({ survey: { scores } }: SweepReport): void {
  const { contradiction } = scores;
  if (contradiction === undefined) return;
  const text = describeContradiction(contradiction, contradiction.battles);
  const where = `cell ${formatGrouped(contradiction.cell)}`;
  throw new CommandExit(
    1,
    `${where}: exact and simulated results disagree: ${text}; "warpool verify" checks the whole store`,
  );
}

/**
 * Prints a report of a store: tables with --text, JSON with --json, figures with --figures, and HTML with --out or by
 * default. The path of the HTML file goes to standard output if nothing else does.
 */
export async function printReport(folder: string, options: ReportCommandOptions): Promise<void> {
  const { out, figures, format: _format, text, json, systems, config, quiet, ...targets } = options;
  const silent = text !== true && json !== true;
  const page = out ?? (figures === undefined && silent ? DEFAULT_PATH : undefined);
  const path = page === undefined ? undefined : checkReportPath(page);
  if (text === true && json === true) throw createConflictError('--json', '--text');
  const formats = await resolveFormats(options);
  const report = await readStoreWithProgress(folder, { systems, config, quiet }, STORE_READS, (store) =>
    createSweepReport(store, targets),
  );
  if (report.survey.cells === 0) throw new RunError(`${folder}: the sweep has no finished cell yet`);
  if (json === true) printJson(createReportJson(report));
  if (text === true) print(formatSweepReportSheet(report, readTextStyle(process.stdout)));
  if (figures !== undefined) await writeFigures(report, figures, formats);
  if (path !== undefined) {
    const size = await writeReportHtml(report, path);
    printStatus(`report written, ${formatGrouped(size)} kB:`);
    if (silent) print(`${resolve(path)}\n`);
    else printStatus(resolve(path));
  }
  checkScores(report);
}

const NOTES = `
For a grid, heat maps show the two axes with the most values, one panel for each value of a third axis that has few values,
and all other axes at their middle values. Use --x, --y and --fix to choose others.
An incomplete sweep can be reported too; the report lists the missing parts.`;

export const command: CommandDeclaration = {
  description: 'Reports the results of a sweep: a self-contained HTML file, figures for a paper, or tables.',
  parameters: ['folder of a sweep'],
  settings: OPTIONS,
  notes: [
    NOTES,
    formatExamples(
      'report duels',
      'report duels --text',
      'report duels --json',
      'report duels --figures figures/ --format svg,png --of attacker',
      'report duels --x attacker.hp --y defender.hp --fix skill=2 --out slice.html',
    ),
  ],
  action: (folder: string, options: ReportCommandOptions) => printReport(folder, options),
};
