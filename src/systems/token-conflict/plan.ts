/** A scenario in the form in which the rules look at it: players, areas and tokens by number. */
import type { Metric } from '../system.ts';
import { type CountLaw, lawOf, mostOf } from './counts.ts';
import type { Sacrifice } from './policies.ts';
import type { PlayerFields, TokenConflict } from './schema.ts';

export const BARBARIANS = 'barbarians';
export const PIRATES = 'pirates';

/** What becomes of a city. */
export const CITY_FALLS = 'city-destroyed';
export const CITY_STANDS = 'repelled';

/** What stands between the outcomes of several areas. */
export const JOINT = ' + ';

/** Tokens that a victor moves to his treasury at most. */
export const TREASURY = 3;

/** The most tokens that a city can become. */
export const CITY_TOKENS_MAX = 7;

export interface Player {
  readonly name: string;
  /** Barbarians take tokens from nowhere and get nothing. */
  readonly barbarian: boolean;
  readonly metalworking: boolean;
  readonly engineering: boolean;
  readonly stock: number;
  readonly hand: number;
  readonly sacrifice: Sacrifice;
  readonly takeCard: boolean;
  readonly takeTreasury: boolean;
}

/** The tokens of one player in one area, and what can be given up in their place. */
export interface Contingent {
  readonly index: number;
  readonly area: number;
  readonly player: number;
  readonly count: CountLaw;
  /** Where in the stream the count is drawn. */
  readonly place: number;
  readonly ships: number;
  readonly adjacent: number;
}

export interface City {
  /** The owner's contingent. */
  readonly owner: number;
  readonly pirate: boolean;
  readonly rank: number;
}

export interface Area {
  readonly index: number;
  readonly name: string;
  readonly limit: number;
  readonly city: City | undefined;
  readonly contingents: readonly Contingent[];
}

/** Something that the rules see to, in this order. */
export type Task =
  | { readonly kind: 'count'; readonly contingent: Contingent }
  | { readonly kind: 'conflict'; readonly area: Area }
  | { readonly kind: 'attack'; readonly area: Area; readonly city: City };

export interface Plan {
  readonly players: readonly Player[];
  readonly areas: readonly Area[];
  /** By number, area for area. */
  readonly contingents: readonly Contingent[];
  /** Areas with a city, in the order of attacks. */
  readonly attacks: readonly Area[];
  readonly tasks: readonly Task[];
  readonly engineeringCity: number;
  readonly removesPirates: boolean;
}

/** Everyone who is named: players first, then those of the areas. */
function namesOf({ areas, players }: TokenConflict): string[] {
  const owners = areas.map(({ city, tokens }) => [
    ...Object.keys(tokens),
    ...(city === undefined ? [] : [ownerOf(city)]),
  ]);
  return [...new Set([...Object.keys(players), ...owners.flat()])];
}

function ownerOf(city: string): string {
  return city === PIRATES ? BARBARIANS : city;
}

function playerOf(name: string, fields: PlayerFields | undefined): Player {
  const knows = (advance: PlayerFields['advances'][number]) => fields?.advances.includes(advance) ?? false;
  return {
    name,
    barbarian: name === BARBARIANS,
    metalworking: knows('metalworking'),
    engineering: knows('engineering'),
    stock: fields?.stock ?? 0,
    hand: fields?.hand ?? 0,
    sacrifice: fields?.sacrifice ?? 'pool-first',
    takeCard: fields?.takeCard ?? true,
    takeTreasury: fields?.takeTreasury ?? true,
  };
}

/** Ships and adjacent tokens of a player in an area, as far as his advances let him use them. */
function poolOf(fields: PlayerFields | undefined, area: string): { ships: number; adjacent: number } {
  const of = (counts: Readonly<Record<string, number>>) => new Map(Object.entries(counts)).get(area) ?? 0;
  if (fields === undefined) return { ships: 0, adjacent: 0 };
  return {
    ships: fields.advances.includes('navalWarfare') ? of(fields.ships) : 0,
    adjacent: fields.advances.includes('advancedMilitary') ? of(fields.adjacent) : 0,
  };
}

/** Pirate cities first, then by rank; equals, and those without a rank, in the order of the file. */
function inOrder(areas: readonly Area[]): Area[] {
  const rank = ({ city }: Area) => (city?.pirate === true ? -1 : (city?.rank ?? 0));
  return areas.filter(({ city }) => city !== undefined).sort((a, b) => rank(a) - rank(b) || a.index - b.index);
}

