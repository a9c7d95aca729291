/**
 * The picture of an answer that stands for a link: in chats, which show it beside the address, in papers and in pages. A
 * text of SVG, the same every time.
 */

import { type BarPart, type PlacedPart, placedParts } from '../odds/bar.ts';
import { FONT, textWidth } from '../pictures/font.ts';
import { cut, linesOf } from '../pictures/picture.ts';
import { FAINT, INK, NOBODIES, SIDES, SOFT } from '../pictures/theme.ts';
import { escaped } from '../text/escape.ts';
import { headsOf, odds, type Told, toldText } from './told.ts';

/** Pixels: what Open Graph and the cards of Twitter ask for. */
export const CARD = { width: 1200, height: 630 } as const;

const toneOf = (tone: number): string => SIDES[tone % SIDES.length] ?? INK;

const MARGIN = 64;
const ROOM = CARD.width - 2 * MARGIN;

/** Where the bar lies, and how high it is. */
const BAR = { y: 346, height: 92, radius: 14 } as const;

interface TextStyle {
  readonly size: number;
  readonly bold?: boolean;
  readonly fill?: string;
  readonly anchor?: 'start' | 'middle' | 'end';
  /** Pixels that it may take; a longer one loses its end. */
  readonly room?: number;
}

function write(x: number, y: number, text: string, style: TextStyle): string {
  const { size, bold = false, fill = INK, anchor = 'start', room = ROOM } = style;
  const weight = bold ? ' font-weight="bold"' : '';
  const where = `x="${String(Math.round(x))}" y="${String(y)}" font-size="${String(size)}"${weight}`;
  const end = anchor === 'start' ? '' : ` text-anchor="${anchor}"`;
  return `<text ${where} fill="${fill}"${end}>${escaped(cut(text, room, size, bold))}</text>`;
}

/** How much of a colour its first parts have, and all later ones. */
const FADING = [1, 0.78, 0.58, 0.42];

const number = (value: number): string => String(Number(value.toFixed(1)));

/** Where a part of all lies. */
const placeOf = (part: number): number => MARGIN + part * ROOM;

function partOf({ from, p, tone, shade }: PlacedPart): string {
  const colour = tone === undefined ? (NOBODIES[shade % NOBODIES.length] ?? SOFT) : toneOf(tone);
  const opacity = tone === undefined ? 1 : FADING[Math.min(shade, FADING.length - 1)];
  const faded = opacity === 1 ? '' : ` fill-opacity="${String(opacity)}"`;
  const box = `x="${number(placeOf(from))}" y="${String(BAR.y)}" width="${number(p * ROOM)}" height="${String(BAR.height)}"`;
  return `<rect ${box} fill="${colour}"${faded}/>`;
}

function barOf(parts: readonly PlacedPart[]): string {
  const rectangles = parts.map(partOf);
  // A line of paper between two parts: colours alone are not seen by all.
  const lines = parts
    .slice(1)
    .map(
      ({ from }) =>
        `<rect x="${number(placeOf(from) - 1.5)}" y="${String(BAR.y)}" width="3" height="${String(BAR.height)}" fill="#fff"/>`,
    );
  const frame = `x="${String(MARGIN)}" y="${String(BAR.y)}" width="${String(ROOM)}" height="${String(BAR.height)}" rx="${String(BAR.radius)}"`;
  return `<clipPath id="bar"><rect ${frame}/></clipPath><g clip-path="url(#bar)">${rectangles.join('')}${lines.join('')}</g>`;
}

const LABEL = 24;

interface Label {
  readonly text: string;
  readonly p: number;
  readonly width: number;
  x: number;
}

/** The likeliest labels that have room beside each other, each as near to the middle of its part as the others let it. */
function placed(labels: readonly Label[]): Label[] {
  const total = labels.reduce((sum, { width }) => sum + width + LABEL, -LABEL);
  if (total > ROOM) {
    const rarest = labels.toSorted((a, b) => a.p - b.p)[0];
    return placed(labels.filter((label) => label !== rarest));
  }
  let free = MARGIN;
  for (const label of labels) {
    label.x = Math.max(label.x, free);
    free = label.x + label.width + LABEL;
  }
  let end = MARGIN + ROOM;
  for (const label of labels.toReversed()) {
    label.x = Math.min(label.x, end - label.width);
    end = label.x - LABEL;
  }
  return [...labels];
}

