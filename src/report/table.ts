/** Text in columns. */
import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import { clean } from './clean.ts';

/** Colours, or functions that leave their text as it is. */
export type Paint = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>>;

const asItIs = (text: string): string => text;

/** No colours. */
export const PLAIN: Paint = {
  bold: asItIs,
  dim: asItIs,
  red: asItIs,
  green: asItIs,
  yellow: asItIs,
  cyan: asItIs,
};

/** How a text is laid out. */
export interface Look {
  /** Characters in a line. */
  readonly width: number;
  readonly paint: Paint;
  /** What becomes of a table, if not columns of text: lines that stand for it. */
  readonly set?: (heads: readonly Column[], rows: Rows) => string[];
}

const LINES = ['top', 'bottom', 'left', 'right', 'mid'].flatMap((place) => [place, `${place}-mid`]);
const CORNERS = ['top-left', 'top-right', 'bottom-left', 'bottom-right', 'left-mid', 'right-mid', 'middle'];
const NO_LINES = Object.fromEntries([...LINES, ...CORNERS].map((place) => [place, '']));

/** The characters of a name as they are seen. */
function charactersOf(name: string): string[] {
  const text = clean(name);
  // The first segmenter of a process takes 9 ms.
  if (/^[ -~]*$/.test(text)) return Array.from(text);
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}

/** A name in at most `width` characters; a longer one loses its middle. */
export function clipped(name: string, width: number): string {
  const characters = charactersOf(name);
  if (characters.length <= width) return characters.join('');
  const end = Math.floor(width / 3);
  return `${characters.slice(0, width - end - 1).join('')}…${characters.slice(-end).join('')}`;
}

/** Letters that a shortened part of a path keeps. */
const ABBREVIATED = 3;

/**
 * A path in one line of at most `width` characters: parts before the last are shortened from the left, as far as need
 * be, and only then the middle is lost: `att.armies[0].units.spearman`.
 */
export function shortened(path: string, width: number): string[] {
  const parts = clean(path).split('.');
  for (let p = 0; p < parts.length - 1 && parts.join('.').length > width; p++) {
    parts[p] = (parts[p] ?? '').replace(/^([^[]*)/, (word) => word.slice(0, ABBREVIATED));
  }
  return [clipped(parts.join('.'), width)];
}

/** What stands between the parts of a joined name. */
const JOINT = ' + ';

/**
 * A name in lines of at most `width` characters. A joined name breaks behind its joints; a part that is too long
 * loses its middle, and looks the same wherever it stands.
 */
export function broken(name: string, width: number): string[] {
  const [first = '', ...others] = clean(name).split(JOINT);
  if (others.length === 0) return [clipped(first, width)];
  const room = width - JOINT.trimEnd().length;
  const lines = [clipped(first, room)];
  for (const [o, other] of others.entries()) {
    const part = clipped(other, room);
    const last = lines.at(-1) ?? '';
    const longer = `${last}${JOINT}${part}`;
    if (charactersOf(longer).length <= (o < others.length - 1 ? room : width)) lines[lines.length - 1] = longer;
    else lines.splice(-1, 1, last + JOINT.trimEnd(), part);
  }
  return lines;
}

/** Breaks text between words; every line is indented. */
export function wrapped(text: string, indent: number, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter((part) => part !== '')) {
    if (line !== '' && indent + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines.map((part) => ' '.repeat(indent) + part);
}

/** Characters that are seen. */
export function lengthOf(text: string): number {
  return stripVTControlCharacters(text).length;
}

/** Pads numbers so that their decimal points stand below each other. */
export function onPoint(numbers: readonly string[]): string[] {
  const parts = numbers.map((text) => stripVTControlCharacters(text).split('.'));
  const before = Math.max(0, ...parts.map(([whole = '']) => whole.length));
  const after = Math.max(0, ...parts.map(([, fraction]) => (fraction === undefined ? 0 : fraction.length + 1)));
  return numbers.map((text, n) => {
    const [whole = '', fraction] = parts[n] ?? [];
    const missing = after - (fraction === undefined ? 0 : fraction.length + 1);
    return ' '.repeat(before - whole.length) + text + ' '.repeat(missing);
  });
}

export interface Column {
  /** One line or several. */
  readonly head: string;
  /** To the right unless said otherwise; `point`: decimal points below each other. */
  readonly align?: 'left' | 'right' | 'point';
}

export type Rows = readonly (readonly string[])[];

/** Aligns the columns that want it on their decimal points. */
function pointed(heads: readonly Column[], rows: Rows): Rows {
  const aligned = new Map<number, string[]>();
  for (const [c, { align }] of heads.entries()) {
    if (align === 'point') aligned.set(c, onPoint(rows.map((row) => row[c] ?? '')));
  }
  return rows.map((row, r) => row.map((cell, c) => aligned.get(c)?.[r] ?? cell));
}

/** Blanks between two columns. */
const GAP = 2;

/** A line that goes on with a name. */
const INDENTED = `\n${' '.repeat(GAP)}`;

/** Names are not cut shorter than this, however narrow the terminal. */
const SHORTEST = 12;

/** Puts a name into lines of so many characters. */
export type Fit = (name: string, width: number) => string[];

/** Breaks or cuts the names in the first column to what the others leave of the width. */
function fitted(heads: readonly Column[], rows: Rows, width: number, laid: Fit): Rows {
  const rest = heads.slice(1).map(({ head }, c) => {
    const cells = rows.map((row) => lengthOf(row[c + 1] ?? ''));
    return Math.max(...head.split('\n').map(lengthOf), ...cells) + GAP;
  });
  const room = Math.max(SHORTEST, width - rest.reduce((sum, column) => sum + column, 0));
  return rows.map(([name = '', ...cells]) => {
    const lines = laid(name, room);
    return [lines.length > 1 ? laid(name, room - GAP).join(INDENTED) : lines.join(''), ...cells];
  });
}

/**
 * Rows under a dim heading, no lines. The first column holds names, broken or cut where the line would be longer
 * than the width; other cells stay whole.
 */
export function columns(heads: readonly Column[], rows: Rows, look: Look, laid: Fit = broken): string[] {
  const { width, paint, set } = look;
  if (set !== undefined) return set(heads, rows);
  const table = new Table({
    chars: NO_LINES,
    style: { 'padding-left': 0, 'padding-right': GAP, head: [], border: [] },
    colAligns: heads.map(({ align }) => (align === 'left' ? 'left' : 'right')),
  });
  const dim = (head: string): string => head.split('\n').map(paint.dim).join('\n');
  if (heads.some(({ head }) => head !== ''))
    table.push(heads.map(({ head }) => ({ content: dim(head), vAlign: 'bottom' })));
  table.push(...fitted(heads, pointed(heads, rows), width, laid).map((row) => [...row]));
  const text = table.toString();
  return text === '' ? [] : text.split('\n').map((line) => line.trimEnd());
}
