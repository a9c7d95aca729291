/** HTML from templates: whatever is put in is escaped, unless it is markup itself. */
import type { SideTone, TableTones } from '../scenario/table-tones.ts';
import { escaped } from '../text/escape.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';

/** Text that is HTML already. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type MarkupPart = string | number | Markup | readonly Markup[];

/** A text as it stands between tags or in a quoted attribute. */
const written = (text: string): string => escaped(sanitizeXmlText(text)).replaceAll("'", '&#39;');

function renderPart(part: MarkupPart): string {
  if (part instanceof Markup) return part.text;
  return typeof part === 'object' ? part.map(({ text }) => text).join('\n') : written(String(part));
}

/** A template of HTML. */
export function markup(strings: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  return new Markup(strings.reduce((text, string, s) => text + renderPart(parts[s - 1] ?? '') + string));
}

/** Where a name may break into lines: behind dots, dashes, underscores and within `camelCase`, before brackets. */
const BREAK_POINTS = /(?<=[.,_/+-])(?=[^\s\d])|(?<=[a-z])(?=[A-Z[])/g;

/** Characters up to which a name stays in one line. */
const MAX_UNBROKEN = 12;

/** A name that breaks at its joints only, never within a word. */
export function formatBreakableName(name: string): Markup {
  const parts = name.length > MAX_UNBROKEN ? name.split(BREAK_POINTS) : [name];
  return new Markup(parts.map(written).join('<wbr>'));
}

export interface TableHeading {
  readonly head: string;
  /** Numbers stand to the right. */
  readonly number?: boolean;
  /** Long texts break into lines; other cells stay in one. */
  readonly wide?: boolean;
}

/** How a table is laid out. */
export interface HtmlTableOptions {
  /** Fields to filter by, for many rows. */
  readonly filter?: boolean;
  /** Colours of the sides that heads and rows are of. */
  readonly tones?: Partial<TableTones> | undefined;
  /** Rows that only the script of the page shows, for they would make the page heavy. */
  readonly rest?: readonly (readonly string[])[];
}

/** Fewer rows are not worth sorting. */
const MIN_SORTED_ROWS = 3;

function createClassAttribute({ number = false, wide = false }: TableHeading): Markup {
  const kinds = [...(number ? ['n'] : []), ...(wide ? ['w'] : [])].join(' ');
  return kinds === '' ? markup`` : markup` class="${kinds}"`;
}

/** The colour of a side before its name; `none` leaves its place empty. */
export function createToneMark(tone: SideTone | undefined): Markup {
  if (tone === undefined) return markup``;
  const side = typeof tone === 'number' ? `side${String(tone)}` : tone;
  return markup`<i class="tone ${side}"></i>`;
}

function createRow(heads: readonly TableHeading[], row: readonly string[], mark: SideTone | undefined): Markup {
  const cells = row.map((cell, c) => {
    const head = heads[c] ?? { head: '' };
    const before = createToneMark(c === 0 ? mark : undefined);
    return markup`<td${createClassAttribute(head)}>${before}${head.wide === true ? formatBreakableName(cell) : cell}</td>`;
  });
  return markup`<tr>${new Markup(cells.map(({ text }) => text).join(''))}</tr>`;
}

/** Rows as lines, cells parted by tabs: cleaned texts have neither. */
export function createRowTemplate(rows: readonly (readonly string[])[]): Markup {
  const lines = rows.map((row) => row.map(written).join('\t')).join('\n');
  return new Markup(lines === '' ? '' : `<template>${lines}</template>`);
}

/** A table in a box that scrolls where it is too wide or too long; the page's script sorts it and filters it. */
export function createHtmlTable(
  heads: readonly TableHeading[],
  rows: readonly (readonly string[])[],
  { filter = false, rest = [], tones }: HtmlTableOptions = {},
): Markup {
  const head = heads.map((each, h) => {
    const mark = tones?.heads?.[h];
    const before = createToneMark(mark === 'none' ? undefined : mark);
    return markup`<th scope="col"${createClassAttribute(each)}>${before}${formatBreakableName(each.head)}</th>`;
  });
  const body = rows.map((row, r) => createRow(heads, row, tones?.rows?.[r]));
  const does = `${rows.length >= MIN_SORTED_ROWS ? ' data-sort' : ''}${filter ? ' data-sieve' : ''}`;
  const box = filter ? 'scroll long' : 'scroll';
  return markup`<div class="${box}"><table${new Markup(does)}><thead><tr>${head}</tr></thead><tbody>
${body}
</tbody></table></div>${createRowTemplate(rest)}`;
}
