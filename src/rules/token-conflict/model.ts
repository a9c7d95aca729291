/** Token conflicts: rounds in which everyone gives up one token, the weaker before the stronger. */
import { branches, type Door } from '../../core/index.ts';
import { keyOf } from '../battle.ts';
import type { Model } from '../system.ts';
import { CITY_FALLS, CITY_STANDS, JOINT, mostOf, type TokenConflict } from './fields.ts';
import { METRICS } from './layout.ts';
import {
  type Area,
  type AttackTask,
  at,
  attackersOf,
  type City,
  type CityArea,
  type ConflictState,
  type Contingent,
  IDLE,
  isContested,
  metricsOf,
  musterOf,
  nextCity,
  type Pending,
  type Plan,
  planOf,
  playerIn,
  plus,
  presentIn,
  removeTokens,
  restock,
  settled,
  type TokenPlayer,
  takenCity,
  termsOf,
  total,
} from './plan.ts';
import { PAYMENTS, type Payment, paymentOf, TAKINGS, takingOf } from './policies.ts';

/** More than any number of tokens: who holds Metalworking comes after everybody else. */
const LAST = 1_000_000;

/** What a contingent gives up in a round: its player decides if there is a choice. */
function choosePayment(plan: Plan, state: ConflictState, contingent: Contingent, door: Door): Payment {
  const { index } = contingent;
  if (at(state.ships, index) + at(state.adjacent, index) === 0) return 'token';
  const { name, sacrifice } = playerIn(plan, contingent);
  return door.decide('sacrifice', name, PAYMENTS, () => paymentOf(sacrifice, at(state.tokens, index)));
}

/** One loss: a ship, an adjacent token or a token of the area. */
function giveUp(plan: Plan, state: ConflictState, contingent: Contingent, payment: Payment, door: Door): ConflictState {
  const { index, player: p } = contingent;
  const player = playerIn(plan, contingent);
  if (payment === 'token') {
    door.rule('lose.token', () => ({ player: player.name, left: at(state.tokens, index) - 1 }));
    return removeTokens(plan, state, index, 1);
  }
  const ships = at(state.ships, index);
  const spent = { ...state, spent: plus(state.spent, p, 1) };
  if (ships > 0) {
    door.rule('lose.ship', () => ({ player: player.name, left: ships - 1 }));
    return { ...spent, ships: plus(state.ships, index, -1) };
  }
  door.rule('lose.adjacent', () => ({ player: player.name, left: at(state.adjacent, index) - 1 }));
  return restock(plan, { ...spent, adjacent: plus(state.adjacent, index, -1) }, p, 1);
}

/** Who gives up tokens together, in the order of the round. */
function groupsOf(plan: Plan, area: Area, state: ConflictState, door: Door): Contingent[][] {
  const present = presentIn(area, state);
  const rank = (contingent: Contingent): number =>
    at(state.tokens, contingent.index) + (playerIn(plan, contingent).metalworking ? LAST : 0);
  const ranks = [...new Set(present.map(rank))].sort((a, b) => a - b);
  if (ranks.some((each) => each < LAST)) {
    for (const smith of present.filter((contingent) => rank(contingent) >= LAST)) {
      door.rule('order.metalworking', () => ({ player: playerIn(plan, smith).name }));
    }
  }
  return ranks.map((each) => present.filter((contingent) => rank(contingent) === each));
}

/** A round begins: who gives up tokens together, in its order. */
function openRound(plan: Plan, area: Area, state: ConflictState, door: Door): Contingent[][] {
  const count = (each: Contingent): string => `${playerIn(plan, each).name} ${String(at(state.tokens, each.index))}`;
  door.rule('round', () => ({ area: area.name, tokens: presentIn(area, state).map(count).join(', ') }));
  return groupsOf(plan, area, state, door);
}

function tellTie(plan: Plan, group: readonly Contingent[], door: Door): void {
  if (group.length < 2) return;
  door.rule('order.tie', () => ({ players: group.map((each) => playerIn(plan, each).name).join(' and ') }));
}

/** A round of an area; with `city` the limit does not count. */
type Round = (plan: Plan, area: Area, before: ConflictState, city: boolean, door: Door) => ConflictState;

/** One round of token removal; it stops after the group that ends the conflict. */
const fightRound: Round = (plan, area, before, city, door) => {
  let state: ConflictState = { ...before, rounds: before.rounds + 1 };
  for (const group of openRound(plan, area, before, door)) {
    tellTie(plan, group, door);
    for (const contingent of group) {
      state = giveUp(plan, state, contingent, choosePayment(plan, state, contingent, door), door);
    }
    if (!isContested(area, state, city)) break;
  }
  return state;
};

