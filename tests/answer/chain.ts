/** Probabilities of Risk battles to the last army, enumerated over all faces without code of the package. */

/** Probabilities by remaining armies, with keys such as `3 0` for attacker and defender. */
export type Left = ReadonlyMap<string, number>;

function rolls(dice: number): number[][] {
  if (dice === 0) return [[]];
  return rolls(dice - 1).flatMap((faces) => [1, 2, 3, 4, 5, 6].map((face) => [...faces, face]));
}

const sorted = (faces: readonly number[]): number[] => faces.toSorted((a, b) => b - a);

/** Returns the probabilities of the numbers of armies that the attacker loses. */
function losses(attack: number, defence: number): Map<number, number> {
  const lost = new Map<number, number>();
  const [own, other] = [rolls(attack), rolls(defence)];
  for (const a of own)
    for (const d of other) {
      const [x, y] = [sorted(a), sorted(d)];
      const pairs = Math.min(attack, defence);
      const count = Array.from({ length: pairs }, (_, k) => k).filter((k) => (x[k] ?? 0) <= (y[k] ?? 0)).length;
      lost.set(count, (lost.get(count) ?? 0) + 1 / (own.length * other.length));
    }
  return lost;
}

const tables = new Map<string, Map<number, number>>();

function lossesOf(attack: number, defence: number): Map<number, number> {
  const key = `${String(attack)} ${String(defence)}`;
  const table = tables.get(key) ?? losses(attack, defence);
  tables.set(key, table);
  return table;
}

/** Enumerates the final states of a battle. @param attacker number of armies, which may all attack */
export function fought(attacker: number, defender: number, p = 1, left = new Map<string, number>()): Left {
  if (attacker === 0 || defender === 0) {
    const key = `${String(attacker)} ${String(defender)}`;
    left.set(key, (left.get(key) ?? 0) + p);
    return left;
  }
  const [attack, defence] = [Math.min(3, attacker), Math.min(2, defender)];
  for (const [lost, q] of lossesOf(attack, defence))
    fought(attacker - lost, defender - (Math.min(attack, defence) - lost), p * q, left);
  return left;
}

/** Returns the probability of the final states that meet a condition. */
export function shareOf(left: Left, when: (attacker: number, defender: number) => boolean): number {
  let sum = 0;
  for (const [key, p] of left) {
    const [attacker = 0, defender = 0] = key.split(' ').map(Number);
    if (when(attacker, defender)) sum += p;
  }
  return sum;
}
