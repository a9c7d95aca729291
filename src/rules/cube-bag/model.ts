/** A battle from one bag, stage by stage; each step makes at most one draw. */
import type { Door } from '../../core/chance/door.ts';
import { keyOf } from '../key.ts';
import type { Model } from '../system.ts';
import { attackerDraws, check, defenderDraws, nextCube, redraw, returnable } from './acts.ts';
import { ENEMY, isAcrossShore, isSiege, PLAYERS, SIDES, type Side } from './army.ts';
import { convert, tryConversion } from './conversion.ts';
import { METRICS } from './layout.ts';
import { Placing } from './losses.ts';
import { choose, fill } from './muster.ts';
import { lossesOf, metricsOf, plan } from './plan.ts';
import type { CubeBag } from './schema.ts';
import {
  type BagState,
  COLOUR,
  type Force,
  OUTCOMES,
  type Outcome,
  OVER,
  READY,
  STAGES,
  type Stage,
  size,
  withForce,
} from './stages.ts';

const sum = (counts: readonly number[]): number => counts.reduce((before, count) => before + count, 0);

export function model(scenario: CubeBag): Model<BagState> {
  const planned = plan(scenario);
  const byCube = scenario.drawing === 'cube-by-cube';
  const discardFailed = scenario.failedCheckCubes === 'discard';

  const unitsLost = (side: Side, { lost }: Force): number => sum(lost.slice(0, planned[side].troops.length));

  /** True if a side has nothing left in the battle. */
  function isGone(side: Side, { units, lost }: Force): boolean {
    const { troops, structures } = planned[side];
    return sum(units) === 0 && sum(lost.slice(troops.length)) === structures;
  }

  function outcomeOf(state: BagState): Outcome {
    const attacker = isGone('attacker', state.attacker);
    const defender = isGone('defender', state.defender);
    if (attacker) return defender ? 'mutual' : 'defender';
    return defender ? 'attacker' : 'none';
  }

  /** True if a side has a try of conversion or recovery left, and an object for it. */
  function canTry(state: BagState, { act, side }: Stage, tries: number, door: Door): boolean {
    const converts = act === 'conversion';
    if (tries >= scenario[side][converts ? 'conversions' : 'recoveries']) return false;
    const { recoveries } = state[side];
    const objects = converts ? sum(state[ENEMY[side]].units) : unitsLost(side, state[side]) - recoveries;
    if (objects === 0) door.rule(`${act}.none`, () => ({ side: PLAYERS[side] }));
    return objects > 0;
  }

  const canDraw = ({ bag, drawn }: BagState, side: Side): boolean =>
    planned[side].courage > size(drawn) && size(bag) > 0;

  /** True if a stage begins with a draw, or the question for one, after so many tries in it. */
  function isDue(state: BagState, number: number, tries: number, door: Door): boolean {
    const stage = STAGES[number];
    if (stage === undefined) return false;
    const fresh = tries === 0;
    switch (stage.act) {
      case 'conversion':
      case 'recovery':
        return canTry(state, stage, tries, door);
      case 'draw':
        if (fresh && planned.attacker.courage === 0) door.rule('draw.none');
        return (fresh || byCube) && canDraw(state, stage.side);
      case 'extraDraw':
        return (fresh || byCube) && canDraw(state, stage.side);
      case 'redraw':
        return fresh && scenario[stage.side].technologies.trainedArmy > 0 && returnable(state, stage.side) > 0;
      case 'losses':
        return false;
    }
  }

  /** Places the damage to a side: all of it, or up to the next choice of a turn. */
  function place(state: BagState, side: Side, whole: boolean, door: Door): BagState {
    const { pending, marks, drawn } = state;
    const blow = typeof pending === 'object' ? pending : undefined;
    const damage = blow?.damage ?? drawn[COLOUR[ENEMY[side]]];
    const placing = new Placing(planned[side].objects, { ...state[side], marks }, damage, door);
    if (blow === undefined) placing.begin();
    const done = placing.goOn(whole ? Number.POSITIVE_INFINITY : Number(blow !== undefined));
    const { units, lost } = placing;
    const open = done ? undefined : { side, damage: placing.left };
    return withForce({ ...state, marks: placing.marks, pending: open }, side, { ...state[side], units, lost });
  }

  /** Places damage, the attacker's first. */
  function settle(state: BagState, whole: boolean, door: Door): BagState {
    const { pending, drawn } = state;
    if (pending === undefined) door.rule('damage', () => ({ toDefender: drawn[0], toAttacker: drawn[1] }));
    const isOnAttacker = typeof pending === 'object' && pending.side === 'attacker';
    const now = isOnAttacker ? state : place(state, 'defender', whole, door);
    return isOnAttacker || now.pending === undefined ? place(now, 'attacker', whole, door) : now;
  }

  /** Goes on to the next draw, to a choice before it, or to the end. */
  function moveOn(state: BagState, whole: boolean, door: Door): BagState {
    let now = state;
    let { stage, tries } = state;
    while (stage < OVER && !isDue(now, stage, tries, door)) {
      if (STAGES[stage]?.act === 'losses') now = settle(now, whole, door);
      if (now.pending !== undefined) return { ...now, stage, tries };
      stage++;
      tries = 0;
    }
    if (stage < OVER) return stage === state.stage ? now : { ...now, stage, tries };
    door.rule(`end.${outcomeOf(now)}`);
    return { ...now, stage, tries, bag: [0, 0, 0] };
  }

  function recover(state: BagState, side: Side, door: Door): BagState {
    const tried = check(state, planned[side].recovery, discardFailed, door);
    if (!tried.passed) return tried.state;
    door.rule('recovery', () => ({ side: PLAYERS[side] }));
    return withForce(tried.state, side, { ...tried.state[side], recoveries: state[side].recoveries + 1 });
  }

  /** Does what is due. */
  function act(state: BagState, whole: boolean, door: Door): BagState {
    const stage = STAGES[state.stage];
    if (stage === undefined) return state;
    const { side } = stage;
    const once = (): BagState => ({ ...state, tries: state.tries + 1 });
    switch (stage.act) {
      case 'conversion':
        if (state.pending !== undefined) return convert(planned, state, side, door);
        return tryConversion(planned, state, side, { discardFailed, whole }, door);
      case 'recovery':
        return recover(state, side, door);
      case 'draw':
        if (byCube) return nextCube(state, stage, scenario.attacker.draw, planned.attacker.courage, door);
        return attackerDraws(once(), scenario.attacker.draw, planned.attacker.courage, door);
      case 'extraDraw':
        if (byCube) return nextCube(state, stage, scenario.defender.extraDraw, planned.defender.courage, door);
        return defenderDraws(once(), scenario.defender.extraDraw, planned.defender.courage, door);
      case 'redraw':
        return redraw(once(), side, scenario[side].redraw, scenario[side].technologies.trainedArmy, door);
      case 'losses':
        return state;
    }
  }

  /** @param whole true for all turns up to the next draw */
  function goOn(state: BagState, whole: boolean, door: Door): BagState {
    const begun = state.stage === READY ? begin(state, whole, door) : act(state, whole, door);
    return typeof begun.pending === 'string' ? begun : moveOn(begun, whole, door);
  }

  /** Has bonuses counted, all or one, and the bag filled after the last. */
  function begin(state: BagState, whole: boolean, door: Door): BagState {
    let now = state;
    while (now.pending === 'bonus') {
      now = choose(planned, now, door);
      if (!whole) break;
    }
    return now.pending === 'bonus' ? now : fill(scenario, planned, now, door);
  }

  return {
    outcomes: OUTCOMES,
    metrics: metricsOf(planned, scenario),
    maxRounds: 1,
    roundsMetric: undefined,
    start(door) {
      if (scenario.target === 'water') door.rule('target.water');
      if (isAcrossShore(scenario, 'defender')) door.rule('target.vessels');
      if (isSiege(scenario)) door.rule('siege', () => ({ fortification: scenario.fortification }));
      for (const { rule, facts } of SIDES.flatMap((side) => planned[side].story)) door.rule(rule, () => facts);
      const force = (side: Side): Force => ({
        units: planned[side].troops.map(({ count }) => count),
        lost: planned[side].objects.names.map(() => 0),
        conversions: 0,
        recoveries: 0,
        experience: 0,
      });
      const { prepared, choices } = planned;
      return {
        round: 0,
        stage: READY,
        tries: 0,
        bag: prepared,
        drawn: [0, 0, 0],
        attacker: force('attacker'),
        defender: force('defender'),
        marks: planned.attacker.marks + planned.defender.marks,
        army: choices[0]?.army ?? 0,
        pending: choices.length > 0 ? 'bonus' : undefined,
      };
    },
    step: (state, door) => goOn(state, true, door),
    turn: (state, door) => goOn(state, false, door),
    resting: ({ stage, tries }) => stage === READY && tries === 0,
    outcome: (state) => (state.stage === OVER ? outcomeOf(state) : undefined),
    measure: ({ drawn, attacker, defender, marks }) =>
      METRICS.values({
        drawn,
        losses: [sum(attacker.lost), sum(defender.lost)],
        types: [...lossesOf(planned.attacker, attacker.lost), ...lossesOf(planned.defender, defender.lost)],
        conversions: [attacker.conversions, defender.conversions],
        recoveries: [attacker.recoveries, defender.recoveries],
        experience: [attacker.experience, defender.experience],
        marks,
      }),
    key({ stage, tries, bag, drawn, attacker, defender, marks, army, pending }) {
      const numbers = [stage - READY, tries, marks, ...bag, ...drawn];
      for (const { units, lost, conversions, recoveries, experience } of [attacker, defender]) {
        numbers.push(...units, ...lost, conversions, recoveries, experience);
      }
      if (pending === 'conversion') numbers.push(army);
      else if (typeof pending === 'object') numbers.push(Number(pending.side === 'attacker'), pending.damage);
      return keyOf(numbers);
    },
  };
}
