/**
 * Random scenarios from the declared ranges of all fields, so that tests cover each declared field. Small battles are
 * more likely.
 */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { createLeaningChooser } from '../src/conformance/generate-scenarios.ts';
import { Stream } from '../src/core/chance/stream.ts';
import {
  generateValue,
  getDeclaration,
  getOnlyWord,
  listAlternatives,
  type ValueChooser,
} from '../src/rules/scenario/declaration.ts';
import type { Scenario, System } from '../src/rules/system.ts';

const PLAYERS = ['egypt', 'assyria', 'rome'];
const AREAS = ['Area 0', 'Area 1', 'Area 2', 'Area 3'];

/** Words for free text by field. The key `<map>.key` has the names of entries of a map. */
const WORDS: Record<string, readonly string[]> = {
  party: ['red', 'blue', 'green', 'grey'],
  tags: ['cavalry', 'infantry', 'siege'],
  prey: ['cavalry', 'infantry', 'siege'],
  'players.key': PLAYERS,
  'tokens.key': [...PLAYERS, 'barbarians'],
  // Counts by weight are nested maps.
  'tokens.value.key': ['0', '2', '5', '7', '8', '11'],
  city: [...PLAYERS, 'pirates'],
  'ships.key': AREAS,
  'adjacent.key': AREAS,
  cityOrder: [...AREAS, 'Area 4'],
  removal: ['cavalry', 'siege', 'swordsman', 'peasant', 'wall', 'city', 'structures'],
  priority: ['military', 'wall', 'peasant', 'building', 'city', 'vessel', 'added-structures'],
  bonus: ['spearman', 'cavalryman', 'catapult', 'greatest', 'none', 'active-first'],
  type: ['tower', 'gate'],
  'structureTypes.key': ['tower', 'gate', 'city'],
  hex: ['hill', 'ford'],
  die: ['sample-1', 'sample-4', 'sample-7', 'sample-8'],
  dice: ['sample-2', 'sample-4', 'sample-8'],
  'dice.key': ['sample-1', 'sample-2', 'sample-4', 'sample-8'],
};
const NAMES = Array.from({ length: 26 }, (_, k) => `Unit ${String.fromCharCode(65 + k)}`);
const OTHERS = [...NAMES, '3d10', '1d6', '2d4', '1d2', '8d100', '4d10', 'custom-type', 'other-type'];

/** Largest hit points above the minimum for most units, so that battles last several rounds. */
const HP = 40;

function choicesOf(stream: Stream): ValueChooser {
  const choices = createLeaningChooser(stream);
  return {
    ...choices,
    texts: (field) => [WORDS[field] ?? [], OTHERS],
    own(declared, field) {
      if (field !== 'hp' || declared.kind !== 'number' || choices.among(32) === 0)
        return choices.own?.(declared, field);
      const { low = 0, high = HP } = declared;
      return uniformInt(stream, low, Math.min(high, low + HP));
    },
  };
}

type Pool = Record<string, number>;

interface Turn {
  areas: { name: string; city?: string; tokens?: Record<string, unknown> }[];
  players?: Record<string, { ships?: Pool; adjacent?: Pool; cityOrder?: string | string[] }>;
}

/** Numbers the areas, sorts the ends of ranges, and removes ships, adjacent tokens and cities of unknown areas. */
function mendTurn(input: unknown): unknown {
  const { areas, players = {}, ...rest } = input as Turn;
  const names = areas.map((_, k) => `Area ${String(k)}`);
  const counts = (tokens: Record<string, unknown> = {}) =>
    Object.fromEntries(
      Object.entries(tokens).map(([player, count]) => [
        player,
        Array.isArray(count) ? count.toSorted((a: number, b: number) => a - b) : count,
      ]),
    );
  const near = (pool: Pool = {}) => Object.fromEntries(Object.entries(pool).filter(([area]) => names.includes(area)));
  const ordered = (player: string, order: string | string[] = 'file') => {
    if (typeof order === 'string') return order;
    const own = names.filter((_, k) => areas[k]?.city === player);
    return [...new Set([...order.filter((name) => own.includes(name)), ...own.toReversed()])];
  };
  const mended = Object.entries(players).map(([name, player]) => [
    name,
    {
      ...player,
      ships: near(player.ships),
      adjacent: near(player.adjacent),
      cityOrder: ordered(name, player.cityOrder),
    },
  ]);
  return {
    ...rest,
    areas: areas.map((area, k) => ({ ...area, name: names[k], tokens: counts(area.tokens) })),
    players: Object.fromEntries(mended) as unknown,
  };
}

interface Armies {
  attacker: { units: Record<string, number> };
  defender: { units: Record<string, number> };
}

/** Shrinks half of all armies: large ones have too many states for tables and are rarely reduced to only aircraft. */
function thinArmies(input: unknown): unknown {
  const armies = input as Armies;
  if (Object.keys(armies.attacker.units).length % 2 > 0) return armies;
  const few = <S extends { units: Record<string, number> }>(side: S) => ({
    ...side,
    units: Object.fromEntries(Object.entries(side.units).filter(([, count]) => count < 3)),
  });
  return { ...armies, attacker: few(armies.attacker), defender: few(armies.defender) };
}

interface Corps {
  armies: { hex?: string }[];
  structures?: { type: string; hp?: number; marks?: number; hex?: string }[];
  conversions?: number;
  recoveries?: number;
  convert?: unknown;
  draw?: unknown;
  extraDraw?: unknown;
}

