/** Encodes the scenario for assembly/systems/token-conflict.ts. */
import { computeWeightThresholds } from '../../core/index.ts';
import { LayoutBuilder } from '../layout.ts';
import type { StructInput } from '../struct.ts';
import { CITY_FALLS, CITY_STANDS, type TokenConflict } from './fields.ts';
import { AREA, CONTINGENT, DRAW, HEAD, PLAYER, SIEGE } from './layout.ts';
import { listOutcomesByArea } from './model.ts';
import {
  type Area,
  type AttackTask,
  type ConflictPlan,
  type Contingent,
  computeAttackTerms,
  createInitialState,
  getPlan,
  type TokenPlayer,
} from './plan.ts';

/** Contribution of each name of each area to the index of the outcome of the battle; impossible names add 0. */
type OutcomeShares = readonly ReadonlyMap<string, number>[];

function computeOutcomeShares(byArea: readonly (readonly string[])[]): OutcomeShares {
  let stride = 1;
  const shares = byArea.toReversed().map((names) => {
    const own = new Map(names.map((name, k) => [name, k * stride]));
    stride *= names.length;
    return own;
  });
  return shares.reverse();
}

/** Encodes the order of the cities of a player: by preference, the weakest attack first, or the strongest. */
function encodeCityOrder({ cityOrder }: TokenPlayer): number {
  return Number(cityOrder === 'weakest-attack-first') - Number(cityOrder === 'strongest-attack-first');
}

function encodePlayers({ players }: ConflictPlan): StructInput<typeof PLAYER>[] {
  return players.map((player) => {
    const { barbarian, takeCard, takeTreasury } = player;
    return { barbarian, takesCard: takeCard, takesTreasury: takeTreasury, order: encodeCityOrder(player) };
  });
}

function encodeContingents(plan: ConflictPlan, shares: OutcomeShares): StructInput<typeof CONTINGENT>[] {
  const getOwner = ({ area }: Contingent) => plan.contingents[plan.areas[area]?.city?.owner ?? -1];
  return plan.contingents.map((contingent) => {
    const player = plan.players[contingent.player];
    const { need, becomes } = computeAttackTerms(plan, player, plan.players[getOwner(contingent)?.player ?? -1]);
    const result = shares[contingent.area]?.get(player?.name ?? '') ?? 0;
    const [metalworking, poolFirst] = [player?.metalworking ?? false, player?.sacrifice === 'pool-first'];
    return { player: contingent.player, metalworking, poolFirst, need, becomes, result };
  });
}

function encodeAreas(areas: readonly Area[], shares: OutcomeShares): StructInput<typeof AREA>[] {
  let first = 0;
  return areas.map(({ index, contingents, limit, city }) => {
    const results = city === undefined ? ['coexist', 'empty'] : [CITY_FALLS, CITY_STANDS];
    const [result = 0, otherResult = 0] = results.map((name) => shares[index]?.get(name) ?? 0);
    const end = first + contingents.length;
    const area = { first, end, limit, owner: city?.owner ?? -1, pirate: city?.pirate ?? false, result, otherResult };
    first = end;
    return area;
  });
}

/** Finds the area of an entry in the order of attacks, -1 if it depends on the battle. */
function findAttackedArea({ attacks, players }: ConflictPlan, place: number, { cities }: AttackTask): number {
  const [only, ...others] = cities;
  if (others.length === 0) return only?.index ?? -1;
  const own = attacks.slice(0, place + 1).filter((area) => cities.includes(area));
  const player = players[only?.city.player ?? -1];
  if (player === undefined || encodeCityOrder(player) !== 0) return -1;
  return cities.toSorted((a, b) => a.city.preference - b.city.preference)[own.length - 1]?.index ?? -1;
}

/** Encodes the attacks in the order of the file. */
function encodeAttacks(plan: ConflictPlan): StructInput<typeof SIEGE>[] {
  const places = plan.tasks.filter((task) => task.kind === 'attack');
  return plan.attacks.map(({ index, city }, place) => {
    const task = places[place];
    if (task === undefined) throw new Error('an attack without a place');
    const owner = city.pirate ? -1 : city.player;
    const next = findAttackedArea(plan, place, task);
    return { area: index, owner, preference: city.preference, next, waits: task.waits };
  });
}

function encodeDraws(layout: LayoutBuilder, { contingents }: ConflictPlan): number[] {
  const drawn = contingents.filter(({ count }) => count.values.length > 1);
  return drawn.flatMap(({ index, place, count }) =>
    DRAW.pack({
      ...{ contingent: index, place },
      quantiles: layout.quantiles(computeWeightThresholds(count.weights)),
      counts: layout.words(count.values),
    }),
  );
}

export function encode(scenario: TokenConflict): Int32Array<ArrayBuffer> {
  const plan = getPlan(scenario);
  const { players, areas, contingents, attacks, tasks, removesPirates, treasury } = plan;
  const shares = computeOutcomeShares(listOutcomesByArea(scenario, plan));
  const draws = tasks.filter(({ kind }) => kind === 'count').length;
  const { tokens, ships, adjacent, stock, hand } = createInitialState(plan);
  const layout = new LayoutBuilder(HEAD.size + DRAW.size * draws);
  const head = HEAD.pack({
    players: players.length,
    areas: areas.length,
    contingents: contingents.length,
    draws,
    attacks: attacks.length,
    ...{ removesPirates, treasury },
    playerTable: layout.records(PLAYER, encodePlayers(plan)),
    contingentTable: layout.records(CONTINGENT, encodeContingents(plan, shares)),
    areaTable: layout.records(AREA, encodeAreas(areas, shares)),
    attackTable: layout.records(SIEGE, encodeAttacks(plan)),
    start: layout.words([...tokens, ...ships, ...adjacent, ...stock, ...hand]),
  });
  return layout.finish([...head, ...encodeDraws(layout, plan)]);
}
