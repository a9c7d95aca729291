/** Observations of both sides; assembly/cube-bag/environment.ts has the same order. Nothing is hidden. */
import type { COLOURS } from '../layout.ts';
import type { StructOutput } from '../struct.ts';
import {
  createLeadWeights,
  type EnvironmentDefinition,
  type Feature,
  type Side,
  type State,
  type Weights,
} from '../system.ts';
import {
  type BagForce,
  type BagState,
  COLOUR,
  type Cubes,
  countCubes,
  ENEMY,
  isSplit,
  NEUTRAL,
  OVER,
  type PendingDamage,
  READY,
  SIDES,
  STAGES,
} from './army.ts';
import type { Building } from './buildings.ts';
import { BATTLE, BONUS, BUILDING, CHOICE, FORCE, HOLDING, PENDING, POINTS, PREPARED } from './layout.ts';
import { type BagPlan, getPlan, sumHitPoints } from './plan.ts';
import { ARMIES_MAX, type CubeBag } from './schema.ts';
import { createStructureHp } from './units.ts';

const OWNERS = ['attacker', 'defender', 'neutral'] as const;

/** Structures of one slot with the same initial marks. */
interface SimilarStructures {
  readonly side: Side;
  readonly name: string;
  readonly slot: number;
  readonly count: number;
  /** Structures of the slot that fall before them. */
  readonly before: number;
}

function listSimilarOf(scenario: CubeBag, side: Side): SimilarStructures[] {
  const { objects, troops } = getPlan(scenario)[side];
  const types = createStructureHp(scenario.structureTypes);
  const nameOf = ({ type, hex, hp, marks }: Building): string => {
    const place = hex === undefined ? '' : `${hex}.`;
    return `structures.${side}.${place}${type}.${String(marks)}${hp === types.get(type) ? '' : `of${String(hp)}`}`;
  };
  return objects.lots.flatMap((lot, index) => {
    const count = (counted: (marks: number) => boolean): number => lot.filter(({ marks }) => counted(marks)).length;
    return [...new Map(lot.map((each) => [each.marks, each])).values()]
      .sort((a, b) => a.marks - b.marks)
      .map((each) => ({
        side,
        name: nameOf(each),
        slot: troops.length + index,
        count: count((marks) => marks === each.marks),
        before: count((marks) => marks > each.marks),
      }));
  });
}

const listSimilarStructures = (scenario: CubeBag): SimilarStructures[] =>
  SIDES.flatMap((side) => listSimilarOf(scenario, side));

/** Counts the units and structures of a side before the battle. */
const countObjects = (side: BagPlan[Side]): number =>
  side.troops.reduce((sum, { count }) => sum + count, side.structures);

/** Computes the maximum number of drawn cubes. */
function computeMaxDrawn({ most, attacker, defender }: BagPlan): number {
  return Math.min(countCubes(most), Math.max(attacker.courage, defender.courage));
}

function createSideFeatures(scenario: CubeBag, side: Side): Feature[] {
  const planned = getPlan(scenario);
  const { courage } = planned[side];
  const units = planned[side].troops.reduce((sum, { count }) => sum + count, 0);
  const targets = planned[ENEMY[side]].troops.reduce((sum, { count }) => sum + count, 0);
  const { conversions, recoveries, technologies } = scenario[side];
  const createFeature = (name: string, unit: string, low: number, high: number) => ({
    name: `${name}.${side}`,
    unit,
    low,
    high,
  });
  return [
    createFeature('courage', 'cubes', courage, courage),
    createFeature('tries', 'tries', 0, conversions),
    createFeature('redraw', 'cubes', 0, technologies.trainedArmy),
    createFeature('conversions', 'units', 0, Math.min(conversions, targets)),
    createFeature('recoveries', 'units', 0, Math.min(recoveries, units)),
    createFeature('experience', 'cubes', 0, planned.most[COLOUR[side]]),
    createFeature('lost', 'objects', 0, countObjects(planned[side])),
  ];
}

function createUnitFeatures(scenario: CubeBag, side: Side): Feature[] {
  const isByArmy = isSplit(scenario[side]);
  return getPlan(scenario)[side].troops.map(({ name, army, count }) => ({
    name: `units.${side}${isByArmy ? `.${String(army)}` : ''}.${name}`,
    unit: 'units',
    low: 0,
    high: count,
  }));
}

