/** The acts that draw from the bag: checks, the draw of the battle, and its redraw. */

import { BoundedCache, type Chance } from '../../core/index.ts';
import { encodeKey } from '../play-battle.ts';
import type { Model, Side } from '../system.ts';
import {
  addBonusCubes,
  type BagForce,
  type BagOutcome,
  type BagStage,
  type BagState,
  COLOUR,
  type Cubes,
  combineCubes,
  countCubes,
  countDiscarded,
  ENEMY,
  isAcrossShore,
  isSiege,
  NEUTRAL,
  OUTCOMES,
  OVER,
  type PendingDamage,
  PLAYERS,
  READY,
  SIDES,
  STAGES,
  withForce,
} from './army.ts';
import { METRICS, PLACES, PURPOSE } from './layout.ts';
import {
  BagDamageAllocation,
  type BagPlan,
  type Casualties,
  computeFilledBag,
  computeLosses,
  createMetrics,
  getPlan,
} from './plan.ts';
import {
  chooseCubesDrawn,
  chooseFurtherCubes,
  type DrawPolicy,
  type ExtraDrawPolicy,
  getStopCondition,
  isReached,
  type Prey,
  type RedrawPolicy,
} from './policies.ts';
import type { CubeBag } from './schema.ts';

export interface CourageCheck {
  readonly passed: boolean;
  readonly state: BagState;
}

const describeCubes = ([attacker, defender, neutral]: readonly number[]): string =>
  `${attacker} of Attacker, ${defender} of Defender, ${neutral} neutral`;

function draw(bag: Cubes, count: number, { act, side }: BagStage, tries: number, chance: Chance): readonly number[] {
  if (act === 'losses') throw new Error('losses are not drawn');
  const purpose = act === 'extraDraw' ? PURPOSE.draw : PURPOSE[act];
  chance.seek(PLACES.positionOf(purpose, SIDES.indexOf(side), tries));
  return chance.draw(bag, count);
}

/** Performs the check of a conversion or a recovery: it fails on a cube of the opponent's color. The try is counted. */
function check(state: BagState, complexity: number, discardFailed: boolean, chance: Chance): CourageCheck {
  const stage = STAGES[state.stage] as BagStage;
  const { side, act } = stage;
  const tries = state.tries + 1;
  const cubes = Math.min(complexity, countCubes(state.bag));
  const facts = () => ({ side: PLAYERS[side], what: act, complexity });
  if (cubes === 0) {
    chance.rule('check.empty', facts);
    return { passed: false, state: { ...state, tries } };
  }
  const drawn = draw(state.bag, cubes, stage, state.tries, chance);
  const passed = drawn[COLOUR[ENEMY[side]]] === 0;
  chance.rule(passed ? 'check.passed' : 'check.failed', () => ({ ...facts(), cubes: describeCubes(drawn) }));
  if (!passed && !discardFailed) return { passed, state: { ...state, tries } };
  if (!passed) chance.rule('check.discard', () => ({ amount: cubes }));
  const after = { ...state, tries, bag: combineCubes(state.bag, drawn, -1) };
  const experience = passed ? (drawn[COLOUR[side]] ?? 0) : 0;
  if (experience === 0) return { passed, state: after };
  const force = { ...state[side], experience: state[side].experience + experience };
  return { passed, state: withForce(after, side, force) };
}

/** Moves cubes from the bag to the drawn ones. */
function drawFurther(state: BagState, cubes: number, chance: Chance, tries = 0): BagState {
  const drawn = draw(state.bag, cubes, STAGES[state.stage] as BagStage, tries, chance);
  return { ...state, bag: combineCubes(state.bag, drawn, -1), drawn: combineCubes(state.drawn, drawn) };
}

const listUpTo = (least: number, most: number): number[] =>
  Array.from({ length: most - least + 1 }, (_, index) => least + index);

/** Draws for the attacker, 1 cube or more. */
function drawForAttacker(state: BagState, policy: DrawPolicy, courage: number, chance: Chance): BagState {
  const options = listUpTo(1, Math.min(courage, countCubes(state.bag)));
  const choose = () => chooseCubesDrawn(policy, options.length);
  const cubes = options.length < 2 ? 1 : chance.decide('draw', 'attacker', options, choose);
  const after = drawFurther(state, cubes, chance);
  chance.rule('draw', () => ({ amount: cubes, courage, cubes: describeCubes(after.drawn) }));
  return after;
}

