/** JSON of `report`. Its shape is stable: new versions may only add keys. */

import { pickModuleFields } from '../../stats/index.ts';
import { BAND, type BalancedCells } from '../sweep-analysis/balanced-cells.ts';
import type { Anomaly, AxisInfluence, Findings } from '../sweep-analysis/findings.ts';
import type { ClassMean } from '../sweep-analysis/main-effects.ts';
import type { CellReading } from '../sweep-analysis/quantity.ts';
import { createFindingsText } from './findings-text.ts';
import type { SweepReport } from './report.ts';

function createCellJson({ cell, axes, value, interval, simulated }: CellReading) {
  if (interval !== undefined) return { cell, axes, estimate: value, ci95: interval, exact: null };
  return { cell, axes, estimate: simulated?.value ?? null, ci95: simulated?.interval ?? null, exact: value };
}

function createBalancedCellsJson(
  { nearest, within, surely, possibly, open, never, always }: BalancedCells,
  cells: number,
) {
  return {
    target: 0.5,
    band: BAND,
    cells,
    within,
    surely,
    possibly,
    open,
    never,
    always,
    nearest: nearest.map(createCellJson),
  };
}

/** Errors are infinite for a class of one cell, which JSON cannot express. */
function createClassMeanJson({ label, cells, mean, error }: ClassMean) {
  return { value: label, cells, mean, error: Number.isFinite(error) ? error : null };
}

function createInfluenceJson({ axis, share, least, greatest, chance, clear, direction, turn }: AxisInfluence) {
  return {
    axis,
    share,
    least: createClassMeanJson(least),
    greatest: createClassMeanJson(greatest),
    chance: Number.isFinite(chance) ? chance : null,
    clear,
    direction: direction ?? null,
    turn: turn?.map(createClassMeanJson) ?? null,
  };
}

function createAnomalyJson(odd: Anomaly) {
  switch (odd.kind) {
    case 'turns':
      return { kind: odd.kind, axis: odd.mover.axis };
    case 'stalemate':
      return { ...odd, greatest: createCellJson(odd.greatest) };
    default:
      return odd;
  }
}

function createFindingsJson(answers: Findings, report: SweepReport) {
  const { main, even, cells, influences, together = null, mixed, anomalies } = answers;
  return {
    of: main,
    balanced: even === undefined ? null : createBalancedCellsJson(even, cells),
    matters: { effects: influences.map(createInfluenceJson), together, mixed },
    odd: anomalies.map(createAnomalyJson),
    text: createFindingsText(answers, report.survey),
  };
}

/** Creates the JSON of a report. */
export function createReportJson(report: SweepReport) {
  const { facts, cells, battles, solved, quantities } = report.survey;
  const { name, system, ruleset, warpool, design, points, complete, seed, digest = null } = facts;
  return {
    warpool,
    ruleset,
    system,
    ...pickModuleFields(facts),
    name,
    design,
    seed,
    digest,
    complete,
    cells: { present: cells, points, solved },
    battles,
    findings: report.answers === undefined ? null : createFindingsJson(report.answers, report),
    ...(report.unitValues && { pointValues: report.unitValues }),
    quantities: quantities.map(({ quantity, mean, deviation, greatest, least, same = null }) => ({
      ...quantity,
      mean,
      deviation,
      greatest: greatest.to,
      least: least.from,
      same,
    })),
  };
}
