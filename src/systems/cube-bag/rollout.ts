/** Cubes from a bag as an environment: how many cubes, and which object, one decision after the other. */
import { type Feature, lead, type Rollout, worthOf } from '../rollout.ts';
import type { State } from '../system.ts';
import { ENEMY, SIDES, type Side } from './army.ts';
import { type Plan, plan } from './plan.ts';
import type { CubeBag } from './schema.ts';
import { type BagState, type Blow, COLOUR, type Force, OVER, STAGES, size } from './stages.ts';
import { STRUCTURE_TYPES, STRUCTURES } from './units.ts';

/** Decisions about a number of cubes; those about an object are called by its type. */
const BY_CUBES = ['draw', 'extraDraw', 'redraw'];

const COLOURS = ['attacker', 'defender', 'neutral'] as const;

/** Words of a battle before those of the sides, and of a side before its types. */
const HEAD_WORDS = 14;
const FORCE_WORDS = 6;

/** What the kernel notes of a pending decision; damage to the attacker, to the defender. */
const PENDING = [undefined, 'conversion', 'attacker', 'defender'] as const;

/** Structures of one type that began with the same marks. */
interface Buildings {
  readonly name: string;
  readonly slot: number;
  readonly count: number;
  /** Structures of the type that fall before them. */
  readonly before: number;
}

function buildingsOf(scenario: CubeBag): Buildings[] {
  const { structures } = scenario.defender;
  const { names } = plan(scenario).defender.objects;
  return STRUCTURE_TYPES.flatMap((type) => {
    const marks = structures.filter((each) => each.type === type).map((each) => each.marks);
    return [...new Set(marks)]
      .sort((a, b) => a - b)
      .map((mark) => ({
        name: `structures.${type}.${String(mark)}`,
        slot: names.lastIndexOf(type),
        count: marks.filter((each) => each === mark).length,
        before: marks.filter((each) => each > mark).length,
      }));
  });
}

const objectsOf = (side: Plan[Side]): number => side.troops.reduce((sum, { count }) => sum + count, side.structures);

/** The most cubes that can be drawn in all. */
function drawnMost({ bag, attacker, defender }: Plan): number {
  return Math.min(size(bag), Math.max(attacker.courage, defender.courage));
}

/** The most cubes that any decision of a scenario is about. */
function cubesMost(scenario: CubeBag): number {
  const planned = plan(scenario);
  const { bag, attacker, defender } = planned;
  const least = Math.min(1, attacker.courage);
  const returned = SIDES.map((side) => {
    const enemy = bag[COLOUR[ENEMY[side]]];
    return Math.min(scenario[side].technologies.trainedArmy, enemy + bag[2], drawnMost(planned));
  });
  const drawn = Math.max(attacker.courage, defender.courage - least);
  return Math.max(0, Math.min(drawn, size(bag)), ...returned);
}

/** Types on both sides, each once. */
function typesOf(scenario: CubeBag): string[] {
  const planned = plan(scenario);
  return [...new Set(SIDES.flatMap((side) => planned[side].objects.names))];
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
    feature('experience', 'cubes', 0, planned.bag[COLOUR[side]]),
    feature('lost', 'objects', 0, objectsOf(planned[side])),
  ];
}

