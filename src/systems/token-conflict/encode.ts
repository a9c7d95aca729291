/** The scenario as assembly/systems/token-conflict.ts reads it. */
import { weightThresholds } from '../../chance/laws.ts';
import { Layout } from '../layout.ts';
import type { TokenConflict } from './declared.ts';
import { CITY_FALLS, CITY_STANDS } from './names.ts';
import { outcomesByArea } from './outcomes.ts';
import { type Area, type AttackTask, type Contingent, type Plan, type Player, planOf, termsOf } from './plan.ts';
import { musterOf } from './state.ts';

/** Words of the head before the draws, and of a draw. */
const HEAD = 12;
const DRAW_WORDS = 4;

/** How much each name of each area adds to the number of the battle's outcome; names that cannot come add 0. */
type Shares = readonly ReadonlyMap<string, number>[];

function sharesOf(byArea: readonly (readonly string[])[]): Shares {
  let stride = 1;
  const shares = byArea.toReversed().map((names) => {
    const own = new Map(names.map((name, k) => [name, k * stride]));
    stride *= names.length;
    return own;
  });
  return shares.reverse();
}

/** How a player orders its cities: by preference, the weakest attack first, or the strongest. */
function orderOf({ cityOrder }: Player): number {
  return Number(cityOrder === 'weakest-attack-first') - Number(cityOrder === 'strongest-attack-first');
}

/** Players as [barbarian, takes a card, takes to the treasury, order of cities]. */
function playerTable({ players }: Plan): number[] {
  return players.flatMap((player) => {
    const { barbarian, takeCard, takeTreasury } = player;
    return [...[barbarian, takeCard, takeTreasury].map(Number), orderOf(player)];
  });
}

/** Contingents as [player, metalworking, pool first, tokens needed against the city, what it becomes, result]. */
function contingentTable(plan: Plan, shares: Shares): number[] {
  const ownerOf = ({ area }: Contingent) => plan.contingents[plan.areas[area]?.city?.owner ?? -1];
  return plan.contingents.flatMap((contingent) => {
    const player = plan.players[contingent.player];
    const { need, becomes } = termsOf(plan, player, plan.players[ownerOf(contingent)?.player ?? -1]);
    const result = shares[contingent.area]?.get(player?.name ?? '') ?? 0;
    const first = player?.sacrifice === 'pool-first';
    return [contingent.player, Number(player?.metalworking), Number(first), need, becomes, result];
  });
}

/** Areas as [first contingent, end of them, limit, owner's contingent or -1, pirates, result, other result]. */
function areaTable(areas: readonly Area[], shares: Shares): number[] {
  let first = 0;
  return areas.flatMap(({ index, contingents, limit, city }) => {
    const results = city === undefined ? ['coexist', 'empty'] : [CITY_FALLS, CITY_STANDS];
    const words = results.map((name) => shares[index]?.get(name) ?? 0);
    const from = first;
    first += contingents.length;
    return [from, first, limit, city?.owner ?? -1, Number(city?.pirate ?? false), ...words];
  });
}

/** The area that is attacked in a place of the order, -1 if the battle tells. */
function attackedIn({ attacks, players }: Plan, place: number, { cities }: AttackTask): number {
  const [only, ...others] = cities;
  if (others.length === 0) return only?.index ?? -1;
  const own = attacks.slice(0, place + 1).filter((area) => cities.includes(area));
  const player = players[only?.city.player ?? -1];
  if (player === undefined || orderOf(player) !== 0) return -1;
  return cities.toSorted((a, b) => a.city.preference - b.city.preference)[own.length - 1]?.index ?? -1;
}

/**
 * Attacks as [area, owner or -1 for pirates, preference], in the places of the order that the file gives, and for the
 * place [area attacked in it, -1 if the battle tells; waits].
 */
function attackTable(plan: Plan): number[] {
  const places = plan.tasks.filter((task) => task.kind === 'attack');
  return plan.attacks.flatMap(({ index, city }, place) => {
    const task = places[place];
    if (task === undefined) throw new Error('an attack without a place');
    const owner = city.pirate ? -1 : city.player;
    return [index, owner, city.preference, attackedIn(plan, place, task), Number(task.waits)];
  });
}

/** Draws as [contingent, place in the stream, quantile table, counts]. */
function drawsOf(layout: Layout, { contingents }: Plan): number[] {
  const drawn = contingents.filter(({ count }) => count.values.length > 1);
  return drawn.flatMap(({ index, place, count }) => [
    ...[index, place],
    ...[layout.quantiles(weightThresholds(count.weights)), layout.words(count.values)],
  ]);
}

export function encode(scenario: TokenConflict): Int32Array<ArrayBuffer> {
  const plan = planOf(scenario);
  const { players, areas, contingents, attacks, tasks, removesPirates, treasury } = plan;
  const shares = sharesOf(outcomesByArea(scenario, plan));
  const draws = tasks.filter(({ kind }) => kind === 'count').length;
  const { tokens, ships, adjacent, stock, hand } = musterOf(plan);
  const layout = new Layout(HEAD + DRAW_WORDS * draws);
  layout.set(0, players.length, areas.length, contingents.length, draws, attacks.length, removesPirates, treasury);
  const tables = [
    playerTable(plan),
    contingentTable(plan, shares),
    areaTable(areas, shares),
    attackTable(plan),
    [...tokens, ...ships, ...adjacent, ...stock, ...hand],
  ];
  layout.set(7, ...tables.map((table) => layout.words(table)));
  layout.set(HEAD, ...drawsOf(layout, plan));
  return layout.finish();
}
