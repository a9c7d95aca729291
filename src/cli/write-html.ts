/** Pages of single results. */
import { stat } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';
import { InputError, version } from '../core/index.ts';
import { checkOutput, writeInto } from '../core/node.ts';
import { formatGrouped } from '../report/index.ts';
import type { PageOrigin } from '../report/node.ts';
import { formatOptionName } from '../rules/option-spec.ts';
import { printStatus } from './terminal.ts';

/**
 * Rejects paths that cannot be written or lack `.html`, before the simulation.
 * @throws InputError
 */
export async function checkHtmlPath(path: string | undefined, place = '--html'): Promise<void> {
  if (path === undefined) return;
  if (!/^\.html?$/i.test(extname(path))) throw new InputError(place, 'a file that ends in .html', `"${path}"`);
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined && !found.isFile())
    throw new InputError(place, 'a file', `${found.isDirectory() ? 'a folder' : 'a device or pipe'} "${path}"`);
  await checkOutput(path, place);
}

/** Writes an HTML file atomically and prints its path. @throws RunError if it cannot be written */
export async function writeHtml(path: string, page: string): Promise<void> {
  await writeInto(dirname(path), basename(path), page);
  printStatus(`${path}: written, ${formatGrouped(Math.round(Buffer.byteLength(page) / 1000))} kB`);
}

/** Quotes a word for a POSIX shell. */
export function quoteShellWord(word: string): string {
  return /^[\w%+./:=@,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Options that affect only output and speed. */
const OUTPUT_OPTIONS: ReadonlySet<string> = new Set(['json', 'quiet', 'html', 'figure', 'workers', 'histograms']);

/** Default values of options. */
const OPTION_DEFAULTS: Readonly<Record<string, unknown>> = { config: true, from: 0, engine: 'kernel', exact: 'auto' };

/** Options that are repeated for each value. */
const REPEATED_OPTIONS: ReadonlySet<string> = new Set(['set', 'systems']);

/** Options with values joined by commas. */
const LIST_OPTIONS: ReadonlySet<string> = new Set(['fields']);

function formatOption(name: string, value: unknown): string[] {
  const option = formatOptionName(name);
  if (value === true) return [option];
  if (value === false) return [`--no-${name}`];
  if (Array.isArray(value) && REPEATED_OPTIONS.has(name))
    return value.flatMap((each) => [option, quoteShellWord(String(each))]);
  const values = Array.isArray(value) && !LIST_OPTIONS.has(name) ? value : [String(value)];
  return [option, ...values.map((each) => quoteShellWord(String(each)))];
}

/**
 * Formats the command with its options: `warpool run duel.yaml --battles 1000 --seed 1`.
 * @param files scenarios in their original form
 */
export function formatCommand(command: string, files: readonly string[], options: object): string {
  const given = Object.entries(options).filter(
    ([name, value]) => !OUTPUT_OPTIONS.has(name) && value !== undefined && value !== (OPTION_DEFAULTS[name] ?? false),
  );
  const words = given.flatMap(([name, value]) => formatOption(name, value));
  return ['warpool', command, ...files.map(quoteShellWord), ...words].join(' ');
}

/** Creates the origin of a page. Figures are large to load, so they are loaded on demand. */
export const createPageSubject = (name: string, ...command: Parameters<typeof formatCommand>): PageOrigin => ({
  version: version(),
  name,
  command: formatCommand(...command),
  renderSvg: async (...given) => (await import('../report/figures/render.ts')).renderSvg(...given),
});
