/** State of a battle in the words of assembly/token-conflict/board.ts: their positions, and their meaning. */

import type { EnvironmentDefinition, Feature, Weights } from '../system.ts';
import { findAreaResult } from './area-rounds.ts';
import { CITY_FALLS, CITY_STANDS, getMaxCount, JOINT, type TokenConflict } from './fields.ts';
import { EXTRA, POINTS, PROGRESS, STAGES } from './layout.ts';
import {
  type Area,
  type CityArea,
  type ConflictPlan,
  type ConflictState,
  type Contingent,
  computeAttackTerms,
  computeMaxCityTokens,
  createInitialState,
  createMetrics,
  findTakenCity,
  getPlan,
  IDLE,
  type PendingTurn,
  type TurnTask,
} from './plan.ts';
import type { Payment } from './policies.ts';

/** Start of each column in words. */
interface ConflictColumns {
  readonly rounds: number;
  /** By contingent of the current area: its rank in the round, 0 after its action; negative once the pool is chosen. */
  readonly ranks: number;
  /** By player. */
  readonly lost: number;
  readonly spent: number;
  readonly cards: number;
  readonly treasury: number;
  /** By attack: 1 if the city has fallen, and 1 from its turn on. */
  readonly fallen: number;
  readonly begun: number;
  /** By contingent. */
  readonly tokens: number;
  readonly ships: number;
  readonly adjacent: number;
  /** By player. */
  readonly stock: number;
  readonly hand: number;
}

function computeColumns({ players, contingents, attacks }: ConflictPlan): ConflictColumns {
  const [p, c] = [players.length, contingents.length];
  const tokens = PROGRESS.size + 5 * p + 2 * attacks.length;
  const stock = tokens + 3 * c;
  return {
    rounds: PROGRESS.at.rounds,
    ranks: PROGRESS.size,
    ...{
      lost: PROGRESS.size + p,
      spent: PROGRESS.size + 2 * p,
      cards: PROGRESS.size + 3 * p,
      treasury: PROGRESS.size + 4 * p,
    },
    ...{ fallen: PROGRESS.size + 5 * p, begun: PROGRESS.size + 5 * p + attacks.length },
    ...{ tokens, ships: tokens + c, adjacent: tokens + 2 * c },
    ...{ stock, hand: stock + p },
  };
}

/** Tasks of the kernel: each area with its counts, then the attacks. */
function findTask({ areas, tasks, attacks }: ConflictPlan, task: number): number {
  if (task >= areas.length) return tasks.length - attacks.length + task - areas.length;
  return tasks.findIndex((each) => each.kind === 'conflict' && each.area.index === task);
}

function readPending(plan: ConflictPlan, words: Int32Array): PendingTurn | undefined {
  const { stage, task, attack, rank: atHand, next } = PROGRESS.read(words);
  const kind = STAGES[stage];
  if (kind === 'card' || kind === 'treasury') return { kind };
  if (kind !== 'round') return undefined;
  const area = plan.areas[task] ?? plan.attacks[attack];
  const { ranks } = computeColumns(plan);
  const waiting = (area?.contingents ?? []).map(({ index }, k) => ({ index, rank: words[ranks + k] ?? 0 }));
  const order = [...new Set(waiting.map(({ rank }) => Math.abs(rank)))].filter((rank) => rank > 0);
  const groups = order
    .sort((a, b) => a - b)
    .map((rank) => waiting.filter((each) => Math.abs(each.rank) === rank).map(({ index }) => index));
  const payments = waiting
    .filter(({ index, rank }) => Math.abs(rank) === atHand && index < next)
    .map(({ rank }): Payment => (rank < 0 ? 'pool' : 'token'));
  return { kind: 'round', groups, payments };
}

function readEngaged({ areas }: ConflictPlan, words: Int32Array): number {
  const { task, stage, engaged } = PROGRESS.read(words);
  if (task < areas.length) return task;
  return STAGES[stage] === 'idle' ? IDLE : engaged;
}

/** Reads the outcome of a city, '' before its attack is over. */
function readCityResult(plan: ConflictPlan, words: Int32Array, attack: number): string {
  const { fallen, begun } = computeColumns(plan);
  const at = PROGRESS.read(words);
  const atHand = STAGES[at.stage] !== 'idle' && at.task >= plan.areas.length && at.attack === attack;
  if (words[begun + attack] !== 1 || atHand) return '';
  return words[fallen + attack] === 1 ? CITY_FALLS : CITY_STANDS;
}