/** Draws additional cubes for the defender, up to its courage. */
function drawForDefender(state: BagState, policy: ExtraDrawPolicy, courage: number, chance: Chance): BagState {
  const options = listUpTo(0, Math.min(courage - countCubes(state.drawn), countCubes(state.bag)));
  const [enemy, own] = state.drawn;
  const choose = () => chooseFurtherCubes(policy, own, enemy, options.length - 1);
  const cubes = chance.decide('extraDraw', 'defender', options, choose);
  if (cubes === 0) return state;
  const after = drawFurther(state, cubes, chance);
  chance.rule('draw.extra', () => ({ amount: cubes, courage, cubes: describeCubes(after.drawn) }));
  return after;
}

/** Returns true if a side that draws cube by cube continues by its policy. */
function canContinue({ drawn, tries }: BagState, side: Side, policy: DrawPolicy | ExtraDrawPolicy): boolean {
  const own = drawn[COLOUR[side]];
  const enemy = drawn[COLOUR[ENEMY[side]]];
  if (policy === 'if-behind') return tries > 0 || own < enemy;
  return !isReached(getStopCondition(policy), own, enemy, countCubes(drawn));
}

/** Lets a side with the drawn cubes in view draw one cube more or stop. The attacker must draw the first one. */
function drawNextCube(
  state: BagState,
  { act, side }: BagStage,
  policy: DrawPolicy | ExtraDrawPolicy,
  courage: number,
  chance: Chance,
): BagState {
  const must = side === 'attacker' && state.tries === 0;
  const cubes = must ? 1 : chance.decide(act, side, [0, 1], () => Number(canContinue(state, side, policy)));
  if (cubes === 0) {
    if (state.tries > 0)
      chance.rule('draw.stop', () => ({ side: PLAYERS[side], amount: countCubes(state.drawn), courage }));
    return { ...state, stage: state.stage + 1, tries: 0 };
  }
  const after = { ...drawFurther(state, 1, chance, countCubes(state.drawn)), tries: 1 };
  chance.rule('draw.cube', () => ({ side: PLAYERS[side], courage, cubes: describeCubes(after.drawn) }));
  return after;
}

/** Counts the drawn cubes that a side may put back. */
function countReturnable(state: BagState, side: Side): number {
  return state.drawn[COLOUR[ENEMY[side]]] + state.drawn[NEUTRAL];
}

/** Lets a side put drawn cubes back, those of the enemy first, then neutral ones, and draw the same number again. */
function redraw(state: BagState, side: Side, policy: RedrawPolicy, limit: number, chance: Chance): BagState {
  const options = listUpTo(0, Math.min(limit, countReturnable(state, side)));
  const enemy = state.drawn[COLOUR[ENEMY[side]]];
  const choose = () => chooseFurtherCubes(policy, state.drawn[COLOUR[side]], enemy, options.length - 1);
  const cubes = chance.decide('redraw', side, options, choose);
  if (cubes === 0) return state;
  const returned = [0, 0, Math.max(0, cubes - enemy)];
  returned[COLOUR[ENEMY[side]]] = Math.min(cubes, enemy);
  const back = { ...state, bag: combineCubes(state.bag, returned), drawn: combineCubes(state.drawn, returned, -1) };
  const after = drawFurther(back, cubes, chance);
  chance.rule('redraw', () => ({ side: PLAYERS[side], amount: cubes, cubes: describeCubes(after.drawn) }));
  return after;
}

// Conversion: the army of the unit, the check, and the unit.

/** Lists the troops of the enemy from which a side can convert a unit, by index; of one army, if it was picked. */
function listPreyTroops(planned: BagPlan, { attacker, defender, army }: BagState, side: Side): number[] {
  const { units } = side === 'attacker' ? defender : attacker;
  const { troops } = planned[ENEMY[side]];
  return [...troops.keys()].filter((slot) => (units[slot] ?? 0) > 0 && (army === 0 || troops[slot]?.army === army));
}

