/** HTML from templates: whatever is put in is escaped, unless it is markup itself. */
import type { Marks, MarkTone } from '../marks.ts';
import { cleanText } from '../text/clean.ts';
import { escaped } from '../text/escape.ts';

/** Text that is HTML already. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | readonly Markup[];

/** A text as it stands between tags or in a quoted attribute. */
const written = (text: string): string => escaped(cleanText(text)).replaceAll("'", '&#39;');

function shown(part: Part): string {
  if (part instanceof Markup) return part.text;
  return typeof part === 'object' ? part.map(({ text }) => text).join('\n') : written(String(part));
}

/** A template of HTML. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.reduce((text, string, s) => text + shown(parts[s - 1] ?? '') + string));
}

/** Where a name may break into lines: behind dots, dashes, underscores and within `camelCase`, before brackets. */
const JOINTS = /(?<=[.,_/+-])(?=[^\s\d])|(?<=[a-z])(?=[A-Z[])/g;

/** Characters up to which a name stays in one line. */
const SHORT = 12;

/** A name that breaks at its joints only, never within a word. */
export function named(name: string): Markup {
  const parts = name.length > SHORT ? name.split(JOINTS) : [name];
  return new Markup(parts.map(written).join('<wbr>'));
}

export interface Head {
  readonly head: string;
  /** Numbers stand to the right. */
  readonly number?: boolean;
  /** Long texts break into lines; other cells stay in one. */
  readonly wide?: boolean;
}

/** How a table is laid out. */
export interface TableWishes {
  /** Fields to filter by, for many rows. */
  readonly filter?: boolean;
  /** Colours of the sides that heads and rows are of. */
  readonly marks?: Partial<Marks> | undefined;
  /** Rows that only the script of the page shows, for they would make the page heavy. */
  readonly rest?: readonly (readonly string[])[];
}

/** Fewer rows are not worth sorting. */
const SORTED = 3;

function kindOf({ number = false, wide = false }: Head): Markup {
  const kinds = [...(number ? ['n'] : []), ...(wide ? ['w'] : [])].join(' ');
  return kinds === '' ? markup`` : markup` class="${kinds}"`;
}

/** The colour of a side before its name; `none` leaves its place empty. */
export function markOf(tone: MarkTone | undefined): Markup {
  if (tone === undefined) return markup``;
  const side = typeof tone === 'number' ? `side${String(tone)}` : tone;
  return markup`<i class="tone ${side}"></i>`;
}

function rowOf(heads: readonly Head[], row: readonly string[], mark: MarkTone | undefined): Markup {
  const cells = row.map((cell, c) => {
    const head = heads[c] ?? { head: '' };
    const before = markOf(c === 0 ? mark : undefined);
    return markup`<td${kindOf(head)}>${before}${head.wide === true ? named(cell) : cell}</td>`;
  });
  return markup`<tr>${new Markup(cells.map(({ text }) => text).join(''))}</tr>`;
}

/** Rows as lines, cells parted by tabs: cleaned texts have neither. */
export function restOf(rows: readonly (readonly string[])[]): Markup {
  const lines = rows.map((row) => row.map(written).join('\t')).join('\n');
  return new Markup(lines === '' ? '' : `<template>${lines}</template>`);
}

/** A table in a box that scrolls where it is too wide or too long; the page's script sorts it and filters it. */
export function table(
  heads: readonly Head[],
  rows: readonly (readonly string[])[],
  { filter = false, rest = [], marks }: TableWishes = {},
): Markup {
  const head = heads.map((each, h) => {
    const mark = marks?.heads?.[h];
    const before = markOf(mark === 'none' ? undefined : mark);
    return markup`<th scope="col"${kindOf(each)}>${before}${named(each.head)}</th>`;
  });
  const body = rows.map((row, r) => rowOf(heads, row, marks?.rows?.[r]));
  const does = `${rows.length >= SORTED ? ' data-sort' : ''}${filter ? ' data-sieve' : ''}`;
  const box = filter ? 'scroll long' : 'scroll';
  return markup`<div class="${box}"><table${new Markup(does)}><thead><tr>${head}</tr></thead><tbody>
${body}
</tbody></table></div>${restOf(rest)}`;
}
