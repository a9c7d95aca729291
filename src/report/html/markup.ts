/** HTML templates. Interpolated values are escaped, unless they are markup. */
import type { SideTone, TableTones } from '../scenario/table-tones.ts';
import { escaped } from '../text/escape.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';

/** HTML text. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type MarkupPart = string | number | Markup | readonly Markup[];

/** Escapes a text for element content and quoted attributes. */
const escapeMarkup = (text: string): string => escaped(sanitizeXmlText(text)).replaceAll("'", '&#39;');

function renderPart(part: MarkupPart): string {
  if (part instanceof Markup) return part.text;
  return typeof part === 'object' ? part.map(({ text }) => text).join('\n') : escapeMarkup(String(part));
}

/** Template tag for HTML. */
export function markup(strings: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  return new Markup(strings.reduce((text, string, s) => text + renderPart(parts[s - 1] ?? '') + string));
}

/** Possible line breaks in names: after dots, dashes and underscores, within `camelCase`, before brackets. */
const BREAK_POINTS = /(?<=[.,_/+-])(?=[^\s\d])|(?<=[a-z])(?=[A-Z[])/g;

/** Longer names may be wrapped, in characters. */
const MAX_UNBROKEN = 12;

/** Creates a name that is wrapped only at word boundaries. */
export function formatBreakableName(name: string): Markup {
  const parts = name.length > MAX_UNBROKEN ? name.split(BREAK_POINTS) : [name];
  return new Markup(parts.map(escapeMarkup).join('<wbr>'));
}

export interface TableHeading {
  readonly head: string;
  /** True for right-aligned columns. */
  readonly number?: boolean;
  /** True if texts are wrapped. */
  readonly wide?: boolean;
}

/** Layout options of a table. */
export interface HtmlTableOptions {
  /** True for filter fields below the heads. */
  readonly filter?: boolean;
  /** Colors of the sides of heads and rows. */
  readonly tones?: Partial<TableTones> | undefined;
  /** Rows that the script of the report adds, so that the HTML stays small. */
  readonly rest?: readonly (readonly string[])[];
}

/** Minimum number of rows of a sortable table. */
const MIN_SORTED_ROWS = 3;

function createClassAttribute({ number = false, wide = false }: TableHeading): Markup {
  const kinds = [...(number ? ['n'] : []), ...(wide ? ['w'] : [])].join(' ');
  return kinds === '' ? markup`` : markup` class="${kinds}"`;
}

/** Creates the color mark of a side; `none` reserves its space. */
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

/** Creates a template with one line for each row and tabs between cells. Sanitized texts contain neither. */
export function createRowTemplate(rows: readonly (readonly string[])[]): Markup {
  const lines = rows.map((row) => row.map(escapeMarkup).join('\t')).join('\n');
  return new Markup(lines === '' ? '' : `<template>${lines}</template>`);
}

/** Creates a scrollable table, which the script of the report sorts and filters. */
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
