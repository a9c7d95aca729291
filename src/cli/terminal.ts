/** The terminal: its width, its colours, its two streams. */
import colours from 'picocolors';
import type { Look } from '../tell/text/table.ts';
import { type Screen, widthsOf } from './width.ts';

/** How wide a stream is, and colours if it is for people: a terminal, and NO_COLOR is not set. */
export function look(stream: Screen): Look {
  const { NO_COLOR, TERM } = process.env;
  const coloured = stream.isTTY === true && !NO_COLOR && TERM !== 'dumb';
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
