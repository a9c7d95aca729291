/** A picture in a page: SVG of the page itself, with its caption. */
import { svgOf } from '../pictures/draw.ts';
import type { Picture } from '../pictures/picture.ts';
import { DOUBLE } from '../pictures/theme.ts';
import { Markup, markup } from './markup.ts';

/**
 * @param footer small print beneath the picture
 * @param name   the id of the figure, and a prefix of the ids within it
 */
export async function figureOf(picture: Picture, footer: string, name: string): Promise<Markup> {
  const svg = await svgOf(picture, footer, name);
  // HTML knows the namespaces by itself.
  const drawing = new Markup(svg.replaceAll(/ xmlns(:xlink)?="[^"]*"/g, ''));
  const wide = new Markup(picture.width === DOUBLE ? ' class="wide"' : '');
  return markup`<figure${wide} id="${name}"><div class="drawing">${drawing}</div><figcaption>${picture.caption}</figcaption></figure>`;
}
