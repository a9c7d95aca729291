/** What a scenario fixes before anything is drawn: the bag, what each side has, and what a battle of it reports. */
import type { Metric } from '../system.ts';
import { type Cubes, ENEMY, SIDES, type Side, type Troop, troopsOf } from './army.ts';
import { type BonusChoice, type BonusOption, discarded, hostOf, preparedBy, withBonus } from './cubes.ts';
import { METRICS } from './layout.ts';
import { objectsOf } from './losses.ts';
import { type Prey, preyOrder, removalOrder } from './policies.ts';
import type { CubeBag } from './schema.ts';
import { COLOUR, NEUTRAL, together } from './stages.ts';
import { buildingStory, buildingsOf } from './structures.ts';
import { objectTypesOf } from './units.ts';

const plans = new WeakMap<CubeBag, Plan>();

/** What a scenario fixes: what is in the bag at first, and the figures of each side. */
export function plan(scenario: CubeBag): Plan {
  const made = plans.get(scenario) ?? makePlan(scenario);
  plans.set(scenario, made);
  return made;
}

/** Cubes of a check. */
const complexity = (factors: number): number => Math.max(1, 2 + factors);

/** Armies of the enemy in the order in which a side takes units from them; none if none has a complexity of its own. */
function preyOf(scenario: CubeBag, side: Side): readonly Prey[] {
  const { armies } = scenario[ENEMY[side]];
  const { convert, conversionFactors } = scenario[side];
  if (armies.every((army) => army.conversionFactors === undefined)) return [];
  const prey = armies.map((army, index) => ({
    army: index + 1,
    complexity: complexity(army.conversionFactors ?? conversionFactors),
  }));
  return preyOrder(convert, prey);
}

/** The bag once both sides have discarded. */
export function filled(scenario: CubeBag, prepared: Cubes): Cubes {
  const gone = discarded(scenario, prepared);
  return together(prepared, [gone, gone, 0], -1);
}

/** The most cubes of each colour that can be prepared, whichever bonuses are counted. */
function mostPrepared(prepared: Cubes, choices: readonly BonusChoice[]): Cubes {
  const greatest = (options: readonly BonusOption[], of: 'own' | 'neutral') =>
    Math.max(...options.map((option) => option[of]));
  return choices.reduce<Cubes>((bag, { side, options }) => {
    return withBonus(bag, side, { own: greatest(options, 'own'), neutral: greatest(options, 'neutral') });
  }, prepared);
}

/** The most cubes of each colour that can be left once both sides have discarded. */
function mostFilled(scenario: CubeBag, prepared: Cubes, most: Cubes): Cubes {
  const gone = (...own: readonly [number, number]) => discarded(scenario, [...own, 0]);
  return [most[0] - gone(most[0], prepared[1]), most[1] - gone(prepared[0], most[1]), most[NEUTRAL]];
}

function makePlan(scenario: CubeBag) {
  const types = objectTypesOf(scenario);
  const hosts = { attacker: hostOf(scenario, 'attacker'), defender: hostOf(scenario, 'defender') };
  const prepared = preparedBy(hosts);
  const choices = SIDES.flatMap((side) => hosts[side].choices);
  const preparedMost = mostPrepared(prepared, choices);
  const counted = choices.reduce((cubes, { side, policy }) => withBonus(cubes, side, policy), prepared);
  const figures = (side: Side) => {
    const { structures, conversionFactors, recoveryFactors, removal } = scenario[side];
    const { siegeTower } = scenario[ENEMY[side]].technologies;
    const orders = { removal: scenario[ENEMY[side]].removal, siegeTower, priority: scenario.priority, types };
    const troops: readonly Troop[] = troopsOf(scenario, side);
    const buildings = buildingsOf(scenario.structureTypes, structures);
    const objects = objectsOf(side, troops, buildings, orders);
    return {
      ...hosts[side],
      story: [...buildingStory(side, objects.lots), ...hosts[side].story],
      troops,
      objects,
      /** Types that the side has, each once. */
      kinds: [...new Set(objects.names)],
      buildings,
      structures: buildings.length,
      marks: structures.reduce((sum, { marks }) => sum + marks, 0),
      /** The order in which the side takes enemy units, structures among them. */
      order: removalOrder(removal, types),
      prey: preyOf(scenario, side),
      conversion: complexity(conversionFactors),
      recovery: complexity(recoveryFactors),
    };
  };
  return {
    /** Cubes before bonuses are counted, and the choices of these. */
    prepared,
    choices,
    /** What is in the bag at first if the policies of the scenario choose. */
    bag: filled(scenario, counted),
    /** The most cubes of each colour that can be prepared, and that can be in the bag then. */
    preparedMost,
    most: mostFilled(scenario, prepared, preparedMost),
    attacker: figures('attacker'),
    defender: figures('defender'),
  };
}

export type Plan = ReturnType<typeof makePlan>;

/** The most that a side can lose of each type, by the names of metrics. */
function lossBounds({ kinds, troops, structures }: Plan[Side], side: Side): (readonly [string, number])[] {
  return kinds.map((name) => {
    const own = troops.filter((troop) => troop.name === name);
    const units = own.reduce((sum, { count }) => sum + count, 0);
    return [`${side}.${name}`, own.length > 0 ? units : structures];
  });
}

/** Objects lost by type, from those lost by slot. */
export function lossesOf({ kinds, objects }: Plan[Side], lost: readonly number[]): readonly number[] {
  if (kinds.length === lost.length) return lost;
  return kinds.map((kind) =>
    objects.names.reduce((sum, name, slot) => sum + (name === kind ? (lost[slot] ?? 0) : 0), 0),
  );
}

/** Hit points of all structures. */
export const hpOf = ({ attacker, defender }: Plan): number =>
  [...attacker.buildings, ...defender.buildings].reduce((sum, { hp }) => sum + hp, 0);

export function metricsOf(planned: Plan, { attacker, defender }: CubeBag): Metric[] {
  const { most } = planned;
  const units = (side: Side) => planned[side].troops.reduce((sum, { count }) => sum + count, 0);
  const tries = { attacker, defender };
  return METRICS.bounded({
    drawn: most,
    losses: SIDES.map((side) => units(side) + planned[side].structures),
    types: SIDES.flatMap((side) => lossBounds(planned[side], side)),
    conversions: SIDES.map((side) => Math.min(tries[side].conversions, units(ENEMY[side]))),
    recoveries: SIDES.map((side) => Math.min(tries[side].recoveries, units(side))),
    experience: SIDES.map((side) => most[COLOUR[side]]),
    marks: hpOf(planned),
  });
}
