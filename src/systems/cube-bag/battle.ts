/** A battle from one bag, stage by stage; each step makes at most one draw. */
import type { Door } from '../../chance/door.ts';
import type { Metric, Model } from '../system.ts';
import { attackerDraws, check, defenderDraws, redraw, returnable } from './acts.ts';
import { type Cubes, discarded, ENEMY, hostOf, isSiege, PLAYERS, SIDES, type Side } from './army.ts';
import { type Objects, objectsOf, placed } from './losses.ts';
import { removalOrder } from './policies.ts';
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
} from './stages.ts';
import { unitTypesOf } from './units.ts';

const plans = new WeakMap<CubeBag, Plan>();

/** What a scenario fixes: what is in the bag at first, and the figures of each side. */
export function plan(scenario: CubeBag): Plan {
  const made = plans.get(scenario) ?? makePlan(scenario);
  plans.set(scenario, made);
  return made;
}

function makePlan(scenario: CubeBag) {
  const types = unitTypesOf(scenario.unitTypes, scenario.unitSet);
  const hosts = { attacker: hostOf(scenario, 'attacker'), defender: hostOf(scenario, 'defender') };
  const structures = { attacker: [], defender: scenario.defender.structures };
  const gone = discarded(scenario, hosts);
  const bag: Cubes = [
    hosts.attacker.own - gone,
    hosts.defender.own - gone,
    hosts.attacker.neutral + hosts.defender.neutral,
  ];
  const figures = (side: Side) => {
    const { conversionFactors, recoveryFactors, removal } = scenario[side];
    const { siegeTower } = scenario[ENEMY[side]].technologies;
    const orders = { removal: scenario[ENEMY[side]].removal, siegeTower, priority: scenario.priority, types };
    return {
      ...hosts[side],
      objects: objectsOf(side, hosts[side].troops, structures[side], orders),
      structures: structures[side].length,
      marks: structures[side].reduce((sum, { marks }) => sum + marks, 0),
      /** The order in which the side takes enemy units, structures among them. */
      order: removalOrder(removal, types),
      conversion: Math.max(1, 2 + conversionFactors),
      recovery: Math.max(1, 2 + recoveryFactors),
    };
  };
  return { bag, discarded: gone, attacker: figures('attacker'), defender: figures('defender') };
}

export type Plan = ReturnType<typeof makePlan>;

function lossMetrics({ names }: Objects, { troops, structures }: Plan[Side], side: Side): Metric[] {
  return names.map((name, slot) => ({
    name: `losses.${side}.${name}`,
    min: 0,
    max: troops[slot]?.count ?? structures,
  }));
}

function metricsOf(planned: Plan, { attacker, defender }: CubeBag): Metric[] {
  const { bag } = planned;
  const total = size(bag);
  const units = (side: Side) => planned[side].troops.reduce((sum, { count }) => sum + count, 0);
  const both = (name: string, max: (side: Side) => number): Metric[] =>
    SIDES.map((side) => ({ name: `${name}.${side}`, min: 0, max: max(side) }));
  const tries = { attacker, defender };
  return [
    ...['attacker', 'defender', 'neutral'].map((colour, c) => ({
      name: `drawn.${colour}`,
      min: 0,
      max: bag[c] ?? total,
    })),
    ...both('losses', (side) => units(side) + planned[side].structures),
    ...SIDES.flatMap((side) => lossMetrics(planned[side].objects, planned[side], side)),
    ...both('conversions', (side) => Math.min(tries[side].conversions, units(ENEMY[side]))),
    ...both('recoveries', (side) => Math.min(tries[side].recoveries, units(side))),
    ...both('experience', (side) => bag[COLOUR[side]]),
    { name: 'marks', min: 0, max: 4 * planned.defender.structures },
  ];
}

const sum = (counts: readonly number[]): number => counts.reduce((before, count) => before + count, 0);

