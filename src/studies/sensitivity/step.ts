/** What single steps do: each field of a scenario a step up and a step down, the rest as it is. */

import type { Interval } from '../../answers/intervals.ts';
import { InputError, RunError } from '../../core/errors.ts';
import { optionsOf } from '../../core/names.ts';
import type { Scenario } from '../../rules/system.ts';
import { type CellSetting, type Laboratory, laboratory, type StudyCell } from './cells.ts';
import { type Difference, differenceOf } from './difference.ts';
import { type FieldStep, movedFields, type Skipped, started, stepsOf } from './steps.ts';
import { STUDY_OPTIONS, type Study, type StudyOptions, settingOf, studyOf } from './study.ts';

/** Which fields `stepSensitivity` moves. */
export interface StepOptions extends StudyOptions {
  /**
   * Fields to move: `attacker.hp`, `attacker` for all below it, `unitTypes.knight.bonus=0` for one that the scenario
   * need not have, with the value it starts with. All numeric fields of the scenario unless some are named.
   */
  readonly fields?: readonly string[];
  /** `path=size`: steps of certain fields. */
  readonly steps?: readonly string[];
  /** The step of fields that are not whole numbers, in per cent of their value; 10 unless said otherwise. */
  readonly percent?: number;
}

const checkOptions = optionsOf<StepOptions>('stepSensitivity', {
  ...STUDY_OPTIONS,
  fields: true,
  steps: true,
  percent: true,
});

/** What one step does to the figure. */
export interface StepEffect extends Difference {
  /** The value that the field has after the step. */
  readonly to: number;
}

/** A field moved by one step each way. */
export interface StepField {
  readonly path: string;
  /** As it is. */
  readonly value: number;
  readonly down?: StepEffect;
  readonly up?: StepEffect;
  /** That of the two steps that does more, with its interval. */
  readonly effect: number;
  readonly ci95?: Interval;
  /**
   * `effect`: a step does something, surely or with 95 %; `unclear`: some battles end otherwise, but the intervals hold 0;
   * `none`: both steps leave every battle, or the exact answer, as it is.
   */
  readonly verdict: 'effect' | 'unclear' | 'none';
}

/** Fields ranked by what one step of each does. */
export interface StepSensitivity extends Study {
  readonly method: 'step';
  /** The figure of the scenario as it is. */
  readonly value: number;
  /** The step that does most first. */
  readonly fields: readonly StepField[];
  readonly skipped: readonly Skipped[];
}

/** Battles of a cell unless said otherwise. */
const BATTLES = 50_000;

const apart = ({ ci95, exact, differs }: StepEffect): boolean => differs && (exact || ci95[0] > 0 || ci95[1] < 0);

function verdictOf(effects: readonly StepEffect[]): StepField['verdict'] {
  if (effects.some(apart)) return 'effect';
  return effects.some(({ differs }) => differs) ? 'unclear' : 'none';
}

function fieldOf(path: string, value: number, effects: readonly StepEffect[]): StepField {
  const [first, second] = effects.toSorted((a, b) => Math.abs(b.effect) - Math.abs(a.effect));
  const [down, up] = [effects.find(({ to }) => to < value), effects.find(({ to }) => to > value)];
  const most = first ?? second ?? { effect: 0 };
  return {
    path,
    value,
    ...(down && { down }),
    ...(up && { up }),
    effect: most.effect,
    ...('ci95' in most && { ci95: most.ci95 }),
    verdict: verdictOf(effects),
  };
}

const VERDICTS: readonly StepField['verdict'][] = ['effect', 'unclear', 'none'];

/** Surely effective fields first, each group by what its steps do. */
const byImportance = (a: StepField, b: StepField): number =>
  VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict) || Math.abs(b.effect) - Math.abs(a.effect);

interface Taken {
  readonly step: FieldStep;
  readonly cell: StudyCell;
}

/** Base and steps, as far as the signal lets them. */
async function evaluated(lab: Laboratory, base: Scenario, steps: readonly FieldStep[], options: StepOptions) {
  const [first] = (await lab.evaluate([{ scenario: base, from: 0, key: '' }])) ?? [];
  const taken: Taken[] = [];
  for (const step of first === undefined ? [] : steps) {
    const [cell] =
      (await lab.evaluate([{ scenario: step.scenario, from: 0, key: `${step.path}=${String(step.to)}` }])) ?? [];
    if (cell === undefined) break;
    taken.push({ step, cell });
    options.onProgress?.({ done: taken.length + 1, asked: steps.length + 1 });
  }
  if (first === undefined || taken.length === 0) throw new RunError('stopped before the first step was known');
  return { first, taken };
}

/** The base as it is played, for steps whose exact answers are not affordable though its own is. */
async function played(
  { count }: Laboratory,
  base: Scenario,
  cell: StudyCell,
  taken: readonly Taken[],
  setting: CellSetting,
): Promise<StudyCell> {
  if (cell.battles !== undefined || taken.every((each) => each.cell.battles === undefined)) return cell;
  const lab = await laboratory(base, { ...setting, exact: 'never', signal: undefined });
  count.simulated++;
  const [again] = (await lab.evaluate([{ scenario: base, from: 0, key: '' }])) ?? [];
  return again ?? cell;
}

/**
 * The effects of single steps, ranked. Cells without an exact answer play the same battles as the scenario itself, and
 * are compared with it battle by battle; the intervals of all these effects hold together with 95 % (Bonferroni).
 * @throws InputError if an option, a field or a step is not acceptable, or no step is possible
 * @throws RunError if the kernel is not built, or the signal came before the first step was known
 * @throws BudgetError if exact answers were demanded and one is too large
 */
export async function stepSensitivity(scenario: Scenario, options: StepOptions = {}): Promise<StepSensitivity> {
  checkOptions(options);
  const setting = settingOf(options, BATTLES);
  const base = started(scenario, options.fields ?? []);
  const moved = movedFields(base, options.fields ?? [], options.steps ?? [], options.percent ?? 10);
  const all = moved.flatMap((field) => stepsOf(base, field));
  const steps = all.filter((each): each is FieldStep => 'scenario' in each);
  const skipped = all.filter((each): each is Skipped => 'why' in each);
  if (steps.length === 0) throw new InputError('--fields', 'a field that can take a step', skipped[0]?.why ?? 'none');
  const lab = await laboratory(base, setting);
  const { first, taken } = await evaluated(lab, base, steps, options);
  const basis = await played(lab, base, first, taken, setting);
  const tail = 0.025 / Math.max(1, taken.filter(({ cell }) => cell.battles !== undefined).length);
  const effects = taken.map(({ step: { path, to }, cell }) => {
    const against = cell.battles === undefined ? first : basis;
    return { path, effect: { ...differenceOf(against, cell, lab.subject, tail), to } };
  });
  const fields = moved.flatMap(({ path, value }) => {
    const own = effects.filter((each) => each.path === path).map(({ effect }) => effect);
    return own.length === 0 ? [] : [fieldOf(path, value, own)];
  });
  return {
    method: 'step',
    ...studyOf(lab, setting, taken.length === steps.length),
    value: first.value,
    fields: fields.sort(byImportance),
    skipped,
  };
}