/** Completes conditions of draws: they need cubes that are drawn one by one, and at least one number. */
function mendUntil(draws: Corps): { stops: boolean; draws: object } {
  const policy = (draws.draw ?? draws.extraDraw) as { until?: object } | string | number | undefined;
  if (typeof policy !== 'object') return { stops: false, draws: {} };
  const mended = { until: { ...(Object.keys(policy.until ?? {}).length === 0 && { own: 2 }), ...policy.until } };
  return { stops: true, draws: draws.draw === undefined ? { extraDraw: mended } : { draw: mended } };
}

interface Bag {
  structureTypes?: Record<string, unknown>;
  attacker: Corps;
  defender: Corps;
  drawing?: string;
}

/**
 * Makes the fields of both sides consistent: numbers of armies that the enemy has, conditions only with cubes drawn one
 * by one, and structures of known types with few hit points on hexes of armies. Limits the attempts: many have too many
 * states for tables.
 */
function mendCorps(input: unknown): unknown {
  const { structureTypes, attacker, defender, drawing, ...rest } = input as Bag;
  const few = (hp: number): number => 1 + (hp % 4);
  const types = structureTypes ?? { tower: {}, gate: {} };
  const built = ({ armies, structures = [] }: Corps) =>
    structures.flatMap(({ type, hp, marks = 0, hex }) => {
      if (['tower', 'gate'].includes(type) && !(type in types)) return [];
      const stands = hex !== undefined && armies.some((army) => army.hex === hex) ? { hex } : {};
      return [{ type, ...(hp !== undefined && { hp: few(hp) }), marks: marks % 2, ...stands }];
    });
  const mended = ({ convert, ...side }: Corps, enemy: Corps): object => {
    const tries = { conversions: (side.conversions ?? 0) % 3, recoveries: (side.recoveries ?? 0) % 3 };
    const fielded = { ...side, ...tries, structures: built(side) };
    if (!Array.isArray(convert)) return { ...fielded, ...(convert !== undefined && { convert }) };
    return { ...fielded, convert: (convert as number[]).filter((army) => army <= enemy.armies.length) };
  };
  const hps = Object.keys(types).map((name, index): [string, object] => [name, { hp: few(index) }]);
  const sides = [mendUntil(attacker), mendUntil(defender)] as const;
  return {
    ...rest,
    structureTypes: Object.fromEntries(hps),
    ...(sides.some(({ stops }) => stops) ? { drawing: 'cube-by-cube' } : drawing !== undefined && { drawing }),
    attacker: { ...mended(attacker, defender), ...sides[0].draws },
    defender: { ...mended(defender, attacker), ...sides[1].draws },
  };
}

type Order = readonly (string | object)[];

interface Deployment {
  absorb?: Order;
  units: object[];
  support?: object[];
}

/** Completes the orders of absorbers, and adds figures to units that are not in the sample set. */
function mendCards(input: unknown): unknown {
  const { attacker, defender, ...rest } = input as { absorb?: Order; attacker: Deployment; defender: Deployment };
  const absorbers = ['symbols', 'fortification', 'units'];
  const completed = <D extends { absorb?: Order }>(of: D): D => {
    if (of.absorb === undefined) return of;
    const placed = of.absorb.flatMap((place) => (typeof place === 'string' ? [place] : []));
    return { ...of, absorb: [...of.absorb, ...absorbers.filter((each) => !placed.includes(each))] };
  };
  const figures = { attack: 2, defense: 1 };
  const known = (units: object[], more: object) =>
    units.map((unit) => ('sample' in unit ? unit : { ...figures, ...more, ...unit }));
  const side = ({ units, support = [], ...others }: Deployment) =>
    completed({ ...others, units: known(units, { hp: 3, die: 'sample-4' }), support: known(support, {}) });
  return { ...completed(rest), attacker: side(attacker), defender: side(defender) };
}

/** Functions that make most values valid where fields depend on each other, or rare rules more likely. */
const MENDING: Record<string, (input: unknown) => unknown> = {
  'phased-dice': thinArmies,
  'token-conflict': mendTurn,
  'cube-bag': mendCorps,
  'strength-cards': mendCards,
};

/** Returns the modes of a system, or `[undefined]` for a system without modes. */
export function modesOf(system: System): (string | undefined)[] {
  const found = new Set(system.examples.map(({ scenario }) => (scenario as { mode?: string }).mode));
  return [...found];
}

/** Returns the modes with their names in titles of tests. */
export function namedModes(system: System): [name: string, mode: string | undefined][] {
  return modesOf(system).map((mode) => [mode ?? 'its only mode', mode]);
}

/** Maximum number of attempts to generate one valid scenario. */
const ATTEMPTS = 10_000;

/** Generates complete scenarios of a system and mode. */
function* scenarios(system: System, mode: string | undefined, stream: Stream): Generator<Scenario> {
  const choices = choicesOf(stream);
  const mend = MENDING[system.id] ?? ((same: unknown) => same);
  const fitting = listAlternatives(getDeclaration(system.schema)).filter((each) => {
    const only = each.kind === 'group' ? getOnlyWord(each.fields.get('mode')) : undefined;
    return only === undefined || only === mode;
  });
  for (let attempts = 0; attempts < ATTEMPTS; attempts++) {
    const input = generateValue({ kind: 'union', of: fitting, about: '' }, choices);
    const { success, data } = system.schema.safeParse(mend(input));
    if (!success || (data as { mode?: string }).mode !== mode) continue;
    attempts = 0;
    yield data;
  }
}

/** Seed of scenarios that are the same in every run of the tests. */
const FIXED = 20_261_121;

/** @param seed 32 bits; by default the same scenarios in every run */
export function sampleScenarios(system: System, mode: string | undefined, count: number, seed = FIXED): Scenario[] {
  const found: Scenario[] = [];
  for (const scenario of scenarios(system, mode, Stream.forBattle(BigInt(seed), 0)))
    if (found.push(scenario) === count) return found;
  throw new Error(`no scenarios of ${system.id} could be made`);
}
