/** Draws specifications as SVG by Vega, which whoever draws has loaded. */
import { sanitizeXmlText } from '../text/sanitize.ts';
import { type Figure, wrapToWidth } from './figure.ts';
import { FONT, measureTextWidth } from './font.ts';
import { SOFT } from './theme.ts';

type Vega = typeof import('vega');

/** What draws. */
export interface VegaDrawer {
  readonly vega: Vega;
  readonly vegaLite: typeof import('vega-lite');
  /** Works out expressions where a policy forbids to compile them: that of vega-interpreter. */
  readonly interpreter?: unknown;
}

/** What Vega asks of a text that it makes room for; its published types leave this out. */
interface TextMetrics {
  width(item: TextItem, text: string | number | null | undefined): number;
}

interface TextItem {
  readonly fontSize?: number | null;
  readonly fontWeight?: unknown;
  readonly limit?: number;
}

/** Text size that Vega takes where none is given. */
const VEGA_SIZE = 11;

/** Has Vega measure texts as we do. */
function installTextMetrics(vega: Vega): void {
  const { textMetrics } = vega as unknown as { textMetrics: TextMetrics };
  // Whoever has node-canvas installed, or a browser, would otherwise get other pictures, and all others a rough guess.
  textMetrics.width = ({ fontSize, fontWeight }, text) =>
    measureTextWidth(String(text ?? ''), fontSize ?? VEGA_SIZE, fontWeight === 'bold');
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Size of the small print, in pixels, and the room of its lines. */
const FOOTER_SIZE = 7;
const FOOTER_LINE = FOOTER_SIZE + 2;

/** Gives a drawing its full width, which all pictures of a kind share, and puts small print below. */
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

/** The path of a rectangle, corner by corner. */
const RECTANGLE = /M([\d.]+),([\d.]+)L([\d.]+),\2L\3,([\d.]+)L\1,\4Z/g;

/** Short colours, coordinates to a hundredth of a pixel, no roles; labels let what lies below be pointed at. */
function compactTag(tag: string, name: string): string {
  const hex = (part: string): string => Number(part).toString(16).padStart(2, '0');
  return tag
    .replace(/^<text /, '<text pointer-events="none" ')
    .replaceAll(/ (role="graphics-[a-z]+"|(aria-[a-z]+|class)="[^"]*")/g, '')
    .replaceAll(/"rgb\((\d+), (\d+), (\d+)\)"/g, (_, ...rgb: string[]) => `"#${rgb.slice(0, 3).map(hex).join('')}"`)
    .replace(/ d="[^"]*"/, (path) =>
      path
        .replaceAll(/\d+\.\d{3,}/g, (digits) => String(Number(Number(digits).toFixed(2))))
        .replaceAll(RECTANGLE, 'M$1,$2H$3V$4H$1Z'),
    )
    .replace(/ id="([a-z]+_?\d+)"/, ` id="${name}-$1"`)
    .replace(/url\(#([a-z]+_?\d+)\)/, `url(#${name}-$1)`);
}

/**
 * Marks say what they are in a title, which every browser shows; Vega's roles for them would say it twice. All else in
 * tags is made shorter; what stands between them is left alone.
 * @param name goes before all ids
 */
function rewriteSvg(svg: string, name: string): string {
  return svg
    .replaceAll(
      /<path aria-label="([^"]*)" role="graphics-symbol" aria-roledescription="[^"]*" ([^>]*)\/>/g,
      (_, told: string, rest: string) => `<path ${rest}><title>${told.replaceAll('&#xA;', '\n')}</title></path>`,
    )
    .replaceAll(/<[a-z][^<>]*>/gi, (tag) => compactTag(tag, name));
}

/** @param spec stays as it is: Vega numbers the rows that it is given, in place */
function createVegaView(spec: Figure['spec'], { vega, vegaLite, interpreter }: VegaDrawer) {
  const compiled = vegaLite.compile(structuredClone(spec)).spec;
  const how = { renderer: 'none', logLevel: vega.Error } as const;
  if (interpreter === undefined) return new vega.View(vega.parse(compiled), how);
  // The published types of View lack `expr`.
  const interpreted = { ...how, expr: interpreter };
  return new vega.View(vega.parse(compiled, undefined, { ast: true }), interpreted);
}

/**
 * A picture as SVG, the same text every time.
 * @param footer small print beneath it
 * @param name   a prefix for its ids, so that several pictures can stand in one page
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
