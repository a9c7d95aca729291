/** Token conflicts: rounds in which everyone gives up one token, the weaker before the stronger. */
import { type Chance, enumerateBranches } from '../../core/index.ts';
import { encodeKey } from '../play-battle.ts';
import type { Model } from '../system.ts';
import {
  choosePayment,
  fightRound,
  giveUp,
  openRound,
  type RoundFunction,
  reportEnd,
  reportTie,
  stepConflict,
} from './area-rounds.ts';
import { CITY_FALLS, CITY_STANDS, getMaxCount, JOINT, type TokenConflict } from './fields.ts';
import { METRICS } from './layout.ts';
import {
  type Area,
  type AttackTask,
  addAt,
  type City,
  type CityArea,
  type ConflictPlan,
  type ConflictState,
  type Contingent,
  chooseNextCity,
  computeAttackTerms,
  createInitialState,
  createMetrics,
  findAttacker,
  findTakenCity,
  finishTask,
  getAt,
  getPlan,
  IDLE,
  isContested,
  type PendingTurn,
  removeTokens,
  type TokenPlayer,
} from './plan.ts';
import { selectTaking, TAKINGS } from './policies.ts';

/** Exceeds any number of tokens: holders of Metalworking come last. */

/** Both sides of an attack: contingents and players by number, and their names. */
export interface CityClash {
  readonly attacking: number;
  readonly attacker: number;
  readonly defender: number;
  readonly victor: TokenPlayer;
  readonly victim: TokenPlayer;
}

function createClash({ contingents, players }: ConflictPlan, attacking: number, { owner }: City): CityClash {
  const attacker = contingents[attacking]?.player ?? 0;
  const defender = contingents[owner]?.player ?? 0;
  const victor = players[attacker];
  const victim = players[defender];
  if (victor === undefined || victim === undefined) throw new Error('an attack of nobody, or on nobody');
  return { attacking, attacker, defender, victor, victim };
}

/** Converts the city to tokens of its owner, limited by the stock. */
function raze(state: ConflictState, city: City, becomes: number, clash: CityClash, chance: Chance): ConflictState {
  const { defender, victim } = clash;
  const stock = getAt(state.stock, defender);
  const tokens = city.pirate ? becomes : Math.min(becomes, stock);
  if (city.pirate) chance.rule('city.pirates', () => ({ tokens }));
  else if (tokens < becomes) chance.rule('city.short', () => ({ player: victim.name, tokens, becomes }));
  else chance.rule('city.tokens', () => ({ player: victim.name, tokens }));
  return {
    ...state,
    tokens: addAt(state.tokens, city.owner, tokens),
    stock: city.pirate ? state.stock : addAt(state.stock, defender, -tokens),
  };
}

function drawCard(state: ConflictState, city: City, clash: CityClash, chance: Chance): ConflictState {
  const { attacker, defender, victor, victim } = clash;
  const facts = () => ({ player: victor.name, from: victim.name });
  if (city.pirate || getAt(state.hand, defender) === 0) {
    chance.rule(city.pirate ? 'card.pirates' : 'card.none', facts);
    return state;
  }
  if (chance.decide('takeCard', victor.name, TAKINGS, () => selectTaking(victor.takeCard)) === 'leave') {
    chance.rule('card.left', facts);
    return state;
  }
  chance.rule('card', facts);
  return {
    ...state,
    hand: addAt(addAt(state.hand, defender, -1), attacker, 1),
    cards: addAt(state.cards, attacker, 1),
  };
}

function fillTreasury(
  { treasury }: ConflictPlan,
  state: ConflictState,
  { attacker, victor }: CityClash,
  chance: Chance,
): ConflictState {
  const tokens = Math.min(treasury, getAt(state.stock, attacker));
  const facts = () => ({ player: victor.name, tokens, most: treasury });
  if (tokens === 0) {
    chance.rule('treasury.none', facts);
    return state;
  }
  if (chance.decide('takeTreasury', victor.name, TAKINGS, () => selectTaking(victor.takeTreasury)) === 'leave') {
    chance.rule('treasury.left', facts);
    return state;
  }
  chance.rule('treasury', facts);
  return {
    ...state,
    stock: addAt(state.stock, attacker, -tokens),
    treasury: addAt(state.treasury, attacker, tokens),
  };
}

/** Extent of steps: through a round and the rewards of a victor, or to the next turn of these. */
interface StepScope {
  readonly round: RoundFunction;
  /** Reward of an attacker for a city, for any winner of the conflict over its ruins. */
  readonly reward: (
    plan: ConflictPlan,
    state: ConflictState,
    area: CityArea,
    clash: CityClash,
    chance: Chance,
  ) => ConflictState;
}

