/** Convergence: an estimate with its interval against the battles that it is made of. */

import type { TopLevelSpec } from 'vega-lite';
import { share95 } from '../../answers/index.ts';
import { placed, SHARE } from '../figure.ts';
import type { Look } from '../survey/law.ts';
import { readingText } from '../survey/quantity.ts';
import { cleanText } from '../text/clean.ts';
import { grouped } from '../text/digits.ts';
import { fitted, framed, type Picture } from './picture.ts';
import { INK, SINGLE } from './theme.ts';

export interface Convergence {
  readonly outcome: string;
  /** Of its side. */
  readonly colour: string;
  /** Where the cell lies, or what the scenario is called. */
  readonly place: string;
  /** Ascending, at least one. */
  readonly looks: readonly Look[];
  /** The exact probability, if it is known. */
  readonly exact?: number;
}

/** The estimate of an outcome after more and more battles, with the intervals of Clopper and Pearson. */
export function convergencePicture({ outcome, colour, place, looks, exact }: Convergence): Picture {
  const quantity = { kind: 'outcome', name: outcome } as const;
  const values = looks.map(({ battles, count }) => {
    const interval = share95(count, battles);
    const value = count / battles;
    return {
      battles,
      ...placed(SHARE, value, interval),
      told: `${grouped(battles)} battles\n${readingText(quantity, { cell: 0, axes: {}, value, interval })}`,
    };
  });
  const y = { field: 'value', type: 'quantitative', title: 'probability (%)', scale: { zero: false } };
  const ends = [looks[0]?.battles ?? 1, looks.at(-1)?.battles ?? 1] as const;
  const wide = ends[1] / ends[0] >= 20;
  const x = {
    field: 'battles',
    type: 'quantitative',
    title: 'battles',
    scale: wide ? { type: 'log', nice: false } : { zero: false, nice: false },
    axis: { format: '~s', grid: false, tickCount: 5, labelOverlap: true },
  };
  const truth = {
    data: { values: [{}] },
    mark: { type: 'rule', color: INK, strokeDash: [3, 2], strokeWidth: 0.75, aria: false },
    encoding: { y: { datum: SHARE.times * (exact ?? 0), type: 'quantitative' } },
  };
  const spec = {
    ...framed(`convergence of ${cleanText(outcome)}`, place, SINGLE),
    ...fitted(SINGLE, 210),
    data: { values },
    layer: [
      {
        mark: { type: 'area', color: colour, opacity: 0.22, aria: false },
        encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'high' } },
      },
      { mark: { type: 'line', color: colour, strokeWidth: 1.25, aria: false }, encoding: { x, y } },
      {
        mark: { type: 'point', color: colour, filled: true, opacity: 1, size: 16 },
        encoding: { x, y, description: { field: 'told', type: 'nominal' } },
      },
      ...(exact === undefined ? [] : [truth]),
    ],
  } as unknown as TopLevelSpec;
  const known = exact === undefined ? '' : ' The dashed line is the exact probability.';
  const caption = `The estimate after so many battles of one run, with its 95 % interval (Clopper and Pearson), which holds at each point by itself, not along the whole line.${known}`;
  return { kind: 'convergence', of: outcome, width: SINGLE, caption, spec };
}
