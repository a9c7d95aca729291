/** A scenario with players, areas and tokens by number. */

import type { Chance } from '../../core/index.ts';
import type { Metric, State } from '../system.ts';
import {
  BARBARIANS,
  type CountDistribution,
  createCountDistribution,
  getMaxCount,
  PIRATES,
  type PlayerFields,
  type TokenConflict,
} from './fields.ts';
import { METRICS, PLACES } from './layout.ts';
import type { CityOrder, Payment, Sacrifice } from './policies.ts';

export interface TokenPlayer {
  readonly name: string;
  /** Barbarians have no stock and get no rewards. */
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

/** Tokens of one player in one area, and alternatives that can be given up. */
export interface Contingent {
  readonly index: number;
  readonly area: number;
  readonly player: number;
  readonly count: CountDistribution;
  /** Stream position of the random count. */
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
  /** Index in the list of the owner, the length of the list if it is omitted; 0 without a list. */
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

/** An entry in the order of attacks. */
export interface AttackTask {
  readonly kind: 'attack';
  /** Cities of the owner, one of which is attacked now, in the order of the file. */
  readonly cities: readonly CityArea[];
  /** True if the owner has a later entry, and cities of others are attacked before it. */
  readonly waits: boolean;
}

/** A task of the rules, in this order. */
export type TurnTask =
  | { readonly kind: 'count'; readonly contingent: Contingent }
  | { readonly kind: 'conflict'; readonly area: Area }
  | AttackTask;

export interface ConflictPlan {
  readonly players: readonly TokenPlayer[];
  readonly areas: readonly Area[];
  /** By number, area by area. */
  readonly contingents: readonly Contingent[];
  /** Areas with a city, in the order of attacks if every owner follows the file. */
  readonly attacks: readonly CityArea[];
  readonly tasks: readonly TurnTask[];
  /** Tokens that take a city, and tokens that it becomes, without Engineering. */
  readonly needed: number;
  readonly cityTokens: number;
  readonly engineeringCity: number;
  /** Tokens that a victor can move to the treasury. */
  readonly treasury: number;
  readonly removesPirates: boolean;
}

/** Lists all names: players first, then those in the areas. */
function listNames({ areas, players }: TokenConflict): string[] {
  const owners = areas.map(({ city, tokens }) => [
    ...Object.keys(tokens),
    ...(city === undefined ? [] : [getOwner(city)]),
  ]);
  return [...new Set([...Object.keys(players), ...owners.flat()])];
}

function getOwner(city: string): string {
  return city === PIRATES ? BARBARIANS : city;
}

function createPlayer(name: string, fields: PlayerFields | undefined): TokenPlayer {
  const createKnown = (advance: PlayerFields['advances'][number]) => fields?.advances.includes(advance) ?? false;
  return {
    name,
    barbarian: name === BARBARIANS,
    metalworking: createKnown('metalworking'),
    engineering: createKnown('engineering'),
    stock: fields?.stock ?? 0,
    hand: fields?.hand ?? 0,
    sacrifice: fields?.sacrifice ?? 'pool-first',
    cityOrder: fields?.cityOrder ?? 'file',
    takeCard: fields?.takeCard ?? true,
    takeTreasury: fields?.takeTreasury ?? true,
  };
}

/** Returns the ships and adjacent tokens of a player in an area, if the advances of the player allow their use. */
function getPool(fields: PlayerFields | undefined, area: string): { ships: number; adjacent: number } {
  const of = (counts: Readonly<Record<string, number>>) => new Map(Object.entries(counts)).get(area) ?? 0;
  if (fields === undefined) return { ships: 0, adjacent: 0 };
  return {
    ships: fields.advances.includes('navalWarfare') ? of(fields.ships) : 0,
    adjacent: fields.advances.includes('advancedMilitary') ? of(fields.adjacent) : 0,
  };
}

/** Sorts attacks: pirate cities first, then by rank; ties, and owners without a rank, in the order of the file. */
function sortAttacks(areas: readonly Area[]): CityArea[] {
  const rank = ({ city }: CityArea) => (city.pirate ? -1 : city.rank);
  const hasCity = (area: Area): area is CityArea => area.city !== undefined;
  return areas.filter(hasCity).sort((a, b) => rank(a) - rank(b) || a.index - b.index);
}

/** Creates the entries of attacks; those of pirate cities leave no choice. */
function createAttackTasks(attacks: readonly CityArea[]): AttackTask[] {
  return attacks.map((area, place): AttackTask => {
    const { pirate, player } = area.city;
    if (pirate) return { kind: 'attack', cities: [area], waits: false };
    const own = ({ city }: CityArea): boolean => city.player === player;
    const later = attacks.slice(place, attacks.findLastIndex(own));
    return { kind: 'attack', cities: attacks.filter(own), waits: !later.every(own) };
  });
}

/** Creates the counts and the conflict of each area, then the attacks. A constant count is not a task. */
function createTasks(areas: readonly Area[], attacks: readonly CityArea[]): TurnTask[] {
  const settling = areas.flatMap((area): TurnTask[] => [
    ...area.contingents
      .filter(({ count }) => count.values.length > 1)
      .map((contingent): TurnTask => ({ kind: 'count', contingent })),
    { kind: 'conflict', area },
  ]);
  return [...settling, ...createAttackTasks(attacks)];
}

/** Returns the index of an area in the list of the owner of a city. */
function getPreference(order: CityOrder | undefined, area: string): number {
  if (order === undefined || typeof order === 'string') return 0;
  return order.includes(area) ? order.indexOf(area) : order.length;
}

/** Creates the city of an area, whose owner is among the contingents there. */
function createCity(
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
    preference: getPreference(fields?.cityOrder, name),
  };
}

export function getPlan(scenario: TokenConflict): ConflictPlan {
  const names = listNames(scenario);
  const fieldsOf = new Map(Object.entries(scenario.players));
  const contingents: Contingent[] = [];
  /** Counts so far. */
  let counted = 0;

  function muster(area: TokenConflict['areas'][number], index: number): Contingent[] {
    const owner = area.city === undefined ? undefined : getOwner(area.city);
    const counts = new Map(Object.entries(area.tokens));
    const absent = owner === undefined || counts.has(owner) ? [] : [owner];
    const mustered = [...counts.keys(), ...absent].map((name, k) => ({
      index: contingents.length + k,
      area: index,
      player: names.indexOf(name),
      count: createCountDistribution(counts.get(name) ?? 0),
      place: PLACES.positionOf(counted + k),
      ...getPool(fieldsOf.get(name), area.name),
    }));
    contingents.push(...mustered);
    counted += counts.size;
    return mustered;
  }

  const areas = scenario.areas.map((area, index): Area => {
    const mustered = muster(area, index);
    const { name, limit, city } = area;
    const owner = mustered.find(({ player }) => city !== undefined && names[player] === getOwner(city));
    const built = createCity(area, owner, fieldsOf.get(city ?? ''));
    return { index, name, limit, city: built, contingents: mustered };
  });
  const attacks = sortAttacks(areas);
  return {
    players: names.map((name) => createPlayer(name, fieldsOf.get(name))),
    areas,
    contingents,
    attacks,
    tasks: createTasks(areas, attacks),
    needed: scenario.needed,
    cityTokens: scenario.cityTokens,
    engineeringCity: scenario.engineeringCity,
    treasury: scenario.treasury,
    removesPirates: scenario.pirateSurvivors === 'remove',
  };
}

/** Requirements of an attack on a city, and the number of tokens that it becomes. */
export interface AttackTerms {
  readonly need: number;
  readonly becomes: number;
  /** Holder of Engineering. */
  readonly engineering: 'nobody' | 'attacker' | 'defender' | 'void';
}

export function computeAttackTerms(
  plan: ConflictPlan,
  attacker: TokenPlayer | undefined,
  defender: TokenPlayer | undefined,
): AttackTerms {
  const attacks = attacker?.engineering === true;
  const defends = defender?.engineering === true;
  const plain = { need: plan.needed, becomes: plan.cityTokens };
  if (attacks && defends) return { ...plain, engineering: 'void' };
  if (attacks) return { need: 6, becomes: 5, engineering: 'attacker' };
  if (defends) return { need: 8, becomes: plan.engineeringCity, engineering: 'defender' };
  return { ...plain, engineering: 'nobody' };
}

// Metrics of a battle, and their ranges.

/** Maximum tokens that a city becomes with Engineering. */
const ENGINEERED = 7;

/** Computes the maximum number of tokens that a city can become. */
export function computeMaxCityTokens({ cityTokens }: ConflictPlan): number {
  return Math.max(cityTokens, ENGINEERED);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/**
 * Computes the maximum number of rounds of an area: up to the end of the second strongest, and again after the fall of
 * a city.
 */
function computeMaxRounds({ contingents, city }: Area, cityTokens: number): number {
  const strengths = contingents.map(({ count, ships, adjacent }) => getMaxCount(count) + ships + adjacent);
  const owner = contingents.find(({ index }) => index === city?.owner);
  const second = strengths.sort((a, b) => b - a)[1] ?? 0;
  return second + (owner === undefined ? 0 : cityTokens + owner.ships + owner.adjacent);
}

/** Creates the metrics with their ranges. */
export function createMetrics(plan: ConflictPlan): Metric[] {
  const { players, areas, contingents, treasury } = plan;
  const cityTokens = computeMaxCityTokens(plan);
  const own = (p: number) => contingents.filter(({ player }) => player === p);
  const countTokens = (p: number): number => {
    const cities = areas.filter(({ city }) => city?.player === p).length;
    return sum(own(p).map(({ count }) => getMaxCount(count))) + cityTokens * cities;
  };
  const countPool = (p: number): number => sum(own(p).map(({ ships, adjacent }) => ships + adjacent));
  const isAttacked = (p: number): number => {
    if (players[p]?.barbarian === true) return 0;
    return own(p).filter(({ index, area }) => areas[area]?.city !== undefined && areas[area].city.owner !== index)
      .length;
  };
  const of = (max: (p: number) => number) => players.map(({ name }, p) => [name, max(p)] as const);
  return METRICS.declare({
    rounds: sum(areas.map((area) => computeMaxRounds(area, cityTokens))),
    left: of(countTokens),
    lost: of(countTokens),
    pool: of(countPool),
    cards: of(isAttacked),
    treasury: of((p) => treasury * isAttacked(p)),
  });
}

// State of a battle.

/** No current conflict. */
export const IDLE = -1;

/** The rest of a step between two of its turns. */
export type PendingTurn =
  | {
      readonly kind: 'round';
      /**
       * Contingents that still have to give up something, in the order of the round; the first group is the current
       * one.
       */
      readonly groups: readonly (readonly number[])[];
      /** Choices of the first contingents of the current group, until all of it have chosen. */
      readonly payments: readonly Payment[];
    }
  /** The victor over a city still has to draw a card, or only to fill the treasury. */
  | { readonly kind: 'card' | 'treasury' };

export interface ConflictState extends State {
  /** Index of the current task in the plan. */
  readonly task: number;
  /** IDLE, or that a conflict of the task is in progress; in a successful attack, the contingent that made it. */
  readonly engaged: number;
  /** Started rounds of all conflicts; `round` is 1 from the first step on. */
  readonly rounds: number;
  readonly pending?: PendingTurn | undefined;
  /** By contingent. */
  readonly tokens: readonly number[];
  readonly ships: readonly number[];
  readonly adjacent: readonly number[];
  /** By area: its outcome, '' until it is known. */
  readonly results: readonly string[];
  /** By player. */
  readonly stock: readonly number[];
  readonly hand: readonly number[];
  readonly lost: readonly number[];
  readonly spent: readonly number[];
  readonly cards: readonly number[];
  readonly treasury: readonly number[];
}

/** Returns entry `index` of a list, which must exist. */
export function getAt(list: readonly number[], index: number): number {
  return list[index] ?? 0;
}

export function addAt(list: readonly number[], index: number, by: number): readonly number[] {
  return by === 0 ? list : list.with(index, getAt(list, index) + by);
}

/** Creates the state before the first event; random counts are still 0. */
export function createInitialState({ players, areas, contingents }: ConflictPlan): ConflictState {
  const none = players.map(() => 0);
  return {
    round: 0,
    task: 0,
    engaged: IDLE,
    rounds: 0,
    tokens: contingents.map(({ count }) => (count.values.length === 1 ? getAt(count.values, 0) : 0)),
    ships: contingents.map(({ ships }) => ships),
    adjacent: contingents.map(({ adjacent }) => adjacent),
    results: areas.map(() => ''),
    stock: players.map(({ stock }) => stock),
    hand: players.map(({ hand }) => hand),
    lost: none,
    spent: none,
    cards: none,
    treasury: none,
  };
}

/** Returns tokens to the stock of a player; barbarians have none. */
export function restock(plan: ConflictPlan, state: ConflictState, player: number, tokens: number): ConflictState {
  if (plan.players[player]?.barbarian === true) return state;
  return { ...state, stock: addAt(state.stock, player, tokens) };
}

/** Moves tokens of a contingent from the area to the stock, as losses. */
export function removeTokens(
  plan: ConflictPlan,
  state: ConflictState,
  contingent: number,
  tokens: number,
): ConflictState {
  const player = plan.contingents[contingent]?.player ?? 0;
  const removed = {
    ...state,
    tokens: addAt(state.tokens, contingent, -tokens),
    lost: addAt(state.lost, player, tokens),
  };
  return restock(plan, removed, player, tokens);
}

/** Lists the contingents with tokens in an area. */
export function listPresent({ contingents }: Area, { tokens }: Pick<ConflictState, 'tokens'>): Area['contingents'] {
  return contingents.filter(({ index }) => getAt(tokens, index) > 0);
}

/** Continues with the next task, after the outcome of the area is known. */
export function finishTask(state: ConflictState, area: Area, result: string): ConflictState {
  return { ...state, task: state.task + 1, engaged: IDLE, results: state.results.with(area.index, result) };
}

// Order of attacks: ranks assign entries of the order to owners, and each owner orders its own cities.

/** Finds the contingent that attacks a city. */
export function findAttacker(area: CityArea, state: ConflictState): Contingent | undefined {
  return listPresent(area, state).find(({ index }) => index !== area.city.owner);
}

/** Returns the city that was taken, during its attack. */
export function findTakenCity({ cities }: AttackTask, { engaged }: ConflictState): CityArea | undefined {
  return cities.find(({ contingents }) => contingents.some(({ index }) => index === engaged));
}

/** Returns the sort key of a city by the policy of its owner: the least is first. */
function computeUrgency({ players }: ConflictPlan, area: CityArea, state: ConflictState): number {
  const order = players[area.city.player]?.cityOrder;
  if (order !== 'weakest-attack-first' && order !== 'strongest-attack-first') return area.city.preference;
  const strength = getAt(state.tokens, findAttacker(area, state)?.index ?? -1);
  return order === 'weakest-attack-first' ? strength : -strength;
}

/**
 * Lists the cities that can be next, in the order of the policy of the owner. Cities without an attack make no
 * difference, except that one of them at this entry lets other owners go first.
 */
function listCandidates(plan: ConflictPlan, { cities, waits }: AttackTask, state: ConflictState): readonly CityArea[] {
  const open = cities
    .filter(({ index }) => state.results[index] === '')
    .sort((a, b) => computeUrgency(plan, a, state) - computeUrgency(plan, b, state));
  const isAttacked = (area: CityArea): boolean => findAttacker(area, state) !== undefined;
  const idle = open.find((area) => !isAttacked(area));
  const idles = waits || !open.some(isAttacked);
  return open.filter((area) => isAttacked(area) || (idles && area === idle));
}

/** Chooses the city that is attacked next. */
export function chooseNextCity(plan: ConflictPlan, task: AttackTask, state: ConflictState, chance: Chance): CityArea {
  const [first, ...others] = listCandidates(plan, task, state);
  if (first === undefined) throw new Error('a place for no attack');
  if (others.length === 0) return first;
  const owner = plan.players[first.city.player]?.name ?? '';
  const names = [first, ...others].map(({ name }) => name);
  const chosen = chance.decide('cityOrder', owner, names, () => first.name);
  chance.rule('attack.order', () => ({ player: owner, area: chosen }));
  return others.find(({ name }) => name === chosen) ?? first;
}

export function sumTokensIn({ contingents }: Area, tokens: readonly number[]): number {
  return contingents.reduce((sum, { index }) => sum + getAt(tokens, index), 0);
}

/** Returns true if the conflict of an area continues. */
export function isContested(area: Area, state: ConflictState, city: boolean): boolean {
  return listPresent(area, state).length > 1 && (city || sumTokensIn(area, state.tokens) > area.limit);
}

export function getPlayer(plan: ConflictPlan, { player }: Contingent): TokenPlayer {
  const found = plan.players[player];
  if (found === undefined) throw new Error('a contingent of nobody');
  return found;
}
