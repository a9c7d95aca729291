/** Draws pictures into files: SVG by Vega, PNG by resvg. Both are loaded where they are first used. */
import { fontFiles } from '../../core/platform/node/files.ts';
import type { Picture } from './picture.ts';
import { type Drawer, drawn } from './svg.ts';

async function loadVega(): Promise<Drawer> {
  const [vega, vegaLite] = await Promise.all([import('vega'), import('vega-lite')]);
  return { vega, vegaLite };
}

let loaded: ReturnType<typeof loadVega> | undefined;

/** A picture as SVG (see `drawn`). */
export async function svgOf(picture: Picture, footer: string, name: string): Promise<string> {
  loaded ??= loadVega();
  return await drawn(picture, footer, name, await loaded);
}

/** Dots in an inch of a PNG, as papers ask for, and CSS pixels. */
const DOTS = 300;
const PIXELS = 96;

/** An SVG as PNG of 300 dots to the inch, with the font of the package alone. */
export async function pngOf(svg: string): Promise<Uint8Array> {
  const { Resvg } = await import('@resvg/resvg-js');
  const image = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: DOTS / PIXELS },
    font: { loadSystemFonts: false, fontFiles: [...fontFiles()], defaultFontFamily: 'DejaVu Sans' },
  });
  return image.render().asPng();
}