/** Picks the army from which a side converts; undefined if no army of the enemy has its own complexity. */
function pickArmy(planned: BagPlan, state: BagState, side: Side, chance: Chance): Prey | undefined {
  const present = planned[side].prey.filter(({ army }) => listPreyTroops(planned, { ...state, army }, side).length > 0);
  const [first] = present;
  if (first === undefined) return undefined;
  const armies = present.map(({ army }) => army).sort((a, b) => a - b);
  const army = present.length < 2 ? first.army : chance.decide('army', side, armies, () => first.army);
  const picked = present.find((each) => each.army === army) ?? first;
  chance.rule('conversion.army', () => ({ side: PLAYERS[side], enemy: PLAYERS[ENEMY[side]], ...picked }));
  return picked;
}

/** Lists the names of enemy units that a side can convert. */
function listConvertible(planned: BagPlan, state: BagState, side: Side): string[] {
  const { troops } = planned[ENEMY[side]];
  return [...new Set(listPreyTroops(planned, state, side).map((slot) => troops[slot]?.name ?? ''))];
}

/** Converts an enemy unit; within a type from the army that is listed first. */
function convert(planned: BagPlan, state: BagState, side: Side, chance: Chance): BagState {
  const enemy = ENEMY[side];
  const present = listConvertible(planned, state, side);
  const policy = (): string => planned[side].order.find((name) => present.includes(name)) ?? '';
  const name = present.length < 2 ? policy() : chance.decide('conversion', side, present, policy);
  const taken = listPreyTroops(planned, state, side).find((slot) => planned[enemy].troops[slot]?.name === name);
  chance.rule('conversion', () => ({ side: PLAYERS[side], name }));
  const left = state[enemy].units.map((count, slot) => (slot === taken ? count - 1 : count));
  const gained = { ...state[side], conversions: state[side].conversions + 1 };
  const after = withForce({ ...state, pending: undefined, army: 0 }, side, gained);
  return withForce(after, enemy, { ...state[enemy], units: left });
}

/**
 * Attempts a conversion.
 * @param whole false if the choice of the unit is a separate turn
 */
function tryConversion(
  planned: BagPlan,
  state: BagState,
  side: Side,
  options: { readonly discardFailed: boolean; readonly whole: boolean },
  chance: Chance,
): BagState {
  const prey = pickArmy(planned, state, side, chance);
  const tried = check(state, prey?.complexity ?? planned[side].conversion, options.discardFailed, chance);
  if (!tried.passed) return tried.state;
  const passed = { ...tried.state, army: prey?.army ?? 0 };
  const leavesChoice = !options.whole && listConvertible(planned, passed, side).length > 1;
  return leavesChoice ? { ...passed, pending: 'conversion' } : convert(planned, passed, side, chance);
}

// The bag is filled: armies count a bonus each, then both sides put their cubes in.

/** Chooses a bonus of the next army, or none. */
export function choose({ choices }: BagPlan, state: BagState, chance: Chance): BagState {
  const choice = choices[state.tries];
  if (choice === undefined) return { ...state, pending: undefined };
  const { side, options, policy } = choice;
  const names = options.map(({ name }) => name);
  const name = chance.decide('bonus', side, names, () => policy.name);
  const counted = name === policy.name ? policy : (options.find((each) => each.name === name) ?? policy);
  for (const { rule, facts } of counted.rules) chance.rule(rule, () => facts);
  const tries = state.tries + 1;
  const next = choices[tries];
  const pending = next === undefined ? undefined : 'bonus';
  return { ...state, tries, bag: addBonusCubes(state.bag, side, counted), army: next?.army ?? 0, pending };
}

/** Lets both sides discard, before the first stage. */
export function fill(scenario: CubeBag, planned: BagPlan, state: BagState, chance: Chance): BagState {
  const { bag } = state;
  for (const side of SIDES) {
    const { courage } = planned[side];
    chance.rule('cubes', () => ({ side: PLAYERS[side], own: bag[COLOUR[side]], courage }));
  }
  if (bag[NEUTRAL] > 0) chance.rule('cubes.neutral', () => ({ amount: bag[NEUTRAL] }));
  const gone = countDiscarded(scenario, bag);
  if (gone > 0) chance.rule('fabian', () => ({ amount: gone }));
  return { ...state, round: 1, stage: 0, tries: 0, bag: computeFilledBag(scenario, bag) };
}

// A battle from one bag, stage by stage; each step makes at most one draw.

/** Maximum number of cached allocations of damage. */
const ALLOCATIONS_MAX = 2 ** 12;

const sum = (counts: readonly number[]): number => counts.reduce((before, count) => before + count, 0);

