/** The acts that draw from the bag: checks, the draw of the battle, and its redraw. */

import { Bounded, type Door } from '../../core/index.ts';
import { keyOf } from '../battle.ts';
import type { Model, Side } from '../system.ts';
import {
  type BagState,
  COLOUR,
  type Cubes,
  discarded,
  ENEMY,
  type Force,
  isAcrossShore,
  isSiege,
  NEUTRAL,
  OUTCOMES,
  type Outcome,
  OVER,
  PLAYERS,
  type PlacedDamage,
  READY,
  SIDES,
  STAGES,
  type Stage,
  size,
  together,
  withBonus,
  withForce,
} from './army.ts';
import { METRICS, PLACES, PURPOSE } from './layout.ts';
import { type BagPlan, type Casualties, DamagePlacing, filled, lossesOf, metricsOf, plan } from './plan.ts';
import {
  cubesDrawn,
  type Draw,
  type ExtraDraw,
  furtherCubes,
  isReached,
  type Prey,
  type Redraw,
  untilOf,
} from './policies.ts';
import type { CubeBag } from './schema.ts';

export interface CourageCheck {
  readonly passed: boolean;
  readonly state: BagState;
}

const described = ([attacker, defender, neutral]: readonly number[]): string =>
  `${attacker} of Attacker, ${defender} of Defender, ${neutral} neutral`;

function draw(bag: Cubes, count: number, { act, side }: Stage, tries: number, door: Door): readonly number[] {
  if (act === 'losses') throw new Error('losses are not drawn');
  const purpose = act === 'extraDraw' ? PURPOSE.draw : PURPOSE[act];
  door.seek(PLACES.at(purpose, SIDES.indexOf(side), tries));
  return door.draw(bag, count);
}

/** The check of a conversion or a recovery: it fails on a cube of the opponent's colour. The try is counted. */
function check(state: BagState, complexity: number, discardFailed: boolean, door: Door): CourageCheck {
  const stage = STAGES[state.stage] as Stage;
  const { side, act } = stage;
  const tries = state.tries + 1;
  const cubes = Math.min(complexity, size(state.bag));
  const facts = () => ({ side: PLAYERS[side], what: act, complexity });
  if (cubes === 0) {
    door.rule('check.empty', facts);
    return { passed: false, state: { ...state, tries } };
  }
  const drawn = draw(state.bag, cubes, stage, state.tries, door);
  const passed = drawn[COLOUR[ENEMY[side]]] === 0;
  door.rule(passed ? 'check.passed' : 'check.failed', () => ({ ...facts(), cubes: described(drawn) }));
  if (!passed && !discardFailed) return { passed, state: { ...state, tries } };
  if (!passed) door.rule('check.discard', () => ({ amount: cubes }));
  const after = { ...state, tries, bag: together(state.bag, drawn, -1) };
  const experience = passed ? (drawn[COLOUR[side]] ?? 0) : 0;
  if (experience === 0) return { passed, state: after };
  const force = { ...state[side], experience: state[side].experience + experience };
  return { passed, state: withForce(after, side, force) };
}

/** Moves cubes from the bag to those drawn. */
function drawFurther(state: BagState, cubes: number, door: Door, tries = 0): BagState {
  const drawn = draw(state.bag, cubes, STAGES[state.stage] as Stage, tries, door);
  return { ...state, bag: together(state.bag, drawn, -1), drawn: together(state.drawn, drawn) };
}

const upTo = (least: number, most: number): number[] =>
  Array.from({ length: most - least + 1 }, (_, index) => least + index);

/** The attacker draws, 1 cube or more. */
function attackerDraws(state: BagState, policy: Draw, courage: number, door: Door): BagState {
  const options = upTo(1, Math.min(courage, size(state.bag)));
  const choose = () => cubesDrawn(policy, options.length);
  const cubes = options.length < 2 ? 1 : door.decide('draw', 'attacker', options, choose);
  const after = drawFurther(state, cubes, door);
  door.rule('draw', () => ({ amount: cubes, courage, cubes: described(after.drawn) }));
  return after;
}

/** The defender draws on, up to its courage. */
function defenderDraws(state: BagState, policy: ExtraDraw, courage: number, door: Door): BagState {
  const options = upTo(0, Math.min(courage - size(state.drawn), size(state.bag)));
  const [enemy, own] = state.drawn;
  const choose = () => furtherCubes(policy, own, enemy, options.length - 1);
  const cubes = door.decide('extraDraw', 'defender', options, choose);
  if (cubes === 0) return state;
  const after = drawFurther(state, cubes, door);
  door.rule('draw.extra', () => ({ amount: cubes, courage, cubes: described(after.drawn) }));
  return after;
}

