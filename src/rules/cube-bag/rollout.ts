/** Cubes from a bag as an environment: how many cubes, and which object, one decision after the other. */
import type { COLOURS } from '../layout.ts';
import { lead, type Rollout, type Weights } from '../rollout.ts';
import type { Read } from '../struct.ts';
import type { State } from '../system.ts';
import { type Cubes, ENEMY, SIDES, type Side } from './army.ts';
import { BATTLE, BONUS, BUILDING, CHOICE, FORCE, HOLDING, PENDING, POINTS, PREPARED } from './layout.ts';
import { alikeOf, drawnMost, featuresOf, objectsOf, observe } from './observe.ts';
import { plan } from './plan.ts';
import type { CubeBag } from './schema.ts';
import { type BagState, type Blow, COLOUR, type Force, NEUTRAL, READY, size } from './stages.ts';

/** What actions begin with, by point; those about an object are called by its type. */
const KINDS: Readonly<Record<string, string>> = {
  draw: 'cubes',
  extraDraw: 'cubes',
  redraw: 'cubes',
  army: 'army',
  bonus: 'bonus',
};

/** The most cubes that any decision of a scenario is about. */
function cubesMost(scenario: CubeBag): number {
  const planned = plan(scenario);
  const { most: bag, attacker, defender } = planned;
  const least = Math.min(1, attacker.courage);
  const returned = SIDES.map((side) => {
    const enemy = bag[COLOUR[ENEMY[side]]];
    return Math.min(scenario[side].technologies.trainedArmy, enemy + bag[NEUTRAL], drawnMost(planned));
  });
  const drawn = Math.max(attacker.courage, defender.courage - least);
  return Math.max(0, Math.min(drawn, size(bag)), ...returned);
}

/** Types on both sides, each once. */
function typesOf(scenario: CubeBag): string[] {
  const planned = plan(scenario);
  return [...new Set(SIDES.flatMap((side) => planned[side].kinds))];
}

/** Bonuses of all armies, each once, none among them. */
function bonusesOf(scenario: CubeBag): string[] {
  return [...new Set(plan(scenario).choices.flatMap(({ options }) => options.map(({ name }) => name)))];
}

/** Numbers of cubes, types of objects, numbers of armies and bonuses, by the points at which they are options. */
function actionsOf(scenario: CubeBag): Readonly<Record<string, readonly (string | number)[]>> {
  const cubes = [...Array(cubesMost(scenario) + 1).keys()];
  const types = typesOf(scenario);
  const armies = Array.from({ length: armiesMost(scenario) }, (_, index) => index + 1);
  const bonus = bonusesOf(scenario);
  return { draw: cubes, extraDraw: cubes, redraw: cubes, conversion: types, removal: types, army: armies, bonus };
}

function lossesLead(scenario: CubeBag, player: string): Weights {
  const [own, enemy]: readonly Side[] = player === 'attacker' ? SIDES : SIDES.toReversed();
  const losses = (side: Side | undefined = 'attacker') => [`losses.${side}`, objectsOf(plan(scenario)[side])] as const;
  return lead(losses(enemy), losses(own));
}

/** Armies among which a side may have to choose; 0 if none has to. */
function armiesMost(scenario: CubeBag): number {
  const prey = SIDES.filter((side) => scenario[side].conversions > 0).map((side) => plan(scenario)[side].prey.length);
  return Math.max(0, ...prey.filter((armies) => armies > 1));
}

function decode(scenario: CubeBag, words: Int32Array): State {
  const planned = plan(scenario);
  const { course, cubes, marks } = BATTLE.read(words);
  const { stage, tries, damage, army } = course;
  const lot = ({ first, second, third }: Read<typeof COLOURS>): Cubes => [first, second, third];
  const force = (side: Side): Force => {
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
  const blow = (side: Side): Blow => ({ side, damage });
  const pending = {
    nothing: undefined,
    unit: 'conversion',
    attacker: blow('attacker'),
    defender: blow('defender'),
    bonus: 'bonus',
  } as const;
  const state: BagState = {
    round: Number(stage !== READY),
    ...{ stage, tries, marks, army },
    bag: lot(cubes.inside),
    drawn: lot(cubes.drawn),
    attacker: force('attacker'),
    defender: force('defender'),
    pending: pending[PENDING[course.pending] ?? 'nothing'],
  };
  return state;
}

/** The cubes before bonuses are counted, and all choices of one. @param first the action of the first bonus */
function bonusWords(scenario: CubeBag, first: number): number[] {
  const { prepared, choices } = plan(scenario);
  const [attacker, defender, neutral] = prepared;
  const names = bonusesOf(scenario);
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
 * Actions that stand for what lies in the slots of both sides, and the first that stands for an army; features of
 * structures, and for each its side, slot, count and structures that fall before; what there is to choose before the bag
 * is filled.
 */
function encode(scenario: CubeBag): number[] {
  const planned = plan(scenario);
  const types = typesOf(scenario);
  const first = cubesMost(scenario) + 1;
  const alike = alikeOf(scenario);
  return [
    ...SIDES.flatMap((side) => planned[side].objects.names.map((name) => first + types.indexOf(name))),
    first + types.length,
    alike.length,
    ...alike.flatMap(({ side, ...building }) => BUILDING.pack({ ...building, side: SIDES.indexOf(side) })),
    ...bonusWords(scenario, first + types.length + armiesMost(scenario)),
  ];
}

export const rollout = (scenario: CubeBag): Rollout<State> => ({
  points: POINTS,
  players: SIDES,
  actions: actionsOf(scenario),
  action: (point, option) => `${KINDS[point] ?? 'take'}:${String(option)}`,
  features: featuresOf(scenario),
  observe: (state) => observe(scenario, state),
  kernel: { encode: () => encode(scenario), decode: (words) => decode(scenario, words) },
  rewards: { material: (player) => lossesLead(scenario, player) },
});
