/** What `sensitivity` prints for people and programs. */

import type { Scenario } from '../rules/index.ts';
import type { Sensitivity } from '../studies/index.ts';
import { percent } from './figure.ts';
import { head, type Label } from './json.ts';
import { bold, factLine, type Sheet, type SheetBlock, type TableCell, toned } from './parts.ts';
import { morrisParts, sobolParts } from './space.ts';
import { stepParts } from './steps.ts';
import { clean } from './text/clean.ts';
import { fixed, grouped } from './text/digits.ts';

/** How the cells were answered. */
export function answered({ cells: { exact, simulated }, battles }: Sensitivity): string {
  const played = `${grouped(simulated)} cells of ${grouped(battles)} battles`;
  if (simulated === 0) return `${grouped(exact)} cells, exact`;
  return exact === 0 ? played : `${played}, ${grouped(exact)} exact`;
}

/** Whether nothing was drawn: neither battles nor places of a space. */
const isExact = ({ cells, method }: Sensitivity): boolean => cells.simulated === 0 && method === 'step';

export function methodOf(result: Sensitivity): string {
  if (result.method === 'morris') return `Morris’s screening, ${grouped(result.trajectories)} trajectories`;
  if (result.method === 'sobol') return `Sobol’s indices, ${grouped(result.points)} base points`;
  const { kind, value } = result;
  return `${kind === 'outcome' ? percent(fixed, value, 2) : fixed(value, 3)} as it is`;
}

function sensitivityParts(result: Sensitivity): SheetBlock[][] {
  if (result.method === 'step') return stepParts(result);
  return result.method === 'morris' ? morrisParts(result) : sobolParts(result);
}

/** The sheet of a study of sensitivity. */
export function sensitivitySheet(result: Sensitivity, name: string): Sheet {
  const of = bold(clean(result.of));
  const facts: TableCell[] = [
    ...(result.method === 'step' ? [[of, methodOf(result)]] : [of, methodOf(result)]),
    answered(result),
    ...(isExact(result) ? [] : [`seed ${result.seed}`]),
    ...(result.complete ? [] : [toned('ended early', 'yellow')]),
  ];
  return [[factLine([bold(clean(name)), ...facts])], ...sensitivityParts(result)];
}

/**
 * The result of `sensitivity`: the study as `stepSensitivity`, `morrisSensitivity` or `sobolSensitivity` gives it. Shares
 * are 0..1; `fields` has the most important first, each with `path`, `effect` and `ci95`.
 */
export function sensitivityJson(result: Sensitivity, label: Label, scenario: Scenario, hash: string) {
  return { ...head(label, scenario, hash), ...result };
}
