/** The outcomes that a battle can have, known before it is fought. */
import { branches } from '../../core/chance/enumerated.ts';
import { mostOf } from './counts.ts';
import type { TokenConflict } from './fields.ts';
import { gameOf } from './game.ts';
import { metricsOf } from './metrics.ts';
import { CITY_FALLS, CITY_STANDS, JOINT } from './names.ts';
import { type Area, type Plan, planOf } from './plan.ts';

/** Outcomes that a battle can have, several areas together. */
export const OUTCOMES_MAX = 4096;

/** Counts of one area that are tried out to learn how it can end. */
const TRIALS = 256;

/** Every outcome of an area: the players who can have tokens there, in its order, and those without a name. */
function namesIn({ players }: Plan, { contingents, city }: Area): string[] {
  if (city !== undefined) return [CITY_FALLS, CITY_STANDS];
  const present = contingents.filter(({ count }) => mostOf(count) > 0);
  return [...present.map(({ player }) => players[player]?.name ?? ''), 'coexist', 'empty'];
}

/** The outcomes of an area that its counts allow; all of them where counts are many or a player can decide. */
function reachable(scenario: TokenConflict, area: Area, names: readonly string[]): readonly string[] {
  const own = scenario.areas[area.index];
  const trials = area.contingents.reduce((product, { count }) => product * count.values.length, 1);
  const decides = area.contingents.some(({ ships, adjacent }) => ships + adjacent > 0);
  if (own === undefined || decides || trials > TRIALS) return names;
  const model = gameOf(planOf({ ...scenario, areas: [own] }), names);
  const found = new Set<string>();
  for (const { value } of branches((door) => {
    let state = model.start(door);
    while (model.outcome(state) === undefined) state = model.step(state, door);
    return model.outcome(state);
  })) {
    found.add(value ?? '');
  }
  return names.filter((name) => found.has(name));
}

const product = (names: readonly (readonly string[])[]): number => names.reduce((ways, each) => ways * each.length, 1);

/** Outcomes area by area: all that the rules know, or what counts allow if those are too many. */
export function outcomesByArea(scenario: TokenConflict, plan: Plan): readonly (readonly string[])[] {
  const all = plan.areas.map((area) => namesIn(plan, area));
  if (product(all) <= OUTCOMES_MAX) return all;
  return plan.areas.map((area, index) => reachable(scenario, area, all[index] ?? []));
}

/** True of what the areas could end in if they had other counts. */
export function impossible({ players, areas }: Plan, outcome: string): boolean {
  const parts = outcome.split(JOINT);
  const named = [...players.map(({ name }) => name), 'coexist', 'empty'];
  const ways = ({ city }: Area): string[] => (city === undefined ? named : [CITY_FALLS, CITY_STANDS]);
  return parts.length === areas.length && areas.every((area, a) => ways(area).includes(parts[a] ?? ''));
}

/** Outcomes of a battle, the first area's changing last. */
export function joined(byArea: readonly (readonly string[])[]): string[] {
  const [first = [], ...others] = byArea;
  return others.reduce<string[]>(
    (before, names) => before.flatMap((start) => names.map((name) => `${start}${JOINT}${name}`)),
    [...first],
  );
}

/** How many outcomes a scenario has, and how many counters outcomes and metrics take. */
export function sizeOf(scenario: TokenConflict, plan: Plan): { outcomes: number; counters: number } {
  const outcomes = product(outcomesByArea(scenario, plan));
  const values = metricsOf(plan).reduce((sum, { min, max }) => sum + max - min + 1, 1);
  return { outcomes, counters: outcomes * values };
}
