/** Draws pictures into files: SVG by Vega, PNG by resvg. Both are loaded where they are first used. */
import { getFontFiles } from '../../core/platform/node/files.ts';
import type { Figure } from './figure.ts';
import { drawFigure, type VegaDrawer } from './svg.ts';

async function loadVega(): Promise<VegaDrawer> {
  const [vega, vegaLite] = await Promise.all([import('vega'), import('vega-lite')]);
  return { vega, vegaLite };
}

let vegaDrawer: ReturnType<typeof loadVega> | undefined;

/** A picture as SVG (see `drawn`). */
export async function renderSvg(picture: Figure, footer: string, name: string): Promise<string> {
  vegaDrawer ??= loadVega();
  return await drawFigure(picture, footer, name, await vegaDrawer);
}

/** Dots in an inch of a PNG, as papers ask for, and CSS pixels. */
const DOTS_PER_INCH = 300;
const PIXELS_PER_INCH = 96;

/** An SVG as PNG of 300 dots to the inch, with the font of the package alone. */
export async function renderPng(svg: string): Promise<Uint8Array> {
  const { Resvg } = await import('@resvg/resvg-js');
  const image = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: DOTS_PER_INCH / PIXELS_PER_INCH },
    font: { loadSystemFonts: false, fontFiles: [...getFontFiles()], defaultFontFamily: 'DejaVu Sans' },
  });
  return image.render().asPng();
}
