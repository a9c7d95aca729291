/** What is done to whole sides at once: each is one change of the text. */

import { check, readDocument, valueAt, withField } from '../../src/rules/index.ts';
import { sidesOf } from '../../src/tell/index.ts';
import { scenarioOf } from './check.ts';
import { type Edit, edited, plainOf, treeOf } from './edit.ts';
import { problemsOf } from './errors.ts';
import { type Counter, type Front, type FrontSide, frontOf } from './front.ts';
import { registry } from './registry.ts';

const applied = (text: string, edits: readonly Edit[]): string => edits.reduce(edited, text);

/** What makes a field what another one was. */
function takes(path: Edit['path'], value: unknown, before: unknown): readonly Edit[] {
  if (JSON.stringify(value) === JSON.stringify(before)) return [];
  return [value === undefined ? { kind: 'remove', path } : { kind: 'set', path, value }];
}

export interface Exchanged {
  readonly text: string;
  /** The fields that stay where they are: the other side cannot have what they say. */
  readonly stay: readonly string[];
}

/** The text with its two sides exchanged, as far as both can have the same fields with the same values. */
export function exchanged(text: string): Exchanged {
  const scenario = plainOf(treeOf(text).contents);
  const wasFine = refusedIn(text).length === 0;
  const stay: string[] = [];
  let swaps = frontOf(text).swaps;
  for (;;) {
    const edits = swaps.flatMap(([one, other]) => {
      const [a, b] = [valueAt(scenario, one), valueAt(scenario, other)];
      return [...takes(one, b, a), ...takes(other, a, b)];
    });
    const after = applied(text, edits);
    const refused = wasFine ? refusedIn(after) : [];
    const isRefused = (path: Edit['path']): boolean =>
      refused.some((place) => place === path.join('.') || place.startsWith(`${path.join('.')}.`));
    const kept = swaps.filter((pair) => pair.some(isRefused));
    if (kept.length === 0) return { text: refused.length > 0 ? text : after, stay };
    stay.push(...kept.map(([one]) => String(one.at(-1))));
    swaps = swaps.filter((pair) => !kept.includes(pair));
  }
}

/** The sides that could have units by types and have none: what is to be filled before there is a battle. */
export const emptyIn = (text: string): string[] =>
  frontOf(text)
    .sides.filter(({ counters }) => counters.length > 0 && counters.every((c) => c.kind === 'type' && c.value === 0))
    .map(({ name }) => name);

/** The text without units by types, and without the settings of a side that has such. @param side of one side; of all unless given */
export function cleared(text: string, side?: string): string {
  const sides = frontOf(text).sides.filter(({ id }) => side === undefined || id === side);
  const there = sides.flatMap(({ counters, more }) => {
    const types = counters.filter(({ kind }) => kind === 'type');
    const settings = more.filter(({ present, required, name }) => present && !required && name !== 'name');
    return [...types.filter(({ value }) => value > 0), ...(types.length > 0 ? settings : [])];
  });
  return applied(
    text,
    there.map(({ path }) => ({ kind: 'remove', path })),
  );
}

// Types of units that can take part: the rules refuse some of them where the scenario is set, as ships on land.

const PLACE = 'scenario';

/** The places of a scenario that are refused; nothing of one that can be played. */
function refusedIn(text: string): readonly string[] {
  try {
    const { value } = readDocument(text, PLACE);
    check({ value, spot: undefined, problems: [], place: () => PLACE, registry: registry() });
    return [];
  } catch (error) {
    return problemsOf(error)?.problems.map(({ place }) => place.slice(PLACE.length + 1)) ?? [''];
  }
}

/** True if one of a type makes the scenario one that is refused for that type. */
function isRefused(scenario: unknown, { path, place }: Counter): boolean {
  try {
    const value = withField(scenario, path, 1, PLACE);
    check({ value, spot: undefined, problems: [], place: () => PLACE, registry: registry() });
    return false;
  } catch (error) {
    return problemsOf(error)?.problems.some((problem) => problem.place === `${PLACE} ${place}`) ?? true;
  }
}

/** The sides without the types that are not there and cannot be. What is there stays, whatever is wrong with it. */
function joining(text: string, sides: readonly FrontSide[]): FrontSide[] {
  const { value } = readDocument(text, PLACE);
  const stays = (counter: Counter): boolean =>
    counter.kind !== 'type' || counter.value > 0 || counter.high === 0 || !isRefused(value, counter);
  return sides.map((side) => ({ ...side, counters: side.counters.filter(stays) }));
}

/** The places of types that are not there and could be. */
export const absentIn = (text: string, sides: readonly FrontSide[]): string[] =>
  joining(text, sides).flatMap(({ counters }) =>
    counters.filter(({ kind, present, high }) => kind === 'type' && !present && high > 0).map(({ place }) => place),
  );

// The front of a text as it is shown: in the colours of its sides, as pictures and bars have them, with what can take part.

/** The sides as all else shows them; none of a text with mistakes. */
function shownOf(text: string): ReturnType<typeof sidesOf> {
  try {
    return sidesOf(scenarioOf(text));
  } catch {
    return [];
  }
}

/** In the order of tones, as all else has them; of a text with mistakes as it was made. */
export function tonedFront(text: string): Front {
  const front = frontOf(text);
  const shown = shownOf(text);
  if (front.sides.length === 0) return front;
  const toned = joining(text, front.sides).map(
    (side): FrontSide => ({ ...side, tone: shown.find(({ id }) => id === side.id)?.tone ?? side.tone }),
  );
  const place = ({ id }: FrontSide): number => shown.findIndex((each) => each.id === id);
  return { ...front, sides: toned.toSorted((a, b) => place(a) - place(b)) };
}
