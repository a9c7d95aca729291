/** The scenario as assembly/systems/cube-bag.ts reads it. */
import { Layout } from '../layout.ts';
import { ENEMY, SIDES, type Side } from './army.ts';
import { type Plan, plan } from './plan.ts';
import { EXTRA_DRAWS, REDRAWS } from './policies.ts';
import type { CubeBag } from './schema.ts';

/** Words of the head: the bag and what holds for both sides, then what each side has. */
const OPTIONS = 6;
const SIDE_WORDS = 13;

/**
 * What a side has: courage; number of unit types, of all types, of its structures; units by type; its objects as
 * [group, type, damage needed, marks, or -1 for units] in the enemy's order, and their number; its unit types in
 * the order in which the enemy converts them; tries and complexity of its conversions and of its recoveries; cubes
 * that it may redraw, and the policy.
 */
function side(layout: Layout, scenario: CubeBag, of: Side, planned: Plan): number[] {
  const { troops, objects, structures, courage, conversion, recovery } = planned[of];
  const targets = objects.groups.flatMap((group, g) =>
    group.map(({ slot, need, marks, isUnit }) => [g, slot, need, isUnit ? -1 : marks]),
  );
  const names = troops.map(({ name }) => name);
  const taken = planned[ENEMY[of]].order.filter((name) => names.includes(name)).map((name) => names.indexOf(name));
  const { conversions, recoveries, technologies, redraw } = scenario[of];
  return [
    ...[courage, troops.length, objects.names.length, structures],
    layout.words(troops.map(({ count }) => count)),
    ...[layout.words(targets.flat()), targets.length, layout.words(taken)],
    ...[conversions, conversion, recoveries, recovery],
    technologies.trainedArmy * 2 + REDRAWS.indexOf(redraw),
  ];
}

export function encode(scenario: CubeBag): Int32Array<ArrayBuffer> {
  const planned = plan(scenario);
  const { draw } = scenario.attacker;
  const { courage } = planned.attacker;
  const layout = new Layout(OPTIONS + 2 * SIDE_WORDS);
  layout.set(0, ...planned.bag);
  layout.set(3, draw === 'max' ? courage : Math.min(draw, courage));
  layout.set(4, EXTRA_DRAWS.indexOf(scenario.defender.extraDraw), scenario.failedCheckCubes === 'discard');
  for (const [s, of] of SIDES.entries()) layout.set(OPTIONS + s * SIDE_WORDS, ...side(layout, scenario, of, planned));
  return layout.finish();
}
