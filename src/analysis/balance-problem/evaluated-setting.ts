/** A setting with the values of all targets. */

import { type BoundsVerdict, type Interval, judgeInterval, judgeValue } from '../../stats/index.ts';
import type { CellTable, TermReadings } from './cell-table.ts';
import {
  type BalanceProblem,
  computeSettingCosts,
  type FieldIndices,
  getFieldValue,
  type SettingCosts,
} from './problem.ts';
import { boundTarget } from './search-boxes.ts';
import { computeMiss, type ProblemTarget } from './target.ts';

/** Value of a target in a setting. */
export interface TargetValue {
  readonly value: number;
  /** Absent if the value is exact. */
  readonly interval?: Interval;
  /** Distance of the value from the bounds, in units of the tolerance; 0 if it is within. */
  readonly miss: number;
  readonly verdict: BoundsVerdict;
}

/** Setting of a balance problem with the values of its targets. */
export interface ProblemSetting extends SettingCosts {
  /** Values of the fields, in their order. */
  readonly values: readonly number[];
  /** In the order of the targets. */
  readonly targets: readonly TargetValue[];
  /** Greatest miss of a target. */
  readonly greatestMiss: number;
  /** `holds`: all targets are met. `fails`: one is not. */
  readonly verdict: BoundsVerdict;
  /** Simulated battles of all scenarios; 0 if all values are exact. */
  readonly battles: number;
}

function evaluateTarget(
  target: ProblemTarget,
  tables: readonly CellTable[],
  readings: readonly (TermReadings | undefined)[],
): TargetValue {
  const [value] = boundTarget(target, tables, (s) => {
    const values = readings[s]?.values;
    return values && { low: values, high: values };
  });
  const miss = computeMiss(target, value);
  if (target.terms.every(({ scenario }) => readings[scenario]?.battles === 0))
    return { value, miss, verdict: judgeValue(value, target.bounds) };
  const interval = boundTarget(target, tables, (s) => readings[s]);
  return { value, interval, miss, verdict: judgeInterval(interval, target.bounds) };
}

/** Creates the evaluation of a setting from the readings of its scenarios. */
export function evaluateSetting(
  problem: BalanceProblem,
  tables: readonly CellTable[],
  values: readonly number[],
  costs: SettingCosts,
  readings: readonly (TermReadings | undefined)[],
): ProblemSetting {
  const targets = problem.targets.map((target) => evaluateTarget(target, tables, readings));
  const verdicts = targets.map(({ verdict }) => verdict);
  return {
    values,
    targets,
    greatestMiss: Math.max(...targets.map(({ miss }) => miss)),
    verdict: verdicts.includes('fails') ? 'fails' : verdicts.includes('undecided') ? 'undecided' : 'holds',
    battles: readings.reduce((sum, reading) => sum + (reading?.battles ?? 0), 0),
    ...costs,
  };
}

/** Creates the evaluation of a setting on the grid; undefined if a cell was not evaluated. */
export function evaluateIndices(
  problem: BalanceProblem,
  tables: readonly CellTable[],
  indices: FieldIndices,
  readings: readonly (TermReadings | null | undefined)[] = tables.map((table) => table.find(indices)),
): ProblemSetting | undefined {
  const known = readings.filter((reading) => reading != null);
  if (known.length < tables.length) return undefined;
  const values = problem.fields.map((field, f) => getFieldValue(field, indices[f] ?? 0));
  return evaluateSetting(problem, tables, values, computeSettingCosts(problem, indices), known);
}

/** Sorts by the greatest miss, then the second greatest, and so on. */
export function compareMisses(a: readonly number[], b: readonly number[]): number {
  const [first, second] = [a, b].map((misses) => misses.toSorted((x, y) => y - x));
  return (first ?? []).reduce((order, miss, m) => order || miss - (second?.[m] ?? 0), 0);
}