export function model(scenario: CubeBag): Model<BagState> {
  const planned = plan(scenario);
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
  function canTry(state: BagState, { act, side }: Stage, door: Door): boolean {
    const converts = act === 'conversion';
    if (state.tries >= scenario[side][converts ? 'conversions' : 'recoveries']) return false;
    const { recoveries } = state[side];
    const objects = converts ? sum(state[ENEMY[side]].units) : unitsLost(side, state[side]) - recoveries;
    if (objects === 0) door.rule(`${act}.none`, () => ({ side: PLAYERS[side] }));
    return objects > 0;
  }

  /** True if the stage that the state has come to begins with a draw, or the question for one. */
  function isDue(state: BagState, door: Door): boolean {
    const stage = STAGES[state.stage];
    if (stage === undefined) return false;
    const fresh = state.tries === 0;
    switch (stage.act) {
      case 'conversion':
      case 'recovery':
        return canTry(state, stage, door);
      case 'draw':
        if (fresh && planned.attacker.courage === 0) door.rule('draw.none');
        return fresh && planned.attacker.courage > 0 && size(state.bag) > 0;
      case 'extraDraw':
        return fresh && planned.defender.courage > size(state.drawn) && size(state.bag) > 0;
      case 'redraw':
        return fresh && scenario[stage.side].technologies.trainedArmy > 0 && returnable(state, stage.side) > 0;
      case 'losses':
        return false;
    }
  }

  function settle(state: BagState, door: Door): BagState {
    const [byAttacker, byDefender] = state.drawn;
    door.rule('damage', () => ({ toDefender: byAttacker, toAttacker: byDefender }));
    const losses = {
      defender: placed(planned.defender.objects, state.defender.units, byAttacker, door),
      attacker: placed(planned.attacker.objects, state.attacker.units, byDefender, door),
    };
    const force = (side: Side): Force => ({ ...state[side], units: losses[side].units, lost: losses[side].lost });
    return { ...state, attacker: force('attacker'), defender: force('defender'), marks: losses.defender.marks };
  }

  /** Goes on to the next draw, or to the end. */
  function moveOn(state: BagState, door: Door): BagState {
    let now = state;
    while (now.stage < OVER && !isDue(now, door)) {
      if (STAGES[now.stage]?.act === 'losses') now = settle(now, door);
      now = { ...now, stage: now.stage + 1, tries: 0 };
    }
    if (now.stage < OVER) return now;
    door.rule(`end.${outcomeOf(now)}`);
    return { ...now, bag: [0, 0, 0] };
  }

  function convert(state: BagState, side: Side, door: Door): BagState {
    const tried = check(state, planned[side].conversion, discardFailed, door);
    if (!tried.passed) return tried.state;
    const enemy = ENEMY[side];
    const { units } = state[enemy];
    const present = planned[enemy].troops.filter((_, slot) => (units[slot] ?? 0) > 0).map(({ name }) => name);
    const policy = (): string => planned[side].order.find((name) => present.includes(name)) ?? '';
    const name = present.length < 2 ? policy() : door.decide('conversion', side, present, policy);
    const taken = planned[enemy].troops.findIndex((troop) => troop.name === name);
    door.rule('conversion', () => ({ side: PLAYERS[side], name }));
    const left = units.map((count, slot) => (slot === taken ? count - 1 : count));
    const gained = { ...tried.state[side], conversions: state[side].conversions + 1 };
    return { ...tried.state, [side]: gained, [enemy]: { ...state[enemy], units: left } };
  }

  function recover(state: BagState, side: Side, door: Door): BagState {
    const tried = check(state, planned[side].recovery, discardFailed, door);
    if (!tried.passed) return tried.state;
    door.rule('recovery', () => ({ side: PLAYERS[side] }));
    return { ...tried.state, [side]: { ...tried.state[side], recoveries: state[side].recoveries + 1 } };
  }

  /** Does what is due. */
  function act(state: BagState, door: Door): BagState {
    const stage = STAGES[state.stage];
    if (stage === undefined) return state;
    const { side } = stage;
    const once = { ...state, tries: state.tries + 1 };
    switch (stage.act) {
      case 'conversion':
        return convert(state, side, door);
      case 'recovery':
        return recover(state, side, door);
      case 'draw':
        return attackerDraws(once, scenario.attacker.draw, planned.attacker.courage, door);
      case 'extraDraw':
        return defenderDraws(once, scenario.defender.extraDraw, planned.defender.courage, door);
      case 'redraw':
        return redraw(once, side, scenario[side].redraw, scenario[side].technologies.trainedArmy, door);
      case 'losses':
        return state;
    }
  }

  return {
    outcomes: OUTCOMES,
    metrics: metricsOf(planned, scenario),
    maxRounds: 1,
    roundsMetric: undefined,
    start(door) {
      if (scenario.target === 'water') door.rule('target.water');
      if (isSiege(scenario)) door.rule('siege', () => ({ fortification: scenario.fortification }));
      for (const { rule, facts } of SIDES.flatMap((side) => planned[side].story)) door.rule(rule, () => facts);
      if (planned.discarded > 0) door.rule('fabian', () => ({ amount: planned.discarded }));
      const force = (side: Side): Force => ({
        units: planned[side].troops.map(({ count }) => count),
        lost: planned[side].objects.names.map(() => 0),
        conversions: 0,
        recoveries: 0,
        experience: 0,
      });
      const forces = { attacker: force('attacker'), defender: force('defender') };
      const { bag, defender } = planned;
      return { round: 0, stage: READY, tries: 0, bag, drawn: [0, 0, 0], ...forces, marks: defender.marks };
    },
    step(state, door) {
      const begun = state.stage === READY ? { ...state, round: 1, stage: 0 } : act(state, door);
      return moveOn(begun, door);
    },
    resting: ({ stage }) => stage === READY,
    outcome: (state) => (state.stage === OVER ? outcomeOf(state) : undefined),
    measure: ({ drawn, attacker, defender, marks }) => [
      ...drawn,
      sum(attacker.lost),
      sum(defender.lost),
      ...attacker.lost,
      ...defender.lost,
      ...[attacker.conversions, defender.conversions],
      ...[attacker.recoveries, defender.recoveries],
      ...[attacker.experience, defender.experience],
      marks,
    ],
    key({ stage, tries, bag, drawn, attacker, defender, marks }) {
      const forces = [attacker, defender].map(({ units, lost, conversions, recoveries, experience }) =>
        [units, lost, conversions, recoveries, experience].join(),
      );
      return [stage, tries, bag, drawn, ...forces, marks].join(';');
    },
  };
}
