/** How battles end: the outcomes of one scenario, and its metrics parted by outcome. */

import type { TopLevelSpec } from 'vega-lite';
import {
  type MetricSummary,
  type OutcomeSummary,
  type Tally,
  type TallyShape,
  valueCounts,
} from '../../answers/index.ts';
import type { Counts } from '../../rules/index.ts';
import { percent as percentOf, placed, SHARE, scaleOf, valueText } from '../figure.ts';
import { readingText, unitOf } from '../survey/quantity.ts';
import { cleanText } from '../text/clean.ts';
import { fixed, plain } from '../text/digits.ts';
import { type Bin, binned, mixed, weightIn } from '../text/histogram.ts';
import { type Dot, dotsSpec } from './dots.ts';
import { textWidth } from './font.ts';
import { cut, fitted, framed, lookup, type Picture } from './picture.ts';
import { GREY, INK, SINGLE, TEXT } from './theme.ts';

/** Outcomes that have a line in the picture, at most. */
const SHOWN = 12;

/**
 * The outcomes that came, each with its interval.
 * @param exact probabilities by name, where they are known
 */
export function outcomesPicture(
  outcomes: readonly OutcomeSummary[],
  colours: ReadonlyMap<string, string>,
  exact: ReadonlyMap<string, number> | undefined,
): Picture {
  const came = outcomes.filter(({ p }) => p > 0);
  const shown = came.length > SHOWN ? came.toSorted((a, b) => b.p - a.p).slice(0, SHOWN) : came;
  const dots = shown.map(({ name, p, ci95 }): Dot => {
    const quantity = { kind: 'outcome', name } as const;
    const known = exact?.get(name);
    const played = { value: p, ...(ci95 && { interval: ci95 }) };
    const reading = { cell: 0, axes: {}, ...(known === undefined ? played : { value: known, played }) };
    const text = valueText(scaleOf(quantity), played);
    return {
      name,
      ...placed(SHARE, p, ci95),
      colour: colours.get(name) ?? GREY,
      text,
      told: readingText(quantity, reading),
    };
  });
  const spec = dotsSpec(dots, { title: 'how battles end', axis: 'share of battles (%)', zero: true });
  const more = came.length - shown.length;
  const caption = `Dots: shares of the battles; thick lines: 95 % intervals, where they are wider than the dot.${more > 0 ? ` ${String(more)} rarer outcomes are left out.` : ''}`;
  return { kind: 'outcomes', of: '', width: SINGLE, caption, spec };
}

/** Bars of a histogram, at most. */
const BINS = 26;

/** A bin for each value if they are few; else neighbours are joined. */
function binsOf(weights: MetricSummary['histogram']): Bin[] {
  const [first = 0, last = 0] = [weights[0]?.[0], weights.at(-1)?.[0]];
  if (last - first >= BINS) return binned(weights, BINS);
  return Array.from({ length: last - first + 1 }, (_, b) => ({ from: first + b, to: first + b, share: 0 }));
}

interface Part {
  readonly outcome: string;
  readonly colour: string;
  /** By bin, in per cent of all battles. */
  readonly shares: readonly number[];
}

/** All that is put together under one colour: outcomes that have none of their own. */
const OTHERS = 'others';

function sharesIn(bins: readonly Bin[], counts: MetricSummary['histogram'], total: number): number[] {
  return bins.map((bin) => (100 * weightIn(counts, bin)) / total);
}

function partsOf(
  shape: TallyShape,
  tally: Tally,
  m: number,
  bins: readonly Bin[],
  colours: ReadonlyMap<string, string>,
): Part[] {
  const total = tally.outcomes.reduce((sum, count) => sum + count, 0);
  const shares = (outcome: number): number[] => sharesIn(bins, valueCounts(tally, m, outcome), total);
  const places = [...shape.outcomes.entries()].filter(([o]) => (tally.outcomes[o] ?? 0) > 0);
  const own = places.filter(([, name]) => colours.has(name));
  const rest = places.filter(([, name]) => !colours.has(name)).map(([o]) => shares(o));
  const joined = bins.map((_, b) => rest.reduce((sum, each) => sum + (each[b] ?? 0), 0));
  return [
    ...own.map(([o, name]) => ({ outcome: name, colour: colours.get(name) ?? GREY, shares: shares(o) })),
    ...(rest.length > 0 ? [{ outcome: OTHERS, colour: GREY, shares: joined }] : []),
  ];
}

const labelOf = ({ from, to }: Bin): string => (from === to ? plain(from) : `${plain(from)}..${plain(to)}`);

