/** Laws: of a metric in one cell, and of the z-scores of a sweep. */

import type { TopLevelSpec } from 'vega-lite';
import type { Counts } from '../../rules/index.ts';
import { percent } from '../figure.ts';
import type { ShownSide } from '../sides.ts';
import type { Law, LawBin } from '../survey/law.ts';
import { unitOf } from '../survey/quantity.ts';
import type { Scores } from '../survey/scores.ts';
import { cleanText } from '../text/clean.ts';
import { fixed, grouped } from '../text/digits.ts';
import { colourIn, coloursOf } from './colours.ts';
import { fitted, framed, lookup, type Picture } from './picture.ts';
import { GREY, INK, SINGLE } from './theme.ts';

function shareText(share: number): string {
  return percent(fixed, share, 3);
}

function binTold({ label, share, exact }: LawBin): string {
  const parts = [
    ...(share === undefined ? [] : [`sampled ${shareText(share)}`]),
    ...(exact === undefined ? [] : [`exact ${shareText(exact)}`]),
  ];
  return `${cleanText(label)}: ${parts.join(', ')}`;
}

/** What a test of counts against the law says, in a sentence. */
function fitText({ fit }: Law): string {
  if (fit === undefined) return '';
  const { statistic, degrees, limit } = fit;
  const verdict = statistic <= limit ? 'they agree' : 'they differ by more than in 19 of 20 honest cases';
  const digits = (value: number): string => fixed(value, 1);
  return `Chi-square of counts against the exact law: ${digits(statistic)} with ${String(degrees)} degrees of freedom (below ${digits(limit)} in 95 %): ${verdict}.`;
}

/** The colour of each bar: of a metric that of its side, of outcomes each its own. */
function coloursIn({ quantity, bins }: Law, sides: readonly ShownSide[]): (bin: LawBin) => string {
  const own = colourIn(quantity.name, sides);
  if (quantity.kind === 'metric') return () => own;
  const all = coloursOf(
    bins.map(({ label, share = 0, exact = share }) => ({ name: label, p: Math.max(share, exact) })),
    sides,
  );
  return ({ label }) => all.get(label) ?? GREY;
}

/** Bars of what was played, and dots of what is known exactly: in colour where there are no bars. */
function lawLayers(played: boolean, solved: boolean, bins: number) {
  const y = { type: 'quantitative', title: played ? 'share of battles (%)' : 'probability (%)' };
  const told = { field: 'told', type: 'nominal' };
  const color = { field: 'colour', type: 'nominal', scale: null };
  const bars = {
    mark: { type: 'bar', opacity: solved ? 0.55 : 1 },
    encoding: { y: { ...y, field: 'share' }, color, description: told },
  };
  const dots = {
    mark: { type: 'point', filled: true, color: INK, opacity: 1, size: bins > 30 ? 10 : 20 },
    encoding: { y: { ...y, field: 'exact' }, ...(!played && { color }), description: told },
  };
  return [...(played ? [bars] : []), ...(solved ? [dots] : [])];
}

/** The law of a metric or of the outcomes in one cell. @param place where the cell lies */
export function lawPicture(law: Law, place: string, counts: Counts, sides: readonly ShownSide[] = []): Picture {
  const { quantity, bins, battles } = law;
  const metric = quantity.kind === 'metric';
  const unit = unitOf(quantity, counts);
  const title = metric ? `distribution of ${cleanText(quantity.name)}` : 'outcomes of a cell';
  const colour = coloursIn(law, sides);
  const values = bins.map((bin, place) => ({
    colour: colour(bin),
    place: String(place),
    share: 100 * (bin.share ?? 0),
    exact: 100 * (bin.exact ?? 0),
    told: binTold(bin),
  }));
  const labels = bins.map(({ label }) => cleanText(label));
  const x = {
    field: 'place',
    type: 'ordinal',
    sort: null,
    title: metric ? `${cleanText(quantity.name)}${unit === '' || unit === '%' ? '' : ` (${unit})`}` : 'outcome',
    axis: { labelExpr: lookup(labels), labelAngle: 0, labelOverlap: true },
  };
  const solved = bins.some(({ exact }) => exact !== undefined);
  const spec = {
    ...framed(title, place, SINGLE),
    ...fitted(SINGLE, 210),
    data: { values },
    encoding: { x },
    layer: lawLayers(battles > 0, solved, bins.length),
  } as unknown as TopLevelSpec;
  const parts = [
    ...(battles > 0 ? [`Bars: ${grouped(battles)} battles.`] : []),
    ...(solved ? ['Dots: exact law.'] : []),
    ...(law.width > 1 ? ['Neighbouring values are joined.'] : []),
    ...(metric ? ['Values at the ends that are less likely than 0.01 % are left out.'] : []),
    fitText(law),
  ];
  return {
    kind: 'law',
    of: metric ? quantity.name : 'outcomes',
    width: SINGLE,
    caption: parts.filter((part) => part !== '').join(' '),
    spec,
  };
}

/** Density of the standard normal law. */
const density = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);

/** Scores as a histogram beside the standard normal law, which they should follow. */
export function scoresPicture(scores: Scores): Picture {
  const bars = scores.bins.map(({ from, to, count }) => ({
    from,
    to,
    density: count / scores.count / (to - from),
    told: `z ${String(from)} .. ${String(to)}: ${grouped(count)} scores`,
  }));
  const ends = [scores.bins[0]?.from ?? -5, scores.bins.at(-1)?.to ?? 5] as const;
  const curve = Array.from({ length: 101 }, (_, k) => ends[0] + ((ends[1] - ends[0]) * k) / 100);
  const x = { type: 'quantitative', title: 'z: standard errors off the exact value', scale: { nice: false } };
  const y = { type: 'quantitative', title: 'density', axis: { tickCount: 5 } };
  const spec = {
    ...framed('simulation against exact answers', '', SINGLE),
    ...fitted(SINGLE, 190),
    layer: [
      {
        data: { values: bars },
        mark: { type: 'bar', color: GREY, stroke: 'white', strokeWidth: 0.5 },
        encoding: {
          x: { ...x, field: 'from' },
          x2: { field: 'to' },
          y: { ...y, field: 'density' },
          y2: { datum: 0 },
          description: { field: 'told', type: 'nominal' },
        },
      },
      {
        data: { values: curve.map((z) => ({ z, density: density(z) })) },
        mark: { type: 'line', color: INK, strokeWidth: 1, aria: false },
        encoding: { x: { ...x, field: 'z' }, y: { ...y, field: 'density' } },
      },
    ],
  } as unknown as TopLevelSpec;
  const caption = `${grouped(scores.count)} z-scores (bars) and the standard normal law (line). What lies beyond 5 stands in the outermost bars.`;
  return { kind: 'scores', of: '', width: SINGLE, caption, spec };
}
