/** A scenario in the form in which the rules look at it: players, areas and tokens by number. */
import { type CountLaw, lawOf } from './counts.ts';
import type { PlayerFields, TokenConflict } from './fields.ts';
import { PLACES } from './layout.ts';
import { BARBARIANS, PIRATES } from './names.ts';
import type { CityOrder, Sacrifice } from './policies.ts';

export interface Player {
  readonly name: string;
  /** Barbarians take tokens from nowhere and get nothing. */
  readonly barbarian: boolean;
  readonly metalworking: boolean;
  readonly engineering: boolean;
  readonly stock: number;
  readonly hand: number;
  readonly sacrifice: Sacrifice;
  readonly cityOrder: CityOrder;
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
  readonly player: number;
  readonly pirate: boolean;
  readonly rank: number;
  /** Its place in the owner's list, the length of the list if it is not there; 0 without a list. */
  readonly preference: number;
}

export interface Area {
  readonly index: number;
  readonly name: string;
  readonly limit: number;
  readonly city: City | undefined;
  readonly contingents: readonly Contingent[];
}

export type CityArea = Area & { readonly city: City };

/** A place in the order of attacks. */
export interface AttackTask {
  readonly kind: 'attack';
  /** The cities of the owner whose place it is, one of which is attacked now, in the order of the file. */
  readonly cities: readonly CityArea[];
  /** The owner has a later place, and cities of others are attacked before it. */
  readonly waits: boolean;
}

/** Something that the rules see to, in this order. */
export type Task =
  | { readonly kind: 'count'; readonly contingent: Contingent }
  | { readonly kind: 'conflict'; readonly area: Area }
  | AttackTask;

export interface Plan {
  readonly players: readonly Player[];
  readonly areas: readonly Area[];
  /** By number, area for area. */
  readonly contingents: readonly Contingent[];
  /** Areas with a city, in the order of attacks if every owner follows the file. */
  readonly attacks: readonly CityArea[];
  readonly tasks: readonly Task[];
  /** Tokens that take a city, and tokens that it becomes, where Engineering does not count. */
  readonly needed: number;
  readonly cityTokens: number;
  readonly engineeringCity: number;
  /** Tokens that a victor can move to the treasury. */
  readonly treasury: number;
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
    cityOrder: fields?.cityOrder ?? 'file',
    takeCard: fields?.takeCard ?? true,
    takeTreasury: fields?.takeTreasury ?? true,
  };
}

/** Ships and adjacent tokens of a player in an area, as far as the player's advances allow their use. */
function poolOf(fields: PlayerFields | undefined, area: string): { ships: number; adjacent: number } {
  const of = (counts: Readonly<Record<string, number>>) => new Map(Object.entries(counts)).get(area) ?? 0;
  if (fields === undefined) return { ships: 0, adjacent: 0 };
  return {
    ships: fields.advances.includes('navalWarfare') ? of(fields.ships) : 0,
    adjacent: fields.advances.includes('advancedMilitary') ? of(fields.adjacent) : 0,
  };
}

/** Pirate cities first, then by rank; equals, and those without a rank, in the order of the file. */
function inOrder(areas: readonly Area[]): CityArea[] {
  const rank = ({ city }: CityArea) => (city.pirate ? -1 : city.rank);
  const hasCity = (area: Area): area is CityArea => area.city !== undefined;
  return areas.filter(hasCity).sort((a, b) => rank(a) - rank(b) || a.index - b.index);
}

/** Places of attacks; those of pirate cities leave no choice. */
function placesOf(attacks: readonly CityArea[]): AttackTask[] {
  return attacks.map((area, place): AttackTask => {
    const { pirate, player } = area.city;
    if (pirate) return { kind: 'attack', cities: [area], waits: false };
    const own = ({ city }: CityArea): boolean => city.player === player;
    const later = attacks.slice(place, attacks.findLastIndex(own));
    return { kind: 'attack', cities: attacks.filter(own), waits: !later.every(own) };
  });
}

/** Area for area its counts and its conflict, then the attacks. A count that cannot vary is no task. */
function tasksOf(areas: readonly Area[], attacks: readonly CityArea[]): Task[] {
  const settling = areas.flatMap((area): Task[] => [
    ...area.contingents
      .filter(({ count }) => count.values.length > 1)
      .map((contingent): Task => ({ kind: 'count', contingent })),
    { kind: 'conflict', area },
  ]);
  return [...settling, ...placesOf(attacks)];
}

/** The place of an area in the list of a city's owner. */
function preferenceOf(order: CityOrder | undefined, area: string): number {
  if (order === undefined || typeof order === 'string') return 0;
  return order.includes(area) ? order.indexOf(area) : order.length;
}

/** The city of an area, whose owner is among the contingents mustered there. */
function cityOf(
  { name, city }: TokenConflict['areas'][number],
  owner: Contingent | undefined,
  fields: PlayerFields | undefined,
): City | undefined {
  if (city === undefined || owner === undefined) return undefined;
  return {
    owner: owner.index,
    player: owner.player,
    pirate: city === PIRATES,
    rank: fields?.rank ?? Number.MAX_SAFE_INTEGER,
    preference: preferenceOf(fields?.cityOrder, name),
  };
}

export function planOf(scenario: TokenConflict): Plan {
  const names = namesOf(scenario);
  const fieldsOf = new Map(Object.entries(scenario.players));
  const contingents: Contingent[] = [];
  /** Counts so far. */
  let counted = 0;

  function muster(area: TokenConflict['areas'][number], index: number): Contingent[] {
    const owner = area.city === undefined ? undefined : ownerOf(area.city);
    const counts = new Map(Object.entries(area.tokens));
    const absent = owner === undefined || counts.has(owner) ? [] : [owner];
    const mustered = [...counts.keys(), ...absent].map((name, k) => ({
      index: contingents.length + k,
      area: index,
      player: names.indexOf(name),
      count: lawOf(counts.get(name) ?? 0),
      place: PLACES.at(counted + k),
      ...poolOf(fieldsOf.get(name), area.name),
    }));
    contingents.push(...mustered);
    counted += counts.size;
    return mustered;
  }

  const areas = scenario.areas.map((area, index): Area => {
    const mustered = muster(area, index);
    const { name, limit, city } = area;
    const owner = mustered.find(({ player }) => city !== undefined && names[player] === ownerOf(city));
    const built = cityOf(area, owner, fieldsOf.get(city ?? ''));
    return { index, name, limit, city: built, contingents: mustered };
  });
  const attacks = inOrder(areas);
  return {
    players: names.map((name) => playerOf(name, fieldsOf.get(name))),
    areas,
    contingents,
    attacks,
    tasks: tasksOf(areas, attacks),
    needed: scenario.needed,
    cityTokens: scenario.cityTokens,
    engineeringCity: scenario.engineeringCity,
    treasury: scenario.treasury,
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
  const plain = { need: plan.needed, becomes: plan.cityTokens };
  if (attacks && defends) return { ...plain, engineering: 'void' };
  if (attacks) return { need: 6, becomes: 5, engineering: 'attacker' };
  if (defends) return { need: 8, becomes: plan.engineeringCity, engineering: 'defender' };
  return { ...plain, engineering: 'nobody' };
}