const percent = (share: number): string => percentOf(fixed, share / SHARE.times, share < 0.1 ? 3 : 2);

/** Bars of one bin, one outcome on the other. */
function barsOf(bins: readonly Bin[], parts: readonly Part[], unit: number) {
  return bins.flatMap((bin, b) => {
    const label = labelOf({ ...bin, from: bin.from * unit, to: bin.to * unit });
    const all = parts.reduce((sum, { shares }) => sum + (shares[b] ?? 0), 0);
    return parts.flatMap(({ outcome, shares }, order) => {
      const share = shares[b] ?? 0;
      const told = `${label}: ${percent(all)} of battles\n${cleanText(outcome)}: ${percent(share)}`;
      return share === 0 ? [] : [{ place: String(b), share, outcome: cleanText(outcome), order, told }];
    });
  });
}

/** Room of a name below an axis. */
const AXIS = 180;

/** Room of a legend, and of what stands around a name in it. */
const LEGEND = 300;
const SYMBOL = 24;

/** How many names of outcomes stand beside each other. */
function columnsOf(names: readonly string[]): number {
  const widest = Math.max(0, ...names.map((name) => textWidth(name, TEXT)));
  return Math.max(1, Math.min(4, Math.floor(LEGEND / (widest + SYMBOL))));
}

/**
 * The distribution of a metric, each bar parted by how the battles ended.
 * @param m   its place in the shape
 * @param law the exact law, where it is known
 */
export function endingsPicture(
  shape: TallyShape,
  tally: Tally,
  m: number,
  colours: ReadonlyMap<string, string>,
  law: Tally | undefined,
  counts: Counts,
): Picture {
  const { name = '', unit = 1 } = shape.metrics[m] ?? {};
  const laws = [tally, ...(law === undefined ? [] : [law])].map((each) => valueCounts(each, m));
  const bins = binsOf(mixed(laws));
  const parts = partsOf(shape, tally, m, bins, colours);
  const exact = law === undefined ? [] : sharesIn(bins, valueCounts(law, m), 1);
  const counted = unitOf({ kind: 'metric', name }, counts);
  const labels = bins.map(({ from, to, share }) => labelOf({ from: from * unit, to: to * unit, share }));
  const y = { type: 'quantitative', title: 'share of battles (%)' };
  const domain = parts.map(({ outcome }) => cleanText(outcome));
  const dots = {
    data: {
      values: exact.map((share, b) => ({
        place: String(b),
        share,
        told: `${labels[b] ?? ''}: exact ${percent(share)}`,
      })),
    },
    mark: { type: 'point', filled: true, color: INK, opacity: 1, size: 10 },
    encoding: { y: { ...y, field: 'share' }, description: { field: 'told', type: 'nominal' } },
  };
  const bars = {
    data: { values: barsOf(bins, parts, unit) },
    mark: { type: 'bar' },
    encoding: {
      y: { ...y, field: 'share', stack: 'zero' },
      order: { field: 'order', type: 'quantitative' },
      color: {
        field: 'outcome',
        type: 'nominal',
        scale: { domain, range: parts.map(({ colour }) => colour) },
        legend:
          domain.length > 1
            ? {
                orient: 'bottom',
                title: null,
                columns: columnsOf(domain),
                symbolType: 'square',
                labelLimit: LEGEND - SYMBOL,
              }
            : null,
      },
      description: { field: 'told', type: 'nominal' },
    },
  };
  const spec = {
    ...framed(`distribution of ${cleanText(name)}`, '', SINGLE),
    ...fitted(SINGLE, 220),
    encoding: {
      x: {
        field: 'place',
        type: 'ordinal',
        scale: { domain: bins.map((_, b) => String(b)) },
        title: `${cut(cleanText(name), AXIS, TEXT)}${counted === '' ? '' : ` (${counted})`}`,
        axis: { labelExpr: lookup(labels), labelAngle: 0, labelOverlap: true },
      },
    },
    layer: [bars, ...(exact.length > 0 ? [dots] : [])],
  } as unknown as TopLevelSpec;
  const caption = [
    domain.length > 1 ? 'Bars: battles, parted by how they ended.' : 'Bars: battles.',
    ...(exact.length > 0 ? ['Dots: the exact law.'] : []),
    ...(bins.some(({ from, to }) => from < to)
      ? ['Neighbouring values are joined; the outermost bars hold the tails.']
      : []),
  ].join(' ');
  return { kind: 'endings', of: name, width: SINGLE, caption, spec };
}