/** Says why a conflict is over. */
function tellEnd(plan: Plan, area: Area, state: ConflictState, door: Door): void {
  const [first, ...others] = presentIn(area, state);
  if (first === undefined) door.rule('end.none', () => ({ area: area.name }));
  else if (others.length === 0) door.rule('end.one', () => ({ area: area.name, player: playerIn(plan, first).name }));
  else door.rule('end.limit', () => ({ area: area.name, total: total(area, state.tokens), limit: area.limit }));
}

/** The outcome of an area without a city; that of one with a city is not known before the attack. */
export function resultOf(plan: Plan, area: Area, state: ConflictState): string {
  if (area.city !== undefined) return '';
  const [first, ...others] = presentIn(area, state);
  if (first === undefined) return 'empty';
  return others.length > 0 ? 'coexist' : playerIn(plan, first).name;
}

/** One step of an area's conflict: that it breaks out, a round of it, or that it is over. */
function conflictStep(plan: Plan, area: Area, state: ConflictState, round: Round, door: Door): ConflictState {
  const city = area.city !== undefined;
  const engaged = state.engaged === area.index;
  if (isContested(area, state, city)) {
    if (engaged) return round(plan, area, state, city, door);
    if (city) door.rule('conflict.city', () => ({ area: area.name }));
    else door.rule('conflict.limit', () => ({ area: area.name, total: total(area, state.tokens), limit: area.limit }));
    return { ...state, engaged: area.index };
  }
  if (engaged) tellEnd(plan, area, state, door);
  else door.rule('conflict.none', () => ({ area: area.name }));
  return settled(state, area, resultOf(plan, area, state));
}

// Attacks on cities: what is left after the conflicts takes the city or is lost.

/** Both sides of an attack: contingents and players by number, and who they are. */
export interface Clash {
  readonly attacking: number;
  readonly attacker: number;
  readonly defender: number;
  readonly victor: TokenPlayer;
  readonly victim: TokenPlayer;
}

function clashOf({ contingents, players }: Plan, attacking: number, { owner }: City): Clash {
  const attacker = contingents[attacking]?.player ?? 0;
  const defender = contingents[owner]?.player ?? 0;
  const victor = players[attacker];
  const victim = players[defender];
  if (victor === undefined || victim === undefined) throw new Error('an attack of nobody, or on nobody');
  return { attacking, attacker, defender, victor, victim };
}

/** The city becomes tokens of its owner, as far as the stock goes. */
function raze(state: ConflictState, city: City, becomes: number, clash: Clash, door: Door): ConflictState {
  const { defender, victim } = clash;
  const stock = at(state.stock, defender);
  const tokens = city.pirate ? becomes : Math.min(becomes, stock);
  if (city.pirate) door.rule('city.pirates', () => ({ tokens }));
  else if (tokens < becomes) door.rule('city.short', () => ({ player: victim.name, tokens, becomes }));
  else door.rule('city.tokens', () => ({ player: victim.name, tokens }));
  return {
    ...state,
    tokens: plus(state.tokens, city.owner, tokens),
    stock: city.pirate ? state.stock : plus(state.stock, defender, -tokens),
  };
}

function drawCard(state: ConflictState, city: City, clash: Clash, door: Door): ConflictState {
  const { attacker, defender, victor, victim } = clash;
  const facts = () => ({ player: victor.name, from: victim.name });
  if (city.pirate || at(state.hand, defender) === 0) {
    door.rule(city.pirate ? 'card.pirates' : 'card.none', facts);
    return state;
  }
  if (door.decide('takeCard', victor.name, TAKINGS, () => takingOf(victor.takeCard)) === 'leave') {
    door.rule('card.left', facts);
    return state;
  }
  door.rule('card', facts);
  return {
    ...state,
    hand: plus(plus(state.hand, defender, -1), attacker, 1),
    cards: plus(state.cards, attacker, 1),
  };
}

function fillTreasury(
  { treasury }: Plan,
  state: ConflictState,
  { attacker, victor }: Clash,
  door: Door,
): ConflictState {
  const tokens = Math.min(treasury, at(state.stock, attacker));
  const facts = () => ({ player: victor.name, tokens, most: treasury });
  if (tokens === 0) {
    door.rule('treasury.none', facts);
    return state;
  }
  if (door.decide('takeTreasury', victor.name, TAKINGS, () => takingOf(victor.takeTreasury)) === 'leave') {
    door.rule('treasury.left', facts);
    return state;
  }
  door.rule('treasury', facts);
  return {
    ...state,
    stock: plus(state.stock, attacker, -tokens),
    treasury: plus(state.treasury, attacker, tokens),
  };
}

