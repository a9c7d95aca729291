/** Transforms the content of a file to a complete scenario. */
import type { z } from 'zod';
import { ALWAYS, checkAcrossFields, reject } from '../fields.ts';
import { BARBARIANS, fields, PIRATES, type PlayerFields, type TokenConflict } from './fields.ts';
import { computeSize, OUTCOMES_MAX } from './model.ts';
import { getPlan } from './plan.ts';

const PLAYERS_MAX = 64;

/** Maximum number of pairs of a player and an area in which the player can have tokens. */
const CONTINGENTS_MAX = 1024;

/** Maximum number of counters of outcomes and metrics: 128 MiB of them. */
export const COUNTERS_MAX = 2 ** 25;

type TokenConflictContext = z.core.$RefinementCtx<TokenConflict>;

function checkAreas({ areas }: TokenConflict, context: TokenConflictContext): void {
  const seen = new Set<string>();
  for (const [index, { name, city }] of areas.entries()) {
    if (seen.has(name)) reject(context, ['areas', index, 'name'], 'a name that no other area has', `"${name}" again`);
    seen.add(name);
    if (city !== BARBARIANS) continue;
    reject(context, ['areas', index, 'city'], `${PIRATES} for a city of the ${BARBARIANS}`, `"${city}"`);
  }
}

/** Checks that ships and adjacent tokens belong to a listed area. */
function checkPools({ areas, players }: TokenConflict, context: TokenConflictContext): void {
  const known = areas.map(({ name }) => name);
  for (const [name, each] of Object.entries(players)) {
    for (const field of ['ships', 'adjacent'] as const) {
      for (const place of Object.keys(each[field])) {
        if (known.includes(place)) continue;
        reject(context, ['players', name, field, place], `one of the areas ${known.join(', ')}`, `"${place}"`);
      }
    }
  }
}

/** Lists the areas with a city of a player, in the order of the file. */
function listCities({ areas }: TokenConflict, player: string): string[] {
  return areas.filter(({ city }) => city === player).map(({ name }) => name);
}

/** Checks that lists of cities contain distinct cities of the player. */
function checkOrders(scenario: TokenConflict, context: TokenConflictContext): void {
  for (const [name, { cityOrder: order }] of Object.entries(scenario.players)) {
    if (typeof order === 'string') continue;
    const own = listCities(scenario, name);
    const expected =
      own.length === 0 ? `no list: ${name} has no city` : `one of the cities of ${name}: ${own.join(', ')}`;
    for (const [index, area] of order.entries()) {
      const path = ['players', name, 'cityOrder', index];
      if (!own.includes(area)) reject(context, path, expected, `"${area}"`);
      else if (order.indexOf(area) < index) reject(context, path, 'each city once', `"${area}" again`);
    }
  }
}

/** Checks that barbarians have only tokens. */
function checkBarbarians({ players }: TokenConflict, context: TokenConflictContext): void {
  const given = new Map(Object.entries(players)).get(BARBARIANS);
  if (given === undefined) return;
  const { stock, rank, hand, advances, cityOrder: order } = given;
  const has = {
    ...{ advances: advances.length > 0, stock: stock > 0, hand: hand > 0 },
    ...{ rank: rank !== undefined, cityOrder: order !== 'file' && order.length > 0 },
  };
  for (const [field, wrong] of Object.entries(has)) {
    if (!wrong) continue;
    reject(context, ['players', BARBARIANS, field], `no ${field}: ${BARBARIANS} have only tokens`);
  }
}

/** Checks the limits of the kernel for players, and for counters of outcomes and values of metrics. */
function checkSize(scenario: TokenConflict, context: TokenConflictContext): void {
  const plan = getPlan(scenario);
  if (plan.players.length > PLAYERS_MAX) {
    reject(context, ['areas'], `at most ${String(PLAYERS_MAX)} players in total`, String(plan.players.length));
    return;
  }
  if (plan.contingents.length > CONTINGENTS_MAX) {
    const expected = `at most ${String(CONTINGENTS_MAX)} players in areas, including owners of cities`;
    reject(context, ['areas'], expected, String(plan.contingents.length));
    return;
  }
  const { outcomes, counters } = computeSize(scenario, plan);
  if (outcomes > OUTCOMES_MAX) {
    reject(context, ['areas'], `areas with at most ${String(OUTCOMES_MAX)} outcomes in total`, String(outcomes));
  } else if (counters > COUNTERS_MAX) {
    const expected = `at most ${String(COUNTERS_MAX)} counters for all outcomes and values of metrics`;
    reject(context, ['areas'], expected, String(counters));
  }
}

/** Returns the shortest equivalent list, because omitted names follow in the order of the file. */
function shortenOrder(order: PlayerFields['cityOrder'], own: readonly string[]): PlayerFields['cityOrder'] {
  if (typeof order === 'string') return order;
  const listImplied = (length: number): string[] => own.filter((name) => !order.slice(0, length).includes(name));
  let length = order.length;
  while (length > 0 && listImplied(length - 1)[0] === order[length - 1]) length--;
  return length === 0 ? 'file' : order.slice(0, length);
}

export const schema = fields
  .superRefine(
    checkAcrossFields((scenario, context) => {
      checkAreas(scenario, context);
      checkPools(scenario, context);
      checkOrders(scenario, context);
      checkBarbarians(scenario, context);
      if (context.issues.length === 0) checkSize(scenario, context);
    }),
    ALWAYS,
  )
  .overwrite((scenario) => ({
    ...scenario,
    players: Object.fromEntries(
      Object.entries(scenario.players).map(([name, each]) => [
        name,
        { ...each, cityOrder: shortenOrder(each.cityOrder, listCities(scenario, name)) },
      ]),
    ),
  }));
