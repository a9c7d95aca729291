/**
 * Reference solutions of battles in integer multiples of 2^-1500, with independent implementations of the rules.
 * The solvers are not used. Rounding errors are below 1e-440.
 */

const ONE = 1n << 1500n;

/** Converts a multiple of 2^-1500, or a quotient of two, to double precision. The value must be at least 1e-300. */
export function real(above: bigint, below = ONE): number {
  const shift = BigInt(Math.max(0, below.toString(2).length - above.toString(2).length) + 64);
  const bits = BigInt(Math.max(0, ((above << shift) / below).toString(2).length - 64));
  return Number(((above << shift) / below) >> bits) * 2 ** Number(bits) * 2 ** -Number(shift);
}

/** Integer weights by value. */
export type Weights = readonly bigint[];

const total = (weights: Weights): bigint => weights.reduce((sum, weight) => sum + weight, 0n);

/** Returns the weights of the damage max(0, attack - defense + bonus), with one die for each roll. */
export function excess(faces: number, bonus: number): Weights {
  const weights = new Array<bigint>(Math.max(0, faces - 1 + bonus) + 1).fill(0n);
  for (let attack = 1; attack <= faces; attack++) {
    for (let defence = 1; defence <= faces; defence++) {
      const damage = Math.max(0, attack - defence + bonus);
      weights[damage] = (weights[damage] ?? 0n) + 1n;
    }
  }
  return weights;
}

/** Returns the weights of the number of hits of `dice` dice that hit with probability 1/2. */
export function coins(dice: number): Weights {
  const weights = [1n];
  for (let k = 1; k <= dice; k++) weights.push(((weights[k - 1] ?? 0n) * BigInt(dice - k + 1)) / BigInt(k));
  return weights;
}

/** Outcomes of a duel: the survivor, or mutual destruction. */
export const ENDS = ['attacker', 'defender', 'mutual'] as const;

/** Probability of each outcome, and rounds and remaining strength of the winner, weighted by probability. */
export type Solved = readonly { readonly p: bigint; readonly rounds: bigint; readonly left: bigint }[];

/**
 * Solves a duel: two sides attack simultaneously until one is destroyed. A round without damage repeats the state:
 * p = sum + stay p, solved for p.
 * @param blows returns the damage to attacker and defender by the remaining strength of both
 */
export function duel(
  [attacker, defender]: readonly [number, number],
  blows: (a: number, d: number) => readonly [Weights, Weights],
): Solved {
  const known = new Map<number, Solved>();
  const at = (a: number, d: number): Solved => {
    if (a === 0 || d === 0) {
      const end = a > 0 ? 0 : d > 0 ? 1 : 2;
      return ENDS.map((_, k) => ({ p: k === end ? ONE : 0n, rounds: 0n, left: k === end ? ONE * BigInt(a + d) : 0n }));
    }
    const place = a * (defender + 1) + d;
    let solved = known.get(place);
    if (solved === undefined) {
      solved = step(a, d);
      known.set(place, solved);
    }
    return solved;
  };
  const step = (a: number, d: number): Solved => {
    const [back, forth] = blows(a, d);
    const all = total(back) * total(forth);
    const moving = all - (back[0] ?? 0n) * (forth[0] ?? 0n);
    const sums = ENDS.map(() => ({ p: 0n, rounds: 0n, left: 0n }));
    for (const [taken, x] of back.entries()) {
      for (const [dealt, y] of forth.entries()) {
        if (taken + dealt === 0) continue;
        for (const [end, { p, rounds, left }] of at(Math.max(0, a - taken), Math.max(0, d - dealt)).entries()) {
          const sum = sums[end];
          if (sum === undefined) continue;
          sum.p += x * y * p;
          sum.rounds += x * y * rounds;
          sum.left += x * y * left;
        }
      }
    }
    // Every final state is one round later than counted from the next state.
    return sums.map(({ p, rounds, left }) => {
      const share = p / moving;
      return { p: share, rounds: (rounds + all * share) / moving, left: left / moving };
    });
  };
  return at(attacker, defender);
}

/**
 * Solves one unit against two, each with one die for attack and one for defense. Damage is the attack minus the
 * defense, at least 0, divided by the number of other units that are alive.
 * @returns probabilities that the one wins, that the two win, and that nobody survives
 */
