/** The terminal: its width, its colours, its two streams. */
import type { WriteStream } from 'node:tty';
import colours from 'picocolors';
import type { Look } from '../report/table.ts';

/** Characters in a line where nobody says: a file, a pipe. */
const WIDTH = 80;

/** What we look at of a stream. */
type Screen = Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

function widthOf({ isTTY, columns = WIDTH }: Screen): number {
  const found = isTTY === true ? columns : Number(process.env['COLUMNS']);
  return found >= 40 ? Math.min(found, 200) : WIDTH;
}

/** How wide a stream is, and colours if it is for people: a terminal, and NO_COLOR is not set. */
export function look(stream: Screen): Look {
  const { NO_COLOR, TERM } = process.env;
  const coloured = stream.isTTY === true && !NO_COLOR && TERM !== 'dumb';
  return { width: widthOf(stream), paint: colours.createColors(coloured) };
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
