/** Tornado charts: bars of the effects of one step up and one step down of each field. */
import type { TopLevelSpec } from 'vega-lite';
import { sanitizeXmlText } from '../text/sanitize.ts';
import { createFit, createFrame, createLabelExpression, truncateToWidth } from './figure.ts';
import { measureTextWidth } from './font.ts';
import { INK, NEUTRAL_COLORS, TEXT } from './theme.ts';

/** Bar of a field. */
export interface TornadoBar {
  readonly up: boolean;
  readonly value: number;
  /** Ends of the interval, if the value is estimated. */
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  readonly text: string;
  readonly tooltip: string;
}

export interface TornadoRow {
  readonly name: string;
  /** Color of the side of the field. */
  readonly colour: string;
  readonly bars: readonly TornadoBar[];
}

export interface TornadoOptions {
  readonly title: string;
  readonly subtitle: string;
  /** Title of the value axis. */
  readonly axis: string;
  /** Widths of the figure and of its names, in pixels. */
  readonly width: number;
  readonly room: number;
}

/** Heights of a field and of the space around all fields, in pixels. */
const FIELD_HEIGHT = 22;
const MARGIN_HEIGHT = 92;

/** Names of the two steps in the legend. */
const STEP_NAMES = ['one step up', 'one step down'] as const;

/** Domain of the axis, with space for bars, intervals and labels. */
function computeDomain(bars: readonly TornadoBar[], { width, room }: TornadoOptions): [low: number, high: number] {
  const ends = bars.flatMap(({ value, low = value, high = value }) => [value, low, high]);
  const [least, most] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const textWidth = 8 + Math.max(0, ...bars.map(({ text }) => measureTextWidth(text, TEXT - 1)));
  const plot = Math.max(2.5 * textWidth, width - room - 40);
  const margin = ((most - least || 1) * textWidth) / (plot - 2 * textWidth);
  return [least < 0 ? least - margin : 0, most > 0 ? most + margin : 0];
}

/** Opacity of steps down. */
const PALE_OPACITY = 0.45;

const STEP_ENCODING = { field: 'step', type: 'nominal', scale: { domain: STEP_NAMES } };

function createLayers(domain: readonly [number, number], axis: string) {
  const x = { type: 'quantitative', title: axis, scale: { domain, nice: false }, axis: { grid: false, tickCount: 5 } };
  const drawText = (align: 'left' | 'right', side: string) => ({
    transform: [{ filter: side }],
    mark: { type: 'text', aria: false, align, dx: align === 'left' ? 4 : -4, fontSize: TEXT - 1, color: INK },
    encoding: { x: { ...x, field: 'end' }, yOffset: STEP_ENCODING, text: { field: 'text', type: 'nominal' } },
  });
  return [
    {
      mark: { type: 'bar' },
      encoding: {
        x: { ...x, field: 'value' },
        yOffset: STEP_ENCODING,
        color: { field: 'colour', type: 'nominal', scale: null },
        opacity: {
          ...STEP_ENCODING,
          type: 'ordinal',
          scale: { domain: STEP_NAMES, range: [1, PALE_OPACITY] },
          legend: {
            title: null,
            orient: 'top',
            symbolType: 'square',
            symbolFillColor: NEUTRAL_COLORS[1],
            symbolStrokeWidth: 0,
            offset: 2,
          },
        },
        description: { field: 'tooltip', type: 'nominal' },
      },
    },
    {
      transform: [{ filter: 'datum.low < datum.high' }],
      mark: { type: 'rule', aria: false, strokeWidth: 1, color: INK },
      encoding: { x: { ...x, field: 'low' }, x2: { field: 'high' }, yOffset: STEP_ENCODING },
    },
    {
      mark: { type: 'rule', aria: false, strokeWidth: 0.75, color: INK },
      encoding: { x: { datum: 0, type: 'quantitative' }, y: null },
    },
    drawText('left', 'datum.value >= 0'),
    drawText('right', 'datum.value < 0'),
  ];
}

/** Creates a tornado chart with the fields in the given order. */
export function createTornadoSpec(fields: readonly TornadoRow[], frame: TornadoOptions): TopLevelSpec {
  const labels = fields.map(({ name }) => truncateToWidth(sanitizeXmlText(name), frame.room, TEXT));
  const values = fields.flatMap(({ bars, colour }, at) =>
    bars.map((bar) => {
      const { value, low = value, high = value, up } = bar;
      const end = value < 0 ? Math.min(value, low) : Math.max(value, high);
      return { ...bar, colour, low, high, end, place: String(at), step: STEP_NAMES[up ? 0 : 1] };
    }),
  );
  const y = {
    field: 'place',
    type: 'ordinal',
    title: null,
    scale: { domain: labels.map((_, l) => String(l)), paddingInner: 0.25, paddingOuter: 0.15 },
    axis: {
      labelExpr: createLabelExpression(labels),
      domain: false,
      labelPadding: 6,
      ticks: false,
      labelLimit: frame.room + TEXT,
    },
  };
  return {
    ...createFrame(frame.title, frame.subtitle, frame.width),
    ...createFit(frame.width, MARGIN_HEIGHT + FIELD_HEIGHT * Math.max(2, fields.length)),
    data: { values },
    encoding: { y },
    layer: createLayers(
      computeDomain(
        fields.flatMap(({ bars }) => bars),
        frame,
      ),
      frame.axis,
    ),
  } as unknown as TopLevelSpec;
}
