/** Converts font sizes from px to rem, so that the font size setting of the browser applies. */
import type { Plugin } from 'vite';

/** Default font size of browsers, in pixels. */
const DEFAULT_FONT_SIZE = 16;

const formatRem = (px: string): string => `${String(Number((Number(px) / DEFAULT_FONT_SIZE).toFixed(5)))}rem`;

/** Converts the sizes in `font-size: 14px` and `font: 13px / 1.45 ...`. */
export const convertToRem = (css: string): string =>
  css.replaceAll(/\b(font(?:-size)?:\s*)(\d+(?:\.\d+)?)px/g, (_, before: string, px: string) => before + formatRem(px));

export function createRemPlugin(): Plugin {
  return {
    name: 'warpool-rem',
    enforce: 'pre',
    transform: { filter: { id: /\.css$/ }, handler: (code) => convertToRem(code) },
  };
}