/** How far steps go: through a round and through what a victor gets, or to the next turn of these. */
interface Course {
  readonly round: Round;
  /** What an attacker gets for a city, whoever has won the conflict over its ruins. */
  readonly reward: (plan: Plan, state: ConflictState, area: CityArea, clash: Clash, door: Door) => ConflictState;
}

const WHOLE: Course = {
  round: fightRound,
  reward: (plan, state, area, clash, door) =>
    settled(fillTreasury(plan, drawCard(state, area.city, clash, door), clash, door), area, CITY_FALLS),
};

/** Barbarians of a fallen pirate city stay or leave. */
function disperse(plan: Plan, state: ConflictState, city: City, door: Door): ConflictState {
  const tokens = at(state.tokens, city.owner);
  if (!city.pirate || tokens === 0) return state;
  door.rule(plan.removesPirates ? 'pirates.remove' : 'pirates.stay', () => ({ tokens }));
  return plan.removesPirates ? { ...state, tokens: plus(state.tokens, city.owner, -tokens) } : state;
}

function attack(plan: Plan, area: CityArea, state: ConflictState, door: Door): ConflictState {
  const attackers = attackersOf(area, state);
  if (attackers === undefined) {
    door.rule('attack.none', () => ({ area: area.name }));
    return settled(state, area, CITY_STANDS);
  }
  const clash = clashOf(plan, attackers.index, area.city);
  const { need, becomes, engineering } = termsOf(plan, clash.victor, clash.victim);
  const tokens = at(state.tokens, attackers.index);
  if (engineering !== 'nobody') door.rule(`engineering.${engineering}`, () => ({ need, becomes }));
  const [player, owner] = [clash.victor.name, clash.victim.name];
  const facts = () => ({ player, area: area.name, owner, tokens, need });
  if (tokens < need) {
    door.rule('attack.fails', facts);
    return settled(removeTokens(plan, state, attackers.index, tokens), area, CITY_STANDS);
  }
  door.rule('attack.succeeds', facts);
  return { ...raze(state, area.city, becomes, clash, door), engaged: attackers.index };
}

/** One step of an attack: the attack itself, a round of the conflict over the ruins, or what comes after it. */
function attackStep(plan: Plan, task: AttackTask, state: ConflictState, course: Course, door: Door): ConflictState {
  const area = takenCity(task, state);
  if (area === undefined) return attack(plan, nextCity(plan, task, state, door), state, door);
  if (isContested(area, state, false)) return course.round(plan, area, state, false, door);
  tellEnd(plan, area, state, door);
  const dispersed = disperse(plan, state, area.city, door);
  const clash = clashOf(plan, state.engaged, area.city);
  if (!clash.victor.barbarian) return course.reward(plan, dispersed, area, clash, door);
  door.rule('reward.barbarians');
  return settled(dispersed, area, CITY_FALLS);
}

// Rounds and rewards turn by turn: in each of them one player decides at most. Equals act at the same time, so nobody
// gives up anything before the whole group has chosen.

type Rest<K extends Pending['kind']> = Extract<Pending, { kind: K }>;

/** Rounds and rewards that only begin; `pendingTurn` goes on with them. */
const TURNS: Course = {
  round: (plan, area, before, _, door) => {
    const groups = openRound(plan, area, before, door).map((group) => group.map(({ index }) => index));
    return { ...before, rounds: before.rounds + 1, pending: { kind: 'round', groups, payments: [] } };
  },
  reward: (_, state) => ({ ...state, pending: { kind: 'card' } }),
};

/** The next contingent of the group at hand chooses; after the last one all of them give up what they have chosen. */
function groupTurn(
  plan: Plan,
  area: Area,
  city: boolean,
  before: ConflictState,
  { groups: [first = [], ...later], payments }: Rest<'round'>,
  door: Door,
): ConflictState {
  const group = first.flatMap((index): Contingent[] => plan.contingents.slice(index, index + 1));
  const chooser = group[payments.length];
  if (chooser === undefined) throw new Error('a group of nobody gives up tokens');
  const chosen = [...payments, choosePayment(plan, before, chooser, door)];
  if (chosen.length < group.length) {
    return { ...before, pending: { kind: 'round', groups: [first, ...later], payments: chosen } };
  }
  tellTie(plan, group, door);
  let state = before;
  for (const [k, contingent] of group.entries()) state = giveUp(plan, state, contingent, chosen[k] ?? 'token', door);
  const ended = later.length === 0 || !isContested(area, state, city);
  return { ...state, pending: ended ? undefined : { kind: 'round', groups: later, payments: [] } };
}

