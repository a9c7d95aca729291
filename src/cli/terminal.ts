/** Terminal: width, colors, and output streams. */
import type { WriteStream } from 'node:tty';
import colours from 'picocolors';
import { sanitizeLine, type TerminalStyle } from '../report/index.ts';

/** Line width of text for a file or a pipe. */
const DEFAULT_WIDTH = 80;

/** Minimum and maximum line width of text. */
const [NARROWEST, WIDEST] = [40, 200];

/** Required properties of a stream. */
type TerminalStream = Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

/** Measures a terminal, or uses the variable COLUMNS; without both, tables may have any width. */
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

/**
 * Returns the width of a stream, and colors if it is a terminal or FORCE_COLOR is set (CI logs), unless NO_COLOR is
 * set.
 */
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

/** Prints an object as JSON. */
export function printJson(value: unknown): void {
  print(`${JSON.stringify(value)}\n`);
}

/** Prints a status line on standard error. */
export function printStatus(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Prints a note, parts of which may come from other machines. */
export function printNote(text: string): void {
  printStatus(`warpool: ${sanitizeLine(text)}`);
}
