/** Token conflict as an environment: what is given up in rounds, which city is next, what its fall brings. */
import type { Feature, Rollout } from '../rollout.ts';
import { mostOf } from './counts.ts';
import type { TokenConflict } from './fields.ts';
import { EXTRA, POINTS } from './layout.ts';
import { cityTokensMax, metricsOf } from './metrics.ts';
import { CITY_FALLS } from './names.ts';
import { takenCity } from './order.ts';
import { type Area, type CityArea, type Contingent, type Plan, planOf, type Task } from './plan.ts';
import { columnsOf, stateOf } from './record.ts';
import type { ConflictState } from './state.ts';
import { materialOf, stakesOf, worthIn } from './worth.ts';

/** A feature that the kernel reads from one word of a battle. */
interface Reading {
  readonly feature: Feature;
  readonly word: number;
  readonly see: (state: ConflictState) => number | undefined;
}

/** What follows from a scenario. */
interface Scene {
  readonly plan: Plan;
  /** Those who can decide: barbarians have no choice. */
  readonly players: readonly string[];
  /** Cities of owners of several, in the order of the file: any of them can be next. */
  readonly choices: readonly CityArea[];
  readonly stakes: ReturnType<typeof stakesOf>;
  readonly readings: readonly Reading[];
}

function sceneOf(scenario: TokenConflict): Scene {
  const plan = planOf(scenario);
  const players = plan.players.filter(({ barbarian }) => !barbarian).map(({ name }) => name);
  return { plan, players, choices: choicesOf(plan), stakes: stakesOf(plan), readings: readingsOf(plan) };
}

function choicesOf({ attacks }: Plan): CityArea[] {
  const ofOne = ({ city }: CityArea) => attacks.filter((other) => other.city.player === city.player);
  return attacks.filter((area) => !area.city.pirate && ofOne(area).length > 1).sort((a, b) => a.index - b.index);
}

/** Areas have free names: a dot within one is written `\.`, so that names of features cannot be mistaken. */
const inName = ({ name }: Area): string => name.replaceAll(/[\\.]/g, String.raw`\$&`);

/** What counts of contingents begin with and can grow to. */
function contingentReadings(plan: Plan): Reading[] {
  const columns = columnsOf(plan);
  const of = (kind: 'tokens' | 'ships' | 'adjacent', most: (contingent: Contingent) => number): Reading[] =>
    plan.areas.flatMap((area) =>
      area.contingents
        .filter((contingent) => most(contingent) > 0)
        .map((contingent) => ({
          feature: {
            name: `${kind}.${inName(area)}.${plan.players[contingent.player]?.name ?? ''}`,
            unit: kind === 'ships' ? 'ships' : 'tokens',
            ...{ low: 0, high: most(contingent) },
          },
          word: columns[kind] + contingent.index,
          see: (state) => state[kind][contingent.index],
        })),
    );
  const tokens = ({ index, area, count }: Contingent): number =>
    Math.max(mostOf(count), plan.areas[area]?.city?.owner === index ? cityTokensMax(plan) : 0);
  return [...of('tokens', tokens), ...of('ships', ({ ships }) => ships), ...of('adjacent', ({ adjacent }) => adjacent)];
}

/** What players hold beside the areas; barbarians hold nothing. */
function playerReadings(plan: Plan): Reading[] {
  const columns = columnsOf(plan);
  const bounds = new Map(metricsOf(plan).map(({ name, max }) => [name, max]));
  const gain = (kind: string, p: number): number => bounds.get(`${kind}.${plan.players[p]?.name ?? ''}`) ?? 0;
  const of = (kind: 'stock' | 'hand' | 'cards' | 'treasury', unit: string, most: (p: number) => number): Reading[] =>
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
  /** All that a player has comes back to the stock at most. */
  const stock = (p: number): number =>
    plan.contingents
      .filter(({ player }) => player === p)
      .reduce((sum, { count, adjacent }) => sum + mostOf(count) + adjacent, plan.players[p]?.stock ?? 0);
  return [
    ...of('stock', 'tokens', stock),
    ...of('hand', 'cards', (p) => (plan.players[p]?.hand ?? 0) + gain('cards', p)),
    ...of('cards', 'cards', (p) => gain('cards', p)),
    ...of('treasury', 'tokens', (p) => gain('treasury', p)),
  ];
}

