/** Space of a global study: ranges of numeric fields. */

import { AbortError, createOptionsCheck, findAmount, InputError, parseAmount, suggestName } from '../../core/index.ts';
import { checkStart } from '../../engines/index.ts';
import {
  getBoundScenario,
  getNumericField,
  listNumericFields,
  listTableFields,
  type NumericField,
  percentOption,
  type Scenario,
  setFields,
} from '../../rules/index.ts';
import {
  list,
  type OptionSpecs,
  type RequestedOptions,
  resolveOptions,
  several,
  withFallback,
} from '../../rules/option-spec.ts';
import type { Interval } from '../../stats/index.ts';
import {
  type CellDifference,
  type CellEvaluator,
  computeCellDifference,
  createCellEvaluator,
  createStudy,
  resolveStudySettings,
  STUDY_OPTIONS,
  type Study,
  type StudyCell,
  type StudyOptions,
  type StudySettings,
} from './cell-evaluator.ts';

/** Ranges of the fields: `attacker.hp=10..40`. */
export const SPACE = several('path=range', 'morris, sobol: range of each field, such as attacker.hp=10..40');

/** A field and its range, inclusive. */
export interface FieldRange {
  readonly path: string;
  readonly min: number;
  readonly max: number;
  /** True if only whole numbers are allowed. */
  readonly integer: boolean;
}

const RANGE = /^(?<path>[^=]+)=(?<min>.+?)\.\.(?<max>.+)$/;

function parseFieldRange(scenario: Scenario, text: string, place: string): FieldRange {
  const { path = '', min: from, max: to } = RANGE.exec(text)?.groups ?? {};
  const [min = Number.NaN, max = Number.NaN] = [from, to].map((end = '') => findAmount(end)?.value);
  const shown = text === '' ? 'nothing' : `"${text}"`;
  if (!(min < max)) throw new InputError(place, 'path=least..greatest, such as attacker.hp=10..40', shown);
  const field = getNumericField(scenario, path, place);
  const limits = `${String(field.min)}..${String(field.max)}`;
  if (min < field.min || max > field.max) throw new InputError(`${place} ${path}`, `a range within ${limits}`, shown);
  if (field.integer && !(Number.isInteger(min) && Number.isInteger(max)))
    throw new InputError(`${place} ${path}`, 'whole numbers', shown);
  return { path, min, max, integer: field.integer };
}

/**
 * Parses a space.
 * @param ranges `attacker.hp=10..40`
 * @param place name of the option in error messages
 * @throws InputError if a range is invalid or exceeds the range of the field, or a path is repeated
 */
export function parseSpace(scenario: Scenario, ranges: readonly string[], place = 'space'): FieldRange[] {
  if (ranges.length === 0) throw new InputError(place, 'path=least..greatest for one field or more', 'nothing');
  const axes = ranges.map((text) => parseFieldRange(scenario, text, place));
  const twice = axes.find(({ path }, a) => axes.findIndex((other) => other.path === path) < a);
  if (twice !== undefined) throw new InputError(place, 'each field once', `"${twice.path}" twice`);
  return axes;
}

/** Counts the values of a range; undefined if they are not whole numbers. */
export const countRangeValues = ({ min, max, integer }: FieldRange): number | undefined =>
  integer ? max - min + 1 : undefined;

/** Rounds a value to six decimals, the precision of fields that are not whole numbers. */
export const roundDecimals = (value: number): number => Number(value.toFixed(6));

/** Computes the value at 0 <= x < 1 of a range; whole numbers have equal shares, others at most six decimals. */
export function computeRangeValue(axis: FieldRange, x: number): number {
  const { min, max } = axis;
  return axis.integer ? min + Math.floor(x * (max - min + 1)) : roundDecimals(min + x * (max - min));
}

/**
 * Creates the scenario with these values on the axes.
 * @throws InputError that lists the values, if their combination is invalid
 */
