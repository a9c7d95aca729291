/** Encodes the scenario for assembly/systems/cube-bag.ts. */
import { BAG_MAX } from '../../core/index.ts';
import { LayoutBuilder } from '../layout.ts';
import type { StructInput } from '../struct.ts';
import type { Side } from '../system.ts';
import { ENEMY, SIDES } from './army.ts';
import { HEAD, PREY, type SIDE, SLOT, TARGET } from './layout.ts';
import { type BagPlan, getPlan, type SideObjects } from './plan.ts';
import {
  chooseCubesDrawn,
  type DrawPolicy,
  EXTRA_DRAWS,
  type ExtraDrawPolicy,
  getStopCondition,
  REDRAWS,
} from './policies.ts';
import type { CubeBag } from './schema.ts';

/** Encodes objects in the order of the enemy, within groups if these are sequential. */
function encodeTargets({ targets, isMixed }: SideObjects, kinds: readonly string[]): StructInput<typeof TARGET>[] {
  const ordered = isMixed ? targets : targets.toSorted((a, b) => a.group - b.group);
  return ordered.map(({ name, zone, group, slot, need, marks, isUnit }, index) => {
    const before = ordered.slice(0, index).filter((each) => each.slot === slot).length;
    return { zone, group, slot, need, marks: isUnit ? -1 : marks, kind: kinds.indexOf(name), before };
  });
}

/** Exceeds the number of cubes in a bag. */
const NEVER = BAG_MAX + 1;

/** Encodes the stop conditions of a side that draws cube by cube. */
function encodeStops(policy: DrawPolicy | ExtraDrawPolicy) {
  const { own = NEVER, enemy = NEVER, drawn = NEVER } = getStopCondition(policy);
  return { untilOwn: own, untilEnemy: enemy, untilDrawn: drawn };
}

function encodeSide(layout: LayoutBuilder, scenario: CubeBag, of: Side, planned: BagPlan): StructInput<typeof SIDE> {
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
    targets: layout.records(TARGET, encodeTargets(objects, kinds)),
    targetCount: objects.targets.length,
    taken: layout.words(taken),
    redraw: technologies.trainedArmy * 2 + REDRAWS.indexOf(redraw),
    ...encodeStops(of === 'attacker' ? scenario.attacker.draw : scenario.defender.extraDraw),
    mixed: objects.isMixed,
    slotTable: layout.records(SLOT, slots),
    kinds: kinds.length,
    prey: layout.records(PREY, prey),
    preyCount: prey.length,
  };
}

export function encode(scenario: CubeBag): Int32Array<ArrayBuffer> {
  const planned = getPlan(scenario);
  const { draw } = scenario.attacker;
  const { extraDraw } = scenario.defender;
  const { courage } = planned.attacker;
  const [attackerCubes, defenderCubes, neutralCubes] = planned.bag;
  const layout = new LayoutBuilder(HEAD.size);
  const head = HEAD.pack({
    ...{ attackerCubes, defenderCubes, neutralCubes },
    draw: chooseCubesDrawn(draw, courage),
    extraDraw: typeof extraDraw === 'string' ? EXTRA_DRAWS.indexOf(extraDraw) : -1,
    byCube: scenario.drawing === 'cube-by-cube',
    discardFailed: scenario.failedCheckCubes === 'discard',
    marks: planned.attacker.marks + planned.defender.marks,
    sides: SIDES.map((of) => encodeSide(layout, scenario, of, planned)),
  });
  return layout.finish(head);
}
