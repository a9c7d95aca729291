/** The terminal: its width, its colours, its two streams. */
import type { WriteStream } from 'node:tty';
import colours from 'picocolors';
import { clean, type Look } from '../tell/index.ts';

/** Characters in a line of text where nobody says: a file, a pipe. */
const WIDTH = 80;

/** The narrowest and the widest line of text. */
const [NARROWEST, WIDEST] = [40, 200];

/** What we look at of a stream. */
type Screen = Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

/** What a terminal says, or else the variable COLUMNS; a file or a pipe without it takes tables of any width. */
export function widthsOf({ isTTY, columns = 0 }: Screen): { readonly width: number; readonly tables: number } {
  const found = Math.floor(isTTY === true ? columns : Number(process.env['COLUMNS']));
  if (!(found > 0)) return { width: WIDTH, tables: isTTY === true ? WIDTH : Number.POSITIVE_INFINITY };
  const tables = Math.max(NARROWEST, found);
  return { width: Math.min(tables, WIDEST), tables };
}

/** How wide a stream is, and colours if it is a terminal or FORCE_COLOR asks for them (CI logs), unless NO_COLOR is set. */
export function look(stream: Screen): Look {
  const { NO_COLOR, FORCE_COLOR = '', TERM } = process.env;
  const forced = !['', '0', 'false'].includes(FORCE_COLOR);
  const coloured = !NO_COLOR && (forced || (stream.isTTY === true && TERM !== 'dumb'));
  return { ...widthsOf(stream), paint: colours.createColors(coloured) };
}

/** A command's result. */
export function print(text: string): void {
  process.stdout.write(text);
}

/** An object as one JSON text. */
export function printJson(value: unknown): void {
  print(`${JSON.stringify(value)}\n`);
}

/** What is said beside the result. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** A note of warpool, part of which may come from other machines. */
export function note(text: string): void {
  say(`warpool: ${clean(text)}`);
}