/** Reads the state of a battle from its words, at a decision. */
export function readState(plan: ConflictPlan, words: Int32Array): ConflictState {
  const { areas, attacks, players, contingents } = plan;
  const columns = computeColumns(plan);
  const column = (at: number, length: number): number[] => [...words.subarray(at, at + length)];
  const byPlayer = (at: number): number[] => column(at, players.length);
  const byContingent = (at: number): number[] => column(at, contingents.length);
  const { task, rounds } = PROGRESS.read(words);
  const state: ConflictState = {
    ...createInitialState(plan),
    round: 1,
    task: findTask(plan, task),
    engaged: readEngaged(plan, words),
    rounds,
    pending: readPending(plan, words),
    tokens: byContingent(columns.tokens),
    ships: byContingent(columns.ships),
    adjacent: byContingent(columns.adjacent),
    // In the kernel the stock of barbarians grows, because it has no effect.
    stock: byPlayer(columns.stock).map((stock, p) => (players[p]?.barbarian === true ? 0 : stock)),
    hand: byPlayer(columns.hand),
    lost: byPlayer(columns.lost),
    spent: byPlayer(columns.spent),
    cards: byPlayer(columns.cards),
    treasury: byPlayer(columns.treasury),
  };
  const results = areas.map((area) => {
    const attack = attacks.findIndex(({ index }) => index === area.index);
    if (attack >= 0) return readCityResult(plan, words, attack);
    return area.index < task ? findAreaResult(plan, area, state) : '';
  });
  return { ...state, results };
}

// Rewards of outcomes and tokens for a player.

/** By outcome of an area, its reward for each player; default 0. */
type OutcomeRewards = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Rewards of an area without a city: the only remaining player wins, the others lose. */
function createFieldRewards({ players }: ConflictPlan, { contingents }: Area): OutcomeRewards {
  const names = contingents
    .filter(({ count }) => getMaxCount(count) > 0)
    .map(({ player }) => players[player]?.name ?? '');
  const createStakes = (winner: string) => new Map(names.map((name) => [name, name === winner ? 1 : -1]));
  return new Map(names.map((winner) => [winner, createStakes(winner)]));
}

/**
 * Rewards of a city: for its owner, and for players with enough tokens to take it. For several of them its fall has no
 * reward, because the outcome does not show which one has taken it.
 */
function createCityRewards(plan: ConflictPlan, { contingents, city }: Area): OutcomeRewards {
  const { players } = plan;
  const owner = players[contingents.find(({ index }) => index === city?.owner)?.player ?? -1];
  const attackers = contingents
    .filter(
      ({ index, player, count }) =>
        index !== city?.owner && getMaxCount(count) >= computeAttackTerms(plan, players[player], owner).need,
    )
    .map(({ player }) => players[player]?.name ?? '');
  const createStakes = (toOwner: number, toAttackers: number) =>
    new Map([[owner?.name ?? '', toOwner], ...attackers.map((name): [string, number] => [name, toAttackers])]);
  return new Map([
    [CITY_FALLS, createStakes(-1, attackers.length === 1 ? 1 : 0)],
    [CITY_STANDS, createStakes(1, -1)],
  ]);
}

/** Creates the rewards of outcomes for each area. */
function createOutcomeRewards(plan: ConflictPlan): readonly OutcomeRewards[] {
  return plan.areas.map((area) => (area.city === undefined ? createFieldRewards : createCityRewards)(plan, area));
}

/** Computes the mean of the rewards of a player over the areas. */
function computeReward(stakes: readonly OutcomeRewards[], outcome: string, player: string): number {
  const names = outcome.split(JOINT);
  return stakes.reduce((sum, each, a) => sum + (each.get(names[a] ?? '')?.get(player) ?? 0), 0) / stakes.length;
}

/**
 * Creates weights of the remaining tokens as a share of the maximum of the player, minus the mean share of all others.
 */
function createMaterialWeights(plan: ConflictPlan, player: string): Weights {
  const tokens = createMetrics(plan).filter(({ name, max }) => name.startsWith('left.') && max > 0);
  const own = `left.${player}`;
  const others = tokens.filter(({ name }) => name !== own).length;
  return Object.fromEntries(tokens.map(({ name, max }) => [name, name === own ? 1 / max : -1 / (max * others)]));
}