export function createScenarioAt(
  base: Scenario,
  axes: readonly FieldRange[],
  values: readonly number[],
  place = 'space',
): Scenario {
  const given = axes.map(({ path }, a) => [path, values[a] ?? 0] as const);
  const at = given.map(([path, value]) => `${path}=${String(value)}`).join(', ');
  try {
    return setFields(base, given, `${place} (${at})`);
  } catch (error) {
    if (error instanceof InputError) throw error.errors[0] ?? error;
    throw error;
  }
}

// Selects the fields of a one-at-a-time study, and the sizes of their steps.

/** A possible step. */
interface FieldStep {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly scenario: Scenario;
}

/** A step that the scenario does not allow. */
export interface SkippedField {
  readonly path: string;
  /** Absent if there is no step. */
  readonly to?: number;
  readonly reason: string;
}

/** A field with its value. */
export interface MovedField {
  readonly path: string;
  readonly value: number;
  /** Size of the step; undefined if there is no default. */
  readonly step: number | undefined;
}

/** A field with a number: its start value, or its step size. */
const FIELD = /^(?<path>[^=]+)=(?<start>.+)$/;

function parseStart(text: string, place: string): [path: string, value: number] {
  const { path = '', start } = FIELD.exec(text)?.groups ?? {};
  if (start === undefined)
    throw new InputError(place, 'path=number, such as attacker.attack=1', text === '' ? 'nothing' : `"${text}"`);
  return [path, parseAmount(start, `${place} ${path}`, 'a number', () => true).value];
}

/**
 * Returns the scenario with the start values of fields.
 * @throws InputError if they are invalid
 */
function withStartValues(scenario: Scenario, fields: readonly string[], place = 'fields'): Scenario {
  const values = fields.filter((text) => text.includes('=')).map((text) => parseStart(text, place));
  for (const [path] of values) getNumericField(scenario, path, place);
  return values.length === 0 ? scenario : setFields(scenario, values, place);
}

/** Selects the fields of a path or a part of the scenario. */
function selectFields(scenario: Scenario, text: string, known: readonly NumericField[], place: string): NumericField[] {
  const path = text.replace(/=.*$/, '');
  const below = known.filter((field) => field.path.startsWith(`${path}.`) || field.path.startsWith(`${path}[`));
  if (below.length > 0) return below;
  const own = known.filter((field) => field.path === path);
  if (own.length > 0) return own;
  const field = getNumericField(scenario, path, place);
  throw new InputError(`${place} ${path}`, 'a field of the scenario, or path=value', `"${field.path}"`);
}

/** Computes the default step: 1 for whole numbers, otherwise a percentage of the value. */
const getDefaultStep = ({ integer, value = 0 }: NumericField, percent: number): number | undefined => {
  if (integer) return 1;
  return value === 0 ? undefined : (Math.abs(value) * percent) / 100;
};

/**
 * Lists the varied fields.
 * @param scenario complete, with start values
 * @param fields paths, or parts of the scenario; default: all its numeric fields
 * @param steps `path=size`: sizes of single steps
 * @param percent default step of fields that are not whole numbers
 * @throws InputError if there is no such field or a step is invalid
 */
function listMovedFields(
  scenario: Scenario,
  fields: readonly string[],
  steps: readonly string[],
  percent: number,
): MovedField[] {
  const known = [...listNumericFields(scenario), ...listTableFields(scenario)];
  const chosen = fields.length === 0 ? known : fields.flatMap((text) => selectFields(scenario, text, known, 'fields'));
  const sizes = new Map(steps.map((text) => parseStart(text, 'steps')));
  const paths = known.map(({ path }) => path);
  for (const [path, size] of sizes) {
    const field = known.find((each) => each.path === path);
    const found = `"${path}"${suggestName(path, paths)}`;
    if (field === undefined) throw new InputError('steps', 'a numeric field of the scenario', found);
    if (size > 0 && (!field.integer || Number.isInteger(size))) continue;
    throw new InputError(`steps ${path}`, field.integer ? 'a whole number above 0' : 'a number above 0', String(size));
  }
  return [...new Map(chosen.map((field) => [field.path, field])).values()].map((field) => ({
    path: field.path,
    value: field.value ?? 0,
    step: sizes.get(field.path) ?? getDefaultStep(field, percent),
  }));
}

