/** What a scenario fixes before anything is drawn: the bag, what each side has, and what a battle of it reports. */
import type { Metric } from '../system.ts';
import { type Cubes, discarded, ENEMY, hostOf, SIDES, type Side } from './army.ts';
import { type Objects, objectsOf } from './losses.ts';
import { removalOrder } from './policies.ts';
import type { CubeBag } from './schema.ts';
import { COLOUR, size } from './stages.ts';
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

export function metricsOf(planned: Plan, { attacker, defender }: CubeBag): Metric[] {
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
