/** Figures in HTML reports: inline SVG with a caption. */

import type { Figure } from '../figures/figure.ts';
import { DOUBLE_COLUMN } from '../figures/theme.ts';
import { createRowTemplate, Markup, markup } from './markup.ts';

/** Figures with a smaller ratio of height to width get a row of their own. */
const FLAT_RATIO = 0.62;

/** True if a drawing gets a row of its own. */
function isFlat(svg: string): boolean {
  const [, width = '1', height = '1'] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? [];
  return Number(height) < FLAT_RATIO * Number(width);
}

/** True if the markup of a figure is a row of its own. */
export const isRow = ({ text }: Markup): boolean => text.startsWith('<figure class="wide row"');

/** Renders a figure as SVG. The parameters are those of `createFigureMarkup`. */
export type SvgRenderer = (picture: Figure, footer: string, name: string) => Promise<string>;

/**
 * @param footer text below the figure
 * @param name   id of the figure, and prefix of the ids in it
 */
export async function createFigureMarkup(
  picture: Figure,
  footer: string,
  name: string,
  renderSvg: SvgRenderer,
): Promise<Markup> {
  const svg = await renderSvg(picture, footer, name);
  // HTML needs no namespace declarations.
  const drawing = new Markup(svg.replaceAll(/ xmlns(:xlink)?="[^"]*"/g, ''));
  const wide = new Markup(picture.width === DOUBLE_COLUMN ? ` class="wide${isFlat(svg) ? ' row' : ''}"` : '');
  const cells = createRowTemplate(picture.cells ?? []);
  return markup`<figure${wide} id="${name}"><div class="drawing">${drawing}</div>${cells}<figcaption>${picture.caption}</figcaption></figure>`;
}
