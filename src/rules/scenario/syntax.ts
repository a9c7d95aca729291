/** Errors of syntax in our own form. */
import type { Document, LineCounter, YAMLError } from 'yaml';
import { type Problem, quoted } from './problem.ts';

/** Levels of nesting that a file may have. */
export const DEPTH_LIMIT = 64;

export type Said = readonly [expected: string, found: string];

export const TOO_DEEP: Said = [`at most ${String(DEPTH_LIMIT)} levels of nesting`, 'more'];

/** Codes that we put into words; the library's own words serve for all others. */
const WORDS: Readonly<Record<string, Said>> = {
  TAB_AS_INDENT: ['spaces for indentation', 'a tab'],
  MULTIPLE_DOCS: ['one document', 'a second one'],
  RESOURCE_EXHAUSTION: TOO_DEEP,
};

/** What the text holds at an offset, to the end of the line. */
function rest(text: string, offset: number): string {
  const line = text.slice(offset).split(/\r?\n/, 1)[0]?.trim() ?? '';
  if (line !== '') return quoted(line);
  return offset >= text.trimEnd().length ? 'the end of the file' : 'the end of the line';
}

function syntaxError({ code, message, pos: [offset] }: YAMLError, text: string): Problem {
  const tell = () => {
    const [expected, found] = WORDS[code] ?? ['', ''];
    if (expected !== '') return { expected, found };
    const reason = `${message.slice(0, 1).toLowerCase()}${message.slice(1, 100)}`;
    return { expected: 'valid YAML', found: `${rest(text, offset)} (${reason})` };
  };
  return { path: [], of: 'value', offset, tell };
}

/** One syntax error a line: the first, for the others follow from it. */
export function syntaxErrors({ errors }: Document, text: string, counter: LineCounter): Problem[] {
  const byLine = new Map<number, Problem>();
  for (const error of errors) {
    const { line } = counter.linePos(error.pos[0]);
    if (!byLine.has(line)) byLine.set(line, syntaxError(error, text));
  }
  return [...byLine.values()];
}
