/** HTML code that embeds an answer in another page. */
import { CARD_SIZE, escaped, formatSharedAnswer, renderCardSvg, type SharedAnswer } from '../../../src/report/index.ts';

/** Height of the frame in CSS pixels, enough for narrow screens. */
const FRAME_HEIGHT = 300;

/** Returns the address that shows only the answer of a link. */
function createEmbedAddress(link: string): string {
  const url = new URL(link);
  url.pathname = url.pathname.replace(/[^/]*$/, 'embed.html');
  url.search = '';
  return url.href;
}

/** Creates an iframe that computes the answer. */
export function createFrameHtml(reported: SharedAnswer, link: string): string {
  const size = `width="100%" height="${String(FRAME_HEIGHT)}" loading="lazy" style="border:0"`;
  return `<iframe src="${escaped(createEmbedAddress(link))}" title="${escaped(`${reported.title}: the odds`)}" ${size}></iframe>`;
}

const encodeBase64 = (text: string): string => {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
};

/** Creates a self-contained image with a link. */
export function createImageHtml(reported: SharedAnswer, link: string): string {
  const { width, height } = CARD_SIZE;
  const size = `width="${String(width / 2)}" height="${String(height / 2)}"`;
  const source = `data:image/svg+xml;base64,${encodeBase64(renderCardSvg(reported))}`;
  const alt = escaped(`${reported.title}: ${formatSharedAnswer(reported)}`);
  return `<a href="${escaped(link)}"><img src="${source}" alt="${alt}" ${size}></a>`;
}