// Token conflict as an environment: losses in rounds, the next city, and the benefits of its fall.

/** A feature that the kernel reads from one word of a battle. */
interface FeatureReading {
  readonly feature: Feature;
  readonly word: number;
  readonly see: (state: ConflictState) => number | undefined;
}

/** Constants of a scenario. */
interface EnvironmentPlan {
  readonly plan: ConflictPlan;
  /** Players with decisions: barbarians have none. */
  readonly players: readonly string[];
  /** Cities of owners with several cities, in the order of the file: any of them can be next. */
  readonly choices: readonly CityArea[];
  readonly stakes: ReturnType<typeof createOutcomeRewards>;
  readonly readings: readonly FeatureReading[];
}

function createEnvironmentPlan(scenario: TokenConflict): EnvironmentPlan {
  const plan = getPlan(scenario);
  const players = plan.players.filter(({ barbarian }) => !barbarian).map(({ name }) => name);
  return {
    plan,
    players,
    choices: listCityChoices(plan),
    stakes: createOutcomeRewards(plan),
    readings: createReadings(plan),
  };
}

function listCityChoices({ attacks }: ConflictPlan): CityArea[] {
  const ofOne = ({ city }: CityArea) => attacks.filter((other) => other.city.player === city.player);
  return attacks.filter((area) => !area.city.pirate && ofOne(area).length > 1).sort((a, b) => a.index - b.index);
}

/** Areas have free names: a dot within one is written `\.`, so that names of features are unique. */
const escapeAreaName = ({ name }: Area): string => name.replaceAll(/[\\.]/g, String.raw`\$&`);

/** Creates the features of contingents, with initial and maximum counts. */
function createContingentReadings(plan: ConflictPlan): FeatureReading[] {
  const columns = computeColumns(plan);
  const of = (kind: 'tokens' | 'ships' | 'adjacent', most: (contingent: Contingent) => number): FeatureReading[] =>
    plan.areas.flatMap((area) =>
      area.contingents
        .filter((contingent) => most(contingent) > 0)
        .map((contingent) => ({
          feature: {
            name: `${kind}.${escapeAreaName(area)}.${plan.players[contingent.player]?.name ?? ''}`,
            unit: kind === 'ships' ? 'ships' : 'tokens',
            ...{ low: 0, high: most(contingent) },
          },
          word: columns[kind] + contingent.index,
          see: (state) => state[kind][contingent.index],
        })),
    );
  const countTokens = ({ index, area, count }: Contingent): number =>
    Math.max(getMaxCount(count), plan.areas[area]?.city?.owner === index ? computeMaxCityTokens(plan) : 0);
  return [
    ...of('tokens', countTokens),
    ...of('ships', ({ ships }) => ships),
    ...of('adjacent', ({ adjacent }) => adjacent),
  ];
}

/** Creates the features of players outside of the areas; barbarians have none. */
function createPlayerReadings(plan: ConflictPlan): FeatureReading[] {
  const columns = computeColumns(plan);
  const bounds = new Map(createMetrics(plan).map(({ name, max }) => [name, max]));
  const computeGain = (kind: string, p: number): number => bounds.get(`${kind}.${plan.players[p]?.name ?? ''}`) ?? 0;
  const of = (
    kind: 'stock' | 'hand' | 'cards' | 'treasury',
    unit: string,
    most: (p: number) => number,
  ): FeatureReading[] =>
    plan.players.flatMap(({ name, barbarian }, p) =>
      barbarian
        ? []
        : [
            {
              feature: { name: `${kind}.${name}`, unit, low: 0, high: most(p) },
              word: columns[kind] + p,
              see: (state) => state[kind][p],
            },
          ],
    );
  /** Computes the maximum stock: at most all tokens of a player return to it. */
  const stock = (p: number): number =>
    plan.contingents
      .filter(({ player }) => player === p)
      .reduce((sum, { count, adjacent }) => sum + getMaxCount(count) + adjacent, plan.players[p]?.stock ?? 0);
  return [
    ...of('stock', 'tokens', stock),
    ...of('hand', 'cards', (p) => (plan.players[p]?.hand ?? 0) + computeGain('cards', p)),
    ...of('cards', 'cards', (p) => computeGain('cards', p)),
    ...of('treasury', 'tokens', (p) => computeGain('treasury', p)),
  ];
}

