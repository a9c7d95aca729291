/** Types of units that can take part: the rules refuse some of them where the scenario is set, as ships on land. */
import { check } from '../../src/rules/scenario/check.ts';
import { readDocument } from '../../src/rules/scenario/document.ts';
import { withField } from '../../src/rules/scenario/problem.ts';
import { problemsOf } from './errors.ts';
import type { Counter, FrontSide } from './front.ts';
import { registry } from './registry.ts';

const PLACE = 'scenario';

/** The places of a scenario that are refused; nothing of one that can be played. */
export function refusedIn(text: string): readonly string[] {
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
export function joining(text: string, sides: readonly FrontSide[]): FrontSide[] {
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
