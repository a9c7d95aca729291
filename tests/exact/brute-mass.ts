/** Final states of a mass battle by enumeration of all rolls, with an independent implementation of the rules. */

export interface Fighter {
  readonly party: number;
  readonly hp: number;
  readonly attack: number | null;
  readonly defense: number;
  /** Additional damage of a hit, by index of the victim. */
  readonly prey: readonly number[];
}

export interface Fray {
  readonly fighters: readonly Fighter[];
  readonly faces: number;
  readonly rounds: number;
  readonly allCount: boolean;
  readonly nearest: boolean;
}

/** Final state of one enumerated battle. */
export interface End {
  /** Parties that are alive; several if the battle stopped without a winner. */
  readonly parties: readonly number[];
  readonly round: number;
  readonly hp: readonly number[];
  /** Number of combinations of all rolls of all rounds that lead to this state, out of `total`. */
  readonly ways: number;
  readonly total: number;
}

/** Lists all combinations of rolls of `dice` dice. */
function falls(dice: number, faces: number): number[][] {
  if (dice === 0) return [[]];
  return falls(dice - 1, faces).flatMap((rest) => Array.from({ length: faces }, (_, face) => [...rest, face + 1]));
}

function damage(
  { allCount, nearest }: Fray,
  from: Fighter,
  to: Fighter,
  index: number,
  rolls: number[],
  n: number,
): number {
  if (from.attack === null || from.party === to.party) return 0;
  const [attack = 0, defence = 0] = rolls;
  const quotient = Math.max(0, attack + from.attack - defence - to.defense) / (allCount ? n : n - 1);
  const share = nearest ? Math.floor(quotient + 0.5) : Math.floor(quotient);
  return share === 0 ? 0 : share + (from.prey[index] ?? 0);
}

/** Returns the hit points after a round. The first half of the rolls are attacks, the second half defenses. */
function after(fray: Fray, hp: readonly number[], rolls: readonly number[]): number[] {
  const { fighters } = fray;
  const n = hp.filter((points) => points > 0).length;
  return fighters.map((to, t) => {
    if (hp[t] === 0) return 0;
    const blows = fighters.map((from, f) =>
      hp[f] === 0 ? 0 : damage(fray, from, to, t, [rolls[f] ?? 0, rolls[fighters.length + t] ?? 0], n),
    );
    return Math.max(
      0,
      blows.reduce((left, blow) => left - blow, hp[t] ?? 0),
    );
  });
}

/** Returns true if no combination of rolls causes damage. */
const isStuck = (fray: Fray, hp: readonly number[], all: readonly number[][]): boolean =>
  all.every((rolls) => after(fray, hp, rolls).every((points, c) => points === hp[c]));

/** Enumerates all battles and returns their final states. */
export function bruteForce(fray: Fray): End[] {
  const { fighters, faces, rounds } = fray;
  const all = falls(2 * fighters.length, faces);
  const total = all.length ** rounds;
  const ends: End[] = [];
  const play = (hp: readonly number[], round: number): void => {
    const parties = [...new Set(fighters.filter((_, c) => (hp[c] ?? 0) > 0).map(({ party }) => party))];
    if (parties.length > 1 && round < rounds && !isStuck(fray, hp, all)) {
      for (const rolls of all) play(after(fray, hp, rolls), round + 1);
    } else ends.push({ parties, round, hp, ways: all.length ** (rounds - round), total });
  };
  play(
    fighters.map(({ hp }) => hp),
    0,
  );
  return ends;
}
