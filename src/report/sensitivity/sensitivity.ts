/** Output of `sensitivity`: report and JSON. */

import type { Sensitivity } from '../../analysis/index.ts';
import type { Scenario } from '../../rules/index.ts';
import { createScenarioHeader, type ScenarioLabel } from '../json.ts';
import { formatPercent } from '../sheet/estimated-value.ts';
import { bold, createFactLine, type Sheet, type SheetBlock, styleText, type TableCell } from '../sheet/sheet.ts';
import { formatFixed, formatGrouped } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { createMorrisBlocks, createSobolBlocks } from './global-sensitivity.ts';
import { createOneAtATimeBlocks } from './one-at-a-time.ts';

/** Formats the numbers of simulated and exact cells. */
export function formatCellCounts({ cells: { exact, simulated }, battles }: Sensitivity): string {
  const played = `${formatGrouped(simulated)} cells of ${formatGrouped(battles)} battles`;
  if (simulated === 0) return `${formatGrouped(exact)} cells, exact`;
  return exact === 0 ? played : `${played}, ${formatGrouped(exact)} exact`;
}

/** True if neither battles nor points of the space are random. */
const isExact = ({ cells, method }: Sensitivity): boolean => cells.simulated === 0 && method === 'step';

export function formatMethod(result: Sensitivity): string {
  if (result.method === 'morris') return `Morris’s screening, ${formatGrouped(result.trajectories)} trajectories`;
  if (result.method === 'sobol') return `Sobol’s indices, ${formatGrouped(result.points)} base points`;
  const { kind, value } = result;
  return `${kind === 'outcome' ? formatPercent(formatFixed, value, 2) : formatFixed(value, 3)} unchanged`;
}

function createSensitivityBlocks(result: Sensitivity): SheetBlock[][] {
  if (result.method === 'step') return createOneAtATimeBlocks(result);
  return result.method === 'morris' ? createMorrisBlocks(result) : createSobolBlocks(result);
}

/** Creates the report of a sensitivity analysis. */
export function createSensitivitySheet(result: Sensitivity, name: string): Sheet {
  const of = bold(sanitizeLine(result.of));
  const facts: TableCell[] = [
    ...(result.method === 'step' ? [[of, formatMethod(result)]] : [of, formatMethod(result)]),
    formatCellCounts(result),
    ...(isExact(result) ? [] : [`seed ${result.seed}`]),
    ...(result.complete ? [] : [styleText('ended early', 'yellow')]),
  ];
  return [[createFactLine([bold(sanitizeLine(name)), ...facts])], ...createSensitivityBlocks(result)];
}

/**
 * Creates the JSON of `sensitivity`: the result of `stepSensitivity`, `morrisSensitivity` or `sobolSensitivity`. Shares
 * are 0..1; `fields` lists the most important first, each with `path`, `effect` and `ci95`.
 */
export function createSensitivityJson(result: Sensitivity, label: ScenarioLabel, scenario: Scenario, hash: string) {
  const { scenario: _, ...rest } = result;
  return { ...createScenarioHeader(label, scenario, hash), ...rest };
}
