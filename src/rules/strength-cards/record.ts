/** A battle as assembly/strength-cards/environment.ts keeps it. */

import { type Force, forcesOf, SIDES } from './forces.ts';
import { PLAY, PROGRESS } from './layout.ts';
import { type EngagementState, NOTHING, type Play } from './model.ts';
import type { Ordeal } from './ordeal.ts';
import type { StrengthCards } from './schema.ts';

/** Hit points by unit. */
function hpOf({ order }: Force, words: Int32Array, from: number): number[] {
  return order.map((_, unit) => words[from + order.indexOf(unit)] ?? 0);
}

/** The state at a decision. */
export function decode(scenario: StrengthCards, words: Int32Array): EngagementState {
  const { attacker, defender } = forcesOf(scenario);
  const { stage, points } = PROGRESS.read(words);
  const [a, d] = [PLAY.read(words, PROGRESS.size), PLAY.read(words, PROGRESS.size + PLAY.size)];
  const sides = SIDES.length;
  const rolls = sides + attacker.tokens.length + defender.tokens.length;
  const rolled = stage > rolls;

  function play({ tokens }: Force, { card, air, damage }: typeof a, first: number): Play {
    const decided = tokens.filter((_, t) => stage > first + t);
    return { card, air: decided.map((_, t) => ((air >> t) & 1) === 1), damage: rolled ? damage : NOTHING.damage };
  }

  function ordealOf(): Ordeal {
    const from = PROGRESS.size + sides * PLAY.size;
    const defenderHp = hpOf(defender, words, from + attacker.units.length);
    if (stage === rolls + 1) return { side: 'defender', points, hp: defenderHp, defender: null };
    const toll = { hp: defenderHp, levels: d.levels, absorbed: d.absorbed };
    return { side: 'attacker', points, hp: hpOf(attacker, words, from), defender: toll };
  }

  return {
    round: Math.min(1, stage),
    done: rolled ? rolls + 1 : stage,
    attacker: play(attacker, a, sides),
    defender: play(defender, d, sides + attacker.tokens.length),
    settled: null,
    ...(rolled && { ordeal: ordealOf() }),
  };
}
