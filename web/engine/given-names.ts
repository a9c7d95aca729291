/** Names that a scenario has given itself: of players, areas, dice, types of units. */
import { type Declared, placesIn, type Simple } from '../../src/rules/scenario/declared.ts';
import { declarationOf } from './schemas.ts';

/** In the order of the text, those that a pattern takes. */
function givenNames(scenario: unknown, pattern: string): string[] {
  const fits = new RegExp(pattern, 'u');
  const given = placesIn(declarationOf(scenario), scenario).filter(({ named }) => named);
  const names = new Set(given.map(({ path }) => String(path.at(-1))));
  return [...names].filter((name) => !/^\d+$/.test(name) && fits.test(name));
}

const patternOf = (names: Declared | undefined): string => (names?.kind === 'text' ? names.pattern : '');

/** Those that can be names of fields by other names. */
export function namesFor(declared: Simple, scenario: unknown): string[] {
  if (declared.kind !== 'group' || declared.others === undefined) return [];
  return givenNames(scenario, patternOf(declared.names));
}

/** Those that a text may be. */
export function textsFor(declared: Simple, scenario: unknown): string[] {
  return declared.kind === 'text' ? givenNames(scenario, declared.pattern) : [];
}
