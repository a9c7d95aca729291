/** Attacks on cities: what is left after the conflicts takes the city or is lost. */
import type { Door } from '../../core/chance/door.ts';
import { fightRound, isContested, type Round, tellEnd } from './conflict.ts';
import { CITY_FALLS, CITY_STANDS } from './names.ts';
import { attackersOf, nextCity, takenCity } from './order.ts';
import { type AttackTask, type City, type CityArea, type Plan, type Player, termsOf } from './plan.ts';
import { TAKINGS, takingOf } from './policies.ts';
import { at, type ConflictState, plus, removeTokens, settled } from './state.ts';

/** Both sides of an attack: contingents and players by number, and who they are. */
export interface Clash {
  readonly attacking: number;
  readonly attacker: number;
  readonly defender: number;
  readonly victor: Player;
  readonly victim: Player;
}

export function clashOf({ contingents, players }: Plan, attacking: number, { owner }: City): Clash {
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

export function drawCard(state: ConflictState, city: City, clash: Clash, door: Door): ConflictState {
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

export function fillTreasury(
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
export interface Course {
  readonly round: Round;
  /** What an attacker gets for a city, whoever has won the conflict over its ruins. */
  readonly reward: (plan: Plan, state: ConflictState, area: CityArea, clash: Clash, door: Door) => ConflictState;
}

export const WHOLE: Course = {
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
export function attackStep(
  plan: Plan,
  task: AttackTask,
  state: ConflictState,
  course: Course,
  door: Door,
): ConflictState {
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
