/**
 * Preview image of a shared result, as deterministic SVG.
 */

import { truncateToWidth, wrapToWidth } from '../figures/figure.ts';
import { FONT, measureTextWidth } from '../figures/font.ts';
import { FAINT, INK, NEUTRAL_COLORS, SIDE_COLORS, SOFT } from '../figures/theme.ts';
import { type BarPart, type PlacedPart, placeParts } from '../odds/odds-bar.ts';
import { escaped } from '../text/escape.ts';
import { formatOdds, formatSharedAnswer, type SharedAnswer, selectHeadlineParts } from './shared-answer.ts';

/** Size in pixels, as Open Graph and Twitter cards require. */
export const CARD_SIZE = { width: 1200, height: 630 } as const;

const getToneColor = (tone: number): string => SIDE_COLORS[tone % SIDE_COLORS.length] ?? INK;

const MARGIN = 64;
const CARD_ROOM = CARD_SIZE.width - 2 * MARGIN;

/** Position and size of the bar, in pixels. */
const BAR = { y: 346, height: 92, radius: 14 } as const;

interface CardTextStyle {
  readonly size: number;
  readonly bold?: boolean;
  readonly fill?: string;
  readonly anchor?: 'start' | 'middle' | 'end';
  /** Maximum width in pixels; longer texts are truncated. */
  readonly room?: number;
}

function createText(x: number, y: number, text: string, style: CardTextStyle): string {
  const { size, bold = false, fill = INK, anchor = 'start', room = CARD_ROOM } = style;
  const weight = bold ? ' font-weight="bold"' : '';
  const where = `x="${String(Math.round(x))}" y="${String(y)}" font-size="${String(size)}"${weight}`;
  const end = anchor === 'start' ? '' : ` text-anchor="${anchor}"`;
  return `<text ${where} fill="${fill}"${end}>${escaped(truncateToWidth(text, room, size, bold))}</text>`;
}

/** Opacities of the first parts of a color; further parts have the last one. */
const OPACITIES = [1, 0.78, 0.58, 0.42];

const formatNumber = (value: number): string => String(Number(value.toFixed(1)));

/** Position of a share on the bar. */
const placeOf = (part: number): number => MARGIN + part * CARD_ROOM;

function drawPart({ from, p, tone, shade }: PlacedPart): string {
  const colour = tone === undefined ? (NEUTRAL_COLORS[shade % NEUTRAL_COLORS.length] ?? SOFT) : getToneColor(tone);
  const opacity = tone === undefined ? 1 : OPACITIES[Math.min(shade, OPACITIES.length - 1)];
  const faded = opacity === 1 ? '' : ` fill-opacity="${String(opacity)}"`;
  const box = `x="${formatNumber(placeOf(from))}" y="${String(BAR.y)}" width="${formatNumber(p * CARD_ROOM)}" height="${String(BAR.height)}"`;
  return `<rect ${box} fill="${colour}"${faded}/>`;
}

function createBar(parts: readonly PlacedPart[]): string {
  const rectangles = parts.map(drawPart);
  // White lines separate parts, for readers who cannot distinguish colors.
  const lines = parts
    .slice(1)
    .map(
      ({ from }) =>
        `<rect x="${formatNumber(placeOf(from) - 1.5)}" y="${String(BAR.y)}" width="3" height="${String(BAR.height)}" fill="#fff"/>`,
    );
  const frame = `x="${String(MARGIN)}" y="${String(BAR.y)}" width="${String(CARD_ROOM)}" height="${String(BAR.height)}" rx="${String(BAR.radius)}"`;
  return `<clipPath id="bar"><rect ${frame}/></clipPath><g clip-path="url(#bar)">${rectangles.join('')}${lines.join('')}</g>`;
}

const LABEL_SIZE = 24;

interface BarLabel {
  readonly text: string;
  readonly p: number;
  readonly width: number;
  x: number;
}

/** Places labels without overlap, the most likely first, each as close as possible to the center of its part. */
function placeLabels(labels: readonly BarLabel[]): BarLabel[] {
  const total = labels.reduce((sum, { width }) => sum + width + LABEL_SIZE, -LABEL_SIZE);
  if (total > CARD_ROOM) {
    const rarest = labels.toSorted((a, b) => a.p - b.p)[0];
    return placeLabels(labels.filter((label) => label !== rarest));
  }
  let free = MARGIN;
  for (const label of labels) {
    label.x = Math.max(label.x, free);
    free = label.x + label.width + LABEL_SIZE;
  }
  let end = MARGIN + CARD_ROOM;
  for (const label of labels.toReversed()) {
    label.x = Math.min(label.x, end - label.width);
    end = label.x - LABEL_SIZE;
  }
  return [...labels];
}