/** Returns the part of a schema message after its place. */
const extractReason = (message: string): string =>
  message.split('\n')[0]?.replace(/^.*?: (?=expected )/, '') ?? message;

/** Creates one step of a field, if the resulting scenario is valid. */
function createStep(base: Scenario, { path, value }: MovedField, to: number): FieldStep | SkippedField {
  try {
    return { path, from: value, to, scenario: setFields(base, [[path, to]], path) };
  } catch (error) {
    if (error instanceof InputError) return { path, to, reason: extractReason(error.message) };
    throw error;
  }
}

/** Creates both steps of a field, down and up. */
function createSteps(base: Scenario, field: MovedField): readonly (FieldStep | SkippedField)[] {
  const { path, value, step: size } = field;
  if (size === undefined) return [{ path, reason: 'a percentage of 0 is 0: set its step size' }];
  return [value - size, value + size].map((to) => createStep(base, field, roundDecimals(to)));
}

// One-at-a-time sensitivity: each field takes a step up and a step down while the others stay constant.

/** Options of `stepSensitivity`, in addition to those of studies. */
export const STEP = {
  /**
   * Fields to vary: `attacker.hp`, `attacker` for all fields below it, `unitTypes.knight.bonus=0` for an optional field
   * with its start value. Default: all numeric fields of the scenario and of its unit types.
   */
  fields: list('step: fields to vary, joined by commas: attacker,defender.hp,unitTypes.knight.bonus=0'),
  /** Step sizes of single fields: `path=size`. */
  steps: several('path=size', 'step: step sizes of selected fields'),
  /** Step of fields that are not whole numbers, in percent of their value; default 10. */
  percent: withFallback(percentOption('step: step size of fields that are not whole numbers, in %', 1000), 10),
} as const satisfies OptionSpecs;

/** Options of `stepSensitivity`. */
export interface StepOptions extends StudyOptions, RequestedOptions<typeof STEP> {}

const checkOptions = createOptionsCheck<StepOptions>('stepSensitivity', { ...STUDY_OPTIONS, ...STEP });

/** Effect of one step. */
export interface StepEffect extends CellDifference {
  /** Value of the field after the step. */
  readonly to: number;
}

/** A field moved by one step each way. */
export interface StepField {
  readonly path: string;
  /** Value in the scenario. */
  readonly value: number;
  /** Effects of the steps down and up; absent if they are not allowed. */
  readonly down?: StepEffect;
  readonly up?: StepEffect;
  /** The larger effect of the two steps, with its interval. */
  readonly effect: number;
  readonly ci95?: Interval;
  /** Present for an estimated effect on a mean. */
  readonly standardError?: number;
  /**
   * `effect`: the effect is exact and not 0, or significant at 95 %; `unclear`: some battles differ, but the intervals
   * contain 0; `none`: neither step changes any battle or the exact answer.
   */
  readonly verdict: 'effect' | 'unclear' | 'none';
}

/** Fields ranked by their effects. */
export interface StepSensitivity extends Study {
  readonly method: 'step';
  /** Value of the present scenario. */
  readonly value: number;
  /** Fields by the size of their effects, in descending order. */
  readonly fields: readonly StepField[];
  /** Steps that the scenario does not allow. */
  readonly skipped: readonly SkippedField[];
  /** Description of fields in tables of the system that were omitted because no fields were requested. */
  readonly notVaried?: string;
}

/** Default number of battles of a cell. */
const BATTLES = 50_000;

const hasCertainEffect = ({ ci95, exact, differs }: StepEffect): boolean =>
  differs && (exact || ci95[0] > 0 || ci95[1] < 0);

function judgeEffects(effects: readonly StepEffect[]): StepField['verdict'] {
  if (effects.some(hasCertainEffect)) return 'effect';
  return effects.some(({ differs }) => differs) ? 'unclear' : 'none';
}

function createStepField(path: string, value: number, effects: readonly StepEffect[]): StepField {
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
    ...('standardError' in most && { standardError: most.standardError }),
    verdict: judgeEffects(effects),
  };
}

const VERDICTS: readonly StepField['verdict'][] = ['effect', 'unclear', 'none'];