/** Area for area its counts and its conflict, then the attacks. A count that cannot vary is no task. */
function tasksOf(areas: readonly Area[], attacks: readonly Area[]): Task[] {
  const settling = areas.flatMap((area): Task[] => [
    ...area.contingents
      .filter(({ count }) => count.values.length > 1)
      .map((contingent): Task => ({ kind: 'count', contingent })),
    { kind: 'conflict', area },
  ]);
  const attacking = attacks.flatMap((area): Task[] =>
    area.city === undefined ? [] : [{ kind: 'attack', area, city: area.city }],
  );
  return [...settling, ...attacking];
}

export function planOf(scenario: TokenConflict): Plan {
  const names = namesOf(scenario);
  const fieldsOf = new Map(Object.entries(scenario.players));
  const contingents: Contingent[] = [];
  let place = 0;

  function muster(area: TokenConflict['areas'][number], index: number): Contingent[] {
    const owner = area.city === undefined ? undefined : ownerOf(area.city);
    const counts = new Map(Object.entries(area.tokens));
    const absent = owner === undefined || counts.has(owner) ? [] : [owner];
    const mustered = [...counts.keys(), ...absent].map((name, k) => ({
      index: contingents.length + k,
      area: index,
      player: names.indexOf(name),
      count: lawOf(counts.get(name) ?? 0),
      place: place + k,
      ...poolOf(fieldsOf.get(name), area.name),
    }));
    contingents.push(...mustered);
    place += counts.size;
    return mustered;
  }

  const areas = scenario.areas.map((area, index): Area => {
    const mustered = muster(area, index);
    const { name, limit, city } = area;
    const owner = mustered.find(({ player }) => city !== undefined && names[player] === ownerOf(city));
    const rank = city === undefined ? undefined : fieldsOf.get(city)?.rank;
    const built = owner && { owner: owner.index, pirate: city === PIRATES, rank: rank ?? Number.MAX_SAFE_INTEGER };
    return { index, name, limit, city: built, contingents: mustered };
  });
  const attacks = inOrder(areas);
  return {
    players: names.map((name) => playerOf(name, fieldsOf.get(name))),
    areas,
    contingents,
    attacks,
    tasks: tasksOf(areas, attacks),
    engineeringCity: scenario.engineeringCity,
    removesPirates: scenario.pirateSurvivors === 'remove',
  };
}

/** What it takes to attack a city, and how many tokens it becomes. */
export interface Terms {
  readonly need: number;
  readonly becomes: number;
  /** Whose Engineering counts. */
  readonly engineering: 'nobody' | 'attacker' | 'defender' | 'void';
}

export function termsOf(plan: Plan, attacker: Player | undefined, defender: Player | undefined): Terms {
  const attacks = attacker?.engineering === true;
  const defends = defender?.engineering === true;
  if (attacks && defends) return { need: 7, becomes: 6, engineering: 'void' };
  if (attacks) return { need: 6, becomes: 5, engineering: 'attacker' };
  if (defends) return { need: 8, becomes: plan.engineeringCity, engineering: 'defender' };
  return { need: 7, becomes: 6, engineering: 'nobody' };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** As many rounds as an area can see: nobody outlasts the second strongest, and a fallen city fights once more. */
function roundsIn({ contingents, city }: Area): number {
  const strengths = contingents.map(({ count, ships, adjacent }) => mostOf(count) + ships + adjacent);
  const owner = contingents.find(({ index }) => index === city?.owner);
  const second = strengths.sort((a, b) => b - a)[1] ?? 0;
  return second + (owner === undefined ? 0 : CITY_TOKENS_MAX + owner.ships + owner.adjacent);
}

/** `rounds`, then each of the others for every player. */
export function metricsOf({ players, areas, contingents }: Plan): Metric[] {
  const own = (p: number) => contingents.filter(({ player }) => player === p);
  const tokens = (p: number): number => {
    const cities = areas.filter(({ city, contingents: here }) =>
      here.some(({ index, player }) => index === city?.owner && player === p),
    );
    return sum(own(p).map(({ count }) => mostOf(count))) + CITY_TOKENS_MAX * cities.length;
  };
  const pool = (p: number): number => sum(own(p).map(({ ships, adjacent }) => ships + adjacent));
  const attacked = (p: number): number => {
    if (players[p]?.barbarian === true) return 0;
    return own(p).filter(({ index, area }) => areas[area]?.city !== undefined && areas[area].city.owner !== index)
      .length;
  };
  const of = (name: string, max: (p: number) => number): Metric[] =>
    players.map((player, p) => ({ name: `${name}.${player.name}`, min: 0, max: max(p) }));
  return [
    { name: 'rounds', min: 0, max: sum(areas.map(roundsIn)) },
    ...of('left', tokens),
    ...of('lost', tokens),
    ...of('pool', pool),
    ...of('cards', attacked),
    ...of('treasury', (p) => TREASURY * attacked(p)),
  ];
}