function listFeatures(scenario: CubeBag): Feature[] {
  const planned = getPlan(scenario);
  const { most: bag, preparedMost, choices } = planned;
  const most = computeMaxDrawn(planned);
  const cubes = (name: string, high: number): Feature => ({ name, unit: 'cubes', low: 0, high });
  return [
    { name: 'stage', unit: 'index', low: choices.length > 0 ? READY : 0, high: OVER },
    ...OWNERS.map((colour, c) => cubes(`bag.${colour}`, preparedMost[c] ?? 0)),
    ...OWNERS.map((colour, c) => cubes(`drawn.${colour}`, Math.min(bag[c] ?? 0, most))),
    { name: 'damage', unit: 'damage', low: 0, high: Math.min(Math.max(bag[0], bag[1]), most) },
    { name: 'marks', unit: 'damage', low: 0, high: sumHitPoints(planned) },
    { name: 'army', unit: 'index', low: 0, high: ARMIES_MAX },
    ...SIDES.flatMap((side) => createSideFeatures(scenario, side)),
    ...SIDES.flatMap((side) => createUnitFeatures(scenario, side)),
    ...listSimilarStructures(scenario).map(({ name, count }) => ({ name, unit: 'structures', low: 0, high: count })),
  ];
}

/** Counts the remaining options of a side by the stage of the battle. */
function countLeft({ stage, tries }: BagState, act: string, side: Side, all: number): number {
  const own = STAGES.findIndex((each) => each.act === act && each.side === side);
  if (stage > own) return 0;
  return stage === own ? all - tries : all;
}

function observeSide(scenario: CubeBag, state: BagState, side: Side): number[] {
  const { conversions, technologies } = scenario[side];
  const own = state[side];
  return [
    getPlan(scenario)[side].courage,
    countLeft(state, 'conversion', side, conversions),
    countLeft(state, 'redraw', side, technologies.trainedArmy),
    own.conversions,
    own.recoveries,
    own.experience,
    countCubes(own.lost),
  ];
}

function observe(scenario: CubeBag, battle: State): readonly number[] {
  const state = battle as BagState;
  const { stage, bag, drawn, pending, marks, army, attacker, defender } = state;
  return [
    stage,
    ...bag,
    ...drawn,
    typeof pending === 'object' ? pending.damage : 0,
    marks,
    army,
    ...SIDES.flatMap((side) => observeSide(scenario, state, side)),
    ...attacker.units,
    ...defender.units,
    ...listSimilarStructures(scenario).map(({ side, slot, count, before }) =>
      Math.min(count, Math.max(0, before + count - (state[side].lost[slot] ?? 0))),
    ),
  ];
}

// Cubes from a bag as an environment: numbers of cubes and objects, one decision after the other.

/** Prefixes of actions by decision point; actions on an object have the name of its type. */
const KINDS: Readonly<Record<string, string>> = {
  draw: 'cubes',
  extraDraw: 'cubes',
  redraw: 'cubes',
  army: 'army',
  bonus: 'bonus',
};

/** Computes the maximum number of cubes in any decision of a scenario. */
function computeMaxCubes(scenario: CubeBag): number {
  const planned = getPlan(scenario);
  const { most: bag, attacker, defender } = planned;
  const least = Math.min(1, attacker.courage);
  const returned = SIDES.map((side) => {
    const enemy = bag[COLOUR[ENEMY[side]]];
    return Math.min(scenario[side].technologies.trainedArmy, enemy + bag[NEUTRAL], computeMaxDrawn(planned));
  });
  const drawn = Math.max(attacker.courage, defender.courage - least);
  return Math.max(0, Math.min(drawn, countCubes(bag)), ...returned);
}

/** Lists the distinct types of both sides. */
function listTypes(scenario: CubeBag): string[] {
  const planned = getPlan(scenario);
  return [...new Set(SIDES.flatMap((side) => planned[side].kinds))];
}

/** Lists the distinct bonuses of all armies, including none. */
function listBonuses(scenario: CubeBag): string[] {
  return [...new Set(getPlan(scenario).choices.flatMap(({ options }) => options.map(({ name }) => name)))];
}

/** Lists numbers of cubes, types of objects, numbers of armies and bonuses by decision point. */
function listActions(scenario: CubeBag): Readonly<Record<string, readonly (string | number)[]>> {
  const cubes = [...Array(computeMaxCubes(scenario) + 1).keys()];
  const types = listTypes(scenario);
  const armies = Array.from({ length: countArmies(scenario) }, (_, index) => index + 1);
  const bonus = listBonuses(scenario);
  return { draw: cubes, extraDraw: cubes, redraw: cubes, conversion: types, removal: types, army: armies, bonus };
}