/** Compares fields: certain effects first, then by size. */
const compareImportance = (a: StepField, b: StepField): number =>
  VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict) || Math.abs(b.effect) - Math.abs(a.effect);

interface EvaluatedStep {
  readonly step: FieldStep;
  readonly cell: StudyCell;
}

/** Evaluates the base and the steps, until the signal comes. */
async function evaluateSteps(lab: CellEvaluator, base: Scenario, steps: readonly FieldStep[], options: StepOptions) {
  options.onProgress?.({ done: 0, total: steps.length + 1, unit: 'cells' });
  const [first] = (await lab.evaluate([{ scenario: base, from: 0, key: '' }])) ?? [];
  const taken: EvaluatedStep[] = [];
  for (const step of first === undefined ? [] : steps) {
    const [cell] =
      (await lab.evaluate([{ scenario: step.scenario, from: 0, key: `${step.path}=${String(step.to)}` }])) ?? [];
    if (cell === undefined) break;
    taken.push({ step, cell });
    options.onProgress?.({ done: taken.length + 1, total: steps.length + 1, unit: 'cells' });
  }
  if (first === undefined || taken.length === 0) throw new AbortError('stopped before the first step', options.signal);
  return { first, taken };
}

/** Simulates the base if its steps have no affordable exact answers although the base has. */
async function simulateBase(
  { count }: CellEvaluator,
  base: Scenario,
  cell: StudyCell,
  taken: readonly EvaluatedStep[],
  setting: StudySettings,
): Promise<StudyCell> {
  if (cell.battles !== undefined || taken.every((each) => each.cell.battles === undefined)) return cell;
  const lab = await createCellEvaluator(base, { ...setting, exact: 'never', signal: undefined });
  count.simulated++;
  const [again] = (await lab.evaluate([{ scenario: base, from: 0, key: '' }])) ?? [];
  return again ?? cell;
}

/**
 * Computes the effects of single steps and ranks the fields. Cells without an exact answer simulate the same battles as
 * the base and are compared with it battle by battle; the intervals of all these effects hold together with 95 %
 * confidence (Bonferroni).
 * @throws InputError if an option, a field or a step is invalid, or no step is possible
 * @throws RunError if the kernel is not built, or the signal came before the first step was complete
 * @throws BudgetError if `exact` is `always` and an answer exceeds the budget
 */
export async function stepSensitivity(scenario: Scenario, options: StepOptions = {}): Promise<StepSensitivity> {
  checkOptions(options);
  const setting = resolveStudySettings(options, BATTLES);
  const { fields: requested = [], steps: sizes = [], percent } = resolveOptions(STEP, options);
  const base = withStartValues(scenario, requested);
  const { tabled } = getBoundScenario(base).system;
  const moved = listMovedFields(base, requested, sizes, percent);
  const all = moved.flatMap((field) => createSteps(base, field));
  const steps = all.filter((each): each is FieldStep => 'scenario' in each);
  const skipped = all.filter((each): each is SkippedField => 'reason' in each);
  if (steps.length === 0) throw new InputError('fields', 'a field with a possible step', skipped[0]?.reason ?? 'none');
  checkStart(options.signal);
  const lab = await createCellEvaluator(base, setting);
  const { first, taken } = await evaluateSteps(lab, base, steps, options);
  const basis = await simulateBase(lab, base, first, taken, setting);
  const tail = 0.025 / Math.max(1, taken.filter(({ cell }) => cell.battles !== undefined).length);
  const effects = taken.map(({ step: { path, to }, cell }) => {
    const against = cell.battles === undefined ? first : basis;
    return { path, effect: { ...computeCellDifference(against, cell, lab.subject, tail), to } };
  });
  const fields = moved.flatMap(({ path, value }) => {
    const own = effects.filter((each) => each.path === path).map(({ effect }) => effect);
    return own.length === 0 ? [] : [createStepField(path, value, own)];
  });
  return {
    method: 'step',
    ...createStudy(base, lab, setting, taken.length === steps.length),
    value: first.value,
    fields: fields.sort(compareImportance),
    skipped,
    ...(requested.length === 0 && tabled !== undefined && { notVaried: tabled.others }),
  };
}
