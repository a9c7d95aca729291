/** A picture in a page: SVG of the page itself, with its caption. */

import type { Figure } from '../figures/figure.ts';
import { renderSvg } from '../figures/render.ts';
import { DOUBLE_COLUMN } from '../figures/theme.ts';
import { createRowTemplate, Markup, markup } from './markup.ts';

/** Pictures whose height is less than this part of their width have a row of the page to themselves. */
const FLAT_RATIO = 0.62;

/** Whether a drawing is that flat. */
function isFlat(svg: string): boolean {
  const [, width = '1', height = '1'] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? [];
  return Number(height) < FLAT_RATIO * Number(width);
}

/** Whether a figure has a row of the page to itself. */
export const isRow = ({ text }: Markup): boolean => text.startsWith('<figure class="wide row"');

/**
 * @param footer small print beneath the picture
 * @param name   the id of the figure, and a prefix of the ids within it
 */
export async function createFigureMarkup(picture: Figure, footer: string, name: string): Promise<Markup> {
  const svg = await renderSvg(picture, footer, name);
  // HTML knows the namespaces by itself.
  const drawing = new Markup(svg.replaceAll(/ xmlns(:xlink)?="[^"]*"/g, ''));
  const wide = new Markup(picture.width === DOUBLE_COLUMN ? ` class="wide${isFlat(svg) ? ' row' : ''}"` : '');
  const cells = createRowTemplate(picture.cells ?? []);
  return markup`<figure${wide} id="${name}"><div class="drawing">${drawing}</div>${cells}<figcaption>${picture.caption}</figcaption></figure>`;
}
