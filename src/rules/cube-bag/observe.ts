/** What is seen of a battle by either side; assembly/cube-bag/observe.ts has the same order. Nothing is hidden. */
import type { Feature } from '../rollout.ts';
import type { State } from '../system.ts';
import { ENEMY, isSplit, SIDES, type Side } from './army.ts';
import { ARMIES_MAX } from './fields.ts';
import { hpOf, type Plan, plan } from './plan.ts';
import type { CubeBag } from './schema.ts';
import { type BagState, COLOUR, OVER, READY, STAGES, size } from './stages.ts';
import type { Building } from './structures.ts';
import { structureHpOf } from './units.ts';

const COLOURS = ['attacker', 'defender', 'neutral'] as const;

/** Structures of one slot that began with the same marks. */
interface Alike {
  readonly side: Side;
  readonly name: string;
  readonly slot: number;
  readonly count: number;
  /** Structures of the slot that fall before them. */
  readonly before: number;
}

function alikeOn(scenario: CubeBag, side: Side): Alike[] {
  const { objects, troops } = plan(scenario)[side];
  const types = structureHpOf(scenario.structureTypes);
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

export const alikeOf = (scenario: CubeBag): Alike[] => SIDES.flatMap((side) => alikeOn(scenario, side));

/** Units and structures of a side before the battle. */
export const objectsOf = (side: Plan[Side]): number =>
  side.troops.reduce((sum, { count }) => sum + count, side.structures);

/** The most cubes that can be drawn in all. */
export function drawnMost({ most, attacker, defender }: Plan): number {
  return Math.min(size(most), Math.max(attacker.courage, defender.courage));
}

function sideFeatures(scenario: CubeBag, side: Side): Feature[] {
  const planned = plan(scenario);
  const { courage } = planned[side];
  const units = planned[side].troops.reduce((sum, { count }) => sum + count, 0);
  const targets = planned[ENEMY[side]].troops.reduce((sum, { count }) => sum + count, 0);
  const { conversions, recoveries, technologies } = scenario[side];
  const feature = (name: string, unit: string, low: number, high: number) => ({
    name: `${name}.${side}`,
    unit,
    low,
    high,
  });
  return [
    feature('courage', 'cubes', courage, courage),
    feature('tries', 'tries', 0, conversions),
    feature('redraw', 'cubes', 0, technologies.trainedArmy),
    feature('conversions', 'units', 0, Math.min(conversions, targets)),
    feature('recoveries', 'units', 0, Math.min(recoveries, units)),
    feature('experience', 'cubes', 0, planned.most[COLOUR[side]]),
    feature('lost', 'objects', 0, objectsOf(planned[side])),
  ];
}

function unitFeatures(scenario: CubeBag, side: Side): Feature[] {
  const isByArmy = isSplit(scenario[side]);
  return plan(scenario)[side].troops.map(({ name, army, count }) => ({
    name: `units.${side}${isByArmy ? `.${String(army)}` : ''}.${name}`,
    unit: 'units',
    low: 0,
    high: count,
  }));
}

export function featuresOf(scenario: CubeBag): Feature[] {
  const planned = plan(scenario);
  const { most: bag, preparedMost, choices } = planned;
  const most = drawnMost(planned);
  const cubes = (name: string, high: number): Feature => ({ name, unit: 'cubes', low: 0, high });
  return [
    { name: 'stage', unit: 'index', low: choices.length > 0 ? READY : 0, high: OVER },
    ...COLOURS.map((colour, c) => cubes(`bag.${colour}`, preparedMost[c] ?? 0)),
    ...COLOURS.map((colour, c) => cubes(`drawn.${colour}`, Math.min(bag[c] ?? 0, most))),
    { name: 'damage', unit: 'damage', low: 0, high: Math.min(Math.max(bag[0], bag[1]), most) },
    { name: 'marks', unit: 'damage', low: 0, high: hpOf(planned) },
    { name: 'army', unit: 'index', low: 0, high: ARMIES_MAX },
    ...SIDES.flatMap((side) => sideFeatures(scenario, side)),
    ...SIDES.flatMap((side) => unitFeatures(scenario, side)),
    ...alikeOf(scenario).map(({ name, count }) => ({ name, unit: 'structures', low: 0, high: count })),
  ];
}

/** What a side may still do by the stage that the battle has come to. */
function left({ stage, tries }: BagState, act: string, side: Side, all: number): number {
  const own = STAGES.findIndex((each) => each.act === act && each.side === side);
  if (stage > own) return 0;
  return stage === own ? all - tries : all;
}

function observeSide(scenario: CubeBag, state: BagState, side: Side): number[] {
  const { conversions, technologies } = scenario[side];
  const own = state[side];
  return [
    plan(scenario)[side].courage,
    left(state, 'conversion', side, conversions),
    left(state, 'redraw', side, technologies.trainedArmy),
    own.conversions,
    own.recoveries,
    own.experience,
    size(own.lost),
  ];
}

export function observe(scenario: CubeBag, battle: State): readonly number[] {
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
    ...alikeOf(scenario).map(({ side, slot, count, before }) =>
      Math.min(count, Math.max(0, before + count - (state[side].lost[slot] ?? 0))),
    ),
  ];
}
