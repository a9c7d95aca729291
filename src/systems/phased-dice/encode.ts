/** The scenario as assembly/systems/phased-dice.ts reads it. */
import { hitsTable, POOL_CHUNK } from '../../chance/laws.ts';
import { Layout } from '../layout.ts';
import { type Army, armyOf, PHASES, type PoolPlan, type Side, type Troop } from './army.ts';
import { lossOrder, RATIO_STEPS, targetPlan } from './policies.ts';
import type { PhasedDice } from './schema.ts';

/** Words of the head: options, what each side has, one table for each value below 6 and number of dice. */
const OPTIONS = 7;
const SIDE_WORDS = 19;
const VALUES = 5;

/** As many phases as a round can have. */
const PHASES_MAX = 4;

/** Words of a force before its units by troop: reserve; ground units, dice, weight; air dice; units by phase. */
const FORCE_HEAD = 5 + PHASES_MAX;

const sum = (troops: readonly Troop[], figure: (troop: Troop) => number): number =>
  troops.reduce((before, troop) => before + figure(troop), 0);
const units = (troops: readonly Troop[]): number => sum(troops, ({ count }) => count);
const dice = (troops: readonly Troop[]): number => sum(troops, (troop) => troop.count * troop.dice);
const diceOf = (plan: PoolPlan): number => dice(plan.troops);

const padded = (words: readonly number[], length: number, by: number): number[] =>
  Array.from({ length }, (_, index) => words[index] ?? by);

/**
 * Options: phases, maxRounds, whether airOnly is a stalemate, the round to retreat in or 0, the ratio, no way out,
 * whether attackers with aircraft alone retreat.
 */
function options({ mode, airOnly, maxRounds, attacker: { retreat, retreatTo } }: PhasedDice): number[] {
  const after = typeof retreat === 'object' && 'afterRounds' in retreat ? retreat.afterRounds : 0;
  const weaker = typeof retreat === 'object' && 'whenWeaker' in retreat ? retreat.whenWeaker : 0;
  const ratio = Math.round(weaker * RATIO_STEPS);
  const flags = [retreatTo === 'none', retreat !== 'never'].map(Number);
  return [PHASES[mode].length, maxRounds, Number(airOnly === 'stalemate'), after, ratio, ...flags];
}

/** A force at the start of a battle. */
function muster({ troops, byPhase, ground, pools }: Army): number[] {
  const weight = sum(ground, (troop) => troop.count * troop.weight);
  const head = [
    0,
    units(ground),
    dice(ground),
    weight,
    dice(byPhase[0] ?? []),
    ...padded(byPhase.map(units), PHASES_MAX, 0),
  ];
  return [...head, ...troops.map(({ count }) => count), ...pools.flat().map(diceOf)];
}

/** Troops as [dice, hits, weight, worth as a target, phase, bytes of a force before the dice of its pool]. */
function troopTable({ troops, byPhase, pools }: Army, worth: (troop: Troop) => number): number[] {
  const plans = pools.flat();
  return troops.flatMap((troop) => {
    const phase = byPhase.findIndex((group) => group.includes(troop));
    const pool = plans.findIndex((plan) => plan.troops.includes(troop));
    const before = pool < 0 ? 0 : 4 * (FORCE_HEAD + troops.length + pool);
    return [troop.dice, troop.hits, troop.weight, worth(troop), phase, before];
  });
}

/**
 * What a side has: number of troops, bytes of its force, force at the start, troops, values of its pools, the
 * first pool of each phase and the end of them all; troops of each phase and then all but aircraft, in the
 * order in which they are given up; whether the enemy weighs classes before it names one, and the phases of
 * the classes in the order in which it looks at them.
 */
function side(layout: Layout, scenario: PhasedDice, of: Side, enemy: Side): number[] {
  const army = armyOf(scenario, of);
  const plan = targetPlan(scenario[enemy].target);
  const force = muster(army);
  const firsts = army.pools.map((_, phase) => army.pools.slice(0, phase).flat().length);
  const values = army.pools.flat().map(({ value }) => value);
  const giveUp = (troops: readonly Troop[]): number =>
    layout.words([troops.length, ...lossOrder(scenario[of].losses, troops).map(({ index }) => index)]);
  const named = plan.classes.map((each) => PHASES.ground.indexOf(each));
  return [
    ...[army.troops.length, 4 * force.length],
    ...[layout.words(force), layout.words(troopTable(army, plan.worth)), layout.words(values)],
    ...padded(firsts, PHASES_MAX + 1, values.length),
    ...padded(army.byPhase.map(giveUp), PHASES_MAX, 0),
    ...[giveUp(army.ground), Number(typeof scenario[enemy].target === 'string')],
    ...(scenario.mode === 'fleet' ? [1, 0, 0] : named),
  ];
}

/** The most dice that pools of one value roll at once, by value. */
function mostDice(scenario: PhasedDice): Map<number, number> {
  const most = new Map<number, number>();
  for (const of of ['attacker', 'defender'] as const) {
    for (const plan of armyOf(scenario, of).pools.flat()) {
      most.set(plan.value, Math.max(diceOf(plan), most.get(plan.value) ?? 0));
    }
  }
  return most;
}

export function encode(scenario: PhasedDice): Int32Array<ArrayBuffer> {
  const tables = OPTIONS + 2 * SIDE_WORDS;
  const layout = new Layout(tables + VALUES * POOL_CHUNK);
  layout.set(0, ...options(scenario));
  layout.set(OPTIONS, ...side(layout, scenario, 'attacker', 'defender'));
  layout.set(OPTIONS + SIDE_WORDS, ...side(layout, scenario, 'defender', 'attacker'));
  for (const [value, most] of mostDice(scenario)) {
    if (value > VALUES) continue;
    for (let rolled = 1; rolled <= Math.min(most, POOL_CHUNK); rolled++) {
      layout.set(tables + (value - 1) * POOL_CHUNK + rolled - 1, layout.quantiles(hitsTable(rolled, value)));
    }
  }
  return layout.finish();
}
