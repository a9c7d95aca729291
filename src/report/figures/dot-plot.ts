/** Dot plots of named values, with their intervals. */
import type { TopLevelSpec } from 'vega-lite';
import { sanitizeXmlText } from '../text/sanitize.ts';
import { createFit, createFrame, createLabelExpression, truncateToWidth } from './figure.ts';
import { measureTextWidth } from './font.ts';
import { FAINT, INK, SINGLE_COLUMN, TEXT } from './theme.ts';

export interface Dot {
  readonly name: string;
  readonly value: number;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  readonly colour: string;
  /** Label to the right of the dot. */
  readonly text: string;
  readonly tooltip: string;
}

/** Sizes of a name, of a line, and of the space around the lines, in pixels. */
const NAME_WIDTH = 128;
const LINE_HEIGHT = 15;
const MARGIN_HEIGHT = 62;

export interface DotPlotOptions {
  readonly title: string;
  readonly subtitle?: string;
  /** Title of the value axis. */
  readonly axis: string;
  /** True if lines are drawn from 0 to the values. */
  readonly zero: boolean;
  /** Indices of dots that follow an empty line, ascending. */
  readonly gaps?: readonly number[];
  /** Widths of the figure and of its names, in pixels. Default: a figure of one column. */
  readonly width?: number;
  readonly room?: number;
}

const COLOR = { field: 'colour', type: 'nominal', scale: null };

/** @param room width of the plot; wider titles are right-aligned with it */
function createLayers({ axis, zero }: DotPlotOptions, room: number) {
  const titled = measureTextWidth(axis, TEXT) > room ? { titleAnchor: 'end' } : {};
  const scale = { zero, nice: true };
  const x = { type: 'quantitative', title: axis, scale, axis: { grid: false, tickCount: 5, ...titled } };
  // Lines end at the dots. Longer ones would cross the labels.
  const stem = zero
    ? {
        mark: { type: 'rule', aria: false, strokeWidth: 0.75 },
        encoding: { x: { ...x, field: 'base' }, x2: { field: 'value' }, color: COLOR },
      }
    : {
        mark: { type: 'rule', aria: false, strokeWidth: 0.5, color: FAINT },
        encoding: { x: { ...x, field: 'low' }, x2: { value: 0 } },
      };
  const interval = {
    mark: { type: 'rule', aria: false, strokeWidth: 1.5, strokeCap: 'butt' },
    encoding: { x: { ...x, field: 'low' }, x2: { field: 'high' }, color: COLOR },
  };
  const dot = {
    mark: { type: 'point', filled: true, opacity: 1, size: 32 },
    encoding: { x: { ...x, field: 'value' }, color: COLOR, description: { field: 'tooltip', type: 'nominal' } },
  };
  const text = {
    mark: { type: 'text', aria: false, align: 'left', dx: 5, fontSize: TEXT - 1, color: INK, clip: false },
    encoding: { x: { ...x, field: 'end' }, text: { field: 'text', type: 'nominal' } },
  };
  return [stem, interval, dot, text];
}

/** Creates a dot plot. Lines have numbers as keys, because truncated names may be equal. */
export function createDotPlotSpec(dots: readonly Dot[], frame: DotPlotOptions): TopLevelSpec {
  const { title, subtitle = '', zero, gaps = [], width = SINGLE_COLUMN, room = NAME_WIDTH } = frame;
  const drawLine = (at: number): number => at + gaps.filter((gap) => gap <= at).length;
  const labels = dots.map(({ name }) => truncateToWidth(sanitizeXmlText(name), room, TEXT));
  for (const [g, gap] of gaps.entries()) labels.splice(gap + g, 0, '');
  const values = dots.map((dot, at) => {
    const { value, low = value, high = value } = dot;
    return { ...dot, low, high, place: String(drawLine(at)), base: 0, end: zero ? Math.max(0, high) : high };
  });
  // Vega reserves space for axes, but not for labels of dots.
  const textWidth = Math.max(...dots.map(({ text }) => measureTextWidth(text, TEXT - 1)));
  const y = {
    field: 'place',
    type: 'ordinal',
    title: null,
    scale: { domain: labels.map((_, l) => String(l)) },
    axis: {
      labelExpr: createLabelExpression(labels),
      domain: false,
      labelPadding: 6,
      ticks: false,
      labelLimit: room + TEXT,
      grid: false,
    },
  };
  return {
    ...createFrame(title, subtitle, width),
    ...createFit(width, MARGIN_HEIGHT + LINE_HEIGHT * Math.max(2, labels.length)),
    padding: { left: 4, top: 4, bottom: 4, right: 10 + textWidth },
    data: { values },
    encoding: { y },
    layer: createLayers(
      frame,
      width - textWidth - Math.max(...labels.map((label) => measureTextWidth(label, TEXT))) - 4 * TEXT,
    ),
  } as unknown as TopLevelSpec;
}