export function oneAgainstTwo(hp: readonly number[], attack: readonly number[], faces: number): bigint[] {
  const distributions = new Map<string, Map<string, bigint>>();
  const known = new Map<string, bigint[]>();
  const isFoe = (from: number, to: number): boolean => (from === 0) !== (to === 0);
  const damages = (alive: readonly boolean[]): Map<string, bigint> => {
    const by = alive.filter(Boolean).length - 1;
    const distribution = new Map<string, bigint>();
    for (let code = 0; code < faces ** 6; code++) {
      const rolls = Array.from({ length: 6 }, (_, k) => Math.floor(code / faces ** k) % faces);
      const taken = alive.map((_, to) =>
        alive.reduce((sum, lives, from) => {
          if (!lives || alive[to] !== true || !isFoe(from, to)) return sum;
          const through = (rolls[from] ?? 0) + (attack[from] ?? 0) - (rolls[3 + to] ?? 0);
          return sum + Math.floor(Math.max(0, through) / by);
        }, 0),
      );
      distribution.set(taken.join(), (distribution.get(taken.join()) ?? 0n) + 1n);
    }
    return distribution;
  };
  const at = (left: readonly number[]): bigint[] => {
    const alive = left.map((points) => points > 0);
    const [one, two] = [alive[0] === true, alive.slice(1).includes(true)];
    if (!one || !two) return [one, two, !one && !two].map((ends) => (ends ? ONE : 0n));
    const solved = known.get(left.join());
    if (solved !== undefined) return solved;
    const distribution = distributions.get(alive.join()) ?? damages(alive);
    distributions.set(alive.join(), distribution);
    const sums = [0n, 0n, 0n];
    let moving = 0n;
    for (const [taken, weight] of distribution) {
      const after = taken.split(',').map((points, k) => Math.max(0, (left[k] ?? 0) - Number(points)));
      if (after.join() === left.join()) continue;
      moving += weight;
      for (const [end, p] of at(after).entries()) sums[end] = (sums[end] ?? 0n) + weight * p;
    }
    const found = sums.map((sum) => sum / moving);
    known.set(left.join(), found);
    return found;
  };
  return at(hp);
}

/** Solves attacks with up to three dice against up to two: compares the highest dice in pairs, defenders win ties. */
export function conquest(attacker: number, defender: number): { readonly p: bigint; readonly left: bigint } {
  const distributions = [1, 2, 3].map((mine) => [1, 2].map((theirs) => losses(mine, theirs)));
  // Rows by attacking armies: probability of success, and remaining armies weighted by it.
  const rows: { p: bigint; left: bigint }[][] = [];
  for (let a = 0; a <= attacker; a++) {
    const row: { p: bigint; left: bigint }[] = [{ p: a > 0 ? ONE : 0n, left: ONE * BigInt(a) }];
    for (let d = 1; d <= defender; d++) {
      if (a === 0) {
        row.push({ p: 0n, left: 0n });
        continue;
      }
      const distribution = distributions[Math.min(3, a) - 1]?.[Math.min(2, d) - 1] ?? [];
      const pairs = distribution.length - 1;
      const [sum, whole] = [{ p: 0n, left: 0n }, total(distribution)];
      for (const [won, weight] of distribution.entries()) {
        const from = won === pairs ? row : (rows[a - pairs + won] ?? []);
        const next = from[d - won];
        sum.p += weight * (next?.p ?? 0n);
        sum.left += weight * (next?.left ?? 0n);
      }
      row.push({ p: sum.p / whole, left: sum.left / whole });
    }
    rows.push(row);
  }
  return rows[attacker]?.[defender] ?? { p: 0n, left: 0n };
}

/** Counts the combinations of rolls in which the defender loses 0, 1 or 2 armies. */
function losses(mine: number, theirs: number): Weights {
  const pairs = Math.min(mine, theirs);
  const counts = new Array<bigint>(pairs + 1).fill(0n);
  const faces = (code: number, dice: number, first: number): number[] =>
    Array.from({ length: dice }, (_, k) => Math.floor(code / 6 ** (first + k)) % 6).sort((x, y) => y - x);
  for (let code = 0; code < 6 ** (mine + theirs); code++) {
    const [attack, defence] = [faces(code, mine, 0), faces(code, theirs, mine)];
    let won = 0;
    for (let k = 0; k < pairs; k++) won += Number((attack[k] ?? 0) > (defence[k] ?? 0));
    counts[won] = (counts[won] ?? 0n) + 1n;
  }
  return counts;
}