const WHOLE: StepScope = {
  round: fightRound,
  reward: (plan, state, area, clash, chance) =>
    finishTask(fillTreasury(plan, drawCard(state, area.city, clash, chance), clash, chance), area, CITY_FALLS),
};

/** Removes the barbarians of a fallen pirate city, or lets them stay. */
function disperse(plan: ConflictPlan, state: ConflictState, city: City, chance: Chance): ConflictState {
  const tokens = getAt(state.tokens, city.owner);
  if (!city.pirate || tokens === 0) return state;
  chance.rule(plan.removesPirates ? 'pirates.remove' : 'pirates.stay', () => ({ tokens }));
  return plan.removesPirates ? { ...state, tokens: addAt(state.tokens, city.owner, -tokens) } : state;
}

function attack(plan: ConflictPlan, area: CityArea, state: ConflictState, chance: Chance): ConflictState {
  const attackers = findAttacker(area, state);
  if (attackers === undefined) {
    chance.rule('attack.none', () => ({ area: area.name }));
    return finishTask(state, area, CITY_STANDS);
  }
  const clash = createClash(plan, attackers.index, area.city);
  const { need, becomes, engineering } = computeAttackTerms(plan, clash.victor, clash.victim);
  const tokens = getAt(state.tokens, attackers.index);
  if (engineering !== 'nobody') chance.rule(`engineering.${engineering}`, () => ({ need, becomes }));
  const [player, owner] = [clash.victor.name, clash.victim.name];
  const facts = () => ({ player, area: area.name, owner, tokens, need });
  if (tokens < need) {
    chance.rule('attack.fails', facts);
    return finishTask(removeTokens(plan, state, attackers.index, tokens), area, CITY_STANDS);
  }
  chance.rule('attack.succeeds', facts);
  return { ...raze(state, area.city, becomes, clash, chance), engaged: attackers.index };
}

/** Performs one step of an attack: the attack itself, a round of the conflict over the ruins, or its consequences. */
function stepAttack(
  plan: ConflictPlan,
  task: AttackTask,
  state: ConflictState,
  course: StepScope,
  chance: Chance,
): ConflictState {
  const area = findTakenCity(task, state);
  if (area === undefined) return attack(plan, chooseNextCity(plan, task, state, chance), state, chance);
  if (isContested(area, state, false)) return course.round(plan, area, state, false, chance);
  reportEnd(plan, area, state, chance);
  const dispersed = disperse(plan, state, area.city, chance);
  const clash = createClash(plan, state.engaged, area.city);
  if (!clash.victor.barbarian) return course.reward(plan, dispersed, area, clash, chance);
  chance.rule('reward.barbarians');
  return finishTask(dispersed, area, CITY_FALLS);
}

// Rounds and rewards turn by turn, with at most one decision in each. Equals act at the same time, so that nobody gives
// up anything before the whole group has chosen.

type PendingOf<K extends PendingTurn['kind']> = Extract<PendingTurn, { kind: K }>;

/** Only the start of rounds and rewards; `takePendingTurn` continues them. */
const TURNS: StepScope = {
  round: (plan, area, before, _, chance) => {
    const groups = openRound(plan, area, before, chance).map((group) => group.map(({ index }) => index));
    return { ...before, rounds: before.rounds + 1, pending: { kind: 'round', groups, payments: [] } };
  },
  reward: (_, state) => ({ ...state, pending: { kind: 'card' } }),
};

/** Lets the next contingent of the current group choose; after the last one all of them give up their choices. */
function takeGroupTurn(
  plan: ConflictPlan,
  area: Area,
  city: boolean,
  before: ConflictState,
  { groups: [first = [], ...later], payments }: PendingOf<'round'>,
  chance: Chance,
): ConflictState {
  const group = first.flatMap((index): Contingent[] => plan.contingents.slice(index, index + 1));
  const chooser = group[payments.length];
  if (chooser === undefined) throw new Error('a group of nobody gives up tokens');
  const chosen = [...payments, choosePayment(plan, before, chooser, chance)];
  if (chosen.length < group.length) {
    return { ...before, pending: { kind: 'round', groups: [first, ...later], payments: chosen } };
  }
  reportTie(plan, group, chance);
  let state = before;
  for (const [k, contingent] of group.entries()) state = giveUp(plan, state, contingent, chosen[k] ?? 'token', chance);
  const ended = later.length === 0 || !isContested(area, state, city);
  return { ...state, pending: ended ? undefined : { kind: 'round', groups: later, payments: [] } };
}

