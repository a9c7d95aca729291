/** Text in lines of a given width, as it is displayed: a CJK character takes two columns, a combining mark none. */
import stringWidth from 'string-width';
import { sanitizeLine } from './sanitize.ts';
import { getTableWidth, type TerminalStyle } from './terminal-style.ts';

/** Printable characters of one column each; measuring others takes the segmenter, whose first use takes 9 ms. */
const SINGLE_WIDTH_TEXT = /^[ -~\u00A1-\u00AC\u00AE-\u02FF\u2010-\u2027\u2030-\u205E\u2190-\u21FF\u2500-\u259F]*$/;

/** The colours that `Paint` gives: texts of files hold no escape character, see `clean`. */
const COLOR_CODES = new RegExp(String.raw`${'\u001B'}\[[\d;]*m`, 'g');

const stripColors = (text: string): string => text.replaceAll(COLOR_CODES, '');

/** Columns that a text takes on a terminal; colours take none. */
export function measureText(text: string): number {
  const plain = stripColors(text);
  return SINGLE_WIDTH_TEXT.test(plain) ? plain.length : stringWidth(plain);
}

/** Fills a text with blanks up to a width. */
export function padText(text: string, width: number, align: 'left' | 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - measureText(text)));
  return align === 'left' ? text + blanks : blanks + text;
}

/** Where names are broken: behind the joints of joined names, else between words, else behind punctuation. */
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

/** A name in lines of at most `width` columns. It stays whole: a single word may be longer. */
export function breakName(name: string, width: number): string[] {
  return splitName(sanitizeLine(name), width, BREAK_PATTERNS).map((line) => line.trimEnd());
}

/** Blanks before a line that goes on with a name. */
const INDENT = 2;

/** A name in lines, those after the first indented. */
export function breakNameIndented(name: string, width: number): string[] {
  const [first = ''] = breakName(name, width);
  const rest = sanitizeLine(name).slice(first.length).trimStart();
  if (rest === '') return [first];
  return [first, ...breakName(rest, width - INDENT).map((line) => ' '.repeat(INDENT) + line)];
}

/** Names are not broken for less. */
const MIN_BREAK_WIDTH = 16;

/** The fewest columns in which a name has room. */
export function getLeastWidth(name: string): number {
  return Math.max(
    Math.min(MIN_BREAK_WIDTH, measureText(name)),
    ...breakNameIndented(name, MIN_BREAK_WIDTH).map(measureText),
  );
}

/** A name over a column. */
export function formatHeading(name: string): string {
  return breakName(name, MIN_BREAK_WIDTH).join('\n');
}

/** Blanks between words, not those within a number or before its unit. */
const WORD_GAP = / +(?!%|(?<=\d )\d{3}(?!\d))/;

/** Breaks text between words; every line is indented. */
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

/** A sentence in lines that are as long as those of tables may be: in a pipe it is one. */
export const wrapSentence = (text: string, look: TerminalStyle): string[] => wrapText(text, 0, getTableWidth(look));

/** A dim sentence. */
export const formatDimSentence = (text: string, look: TerminalStyle): string[] =>
  wrapSentence(text, look).map(look.paint.dim);

/** Facts with dots between them, in as many lines as it takes. */
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

/** Pads numbers so that their decimal points stand below each other. */
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