/** True if a side that draws cube by cube goes on as its policy has it. */
function goesOn({ drawn, tries }: BagState, side: Side, policy: Draw | ExtraDraw): boolean {
  const own = drawn[COLOUR[side]];
  const enemy = drawn[COLOUR[ENEMY[side]]];
  if (policy === 'if-behind') return tries > 0 || own < enemy;
  return !isReached(untilOf(policy), own, enemy, size(drawn));
}

/**
 * A side that may draw looks at what is drawn, then draws one cube more or stops. The attacker has to draw the first one.
 */
function nextCube(
  state: BagState,
  { act, side }: Stage,
  policy: Draw | ExtraDraw,
  courage: number,
  door: Door,
): BagState {
  const must = side === 'attacker' && state.tries === 0;
  const cubes = must ? 1 : door.decide(act, side, [0, 1], () => Number(goesOn(state, side, policy)));
  if (cubes === 0) {
    if (state.tries > 0) door.rule('draw.stop', () => ({ side: PLAYERS[side], amount: size(state.drawn), courage }));
    return { ...state, stage: state.stage + 1, tries: 0 };
  }
  const after = { ...drawFurther(state, 1, door, size(state.drawn)), tries: 1 };
  door.rule('draw.cube', () => ({ side: PLAYERS[side], courage, cubes: described(after.drawn) }));
  return after;
}

/** Drawn cubes that a side may put back. */
function returnable(state: BagState, side: Side): number {
  return state.drawn[COLOUR[ENEMY[side]]] + state.drawn[NEUTRAL];
}

/** A side puts drawn cubes back, its enemy's first, then neutral ones, and draws as many again. */
function redraw(state: BagState, side: Side, policy: Redraw, limit: number, door: Door): BagState {
  const options = upTo(0, Math.min(limit, returnable(state, side)));
  const enemy = state.drawn[COLOUR[ENEMY[side]]];
  const choose = () => furtherCubes(policy, state.drawn[COLOUR[side]], enemy, options.length - 1);
  const cubes = door.decide('redraw', side, options, choose);
  if (cubes === 0) return state;
  const returned = [0, 0, Math.max(0, cubes - enemy)];
  returned[COLOUR[ENEMY[side]]] = Math.min(cubes, enemy);
  const back = { ...state, bag: together(state.bag, returned), drawn: together(state.drawn, returned, -1) };
  const after = drawFurther(back, cubes, door);
  door.rule('redraw', () => ({ side: PLAYERS[side], amount: cubes, cubes: described(after.drawn) }));
  return after;
}

// Conversion: the army that a side takes a unit from, the check, and the unit.

/** Troops of the enemy of whom a side can take a unit, by index; those of one army, if one was picked. */
function preyTroops(planned: BagPlan, { attacker, defender, army }: BagState, side: Side): number[] {
  const { units } = side === 'attacker' ? defender : attacker;
  const { troops } = planned[ENEMY[side]];
  return [...troops.keys()].filter((slot) => (units[slot] ?? 0) > 0 && (army === 0 || troops[slot]?.army === army));
}

/** The army that a side tries to take a unit from; undefined if no army of the enemy has a complexity of its own. */
function pickArmy(planned: BagPlan, state: BagState, side: Side, door: Door): Prey | undefined {
  const present = planned[side].prey.filter(({ army }) => preyTroops(planned, { ...state, army }, side).length > 0);
  const [first] = present;
  if (first === undefined) return undefined;
  const armies = present.map(({ army }) => army).sort((a, b) => a - b);
  const army = present.length < 2 ? first.army : door.decide('army', side, armies, () => first.army);
  const picked = present.find((each) => each.army === army) ?? first;
  door.rule('conversion.army', () => ({ side: PLAYERS[side], enemy: PLAYERS[ENEMY[side]], ...picked }));
  return picked;
}

/** Names of the enemy's units that a side can convert. */
function convertible(planned: BagPlan, state: BagState, side: Side): string[] {
  const { troops } = planned[ENEMY[side]];
  return [...new Set(preyTroops(planned, state, side).map((slot) => troops[slot]?.name ?? ''))];
}

/** Takes an enemy unit over; of one type that of the army listed first. */
function convert(planned: BagPlan, state: BagState, side: Side, door: Door): BagState {
  const enemy = ENEMY[side];
  const present = convertible(planned, state, side);
  const policy = (): string => planned[side].order.find((name) => present.includes(name)) ?? '';
  const name = present.length < 2 ? policy() : door.decide('conversion', side, present, policy);
  const taken = preyTroops(planned, state, side).find((slot) => planned[enemy].troops[slot]?.name === name);
  door.rule('conversion', () => ({ side: PLAYERS[side], name }));
  const left = state[enemy].units.map((count, slot) => (slot === taken ? count - 1 : count));
  const gained = { ...state[side], conversions: state[side].conversions + 1 };
  const after = withForce({ ...state, pending: undefined, army: 0 }, side, gained);
  return withForce(after, enemy, { ...state[enemy], units: left });
}