function rewardTurn(
  plan: Plan,
  area: CityArea,
  state: ConflictState,
  { kind }: Rest<'card' | 'treasury'>,
  door: Door,
): ConflictState {
  const clash = clashOf(plan, state.engaged, area.city);
  if (kind === 'card') return { ...drawCard(state, area.city, clash, door), pending: { kind: 'treasury' } };
  return { ...settled(fillTreasury(plan, state, clash, door), area, CITY_FALLS), pending: undefined };
}

/** The next turn of a step that has begun. */
function pendingTurn(plan: Plan, state: ConflictState, pending: Pending, door: Door): ConflictState {
  const task = plan.tasks[state.task];
  if (task === undefined || task.kind === 'count') throw new Error('a turn of nothing that lasts');
  const taken = task.kind === 'attack' ? takenCity(task, state) : undefined;
  if (pending.kind !== 'round') {
    if (taken === undefined) throw new Error('a reward for no city');
    return rewardTurn(plan, taken, state, pending, door);
  }
  if (task.kind === 'conflict') {
    return groupTurn(plan, task.area, task.area.city !== undefined, state, pending, door);
  }
  if (taken === undefined) throw new Error('a round over no ruins');
  return groupTurn(plan, taken, false, state, pending, door);
}

/** Tells apart what is left of steps. */
function pendingKey(pending: Pending): string {
  if (pending.kind !== 'round') return pending.kind;
  return `${pending.groups.map((group) => group.join(' ')).join('|')} ${pending.payments.join(' ')}`;
}

// A turn's conflicts: counts and conflict of each area, then the attacks on cities.

function drawCount(plan: Plan, state: ConflictState, contingent: Contingent, door: Door): ConflictState {
  const { index, area, player, place, count } = contingent;
  door.seek(place);
  const tokens = at(count.values, door.pick(count.weights));
  door.rule('count', () => ({ player: plan.players[player]?.name ?? '', area: plan.areas[area]?.name ?? '', tokens }));
  return { ...state, task: state.task + 1, tokens: state.tokens.with(index, tokens) };
}

function move(plan: Plan, before: ConflictState, course: Course, door: Door): ConflictState {
  const task = plan.tasks[before.task];
  if (task === undefined) throw new Error('a battle that is over goes on');
  const state = before.round === 0 ? { ...before, round: 1 } : before;
  switch (task.kind) {
    case 'count':
      return drawCount(plan, state, task.contingent, door);
    case 'conflict':
      return conflictStep(plan, task.area, state, course.round, door);
    case 'attack':
      return attackStep(plan, task, state, course, door);
  }
}

/** A turn: a step, or of a round and of a reward only as much as one player decides. */
function turn(plan: Plan, state: ConflictState, door: Door): ConflictState {
  const { pending } = state;
  return pending === undefined ? move(plan, state, TURNS, door) : pendingTurn(plan, state, pending, door);
}

/** A step, or what is left of one. */
function step(plan: Plan, before: ConflictState, door: Door): ConflictState {
  if (before.pending === undefined) return move(plan, before, WHOLE, door);
  let state = before;
  while (state.pending !== undefined) state = turn(plan, state, door);
  return state;
}

/** Tokens by player, of all areas. */
function tokensOf(plan: Plan, { tokens }: ConflictState): number[] {
  const sums = plan.players.map(() => 0);
  for (const { player, index } of plan.contingents) sums[player] = at(sums, player) + at(tokens, index);
  return sums;
}

