/**
 * Solves battles by an independent recursion over lists of units, die by die, without the solvers and the modules of
 * games.
 */

/** Possible next states with their probabilities. */
export type Law<S> = readonly (readonly [p: number, next: S])[];

/**
 * Computes the probabilities of all outcomes of a battle whose states do not recur, except for immediate repetitions.
 */
export function endsOf<S>(
  start: S,
  over: (state: S) => string | undefined,
  exactDistribution: (state: S) => Law<S>,
): Readonly<Record<string, number>> {
  const known = new Map<string, Record<string, number>>();
  const solve = (state: S): Record<string, number> => {
    const key = JSON.stringify(state);
    const before = known.get(key);
    if (before !== undefined) return before;
    const end = over(state);
    const found: Record<string, number> = end === undefined ? {} : { [end]: 1 };
    let stays = 0;
    for (const [p, next] of end === undefined ? exactDistribution(state) : []) {
      if (JSON.stringify(next) === key) stays += p;
      else for (const [name, q] of Object.entries(solve(next))) found[name] = (found[name] ?? 0) + p * q;
    }
    for (const name of Object.keys(found)) found[name] = (found[name] ?? 0) / (1 - stays);
    known.set(key, found);
    return found;
  };
  return solve(start);
}

/** Die with its target and the probability of a hit. */
export type Die = readonly [at: string, p: number];

/** Computes the distribution of hits by target, one die at a time. */
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

/** Creates a deterministic generator of integers 0..below-1: the linear congruential generator of Numerical Recipes. */
export function numbers(seed: number): (below: number) => number {
  let state = BigInt(seed);
  return (below) => {
    state = (state * 1664525n + 1013904223n) % 2n ** 32n;
    return Number((state >> 8n) % BigInt(below));
  };
}
