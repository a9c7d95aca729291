/** Common style of all figures: sizes for papers, one font, colors that are safe for color blindness. */
import type { Config } from 'vega-lite';
import { FONT } from './font.ts';

/** CSS pixels per millimeter. */
const PIXELS_PER_MM = 96 / 25.4;

/** Widths of one column of a paper, 85 mm, and of two, 170 mm, in CSS pixels. */
export const SINGLE_COLUMN = Math.round(85 * PIXELS_PER_MM);
export const DOUBLE_COLUMN = Math.round(170 * PIXELS_PER_MM);

/** Text sizes in CSS pixels; 9 pixels are 6.75 points. */
export const TEXT = 9;
export const TITLE = 11;

export const INK = '#1a1a1a';
export const SOFT = '#5f6368';
export const FAINT = '#d9dce0';

/** Colors of texts on tiles, in light and dark mode. */
export const TILE_INK = '#000';

/**
 * Colors of sides by tone: the attacker vermilion, the defender blue, further players green, pink, sky, yellow. From
 * M. Okabe and K. Ito (2008); the last three are darkened to a contrast of 3:1 on white.
 */
export const SIDE_COLORS: readonly string[] = ['#d55e00', '#0072b2', '#009e73', '#a63a7c', '#3a9ad9', '#8a5f00'];

/** Colors of outcomes of no side, such as a stalemate. */
export const NEUTRAL_COLORS: readonly string[] = ['#868d95', '#4d5359', '#b4b9bf'];

export const GREY = '#b4b9bf';

/** Replacements of colors in dark mode. Files have only the light colors. */
export const DARK_COLORS: Readonly<Record<string, string>> = {
  [INK]: '#e8eaed',
  [SOFT]: '#a8adb3',
  [FAINT]: '#363a40',
  [GREY]: '#6b7178',
  '#868d95': '#8b929a',
  '#4d5359': '#c3c8ce',
  '#d55e00': '#ff8f4f',
  '#0072b2': '#4ba3e3',
  '#009e73': '#35c79b',
  '#a63a7c': '#e39ac3',
  '#3a9ad9': '#a5dcff',
  '#8a5f00': '#f7d25c',
};

/** Common configuration of all specifications. */
export const CONFIG: Config = {
  font: FONT,
  background: 'white',
  padding: 4,
  view: { stroke: null },
  axis: {
    labelFontSize: TEXT,
    titleFontSize: TEXT,
    titleFontWeight: 'normal',
    titleColor: INK,
    labelColor: INK,
    domainColor: SOFT,
    tickColor: SOFT,
    gridColor: FAINT,
    gridWidth: 0.5,
    domainWidth: 0.75,
    tickWidth: 0.75,
    tickSize: 3,
    labelPadding: 2,
    titlePadding: 6,
    labelLimit: 130,
    labelSeparation: 4,
    titleLimit: 300,
  },
  axisY: { titleLimit: 180 },
  legend: {
    labelFontSize: TEXT,
    titleFontSize: TEXT,
    titleFontWeight: 'normal',
    labelColor: INK,
    titleColor: INK,
    symbolStrokeWidth: 1.25,
    labelLimit: 180,
    titleLimit: 260,
  },
  header: {
    labelFontSize: TEXT,
    titleFontSize: TEXT,
    labelFontWeight: 'normal',
    titleFontWeight: 'normal',
    labelColor: INK,
    labelLimit: 180,
  },
  title: {
    fontSize: TITLE,
    fontWeight: 'bold',
    anchor: 'start',
    frame: 'bounds',
    color: INK,
    subtitleFontSize: TEXT,
    subtitleColor: SOFT,
    subtitlePadding: 3,
    offset: 8,
  },
};
