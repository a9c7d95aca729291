/** Duels as distributions of damage: battles that differ only in hit points have the same. */
import { computeExcessProbabilities, type Dice } from '../../core/index.ts';
import type { DuelBlow } from '../duel.ts';
import type { DuelRules } from '../system.ts';
import { createBlow, parseScenarioDice } from './model.ts';
import type { Direct } from './schema.ts';

const HARMLESS: DuelBlow = { key: '', damage: Float64Array.of(1) };

/** Blows by dice, bonus and additional damage of prey. */
const blows = new Map<string, DuelBlow>();

/** Maximum number of remembered blows. */
const BLOWS_MAX = 4096;

function createDamage(dice: Dice, bonus: number, prey: number): Float64Array {
  const [miss = 1, ...hits] = computeExcessProbabilities(dice, bonus);
  return Float64Array.of(miss, ...new Array<number>(prey).fill(0), ...hits);
}

function getBlow(scenario: Direct, forth: boolean): DuelBlow {
  const { bonus, prey, harmless } = createBlow(scenario, forth);
  if (harmless) return HARMLESS;
  const key = `${scenario.dice}${bonus < 0 ? '' : '+'}${String(bonus)}/${String(prey)}`;
  const known = blows.get(key);
  if (known !== undefined) return known;
  if (blows.size >= BLOWS_MAX) blows.clear();
  const blow = { key, damage: createDamage(parseScenarioDice(scenario), bonus, prey) };
  blows.set(key, blow);
  return blow;
}

/** Duels of direct combat. */
export const duels: DuelRules = {
  getScenario: (scenario) => ('mode' in scenario && scenario.mode === 'direct' ? (scenario as Direct) : undefined),
  create(scenario, attacker, defender) {
    const own = { ...scenario, attacker, defender } as Direct;
    return { blows: [getBlow(own, true), getBlow(own, false)], hp: [own.attacker.hp, own.defender.hp] };
  },
};
