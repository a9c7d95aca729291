/** A picture: a Vega-Lite specification with what is written around it. Specifications are made by pure functions. */
import type { TopLevelSpec } from 'vega-lite';
import { capitalize } from '../text/capitalize.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';
import { measureTextWidth } from './font.ts';
import { CONFIG, TEXT, TITLE } from './theme.ts';

/** What kinds of pictures there are, as their files begin. */
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
 * What tiles that are drawn together say: name and sign of the values; title and labels of the axis across, of that up; for
 * each panel its title and the values, row by row from below, empty where there is no cell.
 */
export type FigureCells = readonly (readonly string[])[];

export interface Figure {
  readonly kind: FigureKind;
  /** The outcome or metric; empty if it is about several. */
  readonly of: string;
  /** SINGLE or DOUBLE. */
  readonly width: number;
  /** What it shows, in a sentence or two, for the text beneath it. */
  readonly caption: string;
  /** Names have been cleaned; they never become names of fields, nor parts of expressions but quoted. */
  readonly spec: TopLevelSpec;
  readonly cells?: FigureCells;
}

/** Breaks a text between words so that no line is wider than the room; a longer word is cut. */
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

/** A text that is no wider than the room; a longer one loses its end. */
export function truncateToWidth(text: string, room: number, size: number, bold = false): string {
  if (measureTextWidth(text, size, bold) <= room) return text;
  const characters = Array.from(text);
  while (characters.length > 1 && measureTextWidth(`${characters.join('')}…`, size, bold) > room) characters.pop();
  return `${characters.join('')}…`;
}
/** What every specification begins with. @param width of the whole picture, in pixels */
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

/** Makes a plot as wide as the picture, with all that stands around it. */
export function createFit(width: number, height: number) {
  return { width: width - 8, height, autosize: { type: 'fit', contains: 'padding' } } as const;
}

/** An expression for the labels of an axis whose values are places. Labels are quoted: none becomes part of it. */
export function createLabelExpression(labels: readonly string[]): string {
  return `${JSON.stringify(labels)}[toNumber(datum.value)]`;
}
