/** Text in lines of a given width, as it is displayed: a CJK character takes two columns, a combining mark none. */
import stringWidth from 'string-width';
import { clean } from './clean.ts';
import { type Look, tableWidth } from './look.ts';

/** Printable characters of one column each; measuring others takes the segmenter, whose first use takes 9 ms. */
const NARROW = /^[ -~\u00A1-\u00AC\u00AE-\u02FF\u2010-\u2027\u2030-\u205E\u2190-\u21FF\u2500-\u259F]*$/;

/** The colours that `Paint` gives: texts of files hold no escape character, see `clean`. */
const COLOURS = new RegExp(String.raw`${'\u001B'}\[[\d;]*m`, 'g');

const bare = (text: string): string => text.replaceAll(COLOURS, '');

/** Columns that a text takes on a terminal; colours take none. */
export function lengthOf(text: string): number {
  const plain = bare(text);
  return NARROW.test(plain) ? plain.length : stringWidth(plain);
}

/** Fills a text with blanks up to a width. */
export function padded(text: string, width: number, align: 'left' | 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - lengthOf(text)));
  return align === 'left' ? text + blanks : blanks + text;
}

/** Where names are broken: behind the joints of joined names, else between words, else behind punctuation. */
const PLACES: readonly RegExp[] = [/(?<= [-+/] )/, /(?<= )(?![-+/] )/, /(?<=[^\s./_-][./_-])(?=\S)/];

function pieces(text: string, width: number, [place, ...finer]: readonly RegExp[]): string[] {
  if (place === undefined || lengthOf(text.trimEnd()) <= width) return [text];
  const lines: string[] = [];
  for (const piece of text.split(place)) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && lengthOf(last + piece.trimEnd()) <= width) lines[lines.length - 1] = last + piece;
    else lines.push(...pieces(piece, width, finer));
  }
  return lines;
}

/** A name in lines of at most `width` columns. It stays whole: a single word may be longer. */
export function broken(name: string, width: number): string[] {
  return pieces(clean(name), width, PLACES).map((line) => line.trimEnd());
}

/** Blanks before a line that goes on with a name. */
const INDENT = 2;

/** A name in lines, those after the first indented. */
export function continued(name: string, width: number): string[] {
  const [first = ''] = broken(name, width);
  const rest = clean(name).slice(first.length).trimStart();
  if (rest === '') return [first];
  return [first, ...broken(rest, width - INDENT).map((line) => ' '.repeat(INDENT) + line)];
}

/** Names are not broken for less. */
const SHORTEST = 16;

/** The fewest columns in which a name has room. */
export function leastWidth(name: string): number {
  return Math.max(Math.min(SHORTEST, lengthOf(name)), ...continued(name, SHORTEST).map(lengthOf));
}

/** A name over a column. */
export function headed(name: string): string {
  return broken(name, SHORTEST).join('\n');
}

/** Blanks between words, not those within a number or before its unit. */
const BETWEEN = / +(?!%|(?<=\d )\d{3}(?!\d))/;

/** Breaks text between words; every line is indented. */
export function wrapped(text: string, indent: number, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.trim().split(BETWEEN)) {
    if (line !== '' && indent + lengthOf(line) + 1 + lengthOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines.map((part) => ' '.repeat(indent) + part);
}

/** A sentence in lines that are as long as those of tables may be: in a pipe it is one. */
export const flowed = (text: string, look: Look): string[] => wrapped(text, 0, tableWidth(look));

/** A dim sentence. */
export const said = (text: string, look: Look): string[] => flowed(text, look).map(look.paint.dim);

/** Facts with dots between them, in as many lines as it takes. */
export function dotted(facts: readonly string[], look: Look): string[] {
  const { paint } = look;
  const width = tableWidth(look);
  const lines: string[] = [];
  for (const fact of facts) {
    const last = lines.at(-1);
    const longer = `${last ?? ''}${paint.dim(' · ')}${fact}`;
    if (last !== undefined && lengthOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(...wrapped(fact, 0, width));
  }
  return lines;
}

/** Pads numbers so that their decimal points stand below each other. */
export function onPoint(numbers: readonly string[]): string[] {
  const parts = numbers.map((text) => bare(text).split('.'));
  const before = Math.max(0, ...parts.map(([whole = '']) => whole.length));
  const after = Math.max(0, ...parts.map(([, fraction]) => (fraction === undefined ? 0 : fraction.length + 1)));
  return numbers.map((text, n) => {
    const [whole = '', fraction] = parts[n] ?? [];
    const missing = after - (fraction === undefined ? 0 : fraction.length + 1);
    return ' '.repeat(before - whole.length) + text + ' '.repeat(missing);
  });
}