/** Creates the labels below the bar of parts without a large number above it: `Both sides fall 6.1 %`. */
function createLabels(parts: readonly PlacedPart[], join: string): string {
  const labels = parts.map(({ name, p, from }): BarLabel => {
    const text = `${truncateToWidth(name, CARD_ROOM / 3, LABEL_SIZE)}${join}${formatOdds(p)}`;
    const width = measureTextWidth(text, LABEL_SIZE);
    return { text, p, width, x: placeOf(from) + (p * CARD_ROOM - width) / 2 };
  });
  const y = BAR.y + BAR.height + 38;
  return placeLabels(labels)
    .map(({ x, text }) => createText(x, y, text, { size: LABEL_SIZE, fill: SOFT }))
    .join('');
}

/** Creates the names with odds above the bar, the first on the left, the second on the right. */
function createHeadlines(heads: readonly BarPart[]): string {
  const room = heads.length > 1 ? CARD_ROOM / 2 - 20 : CARD_ROOM;
  return heads
    .map(({ name, p, tone }, h) => {
      const fill = tone === undefined ? INK : getToneColor(tone);
      const anchor = h === 0 ? 'start' : 'end';
      const x = h === 0 ? MARGIN : MARGIN + CARD_ROOM;
      const above = createText(x, 248, name, { size: 34, bold: true, fill, anchor, room });
      return above + createText(x, 326, formatOdds(p), { size: 76, bold: true, fill, anchor, room });
    })
    .join('');
}

function createTitle(title: string): string {
  const size = measureTextWidth(title, 52, true) <= CARD_ROOM ? 52 : 40;
  const lines = wrapToWidth(title, CARD_ROOM, size, true).slice(0, 2);
  return lines
    .map((line, l) => createText(MARGIN, (lines.length === 1 ? 164 : 142) + l * 48, line, { size, bold: true }))
    .join('');
}

/** Logo: the five of a die. */
function createLogo(x: number, y: number): string {
  const eyes = [
    [9, 9],
    [23, 9],
    [16, 16],
    [9, 23],
    [23, 23],
  ].map(([cx, cy]) => `<circle cx="${String(cx)}" cy="${String(cy)}" r="3" fill="#fff"/>`);
  return `<g transform="translate(${String(x)} ${String(y)})"><rect width="32" height="32" rx="6" fill="${getToneColor(1)}"/>${eyes.join('')}</g>`;
}

/** Creates the image of a result as SVG. */
export function renderCardSvg(answer: SharedAnswer): string {
  const { title, system, left, how, of } = answer;
  const parts = placeParts(answer.parts);
  const heads = selectHeadlineParts(answer);
  const isBelow = ({ name }: PlacedPart): boolean => !heads.some((head) => head.name === name);
  const lines = left.flatMap((line) => wrapToWidth(line, CARD_ROOM, 28)).slice(0, 2);
  const { width, height } = CARD_SIZE;
  const size = `width="${String(width)}" height="${String(height)}"`;
  const body = [
    `<rect ${size} fill="#fff"/>`,
    createLogo(MARGIN, 48),
    createText(MARGIN + 46, 73, system, { size: 26, fill: SOFT, room: CARD_ROOM - 46 }),
    createTitle(title),
    of === '' ? createHeadlines(heads) : createText(MARGIN, 316, of, { size: 40, bold: true }),
    createBar(parts),
    createLabels(parts.filter(isBelow), of === '' ? ' ' : ': '),
    ...lines.map((line, l) => createText(MARGIN, 524 + l * 36, line, { size: 28 })),
    `<rect x="${String(MARGIN)}" y="576" width="${String(CARD_ROOM)}" height="1" fill="${FAINT}"/>`,
    createText(MARGIN, 604, how, { size: 22, fill: SOFT }),
    createText(MARGIN + CARD_ROOM, 604, 'warpool', { size: 22, fill: SOFT, anchor: 'end' }),
  ];
  const label = escaped(`${title}: ${formatSharedAnswer(answer)}`);
  const head = `xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${String(width)} ${String(height)}"`;
  return `<svg ${head} font-family="${FONT}" role="img" aria-label="${label}">${body.join('')}</svg>`;
}
