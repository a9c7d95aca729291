/** Sizes of letters are written in px, and delivered in rem: then the size that a reader has chosen in the browser is heard. */
import type { Plugin } from 'vite';

/** Pixels of letters where nobody has chosen anything. */
const USUAL = 16;

const rem = (px: string): string => `${String(Number((Number(px) / USUAL).toFixed(5)))}rem`;

/** The sizes of `font-size: 14px` and `font: 13px / 1.45 ...`. */
export const inRem = (css: string): string =>
  css.replaceAll(/\b(font(?:-size)?:\s*)(\d+(?:\.\d+)?)px/g, (_, before: string, px: string) => before + rem(px));

export function remSizes(): Plugin {
  return {
    name: 'warpool-rem',
    enforce: 'pre',
    transform: { filter: { id: /\.css$/ }, handler: (code) => inRem(code) },
  };
}