function featuresOf(scenario: CubeBag): Feature[] {
  const planned = plan(scenario);
  const { bag } = planned;
  const most = drawnMost(planned);
  const hp = scenario.defender.structures.reduce((sum, { type }) => sum + STRUCTURES[type], 0);
  const cubes = (name: string, high: number): Feature => ({ name, unit: 'cubes', low: 0, high });
  return [
    { name: 'stage', unit: 'index', low: 0, high: OVER },
    ...COLOURS.map((colour, c) => cubes(`bag.${colour}`, bag[c] ?? 0)),
    ...COLOURS.map((colour, c) => cubes(`drawn.${colour}`, Math.min(bag[c] ?? 0, most))),
    { name: 'damage', unit: 'damage', low: 0, high: Math.min(Math.max(bag[0], bag[1]), most) },
    { name: 'marks', unit: 'damage', low: 0, high: hp },
    ...SIDES.flatMap((side) => sideFeatures(scenario, side)),
    ...SIDES.flatMap((side) =>
      planned[side].troops.map(({ name, count }) => ({
        name: `units.${side}.${name}`,
        unit: 'units',
        low: 0,
        high: count,
      })),
    ),
    ...buildingsOf(scenario).map(({ name, count }) => ({ name, unit: 'structures', low: 0, high: count })),
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

/** Nothing is hidden. */
function observe(scenario: CubeBag, battle: State): readonly number[] {
  const state = battle as BagState;
  const { stage, bag, drawn, pending, marks, attacker, defender } = state;
  return [
    stage,
    ...bag,
    ...drawn,
    typeof pending === 'object' ? pending.damage : 0,
    marks,
    ...SIDES.flatMap((side) => observeSide(scenario, state, side)),
    ...attacker.units,
    ...defender.units,
    ...buildingsOf(scenario).map(({ slot, count, before }) =>
      Math.min(count, Math.max(0, before + count - (defender.lost[slot] ?? 0))),
    ),
  ];
}

function decode(scenario: CubeBag, words: Int32Array): State {
  const planned = plan(scenario);
  const [stage = 0, tries = 0, waiting = 0, damage = 0] = words;
  const word = (at: number): number => words[at] ?? 0;
  const force = (side: Side): Force => {
    const { troops, objects } = planned[side];
    const from = HEAD_WORDS + (side === 'attacker' ? 0 : FORCE_WORDS + 2 * planned.attacker.objects.names.length);
    const types = from + FORCE_WORDS;
    return {
      units: troops.map((_, slot) => word(types + 2 * slot)),
      lost: objects.names.map((_, slot) => word(types + 2 * slot + 1)),
      conversions: word(from),
      recoveries: word(from + 1),
      experience: word(from + 2),
    };
  };
  const kind = PENDING[waiting];
  const blow = (side: Side): Blow => ({ side, damage });
  const state: BagState = {
    round: 1,
    stage,
    tries,
    bag: [word(4), word(5), word(6)],
    drawn: [word(7), word(8), word(9)],
    attacker: force('attacker'),
    defender: force('defender'),
    marks: word(13),
    pending: kind === undefined || kind === 'conversion' ? kind : blow(kind),
  };
  return state;
}

/** Actions that stand for types, by side and slot; features of structures, and slot, count and those before of each. */
function encode(scenario: CubeBag): number[] {
  const planned = plan(scenario);
  const types = typesOf(scenario);
  const first = cubesMost(scenario) + 1;
  const buildings = buildingsOf(scenario);
  return [
    ...SIDES.flatMap((side) => planned[side].objects.names.map((name) => first + types.indexOf(name))),
    buildings.length,
    ...buildings.flatMap(({ slot, count, before }) => [slot, count, before]),
  ];
}

export const rollout: Rollout<CubeBag> = {
  points: ['conversion', ...BY_CUBES, 'removal'],
  players: () => SIDES,
  actions: (scenario) => [
    ...Array.from({ length: cubesMost(scenario) + 1 }, (_, cubes) => `cubes:${String(cubes)}`),
    ...typesOf(scenario).map((name) => `take:${name}`),
  ],
  action: (point, option) => `${BY_CUBES.includes(point) ? 'cubes' : 'take'}:${String(option)}`,
  features: featuresOf,
  observe,
  encode,
  decode,
  worth: (_, outcome, player) => worthOf(SIDES, outcome, player),
  rewards: ['material'],
  weights(scenario, _, player) {
    const [own, enemy]: readonly Side[] = player === 'attacker' ? SIDES : SIDES.toReversed();
    const losses = (side: Side | undefined = 'attacker') =>
      [`losses.${side}`, objectsOf(plan(scenario)[side])] as const;
    return lead(losses(enemy), losses(own));
  },
};
