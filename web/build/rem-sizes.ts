/** Sizes of letters are written in px, and delivered in rem: then the size that a reader has chosen in the browser is heard. */
import type { Plugin } from 'vite';

/** Pixels of letters where nobody has chosen anything. */
const DEFAULT_FONT_SIZE = 16;

const formatRem = (px: string): string => `${String(Number((Number(px) / DEFAULT_FONT_SIZE).toFixed(5)))}rem`;

/** The sizes of `font-size: 14px` and `font: 13px / 1.45 ...`. */
export const convertToRem = (css: string): string =>
  css.replaceAll(/\b(font(?:-size)?:\s*)(\d+(?:\.\d+)?)px/g, (_, before: string, px: string) => before + formatRem(px));

export function createRemPlugin(): Plugin {
  return {
    name: 'warpool-rem',
    enforce: 'pre',
    transform: { filter: { id: /\.css$/ }, handler: (code) => convertToRem(code) },
  };
}
