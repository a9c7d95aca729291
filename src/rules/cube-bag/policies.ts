/** Policies of a scenario, and orders of removal. */
import { CLASSES, type ObjectTypes, PEASANT, REMOVAL, STRUCTURE_TYPES } from './units.ts';

/** Modes of drawing cubes. */
export const DRAWING_MODES = ['number-first', 'cube-by-cube'] as const;

/** Stop conditions of a side that draws cube by cube: the first that is met ends the draw. */
export interface StopCondition {
  readonly own?: number | undefined;
  readonly enemy?: number | undefined;
  readonly drawn?: number | undefined;
}

export interface ConditionalDraw {
  readonly until: StopCondition;
}

export const EXTRA_DRAWS = ['none', 'max', 'if-behind'] as const;
export type ExtraDrawPolicy = (typeof EXTRA_DRAWS)[number] | ConditionalDraw;
export type DrawPolicy = 'max' | number | ConditionalDraw;

export const REDRAWS = ['always', 'if-behind'] as const;
export type RedrawPolicy = (typeof REDRAWS)[number];

/** Words for several types in lists of objects. */
export const GROUP_WORDS: readonly string[] = [...CLASSES, 'structures'];

/** Words that only the destruction priority has: all units except peasants, and added types of structures. */
export const MILITARY = 'military';
export const ADDED_STRUCTURES = 'added-structures';

/** Expands a word of a list to types. */
function expandTypeWord(word: string, { units, structures }: ObjectTypes): readonly string[] {
  const all = [...units.values()];
  const built = [...structures.keys()];
  if (word === 'structures') return built;
  if (word === ADDED_STRUCTURES) return built.slice(STRUCTURE_TYPES.length);
  if (word === MILITARY) return all.map(({ name }) => name).filter((name) => name !== PEASANT);
  const ofClass = all.filter((type) => type.class === word).map(({ name }) => name);
  return ofClass.length > 0 || GROUP_WORDS.includes(word) ? ofClass : [word];
}

/** Creates the order in which a side removes all types; types that the list omits follow in the default order. */
export function createRemovalOrder(list: readonly string[], types: ObjectTypes): string[] {
  const listed = list.flatMap((word) => expandTypeWord(word, types));
  const added = [...types.units.keys()].filter((name) => !REMOVAL.includes(name));
  return [...new Set([...listed, ...REMOVAL, ...added, ...types.structures.keys()])];
}

/** Creates the lookup of the group of each type in the destruction priority; types in no group are in the last one. */
export function createPriorityLookup(
  priority: readonly (readonly string[])[],
  types: ObjectTypes,
): (name: string) => number {
  const groups = priority.map((group) => group.flatMap((word) => expandTypeWord(word, types)));
  return (name) => {
    const group = groups.findIndex((names) => names.includes(name));
    return group < 0 ? groups.length : group;
  };
}

/** An army that a side can take a unit from, by its number from 1, and the complexity of the check. */
export interface Prey {
  readonly army: number;
  readonly complexity: number;
}

/** Sorts armies in the order in which a policy takes units from them; omitted ones follow, the easiest first. */
export function sortPrey(policy: 'easiest' | readonly number[], armies: readonly Prey[]): Prey[] {
  const listed = policy === 'easiest' ? [] : [...new Set(policy)];
  const rank = ({ army }: Prey): number => (listed.includes(army) ? listed.indexOf(army) : listed.length);
  return armies.toSorted((a, b) => rank(a) - rank(b) || a.complexity - b.complexity || a.army - b.army);
}

/** Chooses the number of cubes that the attacker draws, 1..most. */
export function chooseCubesDrawn(policy: DrawPolicy, most: number): number {
  return typeof policy === 'number' ? Math.min(policy, most) : most;
}

/** Returns the stop condition of a side that draws cube by cube; `if-behind` has none once it draws. */
export function getStopCondition(policy: DrawPolicy | ExtraDrawPolicy): StopCondition {
  if (typeof policy === 'object') return policy.until;
  if (policy === 'none') return { drawn: 0 };
  return typeof policy === 'number' ? { drawn: policy } : {};
}

/**
 * Returns true if a side that draws cube by cube stops.
 * @param own drawn cubes of its color
 * @param enemy drawn cubes of the enemy's color
 * @param drawn all drawn cubes
 */
export function isReached(until: StopCondition, own: number, enemy: number, drawn: number): boolean {
  const reached = (count: number, limit: number | undefined) => limit !== undefined && count >= limit;
  return reached(own, until.own) || reached(enemy, until.enemy) || reached(drawn, until.drawn);
}

/**
 * Chooses the number of cubes, at most `most`, that a policy draws additionally, or puts back.
 * @param own drawn cubes of the deciding side
 * @param enemy drawn cubes of its enemy
 */
export function chooseFurtherCubes(
  policy: ExtraDrawPolicy | RedrawPolicy,
  own: number,
  enemy: number,
  most: number,
): number {
  if (policy === 'none' || (policy === 'if-behind' && own >= enemy)) return 0;
  return most;
}
