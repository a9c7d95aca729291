/** Pages of single results. */
import { stat } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';
import { InputError, version } from '../core/index.ts';
import { checkOutput, writeInto } from '../core/node.ts';
import { optionName } from '../rules/setting.ts';
import { grouped } from '../tell/index.ts';
import type { Subject } from '../tell/node.ts';
import { say } from './terminal.ts';

/**
 * Refuses before anything is played what could not be written, and names that say something else.
 * @throws InputError
 */
export async function checkPage(path: string | undefined, place = '--page'): Promise<void> {
  if (path === undefined) return;
  if (!/^\.html?$/i.test(extname(path))) throw new InputError(place, 'a file that ends in .html', `"${path}"`);
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined && !found.isFile())
    throw new InputError(place, 'a file', `${found.isDirectory() ? 'a folder' : 'a device or pipe'} "${path}"`);
  await checkOutput(path, place);
}

/** Writes a page whole or not at all, and says where. @throws RunError if it cannot be written */
export async function writePage(path: string, page: string): Promise<void> {
  await writeInto(dirname(path), basename(path), page);
  say(`${path}: written, ${grouped(Math.round(Buffer.byteLength(page) / 1000))} kB`);
}

/** A word as a POSIX shell takes it. */
function quoted(word: string): string {
  return /^[\w%+./:=@,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Options that change nothing but what is printed and how fast. */
const IDLE: ReadonlySet<string> = new Set(['json', 'quiet', 'page', 'figure', 'workers', 'histograms']);

/** What options are unless they are given. */
const DEFAULTS: Readonly<Record<string, unknown>> = { config: true, from: 0, engine: 'kernel', exact: 'auto' };

/** Options that are given once for each of their values. */
const REPEATED: ReadonlySet<string> = new Set(['set', 'systems']);

/** Options that take one word with commas. */
const LISTS: ReadonlySet<string> = new Set(['fields']);

function wordsOf(name: string, value: unknown): string[] {
  const option = optionName(name);
  if (value === true) return [option];
  if (value === false) return [`--no-${name}`];
  if (Array.isArray(value) && REPEATED.has(name)) return value.flatMap((each) => [option, quoted(String(each))]);
  const values = Array.isArray(value) && !LISTS.has(name) ? value : [String(value)];
  return [option, ...values.map((each) => quoted(String(each)))];
}

/**
 * The command with these options again: `warpool run duel.yaml --battles 1000 --seed 1`.
 * @param files  the scenarios, as they were named
 */
export function commandOf(command: string, files: readonly string[], options: object): string {
  const given = Object.entries(options).filter(
    ([name, value]) => !IDLE.has(name) && value !== undefined && value !== (DEFAULTS[name] ?? false),
  );
  const words = given.flatMap(([name, value]) => wordsOf(name, value));
  return ['warpool', command, ...files.map(quoted), ...words].join(' ');
}

/** The origin of a page. Pages bring pictures along, so commands load them where one is wanted. */
export const subjectOf = (name: string, ...command: Parameters<typeof commandOf>): Subject => ({
  version: version(),
  name,
  command: commandOf(...command),
});