export function gameOf(plan: Plan, outcomes: readonly string[]): Model<ConflictState> {
  const over = ({ task }: ConflictState): boolean => task >= plan.tasks.length;

  /** Tokens of areas that are done matter as sums only, stocks and hands only while there are cities to attack. */
  function key(state: ConflictState): string {
    const { tokens, ships, adjacent, results, pending } = state;
    const done = plan.players.map(() => 0);
    const live: number[] = [];
    for (const { index, area, player } of plan.contingents) {
      if (results[area] === '') live.push(at(tokens, index), at(ships, index), at(adjacent, index));
      else done[player] = at(done, player) + at(tokens, index);
    }
    const numbers = [live.length, state.round, state.task, state.engaged - IDLE, state.rounds, ...live, ...done];
    numbers.push(...state.lost, ...state.spent, ...state.cards, ...state.treasury);
    if (plan.attacks.length > 0 && !over(state)) numbers.push(...state.stock, ...state.hand);
    const known = `${keyOf(numbers)};${results.join(JOINT)}`;
    return pending === undefined ? known : `${known};${pendingKey(pending)}`;
  }

  return {
    outcomes,
    metrics: metricsOf(plan),
    maxRounds: 1,
    roundsMetric: undefined,
    start: () => musterOf(plan),
    step: (state, door) => step(plan, state, door),
    turn: (state, door) => turn(plan, state, door),
    resting: ({ round }) => round === 0,
    outcome: (state) => (over(state) ? state.results.join(JOINT) : undefined),
    measure(state) {
      const { rounds, lost, spent, cards, treasury } = state;
      return METRICS.values({ rounds, left: tokensOf(plan, state), lost, pool: spent, cards, treasury });
    },
    key,
  };
}

// The outcomes that a battle can have, known before it is fought.

/** Outcomes that a battle can have, several areas together. */
export const OUTCOMES_MAX = 4096;

/** Counts of one area that are tried out to learn how it can end. */
const TRIALS = 256;

/** Every outcome of an area: the players who can have tokens there, in its order, and those without a name. */
function namesIn({ players }: Plan, { contingents, city }: Area): string[] {
  if (city !== undefined) return [CITY_FALLS, CITY_STANDS];
  const present = contingents.filter(({ count }) => mostOf(count) > 0);
  return [...present.map(({ player }) => players[player]?.name ?? ''), 'coexist', 'empty'];
}

/** The outcomes of an area that its counts allow; all of them where counts are many or a player can decide. */
function reachable(scenario: TokenConflict, area: Area, names: readonly string[]): readonly string[] {
  const own = scenario.areas[area.index];
  const trials = area.contingents.reduce((product, { count }) => product * count.values.length, 1);
  const decides = area.contingents.some(({ ships, adjacent }) => ships + adjacent > 0);
  if (own === undefined || decides || trials > TRIALS) return names;
  const model = gameOf(planOf({ ...scenario, areas: [own] }), names);
  const found = new Set<string>();
  for (const { value } of branches((door) => {
    let state = model.start(door);
    while (model.outcome(state) === undefined) state = model.step(state, door);
    return model.outcome(state);
  })) {
    found.add(value ?? '');
  }
  return names.filter((name) => found.has(name));
}

const product = (names: readonly (readonly string[])[]): number => names.reduce((ways, each) => ways * each.length, 1);

/** Outcomes area by area: all that the rules know, or what counts allow if those are too many. */
export function outcomesByArea(scenario: TokenConflict, plan: Plan): readonly (readonly string[])[] {
  const all = plan.areas.map((area) => namesIn(plan, area));
  if (product(all) <= OUTCOMES_MAX) return all;
  return plan.areas.map((area, index) => reachable(scenario, area, all[index] ?? []));
}

/** True of what the areas could end in if they had other counts. */
function impossible({ players, areas }: Plan, outcome: string): boolean {
  const parts = outcome.split(JOINT);
  const named = [...players.map(({ name }) => name), 'coexist', 'empty'];
  const ways = ({ city }: Area): string[] => (city === undefined ? named : [CITY_FALLS, CITY_STANDS]);
  return parts.length === areas.length && areas.every((area, a) => ways(area).includes(parts[a] ?? ''));
}

/** Outcomes of a battle, the first area's changing last. */
function joined(byArea: readonly (readonly string[])[]): string[] {
  const [first = [], ...others] = byArea;
  return others.reduce<string[]>(
    (before, names) => before.flatMap((start) => names.map((name) => `${start}${JOINT}${name}`)),
    [...first],
  );
}

/** How many outcomes a scenario has, and how many counters outcomes and metrics take. */
export function sizeOf(scenario: TokenConflict, plan: Plan): { outcomes: number; counters: number } {
  const outcomes = product(outcomesByArea(scenario, plan));
  const values = metricsOf(plan).reduce((sum, { min, max }) => sum + max - min + 1, 1);
  return { outcomes, counters: outcomes * values };
}

// The turn of a scenario, with the outcomes that it can have.

export function model(scenario: TokenConflict): Model<ConflictState> {
  const plan = planOf(scenario);
  const outcomes = joined(outcomesByArea(scenario, plan));
  return { ...gameOf(plan, outcomes), impossible: (outcome) => impossible(plan, outcome) };
}
