/** The scenario as assembly/systems/cube-bag.ts reads it. */
import { BAG_MAX } from '../../core/index.ts';
import { Layout } from '../layout.ts';
import type { Written } from '../struct.ts';
import type { Side } from '../system.ts';
import { ENEMY, SIDES } from './army.ts';
import { HEAD, PREY, type SIDE, SLOT, TARGET } from './layout.ts';
import { type BagPlan, type Objects, plan } from './plan.ts';
import { cubesDrawn, type Draw, EXTRA_DRAWS, type ExtraDraw, REDRAWS, untilOf } from './policies.ts';
import type { CubeBag } from './schema.ts';

/** Objects in the enemy's order, within groups if that will do. */
function targetsOf({ targets, isMixed }: Objects, kinds: readonly string[]): Written<typeof TARGET>[] {
  const ordered = isMixed ? targets : targets.toSorted((a, b) => a.group - b.group);
  return ordered.map(({ name, zone, group, slot, need, marks, isUnit }, index) => {
    const before = ordered.slice(0, index).filter((each) => each.slot === slot).length;
    return { zone, group, slot, need, marks: isUnit ? -1 : marks, kind: kinds.indexOf(name), before };
  });
}

/** More cubes than a bag holds. */
const NEVER = BAG_MAX + 1;

/** Where a side stops that draws cube by cube. */
function stopsOf(policy: Draw | ExtraDraw) {
  const { own = NEVER, enemy = NEVER, drawn = NEVER } = untilOf(policy);
  return { untilOwn: own, untilEnemy: enemy, untilDrawn: drawn };
}

function side(layout: Layout, scenario: CubeBag, of: Side, planned: BagPlan): Written<typeof SIDE> {
  const { troops, objects, kinds, structures, courage, conversion, recovery } = planned[of];
  const { order, prey } = planned[ENEMY[of]];
  const taken = order.flatMap((name) => [...troops.keys()].filter((slot) => troops[slot]?.name === name));
  const slots = objects.names.map((name, slot) => ({ kind: kinds.indexOf(name), army: troops[slot]?.army ?? 0 }));
  const { conversions, recoveries, technologies, redraw } = scenario[of];
  return {
    ...{ courage, structures, conversions, conversion, recoveries, recovery },
    troops: troops.length,
    slots: objects.names.length,
    muster: layout.words(troops.map(({ count }) => count)),
    targets: layout.records(TARGET, targetsOf(objects, kinds)),
    targetCount: objects.targets.length,
    taken: layout.words(taken),
    redraw: technologies.trainedArmy * 2 + REDRAWS.indexOf(redraw),
    ...stopsOf(of === 'attacker' ? scenario.attacker.draw : scenario.defender.extraDraw),
    mixed: objects.isMixed,
    slotTable: layout.records(SLOT, slots),
    kinds: kinds.length,
    prey: layout.records(PREY, prey),
    preyCount: prey.length,
  };
}

export function encode(scenario: CubeBag): Int32Array<ArrayBuffer> {
  const planned = plan(scenario);
  const { draw } = scenario.attacker;
  const { extraDraw } = scenario.defender;
  const { courage } = planned.attacker;
  const [attackerCubes, defenderCubes, neutralCubes] = planned.bag;
  const layout = new Layout(HEAD.size);
  const head = HEAD.pack({
    ...{ attackerCubes, defenderCubes, neutralCubes },
    draw: cubesDrawn(draw, courage),
    extraDraw: typeof extraDraw === 'string' ? EXTRA_DRAWS.indexOf(extraDraw) : -1,
    byCube: scenario.drawing === 'cube-by-cube',
    discardFailed: scenario.failedCheckCubes === 'discard',
    marks: planned.attacker.marks + planned.defender.marks,
    sides: SIDES.map((of) => side(layout, scenario, of, planned)),
  });
  return layout.finish(head);
}
