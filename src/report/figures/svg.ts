/** Renders specifications as SVG with Vega, which the caller loads. */
import { sanitizeXmlText } from '../text/sanitize.ts';
import { type Figure, wrapToWidth } from './figure.ts';
import { FONT, measureTextWidth } from './font.ts';
import { SOFT } from './theme.ts';

type Vega = typeof import('vega');

/** Loaded libraries. */
export interface VegaDrawer {
  readonly vega: Vega;
  readonly vegaLite: typeof import('vega-lite');
  /** Expression interpreter of vega-interpreter, for pages whose security policy forbids to compile expressions. */
  readonly interpreter?: unknown;
}

/** Text properties that Vega measures, which its published types omit. */
interface TextMetrics {
  width(item: TextItem, text: string | number | null | undefined): number;
}

interface TextItem {
  readonly fontSize?: number | null;
  readonly fontWeight?: unknown;
  readonly limit?: number;
}

/** Default text size of Vega. */
const VEGA_SIZE = 11;

/** Replaces Vega's text measurement by `measureWidth`. */
function installTextMetrics(vega: Vega): void {
  const { textMetrics } = vega as unknown as { textMetrics: TextMetrics };
  // Otherwise figures would depend on node-canvas or the browser, or use rough estimates.
  textMetrics.width = ({ fontSize, fontWeight }, text) =>
    measureTextWidth(String(text ?? ''), fontSize ?? VEGA_SIZE, fontWeight === 'bold');
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Text size of the footer, and height of its lines, in pixels. */
const FOOTER_SIZE = 7;
const FOOTER_LINE = FOOTER_SIZE + 2;

/** Extends a drawing to the full width, and adds the footer. */
function addFooter(svg: string, width: number, footer: string): string {
  const [root = '', drawn = '0', height = '0'] = /width="([\d.]+)" height="([\d.]+)" viewBox="[^"]*"/.exec(svg) ?? [];
  const wide = Math.max(width, Number(drawn));
  const lines = wrapToWidth(footer, wide - FOOTER_SIZE, FOOTER_SIZE);
  const tall = Number(height) + lines.length * FOOTER_LINE + 2;
  const rows = lines.map((line, l) => {
    const y = Number(height) + (l + 1) * FOOTER_LINE - 3;
    return `<tspan x="4" y="${String(y)}">${escapeXml(line)}</tspan>`;
  });
  const size = `width="${String(wide)}" height="${String(tall)}"`;
  const text = `<text font-family="${FONT}" font-size="${String(FOOTER_SIZE)}px" fill="${SOFT}">${rows.join('')}</text>`;
  return svg
    .replace(root, `${size} viewBox="0 0 ${String(wide)} ${String(tall)}"`)
    .replace(/<rect width="[\d.]+" height="[\d.]+" fill="white"\/>/, `<rect ${size} fill="white"/>`)
    .replace(/<\/svg>$/, () => `${text}</svg>`);
}

/** Path of a rectangle. */
const RECTANGLE = /M([\d.]+),([\d.]+)L([\d.]+),\2L\3,([\d.]+)L\1,\4Z/g;

/** Shortens colors and coordinates (to 0.01 pixels), removes roles, and makes labels ignore the pointer. */
function compactTag(tag: string, name: string): string {
  const shortenHex = (part: string): string => Number(part).toString(16).padStart(2, '0');
  return tag
    .replace(/^<text /, '<text pointer-events="none" ')
    .replaceAll(/ (role="graphics-[a-z]+"|(aria-[a-z]+|class)="[^"]*")/g, '')
    .replaceAll(
      /"rgb\((\d+), (\d+), (\d+)\)"/g,
      (_, ...rgb: string[]) => `"#${rgb.slice(0, 3).map(shortenHex).join('')}"`,
    )
    .replace(/ d="[^"]*"/, (path) =>
      path
        .replaceAll(/\d+\.\d{3,}/g, (digits) => String(Number(Number(digits).toFixed(2))))
        .replaceAll(RECTANGLE, 'M$1,$2H$3V$4H$1Z'),
    )
    .replace(/ id="([a-z]+_?\d+)"/, ` id="${name}-$1"`)
    .replace(/url\(#([a-z]+_?\d+)\)/, `url(#${name}-$1)`);
}

/**
 * Converts the labels of marks to titles, which every browser shows, and shortens the markup of tags. Text between tags
 * is unchanged.
 * @param name prefix of all ids
 */
function rewriteSvg(svg: string, name: string): string {
  return svg
    .replaceAll(
      /<path aria-label="([^"]*)" role="graphics-symbol" aria-roledescription="[^"]*" ([^>]*)\/>/g,
      (_, tooltip: string, rest: string) => `<path ${rest}><title>${tooltip.replaceAll('&#xA;', '\n')}</title></path>`,
    )
    .replaceAll(/<[a-z][^<>]*>/gi, (tag) => compactTag(tag, name));
}

/** @param spec is copied, because Vega changes its data in place */
function createVegaView(spec: Figure['spec'], { vega, vegaLite, interpreter }: VegaDrawer) {
  const compiled = vegaLite.compile(structuredClone(spec)).spec;
  const how = { renderer: 'none', logLevel: vega.Error } as const;
  if (interpreter === undefined) return new vega.View(vega.parse(compiled), how);
  // The published types of View omit `expr`.
  const interpreted = { ...how, expr: interpreter };
  return new vega.View(vega.parse(compiled, undefined, { ast: true }), interpreted);
}

/**
 * Renders a figure as SVG, deterministically.
 * @param footer small print below the figure
 * @param name   prefix of its ids, so that one page can contain several figures
 */
export async function drawFigure({ spec, caption, width }: Figure, footer: string, name: string, drawer: VegaDrawer) {
  installTextMetrics(drawer.vega);
  drawer.vega.resetSVGDefIds();
  const view = createVegaView(spec, drawer);
  const text = await view.toSVG();
  view.finalize();
  const svg = addFooter(rewriteSvg(text, name), width, footer);
  return svg.replace(/^<svg /, () => `<svg role="img" aria-label="${escapeXml(sanitizeXmlText(caption))}" `);
}