/** Names below the bar of what has no big number above it: `Both sides fall 6.1 %`. */
function labelsOf(parts: readonly PlacedPart[], join: string): string {
  const labels = parts.map(({ name, p, from }): Label => {
    const text = `${cut(name, ROOM / 3, LABEL)}${join}${odds(p)}`;
    const width = textWidth(text, LABEL);
    return { text, p, width, x: placeOf(from) + (p * ROOM - width) / 2 };
  });
  const y = BAR.y + BAR.height + 38;
  return placed(labels)
    .map(({ x, text }) => write(x, y, text, { size: LABEL, fill: SOFT }))
    .join('');
}

/** Names with their odds above the bar, the first at the left, the second at the right. */
function headsShown(heads: readonly BarPart[]): string {
  const room = heads.length > 1 ? ROOM / 2 - 20 : ROOM;
  return heads
    .map(({ name, p, tone }, h) => {
      const fill = tone === undefined ? INK : toneOf(tone);
      const anchor = h === 0 ? 'start' : 'end';
      const x = h === 0 ? MARGIN : MARGIN + ROOM;
      const above = write(x, 248, name, { size: 34, bold: true, fill, anchor, room });
      return above + write(x, 326, odds(p), { size: 76, bold: true, fill, anchor, room });
    })
    .join('');
}

function titleOf(title: string): string {
  const size = textWidth(title, 52, true) <= ROOM ? 52 : 40;
  const lines = linesOf(title, ROOM, size, true).slice(0, 2);
  return lines
    .map((line, l) => write(MARGIN, (lines.length === 1 ? 164 : 142) + l * 48, line, { size, bold: true }))
    .join('');
}

/** The mark of the page: a five of dice. */
function markOf(x: number, y: number): string {
  const eyes = [
    [9, 9],
    [23, 9],
    [16, 16],
    [9, 23],
    [23, 23],
  ].map(([cx, cy]) => `<circle cx="${String(cx)}" cy="${String(cy)}" r="3" fill="#fff"/>`);
  return `<g transform="translate(${String(x)} ${String(y)})"><rect width="32" height="32" rx="6" fill="${toneOf(1)}"/>${eyes.join('')}</g>`;
}

/** The picture of an answer as SVG. */
export function cardSvg(told: Told): string {
  const { title, system, left, how, of } = told;
  const parts = placedParts(told.parts);
  const heads = headsOf(told);
  const isBelow = ({ name }: PlacedPart): boolean => !heads.some((head) => head.name === name);
  const lines = left.flatMap((line) => linesOf(line, ROOM, 28)).slice(0, 2);
  const { width, height } = CARD;
  const size = `width="${String(width)}" height="${String(height)}"`;
  const body = [
    `<rect ${size} fill="#fff"/>`,
    markOf(MARGIN, 48),
    write(MARGIN + 46, 73, system, { size: 26, fill: SOFT, room: ROOM - 46 }),
    titleOf(title),
    of === '' ? headsShown(heads) : write(MARGIN, 316, of, { size: 40, bold: true }),
    barOf(parts),
    labelsOf(parts.filter(isBelow), of === '' ? ' ' : ': '),
    ...lines.map((line, l) => write(MARGIN, 524 + l * 36, line, { size: 28 })),
    `<rect x="${String(MARGIN)}" y="576" width="${String(ROOM)}" height="1" fill="${FAINT}"/>`,
    write(MARGIN, 604, how, { size: 22, fill: SOFT }),
    write(MARGIN + ROOM, 604, 'warpool', { size: 22, fill: SOFT, anchor: 'end' }),
  ];
  const label = escaped(`${title}: ${toldText(told)}`);
  const head = `xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${String(width)} ${String(height)}"`;
  return `<svg ${head} font-family="${FONT}" role="img" aria-label="${label}">${body.join('')}</svg>`;
}
