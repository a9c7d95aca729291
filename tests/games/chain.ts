/** Battles solved once more, by recursion over lists of units and die by die: nothing of the solvers or the modules takes part. */

/** What can follow a state. */
export type Law<S> = readonly (readonly [p: number, next: S])[];

/** Probabilities of all ends of a battle in which no state but the last one returns. */
export function endsOf<S>(
  start: S,
  over: (state: S) => string | undefined,
  law: (state: S) => Law<S>,
): Readonly<Record<string, number>> {
  const known = new Map<string, Record<string, number>>();
  const solve = (state: S): Record<string, number> => {
    const key = JSON.stringify(state);
    const before = known.get(key);
    if (before !== undefined) return before;
    const end = over(state);
    const found: Record<string, number> = end === undefined ? {} : { [end]: 1 };
    let stays = 0;
    for (const [p, next] of end === undefined ? law(state) : []) {
      if (JSON.stringify(next) === key) stays += p;
      else for (const [name, q] of Object.entries(solve(next))) found[name] = (found[name] ?? 0) + p * q;
    }
    for (const name of Object.keys(found)) found[name] = (found[name] ?? 0) / (1 - stays);
    known.set(key, found);
    return found;
  };
  return solve(start);
}

/** A die: what it is at, and with which probability it hits. */
export type Die = readonly [at: string, p: number];

/** How many dice hit, by what they are at: each die in turn. */
export function hitsOf(
  dice: readonly Die[],
): readonly (readonly [p: number, hits: Readonly<Record<string, number>>])[] {
  let found = new Map([['{}', 1]]);
  for (const [at, p] of dice) {
    const next = new Map<string, number>();
    const add = (key: string, q: number): void => {
      if (q > 0) next.set(key, (next.get(key) ?? 0) + q);
    };
    for (const [key, q] of found) {
      const hits = JSON.parse(key) as Record<string, number>;
      add(key, q * (1 - p));
      const more = { ...hits, [at]: (hits[at] ?? 0) + 1 };
      add(JSON.stringify(Object.fromEntries(Object.entries(more).sort(([a], [b]) => a.localeCompare(b)))), q * p);
    }
    found = next;
  }
  return [...found].map(([key, p]) => [p, JSON.parse(key) as Record<string, number>]);
}

/** Whole numbers from 0 to `below` - 1, the same every time: a linear congruential generator of Numerical Recipes. */
export function numbers(seed: number): (below: number) => number {
  let state = BigInt(seed);
  return (below) => {
    state = (state * 1664525n + 1013904223n) % 2n ** 32n;
    return Number((state >> 8n) % BigInt(below));
  };
}