function takeRewardTurn(
  plan: ConflictPlan,
  area: CityArea,
  state: ConflictState,
  { kind }: PendingOf<'card' | 'treasury'>,
  chance: Chance,
): ConflictState {
  const clash = createClash(plan, state.engaged, area.city);
  if (kind === 'card') return { ...drawCard(state, area.city, clash, chance), pending: { kind: 'treasury' } };
  return { ...finishTask(fillTreasury(plan, state, clash, chance), area, CITY_FALLS), pending: undefined };
}

/** Performs the next turn of a started step. */
function takePendingTurn(
  plan: ConflictPlan,
  state: ConflictState,
  pending: PendingTurn,
  chance: Chance,
): ConflictState {
  const task = plan.tasks[state.task];
  if (task === undefined || task.kind === 'count') throw new Error('a turn of nothing that lasts');
  const taken = task.kind === 'attack' ? findTakenCity(task, state) : undefined;
  if (pending.kind !== 'round') {
    if (taken === undefined) throw new Error('a reward for no city');
    return takeRewardTurn(plan, taken, state, pending, chance);
  }
  if (task.kind === 'conflict') {
    return takeGroupTurn(plan, task.area, task.area.city !== undefined, state, pending, chance);
  }
  if (taken === undefined) throw new Error('a round over no ruins');
  return takeGroupTurn(plan, taken, false, state, pending, chance);
}

/** Creates the key of a pending step. */
function createPendingKey(pending: PendingTurn): string {
  if (pending.kind !== 'round') return pending.kind;
  return `${pending.groups.map((group) => group.join(' ')).join('|')} ${pending.payments.join(' ')}`;
}

// A turn's conflicts: counts and conflict of each area, then the attacks on cities.

function drawCount(plan: ConflictPlan, state: ConflictState, contingent: Contingent, chance: Chance): ConflictState {
  const { index, area, player, place, count } = contingent;
  chance.seek(place);
  const tokens = getAt(count.values, chance.pick(count.weights));
  chance.rule('count', () => ({
    player: plan.players[player]?.name ?? '',
    area: plan.areas[area]?.name ?? '',
    tokens,
  }));
  return { ...state, task: state.task + 1, tokens: state.tokens.with(index, tokens) };
}

function move(plan: ConflictPlan, before: ConflictState, course: StepScope, chance: Chance): ConflictState {
  const task = plan.tasks[before.task];
  if (task === undefined) throw new Error('a finished battle was continued');
  const state = before.round === 0 ? { ...before, round: 1 } : before;
  switch (task.kind) {
    case 'count':
      return drawCount(plan, state, task.contingent, chance);
    case 'conflict':
      return stepConflict(plan, task.area, state, course.round, chance);
    case 'attack':
      return stepAttack(plan, task, state, course, chance);
  }
}

/** Performs a turn: a step, or a part of a round or a reward with at most one decision. */
function takeTurn(plan: ConflictPlan, state: ConflictState, chance: Chance): ConflictState {
  const { pending } = state;
  return pending === undefined ? move(plan, state, TURNS, chance) : takePendingTurn(plan, state, pending, chance);
}

/** Performs a step, or the rest of one. */
function takeStep(plan: ConflictPlan, before: ConflictState, chance: Chance): ConflictState {
  if (before.pending === undefined) return move(plan, before, WHOLE, chance);
  let state = before;
  while (state.pending !== undefined) state = takeTurn(plan, state, chance);
  return state;
}

/** Tokens by player, of all areas. */
function sumTokens(plan: ConflictPlan, { tokens }: ConflictState): number[] {
  const sums = plan.players.map(() => 0);
  for (const { player, index } of plan.contingents) sums[player] = getAt(sums, player) + getAt(tokens, index);
  return sums;
}

export function createPlanModel(plan: ConflictPlan, outcomes: readonly string[]): Model<ConflictState> {
  const isOver = ({ task }: ConflictState): boolean => task >= plan.tasks.length;

  /**
   * Creates the key of a state: tokens of finished areas matter only as sums, stocks and hands only while there are
   * cities to attack.
   */
  function key(state: ConflictState): string {
    const { tokens, ships, adjacent, results, pending } = state;
    const done = plan.players.map(() => 0);
    const live: number[] = [];
    for (const { index, area, player } of plan.contingents) {
      if (results[area] === '') live.push(getAt(tokens, index), getAt(ships, index), getAt(adjacent, index));
      else done[player] = getAt(done, player) + getAt(tokens, index);
    }
    const numbers = [live.length, state.round, state.task, state.engaged - IDLE, state.rounds, ...live, ...done];
    numbers.push(...state.lost, ...state.spent, ...state.cards, ...state.treasury);
    if (plan.attacks.length > 0 && !isOver(state)) numbers.push(...state.stock, ...state.hand);
    const known = `${encodeKey(numbers)};${results.join(JOINT)}`;
    return pending === undefined ? known : `${known};${createPendingKey(pending)}`;
  }

  return {
    outcomes,
    metrics: createMetrics(plan),
    maxRounds: 1,
    roundsMetric: undefined,
    start: () => createInitialState(plan),
    step: (state, chance) => takeStep(plan, state, chance),
    turn: (state, chance) => takeTurn(plan, state, chance),
    resting: ({ round }) => round === 0,
    outcome: (state) => (isOver(state) ? state.results.join(JOINT) : undefined),
    measure(state) {
      const { rounds, lost, spent, cards, treasury } = state;
      return METRICS.values({ rounds, left: sumTokens(plan, state), lost, pool: spent, cards, treasury });
    },
    key,
  };
}

