/** Computes the effect of one more or one fewer of a unit on an outcome. */
import { RunError } from '../../core/index.ts';
import { getNumericField, type Scenario } from '../../rules/index.ts';
import { type StepEffect, type StepField, stepSensitivity } from './step.ts';

/** A side, and its changed numbers. */
export interface WhatIfSide {
  readonly id: string;
  /** Outcome whose probability changes. */
  readonly of: string;
  /** `attacker.units.tank`; missing fields count as 0 */
  readonly paths: readonly string[];
}

export interface WhatIfOptions {
  readonly seed?: string;
  /** Battles of each cell without an exact answer. */
  readonly battles?: number;
  /** Maximum steps of each exact answer. */
  readonly budget?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

/** Effect of changing one number by one. */
export interface FieldMoveEffect {
  readonly path: string;
  readonly value: number;
  readonly more?: StepEffect | undefined;
  readonly fewer?: StepEffect | undefined;
}

export interface SideMoveEffects {
  readonly id: string;
  readonly of: string;
  /** Probability in the present scenario. */
  readonly p: number;
  /** Fields that could be changed, in the requested order. */
  readonly moved: readonly FieldMoveEffect[];
}

export interface WhatIfResult {
  readonly sides: readonly SideMoveEffects[];
  /** False if the signal stopped it. */
  readonly complete: boolean;
}

const toFieldMoveEffect = ({ path, value, up, down }: StepField): FieldMoveEffect => ({
  path,
  value,
  more: up,
  fewer: down,
});

/** Formats a path for the study; missing fields start with 0. */
const formatStart = (scenario: Scenario, path: string): string =>
  getNumericField(scenario, path, 'what if').value === undefined ? `${path}=0` : path;

/**
 * Changes each number by one, up and down, while the others stay constant: exactly if that is affordable, else with the
 * same battles on both sides of the comparison.
 * @throws InputError if no number of a side can be changed
 */
export async function computeWhatIf(
  scenario: Scenario,
  sides: readonly WhatIfSide[],
  { signal, onProgress, ...options }: WhatIfOptions,
): Promise<WhatIfResult> {
  const total = 2 * sides.reduce((sum, { paths }) => sum + paths.length, 0);
  const results: SideMoveEffects[] = [];
  let before = 0;
  let complete = true;
  for (const { id, of, paths } of sides) {
    const from = before;
    const steps = paths.map((path) => `${path}=1`);
    try {
      const found = await stepSensitivity(scenario, {
        ...options,
        ...{ of, fields: paths.map((path) => formatStart(scenario, path)), steps },
        signal,
        onProgress: ({ done }) => onProgress?.({ done: Math.min(total, from + done), total }),
      });
      const known = new Map(found.fields.map((field) => [field.path, field]));
      const moved = paths.flatMap((path) => known.get(path) ?? []).map(toFieldMoveEffect);
      results.push({ id, of, p: found.value, moved });
      complete &&= found.complete;
    } catch (error) {
      // Stopped before the first of them.
      if (!(error instanceof RunError) || signal?.aborted !== true) throw error;
      complete = false;
    }
    if (!complete) break;
    before += 2 * paths.length;
  }
  return { sides: results, complete };
}
