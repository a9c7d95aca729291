/**
 * The weak class of places: differences of two places in a battle's stream whose words are related more closely than
 * those of others (docs/randomness.md, Limits). tests/chance/places.test.ts finds it anew.
 */

/** u 2^(17 + b) +- v 2^b, both ways round the 2^32 places. */
function weakClass(): Set<number> {
  const found = new Set<number>();
  for (let b = 6; b <= 14; b++)
    for (const u of [1, 3])
      for (const v of [-3, -1, 1, 3]) {
        const difference = u * 2 ** (17 + b) + v * 2 ** b;
        found.add(difference >>> 0).add(-difference >>> 0);
      }
  return found;
}

export const WEAK_CLASS: ReadonlySet<number> = weakClass();

/** Two of some places whose difference is in the weak class, if there are any. */
export function weakPair(places: ReadonlySet<number>): readonly [number, number] | undefined {
  for (const place of places)
    for (const difference of WEAK_CLASS) {
      const other = (place + difference) >>> 0;
      if (places.has(other)) return place < other ? [place, other] : [other, place];
    }
  return undefined;
}
