/** The acts that draw from the bag: checks, the draw of the battle, and its redraw. */
import type { Door } from '../../core/chance/door.ts';
import { type Cubes, ENEMY, PLAYERS, SIDES, type Side } from './army.ts';
import { PLACES, PURPOSE } from './layout.ts';
import { cubesDrawn, type Draw, type ExtraDraw, furtherCubes, isReached, type Redraw, untilOf } from './policies.ts';
import { type BagState, COLOUR, NEUTRAL, STAGES, type Stage, size, together, withForce } from './stages.ts';

export interface Check {
  readonly passed: boolean;
  readonly state: BagState;
}

const described = ([attacker, defender, neutral]: readonly number[]): string =>
  `${attacker} of Attacker, ${defender} of Defender, ${neutral} neutral`;

/** What the draws of an act are for; nothing is drawn for losses. */
function purposeOf(act: Exclude<Stage['act'], 'losses'>): number {
  return act === 'extraDraw' ? PURPOSE.draw : PURPOSE[act];
}

function draw(bag: Cubes, count: number, { act, side }: Stage, tries: number, door: Door): readonly number[] {
  if (act === 'losses') throw new Error('losses are not drawn');
  door.seek(PLACES.at(purposeOf(act), SIDES.indexOf(side), tries));
  return door.draw(bag, count);
}

/** The check of a conversion or a recovery: it fails on a cube of the opponent's colour. The try is counted. */
export function check(state: BagState, complexity: number, discardFailed: boolean, door: Door): Check {
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
export function attackerDraws(state: BagState, policy: Draw, courage: number, door: Door): BagState {
  const options = upTo(1, Math.min(courage, size(state.bag)));
  const choose = () => cubesDrawn(policy, options.length);
  const cubes = options.length < 2 ? 1 : door.decide('draw', 'attacker', options, choose);
  const after = drawFurther(state, cubes, door);
  door.rule('draw', () => ({ amount: cubes, courage, cubes: described(after.drawn) }));
  return after;
}

/** The defender draws on, up to its courage. */
export function defenderDraws(state: BagState, policy: ExtraDraw, courage: number, door: Door): BagState {
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
export function nextCube(
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
export function returnable(state: BagState, side: Side): number {
  return state.drawn[COLOUR[ENEMY[side]]] + state.drawn[NEUTRAL];
}

/** A side puts drawn cubes back, its enemy's first, then neutral ones, and draws as many again. */
export function redraw(state: BagState, side: Side, policy: Redraw, limit: number, door: Door): BagState {
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
