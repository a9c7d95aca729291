/** The law of a mass battle by brute force: every battle of every roll, by rules written down once more. */

export interface Fighter {
  readonly party: number;
  readonly hp: number;
  readonly attack: number | null;
  readonly defense: number;
  /** By victim: what a hit deals beside. */
  readonly prey: readonly number[];
}

export interface Fray {
  readonly fighters: readonly Fighter[];
  readonly faces: number;
  readonly rounds: number;
  readonly allCount: boolean;
  readonly nearest: boolean;
}

/** A way in which a battle ends. */
export interface End {
  /** Who is alive; several where it goes no further. */
  readonly parties: readonly number[];
  readonly round: number;
  readonly hp: readonly number[];
  /** In so many of `total` ways in which all rolls of all rounds fall. */
  readonly ways: number;
  readonly total: number;
}

/** All ways in which so many dice fall. */
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

/** Hit points after a round; the first rolls are attacks, the others defences. */
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

/** True if no roll hurts anybody. */
const isStuck = (fray: Fray, hp: readonly number[], all: readonly number[][]): boolean =>
  all.every((rolls) => after(fray, hp, rolls).every((points, c) => points === hp[c]));

/** All ends, each as often as battles come to it. */
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