export function createModel(scenario: CubeBag): Model<BagState> {
  const planned = getPlan(scenario);
  const byCube = scenario.drawing === 'cube-by-cube';
  const discardFailed = scenario.failedCheckCubes === 'discard';
  const placedBefore = new BoundedCache<Casualties>(ALLOCATIONS_MAX);

  const countUnitsLost = (side: Side, { lost }: BagForce): number => sum(lost.slice(0, planned[side].troops.length));

  /** Returns true if a side has nothing left in the battle. */
  function isGone(side: Side, { units, lost }: BagForce): boolean {
    const { troops, structures } = planned[side];
    return sum(units) === 0 && sum(lost.slice(troops.length)) === structures;
  }

  function getOutcome(state: BagState): BagOutcome {
    const attacker = isGone('attacker', state.attacker);
    const defender = isGone('defender', state.defender);
    if (attacker) return defender ? 'mutual' : 'defender';
    return defender ? 'attacker' : 'none';
  }

  /** Returns true if a side has a try of conversion or recovery left, and an object for it. */
  function canTry(state: BagState, { act, side }: BagStage, tries: number, chance: Chance): boolean {
    const converts = act === 'conversion';
    if (tries >= scenario[side][converts ? 'conversions' : 'recoveries']) return false;
    const { recoveries } = state[side];
    const objects = converts ? sum(state[ENEMY[side]].units) : countUnitsLost(side, state[side]) - recoveries;
    if (objects === 0) chance.rule(`${act}.none`, () => ({ side: PLAYERS[side] }));
    return objects > 0;
  }

  const canDraw = ({ bag, drawn }: BagState, side: Side): boolean =>
    planned[side].courage > countCubes(drawn) && countCubes(bag) > 0;

  /** Returns true if a stage begins with a draw, or with a decision about one, after a number of tries in it. */
  function isDue(state: BagState, number: number, tries: number, chance: Chance): boolean {
    const stage = STAGES[number];
    if (stage === undefined) return false;
    const fresh = tries === 0;
    switch (stage.act) {
      case 'conversion':
      case 'recovery':
        return canTry(state, stage, tries, chance);
      case 'draw':
        if (fresh && planned.attacker.courage === 0) chance.rule('draw.none');
        return (fresh || byCube) && canDraw(state, stage.side);
      case 'extraDraw':
        return (fresh || byCube) && canDraw(state, stage.side);
      case 'redraw':
        return fresh && scenario[stage.side].technologies.trainedArmy > 0 && countReturnable(state, stage.side) > 0;
      case 'losses':
        return false;
    }
  }

  /** Applies damage to a side. */
  function hit(state: BagState, side: Side, { units, lost, marks }: Casualties, pending?: PendingDamage): BagState {
    return withForce({ ...state, marks, pending }, side, { ...state[side], units, lost });
  }

  /** Allocates the damage to a side: all of it, or up to the next choice of a turn. Without replay only once. */
  function place(state: BagState, side: Side, whole: boolean, chance: Chance): BagState {
    const { pending, marks, drawn } = state;
    const blow = typeof pending === 'object' ? pending : undefined;
    const damage = blow?.damage ?? drawn[COLOUR[ENEMY[side]]];
    if (whole && blow === undefined && chance.unheard === true) {
      const { units, lost } = state[side];
      const key = encodeKey([Number(side === 'attacker'), damage, marks, ...units, ...lost]);
      let placed = placedBefore.get(key);
      if (placed === undefined) {
        const placing = new BagDamageAllocation(planned[side].objects, state[side], marks, damage, chance);
        placing.advance(Number.POSITIVE_INFINITY);
        placed = { units: placing.units, lost: placing.lost, marks: placing.marks };
        placedBefore.set(key, placed, 1);
      }
      return hit(state, side, placed);
    }
    const placing = new BagDamageAllocation(planned[side].objects, state[side], marks, damage, chance);
    if (blow === undefined) placing.begin();
    const done = placing.advance(whole ? Number.POSITIVE_INFINITY : Number(blow !== undefined));
    return hit(state, side, placing, done ? undefined : { side, damage: placing.left });
  }

  /** Allocates damage, first to the attacker. */
  function settle(state: BagState, whole: boolean, chance: Chance): BagState {
    const { pending, drawn } = state;
    if (pending === undefined) chance.rule('damage', () => ({ toDefender: drawn[0], toAttacker: drawn[1] }));
    const isOnAttacker = typeof pending === 'object' && pending.side === 'attacker';
    const now = isOnAttacker ? state : place(state, 'defender', whole, chance);
    return isOnAttacker || now.pending === undefined ? place(now, 'attacker', whole, chance) : now;
  }

  /** Continues to the next draw, to a choice before it, or to the end. */
  function moveOn(state: BagState, whole: boolean, chance: Chance): BagState {
    let now = state;
    let { stage, tries } = state;
    while (stage < OVER && !isDue(now, stage, tries, chance)) {
      if (STAGES[stage]?.act === 'losses') now = settle(now, whole, chance);
      if (now.pending !== undefined) return { ...now, stage, tries };
      stage++;
      tries = 0;
    }
    if (stage < OVER) return stage === state.stage ? now : { ...now, stage, tries };
    chance.rule(`end.${getOutcome(now)}`);
    return { ...now, stage, tries, bag: [0, 0, 0] };
  }

  function recover(state: BagState, side: Side, chance: Chance): BagState {
    const tried = check(state, planned[side].recovery, discardFailed, chance);
    if (!tried.passed) return tried.state;
    chance.rule('recovery', () => ({ side: PLAYERS[side] }));
    return withForce(tried.state, side, { ...tried.state[side], recoveries: state[side].recoveries + 1 });
  }

  /** Performs the due act. */
  function act(state: BagState, whole: boolean, chance: Chance): BagState {
    const stage = STAGES[state.stage];
    if (stage === undefined) return state;
    const { side } = stage;
    const drawOnce = (): BagState => ({ ...state, tries: state.tries + 1 });
    switch (stage.act) {
      case 'conversion':
        if (state.pending !== undefined) return convert(planned, state, side, chance);
        return tryConversion(planned, state, side, { discardFailed, whole }, chance);
      case 'recovery':
        return recover(state, side, chance);
      case 'draw':
        if (byCube) return drawNextCube(state, stage, scenario.attacker.draw, planned.attacker.courage, chance);
        return drawForAttacker(drawOnce(), scenario.attacker.draw, planned.attacker.courage, chance);
      case 'extraDraw':
        if (byCube) return drawNextCube(state, stage, scenario.defender.extraDraw, planned.defender.courage, chance);
        return drawForDefender(drawOnce(), scenario.defender.extraDraw, planned.defender.courage, chance);
      case 'redraw':
        return redraw(drawOnce(), side, scenario[side].redraw, scenario[side].technologies.trainedArmy, chance);
      case 'losses':
        return state;
    }
  }

  /** @param whole true for all turns up to the next draw */
  function goOn(state: BagState, whole: boolean, chance: Chance): BagState {
    const begun = state.stage === READY ? begin(state, whole, chance) : act(state, whole, chance);
    return typeof begun.pending === 'string' ? begun : moveOn(begun, whole, chance);
  }

  /** Chooses bonuses, all or one, and fills the bag after the last. */
  function begin(state: BagState, whole: boolean, chance: Chance): BagState {
    let now = state;
    while (now.pending === 'bonus') {
      now = choose(planned, now, chance);
      if (!whole) break;
    }
    return now.pending === 'bonus' ? now : fill(scenario, planned, now, chance);
  }

  return {
    outcomes: OUTCOMES,
    metrics: createMetrics(planned, scenario),
    maxRounds: 1,
    roundsMetric: undefined,
    start(chance) {
      if (scenario.target === 'water') chance.rule('target.water');
      if (isAcrossShore(scenario, 'defender')) chance.rule('target.vessels');
      if (isSiege(scenario)) chance.rule('siege', () => ({ fortification: scenario.fortification }));
      for (const { rule, facts } of SIDES.flatMap((side) => planned[side].story)) chance.rule(rule, () => facts);
      const force = (side: Side): BagForce => ({
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
    step: (state, chance) => goOn(state, true, chance),
    turn: (state, chance) => goOn(state, false, chance),
    resting: ({ stage, tries }) => stage === READY && tries === 0,
    outcome: (state) => (state.stage === OVER ? getOutcome(state) : undefined),
    measure: ({ drawn, attacker, defender, marks }) =>
      METRICS.values({
        drawn,
        losses: [sum(attacker.lost), sum(defender.lost)],
        types: [...computeLosses(planned.attacker, attacker.lost), ...computeLosses(planned.defender, defender.lost)],
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
      return encodeKey(numbers);
    },
  };
}
