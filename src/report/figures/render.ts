/** Renders figures as SVG (Vega) and PNG (resvg). Both libraries are loaded on first use. */
import { RunError } from '../../core/index.ts';
import { getFontFiles } from '../../core/platform/node/files.ts';
import type { Figure } from './figure.ts';
import { drawFigure, type VegaDrawer } from './svg.ts';

async function loadVega(): Promise<VegaDrawer> {
  const [vega, vegaLite] = await Promise.all([import('vega'), import('vega-lite')]);
  return { vega, vegaLite };
}

let vegaDrawer: ReturnType<typeof loadVega> | undefined;

/** Renders a figure as SVG. */
export async function renderSvg(picture: Figure, footer: string, name: string): Promise<string> {
  vegaDrawer ??= loadVega();
  return await drawFigure(picture, footer, name, await vegaDrawer);
}

/** Resolution of PNG files, as journals require, and of CSS, in pixels per inch. */
const DOTS_PER_INCH = 300;
const PIXELS_PER_INCH = 96;

/** Loads the optional package that renders PNG files. @throws RunError if it is not installed */
export async function loadResvg() {
  try {
    return (await import('@resvg/resvg-js')).Resvg;
  } catch (error) {
    throw new RunError('PNG figures require @resvg/resvg-js: npm install @resvg/resvg-js', { cause: error });
  }
}

/** Converts an SVG to a PNG with 300 dpi, using only the font of the package. */
export async function renderPng(svg: string): Promise<Uint8Array> {
  const Resvg = await loadResvg();
  const image = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: DOTS_PER_INCH / PIXELS_PER_INCH },
    font: { loadSystemFonts: false, fontFiles: [...getFontFiles()], defaultFontFamily: 'DejaVu Sans' },
  });
  return image.render().asPng();
}
