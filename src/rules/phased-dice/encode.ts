/** Encodes the scenario for assembly/systems/phased-dice.ts. */
import { getHitsThresholds, POOL_CHUNK } from '../../core/index.ts';
import { LayoutBuilder } from '../layout.ts';
import type { StructInput } from '../struct.ts';
import type { Side } from '../system.ts';
import { ENEMY, getArmy, PHASES, type PhasedArmy, type PhasedTroop, type PoolPlan, SIDES } from './army.ts';
import { FORCE, HEAD, PHASES_MAX, type SIDE, TABLED_VALUES, TROOP } from './layout.ts';
import { createTargetPlan, RATIO_STEPS, sortByLossPolicy } from './policies.ts';
import type { PhasedDice } from './schema.ts';

const sum = (troops: readonly PhasedTroop[], figure: (troop: PhasedTroop) => number): number =>
  troops.reduce((before, troop) => before + figure(troop), 0);
const countUnits = (troops: readonly PhasedTroop[]): number => sum(troops, ({ count }) => count);
const countDice = (troops: readonly PhasedTroop[]): number => sum(troops, (troop) => troop.count * troop.dice);
const getDice = (plan: PoolPlan): number => countDice(plan.troops);

const padWords = (words: readonly number[], length: number, by: number): number[] =>
  Array.from({ length }, (_, index) => words[index] ?? by);

function encodeOptions({ mode, airOnly, maxRounds, attacker: { retreat, retreatTo } }: PhasedDice) {
  const weaker = typeof retreat === 'object' && 'whenWeaker' in retreat ? retreat.whenWeaker : 0;
  return {
    phases: PHASES[mode].length,
    maxRounds,
    airStalemate: airOnly === 'stalemate',
    retreatAfter: typeof retreat === 'object' && 'afterRounds' in retreat ? retreat.afterRounds : 0,
    retreatRatio: Math.round(weaker * RATIO_STEPS),
    noWayOut: retreatTo === 'none',
    goesHome: retreat !== 'never',
  };
}

/** Encodes a force at the start of a battle. */
function encodeForce({ troops, byPhase, ground, pools }: PhasedArmy): number[] {
  const force = FORCE.pack({
    reserve: 0,
    units: countUnits(ground),
    dice: countDice(ground),
    weight: sum(ground, (troop) => troop.count * troop.weight),
    airDice: countDice(byPhase[0] ?? []),
    byPhase: padWords(byPhase.map(countUnits), PHASES_MAX, 0),
  });
  return [...force, ...troops.map(({ count }) => count), ...pools.flat().map(getDice)];
}

function encodeTroops(
  { troops, byPhase, pools }: PhasedArmy,
  computeValue: (troop: PhasedTroop) => number,
): StructInput<typeof TROOP>[] {
  const plans = pools.flat();
  return troops.map((troop) => {
    const pool = plans.findIndex((plan) => plan.troops.includes(troop));
    return {
      dice: troop.dice,
      hits: troop.hits,
      weight: troop.weight,
      worth: computeValue(troop),
      phase: byPhase.findIndex((group) => group.includes(troop)),
      pool: pool < 0 ? 0 : 4 * (FORCE.size + troops.length + pool),
    };
  });
}

function encodeSide(layout: LayoutBuilder, scenario: PhasedDice, of: Side): StructInput<typeof SIDE> {
  const army = getArmy(scenario, of);
  const { target } = scenario[ENEMY[of]];
  const plan = createTargetPlan(target);
  const force = encodeForce(army);
  const values = army.pools.flat().map(({ value }) => value);
  const firsts = army.pools.map((_, phase) => army.pools.slice(0, phase).flat().length);
  const giveUp = (troops: readonly PhasedTroop[]): number =>
    layout.words([troops.length, ...sortByLossPolicy(scenario[of].losses, troops).map(({ index }) => index)]);
  const named = plan.classes.map((each) => PHASES.ground.indexOf(each));
  return {
    troops: army.troops.length,
    forceBytes: 4 * force.length,
    force: layout.words(force),
    troopTable: layout.records(TROOP, encodeTroops(army, plan.computeValue)),
    poolValues: layout.words(values),
    pools: padWords(firsts, PHASES_MAX + 1, values.length),
    groups: padWords(army.byPhase.map(giveUp), PHASES_MAX, 0),
    ground: giveUp(army.ground),
    weighed: typeof target === 'string',
    named: scenario.mode === 'fleet' ? [1, 0, 0] : named,
  };
}

/** Computes the maximum number of dice of pools of one value, by value. */
function computeMaxDice(scenario: PhasedDice): Map<number, number> {
  const most = new Map<number, number>();
  for (const of of SIDES) {
    for (const plan of getArmy(scenario, of).pools.flat()) {
      most.set(plan.value, Math.max(getDice(plan), most.get(plan.value) ?? 0));
    }
  }
  return most;
}

/** Encodes the possible tables of hits of pools, by value and number of dice. */
function encodeHitsTables(layout: LayoutBuilder, scenario: PhasedDice): number[] {
  const tables = new Array<number>(TABLED_VALUES * POOL_CHUNK).fill(0);
  for (const [value, most] of computeMaxDice(scenario)) {
    if (value > TABLED_VALUES) continue;
    for (let rolled = 1; rolled <= Math.min(most, POOL_CHUNK); rolled++) {
      tables[(value - 1) * POOL_CHUNK + rolled - 1] = layout.quantiles(getHitsThresholds(rolled, value));
    }
  }
  return tables;
}

export function encode(scenario: PhasedDice): Int32Array<ArrayBuffer> {
  const layout = new LayoutBuilder(HEAD.size);
  const head = HEAD.pack({
    ...encodeOptions(scenario),
    sides: SIDES.map((of) => encodeSide(layout, scenario, of)),
    hits: encodeHitsTables(layout, scenario),
  });
  return layout.finish(head);
}
