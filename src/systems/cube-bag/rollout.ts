/** Cubes from a bag as an environment: how many cubes, and which object, one decision after the other. */
import { lead, type Rollout, type Weights } from '../rollout.ts';
import type { State } from '../system.ts';
import { ENEMY, SIDES, type Side } from './army.ts';
import { plan } from './plan.ts';
import type { CubeBag } from './schema.ts';
import { buildingsOf, drawnMost, featuresOf, objectsOf, observe } from './sight.ts';
import { type BagState, type Blow, COLOUR, type Force, NEUTRAL, size } from './stages.ts';

/** Decisions about a number of cubes; those about an object are called by its type, those about an army by its number. */
const BY_CUBES = ['draw', 'extraDraw', 'redraw'];
const BY_ARMY = 'army';

/** Words of a battle before those of the sides, and of a side before its slots. */
const HEAD_WORDS = 15;
const FORCE_WORDS = 6;

/** What the kernel notes of a pending decision; damage to the attacker, to the defender. */
const PENDING = [undefined, 'conversion', 'attacker', 'defender'] as const;

/** The most cubes that any decision of a scenario is about. */
function cubesMost(scenario: CubeBag): number {
  const planned = plan(scenario);
  const { bag, attacker, defender } = planned;
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

/** Numbers of cubes, types of objects and numbers of armies, by the points at which they are options. */
function actionsOf(scenario: CubeBag): Readonly<Record<string, readonly (string | number)[]>> {
  const cubes = [...Array(cubesMost(scenario) + 1).keys()];
  const types = typesOf(scenario);
  const armies = Array.from({ length: armiesMost(scenario) }, (_, index) => index + 1);
  return { draw: cubes, extraDraw: cubes, redraw: cubes, conversion: types, removal: types, army: armies };
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
  const [stage = 0, tries = 0, waiting = 0, damage = 0, army = 0] = words;
  const word = (at: number): number => words[at] ?? 0;
  const force = (side: Side): Force => {
    const { troops, objects } = planned[side];
    const from = HEAD_WORDS + (side === 'attacker' ? 0 : FORCE_WORDS + 2 * planned.attacker.objects.names.length);
    const slots = from + FORCE_WORDS;
    return {
      units: troops.map((_, slot) => word(slots + 2 * slot)),
      lost: objects.names.map((_, slot) => word(slots + 2 * slot + 1)),
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
    bag: [word(5), word(6), word(7)],
    drawn: [word(8), word(9), word(10)],
    attacker: force('attacker'),
    defender: force('defender'),
    marks: word(14),
    army,
    pending: kind === undefined || kind === 'conversion' ? kind : blow(kind),
  };
  return state;
}

/**
 * Actions that stand for what lies in the slots of both sides, and the first that stands for an army; features of
 * structures, and for each its side, slot, count and structures that fall before.
 */
function encode(scenario: CubeBag): number[] {
  const planned = plan(scenario);
  const types = typesOf(scenario);
  const first = cubesMost(scenario) + 1;
  const buildings = buildingsOf(scenario);
  return [
    ...SIDES.flatMap((side) => planned[side].objects.names.map((name) => first + types.indexOf(name))),
    first + types.length,
    buildings.length,
    ...buildings.flatMap(({ side, slot, count, before }) => [SIDES.indexOf(side), slot, count, before]),
  ];
}

/** What actions about a decision begin with. */
const kindOf = (point: string): string => (point === BY_ARMY ? 'army' : BY_CUBES.includes(point) ? 'cubes' : 'take');

export const rollout = (scenario: CubeBag): Rollout<State> => ({
  points: ['conversion', ...BY_CUBES, 'removal', BY_ARMY],
  players: SIDES,
  actions: actionsOf(scenario),
  action: (point, option) => `${kindOf(point)}:${String(option)}`,
  features: featuresOf(scenario),
  observe: (state) => observe(scenario, state),
  kernel: { encode: () => encode(scenario), decode: (words) => decode(scenario, words) },
  rewards: { material: (player) => lossesLead(scenario, player) },
});
