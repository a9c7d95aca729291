/** The scenario as assembly/systems/cube-bag.ts reads it. */
import { Layout } from '../layout.ts';
import { ENEMY, SIDES, type Side } from './army.ts';
import type { Objects } from './losses.ts';
import { type Plan, plan } from './plan.ts';
import { EXTRA_DRAWS, REDRAWS } from './policies.ts';
import type { CubeBag } from './schema.ts';

/** Words of the head: the bag and what holds for both sides, then what each side has. */
const OPTIONS = 7;
const SIDE_WORDS = 18;

/** Objects as [group, slot, damage needed, marks or -1 for units, type]: in the enemy's order, within groups if that will do. */
function targetsOf({ targets, isMixed }: Objects, kinds: readonly string[]): number[] {
  const ordered = isMixed ? targets : targets.toSorted((a, b) => a.group - b.group);
  return ordered.flatMap(({ name, group, slot, need, marks, isUnit }) => {
    return [group, slot, need, isUnit ? -1 : marks, kinds.indexOf(name)];
  });
}

/**
 * What a side has: courage; number of troops, of slots, of its structures; units by troop; its objects, and their number;
 * its troops in the order in which the enemy converts them; tries and complexity of its conversions and of its recoveries;
 * cubes that it may redraw, and the policy; whether its objects are mixed; slots as [type, army, 0 for structures], and
 * the number of types; its armies as [number, complexity] in the order in which the enemy takes units from them, and
 * their number.
 */
function side(layout: Layout, scenario: CubeBag, of: Side, planned: Plan): number[] {
  const { troops, objects, kinds, structures, courage, conversion, recovery } = planned[of];
  const { order, prey } = planned[ENEMY[of]];
  const taken = order.flatMap((name) => [...troops.keys()].filter((slot) => troops[slot]?.name === name));
  const slots = objects.names.flatMap((name, slot) => [kinds.indexOf(name), troops[slot]?.army ?? 0]);
  const { conversions, recoveries, technologies, redraw } = scenario[of];
  return [
    ...[courage, troops.length, objects.names.length, structures],
    layout.words(troops.map(({ count }) => count)),
    ...[layout.words(targetsOf(objects, kinds)), objects.targets.length, layout.words(taken)],
    ...[conversions, conversion, recoveries, recovery],
    technologies.trainedArmy * 2 + REDRAWS.indexOf(redraw),
    ...[Number(objects.isMixed), layout.words(slots), kinds.length],
    ...[layout.words(prey.flatMap(({ army, complexity }) => [army, complexity])), prey.length],
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
  layout.set(6, planned.attacker.marks + planned.defender.marks);
  for (const [s, of] of SIDES.entries()) layout.set(OPTIONS + s * SIDE_WORDS, ...side(layout, scenario, of, planned));
  return layout.finish();
}
