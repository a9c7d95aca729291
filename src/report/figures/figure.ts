/** Figures: Vega-Lite specifications with captions. Pure functions create them. */
import type { TopLevelSpec } from 'vega-lite';
import { capitalize } from '../text/capitalize.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';
import { measureTextWidth } from './font.ts';
import { CONFIG, TEXT, TITLE } from './theme.ts';

/** Kinds of figures. File names begin with them. */
export type FigureKind =
  | 'map'
  | 'lines'
  | 'points'
  | 'effects'
  | 'ranks'
  | 'law'
  | 'convergence'
  | 'scores'
  | 'sensitivity'
  | 'outcomes'
  | 'endings'
  | 'standings'
  | 'balance';

/**
 * Labels of combined tiles: name and sign of the values; title and labels of the x axis and of the y axis; for each
 * panel its title and its values, row by row from the bottom, empty if there is no cell.
 */
export type FigureCells = readonly (readonly string[])[];

export interface Figure {
  readonly kind: FigureKind;
  /** Outcome or metric; empty if there are several. */
  readonly of: string;
  /** `SINGLE_COLUMN` or `DOUBLE_COLUMN`. */
  readonly width: number;
  /** Caption of one or two sentences. */
  readonly caption: string;
  /** Names in it are sanitized; they are never field names, and expressions contain them only quoted. */
  readonly spec: TopLevelSpec;
  readonly cells?: FigureCells;
}

/** Wraps a text between words to a width; longer words are truncated. */
export function wrapToWidth(text: string, room: number, size: number, bold = false): string[] {
  const lines: string[] = [];
  for (const word of sanitizeXmlText(text).split(' ')) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && measureTextWidth(longer, size, bold) <= room) lines[lines.length - 1] = longer;
    else lines.push(truncateToWidth(word, room, size, bold));
  }
  return lines;
}

/** Truncates a text to a width. */
export function truncateToWidth(text: string, room: number, size: number, bold = false): string {
  if (measureTextWidth(text, size, bold) <= room) return text;
  const characters = Array.from(text);
  while (characters.length > 1 && measureTextWidth(`${characters.join('')}…`, size, bold) > room) characters.pop();
  return `${characters.join('')}…`;
}
/** Creates the common part of all specifications. @param width width of the figure, in pixels */
export function createFrame(title: string, subtitle: string, width: number) {
  const room = width - 2 * TEXT;
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    config: CONFIG,
    title: {
      text: wrapToWidth(capitalize(title), room, TITLE, true),
      ...(subtitle !== '' && { subtitle: wrapToWidth(subtitle, room, TEXT) }),
    },
  } as const;
}

/** Fits a plot, with axes and legends, to the width of the figure. */
export function createFit(width: number, height: number) {
  return { width: width - 8, height, autosize: { type: 'fit', contains: 'padding' } } as const;
}

/** Creates the label expression of an axis whose values are indices. Labels are quoted, so none is evaluated. */
export function createLabelExpression(labels: readonly string[]): string {
  return `${JSON.stringify(labels)}[toNumber(datum.value)]`;
}
