/**
 * Game of two armies of 24 points: infantry 3, artillery 4, armor 6. A round is simultaneous; a die hits with its value or less:
 * attacking infantry 1, or 2 paired with artillery, artillery 2, armor 3; defending infantry 2, artillery 2, armor 3. Losses are
 * taken in this order.
 */
import { createMatrix } from './matrices.ts';

type Army = readonly [infantry: number, artillery: number, armor: number];

const BUDGET = 24;

const ARMIES: readonly Army[] = Array.from({ length: 9 }, (_i, infantry) =>
  Array.from(
    { length: 7 },
    (_a, artillery) => [infantry, artillery, (BUDGET - 3 * infantry - 4 * artillery) / 6] as const,
  ),
)
  .flat()
  .filter(([, , armor]) => armor >= 0 && Number.isInteger(armor));

const countUnits = ([infantry, artillery, armor]: Army): number => infantry + artillery + armor;

function removeUnits([infantry, artillery, armor]: Army, hits: number): Army {
  const ofInfantry = Math.min(infantry, hits);
  const ofArtillery = Math.min(artillery, hits - ofInfantry);
  return [infantry - ofInfantry, artillery - ofArtillery, Math.max(0, armor - (hits - ofInfantry - ofArtillery))];
}

/** Computes the probabilities of 0, 1, ... hits. @param dice numbers of dice by value */
function computeHits(dice: readonly (readonly [count: number, value: number])[]): number[] {
  let hits = [1];
  for (const [count, value] of dice)
    for (let die = 0; die < count; die++)
      hits = [...hits, 0].map((p, k) => p * (1 - value / 6) + ((hits[k - 1] ?? 0) * value) / 6);
  return hits;
}

function computeAttack([infantry, artillery, armor]: Army): number[] {
  const paired = Math.min(infantry, artillery);
  return computeHits([
    [infantry - paired, 1],
    [paired + artillery, 2],
    [armor, 3],
  ]);
}

const computeDefense = ([infantry, artillery, armor]: Army): number[] =>
  computeHits([
    [infantry + artillery, 2],
    [armor, 3],
  ]);

/** Computes P(attacker wins) - P(defender wins). */
function computePayoff(attacker: Army, defender: Army, known = new Map<string, number>()): number {
  const [left, right] = [countUnits(attacker), countUnits(defender)];
  if (left === 0 || right === 0) return Math.sign(left - right);
  const key = `${String(left)} ${String(right)}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const [attack, defense] = [computeAttack(attacker), computeDefense(defender)];
  let sum = 0;
  for (const [own, p] of attack.entries())
    for (const [other, q] of defense.entries())
      if (own + other > 0)
        sum += p * q * computePayoff(removeUnits(attacker, other), removeUnits(defender, own), known);
  const payoff = sum / (1 - (attack[0] ?? 0) * (defense[0] ?? 0));
  known.set(key, payoff);
  return payoff;
}

const nameArmy = (army: Army): string =>
  army
    .map((count, a) => `${String(count)} ${['infantry', 'artillery', 'armor'][a] ?? ''}`)
    .filter((text) => !text.startsWith('0 '))
    .join(', ');

/** The matrix of the nine armies that cost exactly 24 points. */
export const BUDGET_GAME = {
  ...createMatrix(ARMIES.map((attacker) => ARMIES.map((defender) => computePayoff(attacker, defender)))),
  rows: ARMIES.map(nameArmy),
  columns: ARMIES.map(nameArmy),
};