/** True after the fall of a city as long as its attack is at hand. */
function isFalling({ tasks }: Plan, area: Area, state: ConflictState): boolean {
  const atHand = tasks[state.task];
  return atHand?.kind === 'attack' && takenCity(atHand, state) === area;
}

function readingsOf(plan: Plan): Reading[] {
  const columns = columnsOf(plan);
  const rounds: Reading = {
    feature: { name: 'rounds', unit: 'rounds', low: 0, high: metricsOf(plan)[0]?.max ?? 0 },
    word: columns.rounds,
    see: (state) => state.rounds,
  };
  const cities = plan.attacks.map(
    (area, k): Reading => ({
      feature: { name: `fallen.${inName(area)}`, unit: '0/1', low: 0, high: 1 },
      word: columns.fallen + k,
      see: (state) => Number(state.results[area.index] === CITY_FALLS || isFalling(plan, area, state)),
    }),
  );
  return [rounds, ...contingentReadings(plan), ...playerReadings(plan), ...cities];
}

function featuresOf({ plan, readings }: Scene): Feature[] {
  return [
    { name: 'area', unit: 'index', low: -1, high: plan.areas.length - 1 },
    { name: 'attack', unit: '0/1', low: 0, high: 1 },
    ...plan.players.map(({ name }) => ({ name: `turn.${name}`, unit: '0 done, 1 at hand, 2 later', low: 0, high: 2 })),
    ...readings.map(({ feature }) => feature),
  ];
}

/** Whether each player has yet to act in the round: 0 no, 1 in the group at hand, 2 in a later one. */
function turnsOf({ players, contingents }: Plan, { pending }: ConflictState): number[] {
  const turns = players.map(() => 0);
  if (pending?.kind !== 'round') return turns;
  for (const [g, group] of pending.groups.entries()) {
    for (const index of group) turns[contingents[index]?.player ?? -1] = g === 0 ? 1 : 2;
  }
  return turns;
}

/** The number of the area at hand, -1 while none is. */
function areaAtHand(task: Task | undefined, state: ConflictState): number {
  if (task?.kind === 'attack') return takenCity(task, state)?.index ?? -1;
  return task?.kind === 'count' ? task.contingent.area : (task?.area.index ?? -1);
}

/** Nothing is hidden: what equals have chosen has not happened yet. */
function observe({ plan, readings }: Scene, state: ConflictState): readonly number[] {
  const task = plan.tasks[state.task];
  const attack = Number(task?.kind === 'attack');
  return [areaAtHand(task, state), attack, ...turnsOf(plan, state), ...readings.map(({ see }) => see(state) ?? 0)];
}

/**
 * The numbers of readings and of cities that can be chosen, then for each player of the plan its number among those who
 * decide, then the words that are read, then the attacks that can be chosen.
 */
function encode({ plan, players, readings, choices }: Scene): readonly number[] {
  const deciders = plan.players.map(({ name }) => players.indexOf(name));
  const words = readings.map(({ word }) => word);
  const counts = EXTRA.pack({ readings: readings.length, choices: choices.length });
  return [...counts, ...deciders, ...words, ...choices.map((area) => plan.attacks.indexOf(area))];
}

function action(point: string, option: string | number): string {
  if (point === 'sacrifice') return `give:${String(option)}`;
  return point === 'cityOrder' ? `next:${String(option)}` : String(option);
}

const TAKING = ['take', 'leave'];

export function rollout(scenario: TokenConflict): Rollout<ConflictState> {
  const scene = sceneOf(scenario);
  const { plan, players, choices, stakes } = scene;
  return {
    points: POINTS,
    players,
    actions: {
      sacrifice: ['pool', 'token'],
      takeCard: TAKING,
      takeTreasury: TAKING,
      cityOrder: choices.map(({ name }) => name),
    },
    action,
    features: featuresOf(scene),
    observe: (state) => observe(scene, state),
    kernel: { encode: () => encode(scene), decode: (words) => stateOf(plan, words) },
    worth: (outcome, player) => worthIn(stakes, outcome, player),
    rewards: { material: (player) => materialOf(plan, player) },
  };
}
