/** Wrapping by displayed width: CJK characters have two columns, combining marks none. */
import stringWidth from 'string-width';
import { sanitizeLine } from './sanitize.ts';
import { getTableWidth, type TerminalStyle } from './terminal-style.ts';

/** Printable characters of one column. Others need the segmenter, whose first use takes 9 ms. */
const SINGLE_WIDTH_TEXT = /^[ -~\u00A1-\u00AC\u00AE-\u02FF\u2010-\u2027\u2030-\u205E\u2190-\u21FF\u2500-\u259F]*$/;

/** Escape sequences of `Paint`. Sanitized texts contain no escape characters. */
const COLOR_CODES = new RegExp(String.raw`${'\u001B'}\[[\d;]*m`, 'g');

const stripColors = (text: string): string => text.replaceAll(COLOR_CODES, '');

/** Number of columns of a text on a terminal, without colors. */
export function measureText(text: string): number {
  const plain = stripColors(text);
  return SINGLE_WIDTH_TEXT.test(plain) ? plain.length : stringWidth(plain);
}

/** Pads a text with spaces to a width. */
export function padText(text: string, width: number, align: 'left' | 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - measureText(text)));
  return align === 'left' ? text + blanks : blanks + text;
}

/** Possible line breaks in names, by preference: after joints, between words, after punctuation. */
const BREAK_PATTERNS: readonly RegExp[] = [/(?<= [-+/] )/, /(?<= )(?![-+/] )/, /(?<=[^\s./_-][./_-])(?=\S)/];

function splitName(text: string, width: number, [place, ...finer]: readonly RegExp[]): string[] {
  if (place === undefined || measureText(text.trimEnd()) <= width) return [text];
  const lines: string[] = [];
  for (const piece of text.split(place)) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && measureText(last + piece.trimEnd()) <= width) lines[lines.length - 1] = last + piece;
    else lines.push(...splitName(piece, width, finer));
  }
  return lines;
}

/** Wraps a name to lines of at most `width` columns. Single words are not broken and may be longer. */
export function breakName(name: string, width: number): string[] {
  return splitName(sanitizeLine(name), width, BREAK_PATTERNS).map((line) => line.trimEnd());
}

/** Indentation of continued lines of a name. */
const INDENT = 2;

/** Wraps a name, with indented lines after the first one. */
export function breakNameIndented(name: string, width: number): string[] {
  const [first = ''] = breakName(name, width);
  const rest = sanitizeLine(name).slice(first.length).trimStart();
  if (rest === '') return [first];
  return [first, ...breakName(rest, width - INDENT).map((line) => ' '.repeat(INDENT) + line)];
}

/** Minimum width of wrapped names. */
const MIN_BREAK_WIDTH = 16;

/** Smallest number of columns that a name fits into. */
export function getLeastWidth(name: string): number {
  return Math.max(
    Math.min(MIN_BREAK_WIDTH, measureText(name)),
    ...breakNameIndented(name, MIN_BREAK_WIDTH).map(measureText),
  );
}

/** Wraps the head of a column. */
export function formatHeading(name: string): string {
  return breakName(name, MIN_BREAK_WIDTH).join('\n');
}

/** Spaces between words, but not within a number or before its unit. */
const WORD_GAP = / +(?!%|(?<=\d )\d{3}(?!\d))/;

/** Wraps text between words, with an indentation. */
export function wrapText(text: string, indent: number, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.trim().split(WORD_GAP)) {
    if (line !== '' && indent + measureText(line) + 1 + measureText(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines.map((part) => ' '.repeat(indent) + part);
}

/** Wraps a sentence to the width of tables: in a pipe, one line. */
export const wrapSentence = (text: string, look: TerminalStyle): string[] => wrapText(text, 0, getTableWidth(look));

/** Formats a dim sentence. */
export const formatDimSentence = (text: string, look: TerminalStyle): string[] =>
  wrapSentence(text, look).map(look.paint.dim);

/** Joins facts with dots, in one or more lines. */
export function joinFacts(facts: readonly string[], look: TerminalStyle): string[] {
  const { paint } = look;
  const width = getTableWidth(look);
  const lines: string[] = [];
  for (const fact of facts) {
    const last = lines.at(-1);
    const longer = `${last ?? ''}${paint.dim(' · ')}${fact}`;
    if (last !== undefined && measureText(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(...wrapText(fact, 0, width));
  }
  return lines;
}

/** Pads numbers to align their decimal points. */
export function alignDecimalPoints(numbers: readonly string[]): string[] {
  const parts = numbers.map((text) => stripColors(text).split('.'));
  const before = Math.max(0, ...parts.map(([whole = '']) => whole.length));
  const after = Math.max(0, ...parts.map(([, fraction]) => (fraction === undefined ? 0 : fraction.length + 1)));
  return numbers.map((text, n) => {
    const [whole = '', fraction] = parts[n] ?? [];
    const missing = after - (fraction === undefined ? 0 : fraction.length + 1);
    return ' '.repeat(before - whole.length) + text + ' '.repeat(missing);
  });
}