/**
 * Tries to convert.
 * @param whole false if the choice of the unit is a turn of its own
 */
function tryConversion(
  planned: BagPlan,
  state: BagState,
  side: Side,
  options: { readonly discardFailed: boolean; readonly whole: boolean },
  door: Door,
): BagState {
  const prey = pickArmy(planned, state, side, door);
  const tried = check(state, prey?.complexity ?? planned[side].conversion, options.discardFailed, door);
  if (!tried.passed) return tried.state;
  const passed = { ...tried.state, army: prey?.army ?? 0 };
  const leavesChoice = !options.whole && convertible(planned, passed, side).length > 1;
  return leavesChoice ? { ...passed, pending: 'conversion' } : convert(planned, passed, side, door);
}

// The bag is filled: armies count a bonus each, then both sides put their cubes in.

/** The next army counts a bonus, or none. */
export function choose({ choices }: BagPlan, state: BagState, door: Door): BagState {
  const choice = choices[state.tries];
  if (choice === undefined) return { ...state, pending: undefined };
  const { side, options, policy } = choice;
  const names = options.map(({ name }) => name);
  const name = door.decide('bonus', side, names, () => policy.name);
  const counted = name === policy.name ? policy : (options.find((each) => each.name === name) ?? policy);
  for (const { rule, facts } of counted.story) door.rule(rule, () => facts);
  const tries = state.tries + 1;
  const next = choices[tries];
  const pending = next === undefined ? undefined : 'bonus';
  return { ...state, tries, bag: withBonus(state.bag, side, counted), army: next?.army ?? 0, pending };
}

/** Both sides discard what they must; the first stage is due. */
export function fill(scenario: CubeBag, planned: BagPlan, state: BagState, door: Door): BagState {
  const { bag } = state;
  for (const side of SIDES) {
    const { courage } = planned[side];
    door.rule('cubes', () => ({ side: PLAYERS[side], own: bag[COLOUR[side]], courage }));
  }
  if (bag[NEUTRAL] > 0) door.rule('cubes.neutral', () => ({ amount: bag[NEUTRAL] }));
  const gone = discarded(scenario, bag);
  if (gone > 0) door.rule('fabian', () => ({ amount: gone }));
  return { ...state, round: 1, stage: 0, tries: 0, bag: filled(scenario, bag) };
}

// A battle from one bag, stage by stage; each step makes at most one draw.

/** Damages whose placing is remembered. */
const PLACED = 2 ** 12;

const sum = (counts: readonly number[]): number => counts.reduce((before, count) => before + count, 0);

export function model(scenario: CubeBag): Model<BagState> {
  const planned = plan(scenario);
  const byCube = scenario.drawing === 'cube-by-cube';
  const discardFailed = scenario.failedCheckCubes === 'discard';
  const placedBefore = new Bounded<Casualties>(PLACED);

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

  /** After damage has been placed on a side. */
  function hit(state: BagState, side: Side, { units, lost, marks }: Casualties, pending?: PlacedDamage): BagState {
    return withForce({ ...state, marks, pending }, side, { ...state[side], units, lost });
  }

  /** Places the damage to a side: all of it, or up to the next choice of a turn. Where nobody listens, the same only once. */
  function place(state: BagState, side: Side, whole: boolean, door: Door): BagState {
    const { pending, marks, drawn } = state;
    const blow = typeof pending === 'object' ? pending : undefined;
    const damage = blow?.damage ?? drawn[COLOUR[ENEMY[side]]];
    if (whole && blow === undefined && door.unheard === true) {
      const { units, lost } = state[side];
      const key = keyOf([Number(side === 'attacker'), damage, marks, ...units, ...lost]);
      let placed = placedBefore.get(key);
      if (placed === undefined) {
        const placing = new DamagePlacing(planned[side].objects, state[side], marks, damage, door);
        placing.goOn(Number.POSITIVE_INFINITY);
        placed = { units: placing.units, lost: placing.lost, marks: placing.marks };
        placedBefore.set(key, placed, 1);
      }
      return hit(state, side, placed);
    }
    const placing = new DamagePlacing(planned[side].objects, state[side], marks, damage, door);
    if (blow === undefined) placing.begin();
    const done = placing.goOn(whole ? Number.POSITIVE_INFINITY : Number(blow !== undefined));
    return hit(state, side, placing, done ? undefined : { side, damage: placing.left });
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
