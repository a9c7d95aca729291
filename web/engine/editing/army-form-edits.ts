/** Edits of whole sides; each is one change of the text. */

import { getSides } from '../../../src/report/index.ts';
import { checkScenario, getValueAt, readDocument, setField } from '../../../src/rules/index.ts';
import { listProblems } from '../errors.ts';
import { getRegistry } from '../registry/registry.ts';
import { type ArmyCounter, type ArmyForm, type ArmySide, createArmyForm } from './army-form.ts';
import { parseScenarioText } from './check.ts';
import { applyEdit, parseTree, type TextEdit, toPlainValue } from './edit.ts';

const applyEdits = (text: string, edits: readonly TextEdit[]): string => edits.reduce(applyEdit, text);

/** Creates the edits that give a field another value. */
function createTransferEdits(path: TextEdit['path'], value: unknown, before: unknown): readonly TextEdit[] {
  if (JSON.stringify(value) === JSON.stringify(before)) return [];
  return [value === undefined ? { kind: 'remove', path } : { kind: 'set', path, value }];
}

export interface ExchangeResult {
  readonly text: string;
  /** Fields that were not swapped, because the other side cannot have their values. */
  readonly unchanged: readonly string[];
}

/** Swaps the two sides of a text, as far as the rules allow. */
export function exchangeSides(text: string): ExchangeResult {
  const scenario = toPlainValue(parseTree(text).contents);
  const wasFine = listRejectedFields(text).length === 0;
  const stay: string[] = [];
  let swaps = createArmyForm(text).swaps;
  for (;;) {
    const edits = swaps.flatMap(([one, other]) => {
      const [a, b] = [getValueAt(scenario, one), getValueAt(scenario, other)];
      return [...createTransferEdits(one, b, a), ...createTransferEdits(other, a, b)];
    });
    const after = applyEdits(text, edits);
    const rejected = wasFine ? listRejectedFields(after) : [];
    const isRefused = (path: TextEdit['path']): boolean =>
      rejected.some((place) => place === path.join('.') || place.startsWith(`${path.join('.')}.`));
    const kept = swaps.filter((pair) => pair.some(isRefused));
    if (kept.length === 0) return { text: rejected.length > 0 ? text : after, unchanged: stay };
    stay.push(...kept.map(([one]) => String(one.at(-1))));
    swaps = swaps.filter((pair) => !kept.includes(pair));
  }
}

/** Lists the sides that have unit types but no units: they must be filled before there is a battle. */
export const listEmptySides = (text: string): string[] =>
  createArmyForm(text)
    .sides.filter(({ counters }) => counters.length > 0 && counters.every((c) => c.kind === 'type' && c.value === 0))
    .map(({ name }) => name);

/** Removes units by type and the settings of their sides. @param side only this side (default: all) */
export function clearUnits(text: string, side?: string): string {
  const sides = createArmyForm(text).sides.filter(({ id }) => side === undefined || id === side);
  const there = sides.flatMap(({ counters, more }) => {
    const types = counters.filter(({ kind }) => kind === 'type');
    const settings = more.filter(({ present, required, name }) => present && !required && name !== 'name');
    return [...types.filter(({ value }) => value > 0), ...(types.length > 0 ? settings : [])];
  });
  return applyEdits(
    text,
    there.map(({ path }) => ({ kind: 'remove', path })),
  );
}

// Unit types that can take part: the rules reject some of them in some scenarios, such as ships on land.

const SOURCE_NAME = 'scenario';

/** Lists the rejected fields of a scenario; empty if it is valid. */
function listRejectedFields(text: string): readonly string[] {
  try {
    const { value } = readDocument(text, SOURCE_NAME);
    checkScenario({ value, spot: undefined, problems: [], place: () => SOURCE_NAME, registry: getRegistry() });
    return [];
  } catch (error) {
    return listProblems(error)?.problems.map(({ place }) => place.slice(SOURCE_NAME.length + 1)) ?? [''];
  }
}

/** Returns whether the rules reject one unit of a type. */
function isRejected(scenario: unknown, { path, place }: ArmyCounter): boolean {
  try {
    const value = setField(scenario, path, 1, SOURCE_NAME);
    checkScenario({ value, spot: undefined, problems: [], place: () => SOURCE_NAME, registry: getRegistry() });
    return false;
  } catch (error) {
    return listProblems(error)?.problems.some((problem) => problem.place === `${SOURCE_NAME} ${place}`) ?? true;
  }
}

/** Omits absent types that the rules reject. Present types stay, even if they are rejected. */
function omitRejectedTypes(text: string, sides: readonly ArmySide[]): ArmySide[] {
  const { value } = readDocument(text, SOURCE_NAME);
  const isKept = (counter: ArmyCounter): boolean =>
    counter.kind !== 'type' || counter.value > 0 || counter.high === 0 || !isRejected(value, counter);
  return sides.map((side) => ({ ...side, counters: side.counters.filter(isKept) }));
}

/** Lists the places of absent types that the rules allow. */
export const listAbsentTypes = (text: string, sides: readonly ArmySide[]): string[] =>
  omitRejectedTypes(text, sides).flatMap(({ counters }) =>
    counters.filter(({ kind, present, high }) => kind === 'type' && !present && high > 0).map(({ place }) => place),
  );

// The form as shown: in the colors of its sides, with the types that can take part.

/** Lists the sides with their tones; empty for an invalid text. */
function listDisplayedSides(text: string): ReturnType<typeof getSides> {
  try {
    return getSides(parseScenarioText(text));
  } catch {
    return [];
  }
}

/** Creates the form with the tones and order of figures; for an invalid text, in the order of the fields. */
export function createTonedArmyForm(text: string): ArmyForm {
  const front = createArmyForm(text);
  const shown = listDisplayedSides(text);
  if (front.sides.length === 0) return front;
  const toned = omitRejectedTypes(text, front.sides).map(
    (side): ArmySide => ({ ...side, tone: shown.find(({ id }) => id === side.id)?.tone ?? side.tone }),
  );
  const place = ({ id }: ArmySide): number => shown.findIndex((each) => each.id === id);
  return { ...front, sides: toned.toSorted((a, b) => place(a) - place(b)) };
}
