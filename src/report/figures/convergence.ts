/** Convergence of an estimate and its interval with the number of battles. */

import type { TopLevelSpec } from 'vega-lite';
import { clopperPearson95 } from '../../stats/index.ts';
import { SHARE, toPlotValue } from '../sheet/estimated-value.ts';
import type { ConvergencePoint } from '../sweep-analysis/cell-distribution.ts';
import { formatReading } from '../sweep-analysis/quantity.ts';
import { formatGrouped } from '../text/number-format.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';
import { createFit, createFrame, type Figure } from './figure.ts';
import { INK, SINGLE_COLUMN } from './theme.ts';

export interface ConvergenceData {
  readonly outcome: string;
  /** Color of the side of the outcome. */
  readonly colour: string;
  /** Axis values of the cell, or name of the scenario. */
  readonly place: string;
  /** Ascending by battles; at least one. */
  readonly checkpoints: readonly ConvergencePoint[];
  /** Exact probability, if it is known. */
  readonly exact?: number;
}

/** Creates the figure of an estimate against the number of battles, with Clopper-Pearson intervals. */
export function createConvergenceFigure({ outcome, colour, place, checkpoints, exact }: ConvergenceData): Figure {
  const quantity = { kind: 'outcome', name: outcome } as const;
  const values = checkpoints.map(({ battles, count }) => {
    const interval = clopperPearson95(count, battles);
    const value = count / battles;
    return {
      battles,
      ...toPlotValue(SHARE, value, interval),
      tooltip: `${formatGrouped(battles)} battles\n${formatReading(quantity, { cell: 0, axes: {}, value, interval })}`,
    };
  });
  const y = { field: 'value', type: 'quantitative', title: 'probability (%)', scale: { zero: false } };
  const ends = [checkpoints[0]?.battles ?? 1, checkpoints.at(-1)?.battles ?? 1] as const;
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
    ...createFrame(`convergence of ${sanitizeXmlText(outcome)}`, place, SINGLE_COLUMN),
    ...createFit(SINGLE_COLUMN, 210),
    data: { values },
    layer: [
      {
        mark: { type: 'area', color: colour, opacity: 0.22, aria: false },
        encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'high' } },
      },
      { mark: { type: 'line', color: colour, strokeWidth: 1.25, aria: false }, encoding: { x, y } },
      {
        mark: { type: 'point', color: colour, filled: true, opacity: 1, size: 16 },
        encoding: { x, y, description: { field: 'tooltip', type: 'nominal' } },
      },
      ...(exact === undefined ? [] : [truth]),
    ],
  } as unknown as TopLevelSpec;
  const known = exact === undefined ? '' : ' The dashed line is the exact probability.';
  const caption = `Estimate against the number of battles of one run, with its 95 % interval (Clopper and Pearson), which is valid at each point but not for the whole line.${known}`;
  return { kind: 'convergence', of: outcome, width: SINGLE_COLUMN, caption, spec };
}