// The possible outcomes of a battle, known before it begins.

/** Maximum number of outcomes of a battle, of several areas together. */
export const OUTCOMES_MAX = 4096;

/** Maximum number of counts of one area that are tried to find its outcomes. */
const TRIALS = 256;

/** Lists all outcomes of an area: players who can have tokens there, in its order, and outcomes without a player. */
function listAreaOutcomes({ players }: ConflictPlan, { contingents, city }: Area): string[] {
  if (city !== undefined) return [CITY_FALLS, CITY_STANDS];
  const present = contingents.filter(({ count }) => getMaxCount(count) > 0);
  return [...present.map(({ player }) => players[player]?.name ?? ''), 'coexist', 'empty'];
}

/**
 * Finds the outcomes of an area that are possible with its counts; all of them if there are many counts or a player can
 * decide.
 */
function findReachableOutcomes(scenario: TokenConflict, area: Area, names: readonly string[]): readonly string[] {
  const own = scenario.areas[area.index];
  const trials = area.contingents.reduce((product, { count }) => product * count.values.length, 1);
  const decides = area.contingents.some(({ ships, adjacent }) => ships + adjacent > 0);
  if (own === undefined || decides || trials > TRIALS) return names;
  const model = createPlanModel(getPlan({ ...scenario, areas: [own] }), names);
  const found = new Set<string>();
  for (const { value } of enumerateBranches((chance) => {
    let state = model.start(chance);
    while (model.outcome(state) === undefined) state = model.step(state, chance);
    return model.outcome(state);
  })) {
    found.add(value ?? '');
  }
  return names.filter((name) => found.has(name));
}

const countCombinations = (names: readonly (readonly string[])[]): number =>
  names.reduce((ways, each) => ways * each.length, 1);

/** Lists outcomes area by area: all outcomes of the rules, or the possible ones if those are too many. */
export function listOutcomesByArea(scenario: TokenConflict, plan: ConflictPlan): readonly (readonly string[])[] {
  const all = plan.areas.map((area) => listAreaOutcomes(plan, area));
  if (countCombinations(all) <= OUTCOMES_MAX) return all;
  return plan.areas.map((area, index) => findReachableOutcomes(scenario, area, all[index] ?? []));
}

/** Returns true for outcomes that are only possible with other counts. */
function isImpossible({ players, areas }: ConflictPlan, outcome: string): boolean {
  const parts = outcome.split(JOINT);
  const named = [...players.map(({ name }) => name), 'coexist', 'empty'];
  const listWays = ({ city }: Area): string[] => (city === undefined ? named : [CITY_FALLS, CITY_STANDS]);
  return parts.length === areas.length && areas.every((area, a) => listWays(area).includes(parts[a] ?? ''));
}

/** Joins the outcomes of areas to outcomes of a battle; the outcome of the last area changes fastest. */
function joinOutcomes(byArea: readonly (readonly string[])[]): string[] {
  const [first = [], ...others] = byArea;
  return others.reduce<string[]>(
    (before, names) => before.flatMap((start) => names.map((name) => `${start}${JOINT}${name}`)),
    [...first],
  );
}

/** Computes the number of outcomes, and the number of counters of outcomes and metrics. */
export function computeSize(scenario: TokenConflict, plan: ConflictPlan): { outcomes: number; counters: number } {
  const outcomes = countCombinations(listOutcomesByArea(scenario, plan));
  const values = createMetrics(plan).reduce((sum, { min, max }) => sum + max - min + 1, 1);
  return { outcomes, counters: outcomes * values };
}

// Creates the model of a scenario, with its possible outcomes.

export function createModel(scenario: TokenConflict): Model<ConflictState> {
  const plan = getPlan(scenario);
  const outcomes = joinOutcomes(listOutcomesByArea(scenario, plan));
  return { ...createPlanModel(plan, outcomes), impossible: (outcome) => isImpossible(plan, outcome) };
}