function createLossWeights(scenario: CubeBag, player: string): Weights {
  const [own, enemy]: readonly Side[] = player === 'attacker' ? SIDES : SIDES.toReversed();
  const createLosses = (side: Side | undefined = 'attacker') =>
    [`losses.${side}`, countObjects(getPlan(scenario)[side])] as const;
  return createLeadWeights(createLosses(enemy), createLosses(own));
}

/** Counts the armies among which a side may have to choose; 0 without a choice. */
function countArmies(scenario: CubeBag): number {
  const prey = SIDES.filter((side) => scenario[side].conversions > 0).map(
    (side) => getPlan(scenario)[side].prey.length,
  );
  return Math.max(0, ...prey.filter((armies) => armies > 1));
}

function decode(scenario: CubeBag, words: Int32Array): State {
  const planned = getPlan(scenario);
  const { course, cubes, marks } = BATTLE.read(words);
  const { stage, tries, damage, army } = course;
  const countLot = ({ first, second, third }: StructOutput<typeof COLOURS>): Cubes => [first, second, third];
  const force = (side: Side): BagForce => {
    const { troops, objects } = planned[side];
    const before = side === 'attacker' ? 0 : FORCE.size + HOLDING.size * planned.attacker.objects.names.length;
    const from = BATTLE.size + before;
    const { conversions, recoveries, experience } = FORCE.read(words, from);
    const holding = (slot: number) => HOLDING.read(words, from + FORCE.size + HOLDING.size * slot);
    return {
      units: troops.map((_, slot) => holding(slot).units),
      lost: objects.names.map((_, slot) => holding(slot).fallen),
      ...{ conversions, recoveries, experience },
    };
  };
  const getBlow = (side: Side): PendingDamage => ({ side, damage });
  const pending = {
    nothing: undefined,
    unit: 'conversion',
    attacker: getBlow('attacker'),
    defender: getBlow('defender'),
    bonus: 'bonus',
  } as const;
  const state: BagState = {
    round: Number(stage !== READY),
    ...{ stage, tries, marks, army },
    bag: countLot(cubes.inside),
    drawn: countLot(cubes.drawn),
    attacker: force('attacker'),
    defender: force('defender'),
    pending: pending[PENDING[course.pending] ?? 'nothing'],
  };
  return state;
}

/** Encodes the cubes before bonuses, and all choices of bonuses. @param first action of the first bonus */
function encodeBonuses(scenario: CubeBag, first: number): number[] {
  const { prepared, choices } = getPlan(scenario);
  const [attacker, defender, neutral] = prepared;
  const names = listBonuses(scenario);
  const fabian = scenario.attacker.technologies.fabian + scenario.defender.technologies.fabian;
  return [
    ...PREPARED.pack({ attacker, defender, neutral, fabian, choices: choices.length }),
    ...choices.flatMap(({ side, army, options, policy }) => [
      ...CHOICE.pack({
        ...{ side: SIDES.indexOf(side), army, options: options.length },
        policy: options.findIndex(({ name }) => name === policy.name),
      }),
      ...options.flatMap(({ name, own, neutral: inactive }) =>
        BONUS.pack({ action: first + names.indexOf(name), own, neutral: inactive }),
      ),
    ]),
  ];
}

/**
 * Encodes the actions of the slots of both sides, and the first action of an army; features of structures, with side,
 * slot, count and structures that fall before each; choices before the bag is filled.
 */
function encode(scenario: CubeBag): number[] {
  const planned = getPlan(scenario);
  const types = listTypes(scenario);
  const first = computeMaxCubes(scenario) + 1;
  const alike = listSimilarStructures(scenario);
  return [
    ...SIDES.flatMap((side) => planned[side].objects.names.map((name) => first + types.indexOf(name))),
    first + types.length,
    alike.length,
    ...alike.flatMap(({ side, ...building }) => BUILDING.pack({ ...building, side: SIDES.indexOf(side) })),
    ...encodeBonuses(scenario, first + types.length + countArmies(scenario)),
  ];
}

export const createEnvironment = (scenario: CubeBag): EnvironmentDefinition<State> => ({
  decisionPoints: POINTS,
  players: SIDES,
  actions: listActions(scenario),
  action: (point, option) => `${KINDS[point] ?? 'take'}:${String(option)}`,
  features: listFeatures(scenario),
  observe: (state) => observe(scenario, state),
  kernel: { encode: () => encode(scenario), decode: (words) => decode(scenario, words) },
  rewards: { material: (player) => createLossWeights(scenario, player) },
});
