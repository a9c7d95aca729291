/** The terminal: its width, its colours, its two streams. */
import type { WriteStream } from 'node:tty';
import colours from 'picocolors';
import { sanitizeLine, type TerminalStyle } from '../report/index.ts';

/** Characters in a line of text where nobody says: a file, a pipe. */
const DEFAULT_WIDTH = 80;

/** The narrowest and the widest line of text. */
const [NARROWEST, WIDEST] = [40, 200];

/** What we look at of a stream. */
type TerminalStream = Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

/** What a terminal says, or else the variable COLUMNS; a file or a pipe without it takes tables of any width. */
export function measureWidths({ isTTY, columns = 0 }: TerminalStream): {
  readonly width: number;
  readonly tableWidth: number;
} {
  const found = Math.floor(isTTY === true ? columns : Number(process.env['COLUMNS']));
  if (!(found > 0))
    return { width: DEFAULT_WIDTH, tableWidth: isTTY === true ? DEFAULT_WIDTH : Number.POSITIVE_INFINITY };
  const tableWidth = Math.max(NARROWEST, found);
  return { width: Math.min(tableWidth, WIDEST), tableWidth };
}

/** How wide a stream is, and colours if it is a terminal or FORCE_COLOR asks for them (CI logs), unless NO_COLOR is set. */
export function readTextStyle(stream: TerminalStream): TerminalStyle {
  const { NO_COLOR, FORCE_COLOR = '', TERM } = process.env;
  const forced = !['', '0', 'false'].includes(FORCE_COLOR);
  const coloured = !NO_COLOR && (forced || (stream.isTTY === true && TERM !== 'dumb'));
  return { ...measureWidths(stream), paint: colours.createColors(coloured) };
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
export function printStatus(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** A note of warpool, part of which may come from other machines. */
export function printNote(text: string): void {
  printStatus(`warpool: ${sanitizeLine(text)}`);
}