/** Returns true after the fall of a city, during its attack. */
function isFalling({ tasks }: ConflictPlan, area: Area, state: ConflictState): boolean {
  const atHand = tasks[state.task];
  return atHand?.kind === 'attack' && findTakenCity(atHand, state) === area;
}

function createReadings(plan: ConflictPlan): FeatureReading[] {
  const columns = computeColumns(plan);
  const rounds: FeatureReading = {
    feature: { name: 'rounds', unit: 'rounds', low: 0, high: createMetrics(plan)[0]?.max ?? 0 },
    word: columns.rounds,
    see: (state) => state.rounds,
  };
  const cities = plan.attacks.map(
    (area, k): FeatureReading => ({
      feature: { name: `fallen.${escapeAreaName(area)}`, unit: '0/1', low: 0, high: 1 },
      word: columns.fallen + k,
      see: (state) => Number(state.results[area.index] === CITY_FALLS || isFalling(plan, area, state)),
    }),
  );
  return [rounds, ...createContingentReadings(plan), ...createPlayerReadings(plan), ...cities];
}

function listFeatures({ plan, readings }: EnvironmentPlan): Feature[] {
  return [
    { name: 'area', unit: 'index', low: -1, high: plan.areas.length - 1 },
    { name: 'attack', unit: '0/1', low: 0, high: 1 },
    ...plan.players.map(({ name }) => ({ name: `turn.${name}`, unit: '0 done, 1 at hand, 2 later', low: 0, high: 2 })),
    ...readings.map(({ feature }) => feature),
  ];
}

/** Returns the turn of each player in the round: 0 done, 1 in the current group, 2 in a later one. */
function listTurns({ players, contingents }: ConflictPlan, { pending }: ConflictState): number[] {
  const turns = players.map(() => 0);
  if (pending?.kind !== 'round') return turns;
  for (const [g, group] of pending.groups.entries()) {
    for (const index of group) turns[contingents[index]?.player ?? -1] = g === 0 ? 1 : 2;
  }
  return turns;
}

/** Returns the number of the current area, -1 if there is none. */
function getCurrentArea(task: TurnTask | undefined, state: ConflictState): number {
  if (task?.kind === 'attack') return findTakenCity(task, state)?.index ?? -1;
  return task?.kind === 'count' ? task.contingent.area : (task?.area.index ?? -1);
}

/** Observes the whole state: pending choices of equals have no effect yet. */
function observe({ plan, readings }: EnvironmentPlan, state: ConflictState): readonly number[] {
  const task = plan.tasks[state.task];
  const attack = Number(task?.kind === 'attack');
  return [
    getCurrentArea(task, state),
    attack,
    ...listTurns(plan, state),
    ...readings.map(({ see }) => see(state) ?? 0),
  ];
}

/**
 * Encodes the numbers of readings and of selectable cities, then the number of each player among those with decisions,
 * then the words to read, then the selectable attacks.
 */
function encode({ plan, players, readings, choices }: EnvironmentPlan): readonly number[] {
  const deciders = plan.players.map(({ name }) => players.indexOf(name));
  const words = readings.map(({ word }) => word);
  const counts = EXTRA.pack({ readings: readings.length, choices: choices.length });
  return [...counts, ...deciders, ...words, ...choices.map((area) => plan.attacks.indexOf(area))];
}

function formatAction(point: string, option: string | number): string {
  if (point === 'sacrifice') return `give:${String(option)}`;
  return point === 'cityOrder' ? `next:${String(option)}` : String(option);
}

const TAKING = ['take', 'leave'];

export function createEnvironment(scenario: TokenConflict): EnvironmentDefinition<ConflictState> {
  const scene = createEnvironmentPlan(scenario);
  const { plan, players, choices, stakes } = scene;
  return {
    decisionPoints: POINTS,
    players,
    actions: {
      sacrifice: ['pool', 'token'],
      takeCard: TAKING,
      takeTreasury: TAKING,
      cityOrder: choices.map(({ name }) => name),
    },
    action: formatAction,
    features: listFeatures(scene),
    observe: (state) => observe(scene, state),
    kernel: { encode: () => encode(scene), decode: (words) => readState(plan, words) },
    reward: (outcome, player) => computeReward(stakes, outcome, player),
    rewards: { material: (player) => createMaterialWeights(plan, player) },
  };
}
