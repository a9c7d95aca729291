/**
 * Scenarios from the declared ranges: a generator for every system, derived from its JSON Schema, so that
 * a field that is declared is a field that is tested. Values lean towards small battles.
 */
import fc from 'fast-check';
import { z } from 'zod';
import type { Scenario, System } from '../src/systems/system.ts';

type Json = z.core.JSONSchema.BaseSchema;

/** Words for free text, by the field they stand in. */
const WORDS: Record<string, readonly string[]> = {
  party: ['red', 'blue', 'green', 'grey'],
  tags: ['cavalry', 'infantry', 'siege'],
  prey: ['cavalry', 'infantry', 'siege'],
  // Names of fields that are maps are words for their keys; counts by weight are maps within a map.
  players: ['egypt', 'assyria', 'rome'],
  tokens: ['egypt', 'assyria', 'rome', 'barbarians'],
  city: ['egypt', 'assyria', 'rome', 'pirates'],
  ships: ['Area 0', 'Area 1', 'Area 2', 'Area 3'],
  adjacent: ['Area 0', 'Area 1', 'Area 2', 'Area 3'],
  cityOrder: ['Area 0', 'Area 1', 'Area 2', 'Area 3', 'Area 4'],
  value: ['0', '2', '5', '7', '8', '11'],
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

/** Fields whose whole range would make battles endless; the ranges' ends have tests of their own. */
const NARROW: Record<string, readonly [number, number]> = { maxRounds: [1, 60] };

function integers(schema: Json, field: string): fc.Arbitrary<number> {
  const [min, max] = NARROW[field] ?? [schema.minimum ?? 0, schema.maximum ?? 100];
  const low = Math.min(max, Math.max(min, -8));
  const small = fc.integer({ min: low, max: Math.min(max, low + (field === 'hp' ? 40 : 14)) });
  return fc.oneof({ weight: 30, arbitrary: small }, { weight: 1, arbitrary: fc.integer({ min, max }) });
}

function texts(schema: Json, field: string): fc.Arbitrary<string> {
  const pattern = new RegExp(schema.pattern ?? '');
  const own = (WORDS[field] ?? []).filter((word) => pattern.test(word));
  const words = [...NAMES, '3d10', '1d6', '2d4', '1d2', '8d100', '4d10', 'custom-type', 'other-type'];
  return fc.constantFrom(...(own.length > 0 ? own : words.filter((word) => pattern.test(word))));
}

function objects(schema: Json, field: string): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  if (properties.length === 0) return maps(schema, field);
  const always = new Set([...(schema.required ?? []), ...Object.keys(NARROW)]);
  return fc.record(Object.fromEntries(properties.map(([name, field]) => [name, valueFor(field, name)])), {
    requiredKeys: properties.map(([name]) => name).filter((name) => always.has(name)),
  });
}

function maps(schema: Json, field: string): fc.Arbitrary<unknown> {
  const named = [`${field}.key`, field].find((name) => name in WORDS) ?? 'key';
  const key = valueFor((schema.propertyNames ?? { type: 'string' }) as Json, named) as fc.Arbitrary<string>;
  const value = valueFor(schema.additionalProperties as Json, 'value');
  return fc.dictionary(key, value, { minKeys: 1, maxKeys: 4, noNullPrototype: true });
}

function lengths({ minItems = 0, maxItems = 3 }: Json): { minLength: number; maxLength: number } {
  return { minLength: minItems, maxLength: Math.min(maxItems, minItems + 4) };
}

/** A list whose items may be twins: what is alike but not the same is often taken for the same. */
function lists<T>(item: fc.Arbitrary<T>, length: fc.ArrayConstraints): fc.Arbitrary<T[]> {
  const twins = fc
    .array(fc.nat(1), length)
    .chain((picks) => fc.tuple(item, item).map((both) => picks.map((pick) => both[pick] as T)));
  return fc.oneof({ weight: 3, arbitrary: fc.array(item, length) }, { weight: 1, arbitrary: twins });
}

function valueFor(schema: Json, field: string): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) return fc.oneof(...either.map((choice) => valueFor(choice, field)));
  switch (schema.type) {
    case 'integer':
      return integers(schema, field);
    case 'number':
      return fc.integer({ min: 0, max: Math.min(30, 10 * (schema.maximum ?? 3)) }).map((tenths) => tenths / 10);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      if (schema.uniqueItems === true) return fc.uniqueArray(valueFor(schema.items as Json, field), lengths(schema));
      return lists(valueFor(schema.items as Json, field), lengths(schema));
    case 'object':
      return objects(schema, field);
    default:
      return texts(schema, field);
  }
}

type Pool = Record<string, number>;

interface Turn {
  areas: { name: string; city?: string; tokens?: Record<string, unknown> }[];
  players?: Record<string, { ships?: Pool; adjacent?: Pool; cityOrder?: string | string[] }>;
}

/** Areas by number; ranges the right way up; ships, adjacent tokens and lists of cities only of areas that are there. */
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

/** Small armies in half of all cases: large ones have too many states for tables, and are seldom left with aircraft alone. */
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

/** Conditions need cubes that are drawn one by one, and each a number at least. */
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
 * Numbers of armies that the enemy has; conditions only where they are known; structures of known types, with few hit
 * points, on hexes of armies; few tries, for many have too many states for tables.
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

/** What makes most of the values valid where fields depend on each other, or likelier to come to rare rules. */
const MENDING: Record<string, (input: unknown) => unknown> = {
  'phased-dice': thinArmies,
  'token-conflict': mendTurn,
  'cube-bag': mendCorps,
};

/** The modes of a system; one nameless mode for a system without. */
export function modesOf(system: System): (string | undefined)[] {
  const found = new Set(system.examples.map(({ scenario }) => (scenario as { mode?: string }).mode));
  return [...found];
}

/** The modes with what tests call them. */
export function namedModes(system: System): [name: string, mode: string | undefined][] {
  return modesOf(system).map((mode) => [mode ?? 'its only mode', mode]);
}

/** Complete scenarios of a system and mode. */
function scenarios(system: System, mode: string | undefined): fc.Arbitrary<Scenario> {
  const schema = z.toJSONSchema(system.schema, { io: 'input', unrepresentable: 'any' });
  const variants = schema.anyOf ?? schema.oneOf ?? [schema];
  const fitting = variants.filter((variant) => {
    const declared = (variant.properties?.['mode'] as Json | undefined)?.const;
    return declared === undefined || declared === mode;
  });
  return fc
    .oneof(...fitting.map((variant) => valueFor(variant, '')))
    .map((input) => system.schema.safeParse((MENDING[system.id] ?? ((same: unknown) => same))(input)))
    .filter(({ success, data }) => success && (data as { mode?: string }).mode === mode)
    .map(({ data }) => data as Scenario);
}

/** The seed of scenarios that are the same at every run of the tests. */
const FIXED = 20_261_121;

/** @param seed 32 bits; the same scenarios at every run unless given */
export function sampleScenarios(system: System, mode: string | undefined, count: number, seed = FIXED): Scenario[] {
  return fc.sample(scenarios(system, mode), { numRuns: count, seed });
}
