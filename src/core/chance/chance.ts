/**
 * The one chance through which the rules of a system meet the world: chance, players, and whoever
 * listens to the story. Rules are written once against it; who stands behind it decides what they
 * become: the reference model (Sampled), the exact solver (Enumerated), a rule test (Scripted), a
 * replay (Recorded).
 */

/** `count` dice with faces 1..sides, read as their sum. */
export interface Dice {
  readonly count: number;
  readonly sides: number;
}

/** `dice` six-sided dice, each of which hits when it shows `value` or less. */
export interface DicePool {
  readonly dice: number;
  readonly value: number;
}

/** A custom die: what its six faces show, whole numbers >= 0. */
export type Faces = readonly number[];

/** Custom dice that share a word: at most 32. */
export type DiceSet = readonly Faces[];

/** Whole numbers with exact weights: value `offset` + k has probability weights[k] / sum of the weights. */
export interface Distribution {
  readonly offset: number;
  readonly weights: readonly bigint[];
  /** What a replay calls it, such as `3d10`. */
  readonly name?: string;
}

/** What a told event is about: numbers and names, for the narrator. */
export type EventData = Readonly<Record<string, string | number>>;

export interface RandomDraws {
  /**
   * Names the place in the battle's stream from which the next draws are taken. Rules give every
   * draw a place of its own (round, phase, side), so that two scenarios that are compared on the
   * same streams roll the same dice for the same things, however differently their battles went
   * before. `word`: 0..2^31-1; `half`: 1 starts at the upper half of that word.
   */
  seek(word: number, half?: 0 | 1): void;

  /** The sum of some dice. One word. */
  sum(dice: Dice): number;

  /** max(0, attack - defence + bonus), each a roll of `dice`. Half a word, low half first. */
  excess(dice: Dice, bonus: number): number;

  /** All hits of pools that are rolled together. One word for every 64 dice of a pool, or part of it. */
  hits(pools: readonly DicePool[]): number;

  /** The sum that lots of custom dice show, all rolled together. One word for each lot, an empty one too. */
  faces(lots: readonly DiceSet[]): number;

  /**
   * How many of each colour are among `count` cubes drawn without replacement from a bag that holds
   * `bag[c]` cubes of colour c; all of them if the bag holds no more. One word for each colour but the last.
   * @param names what replays call the colours
   */
  draw(bag: readonly number[], count: number, names?: readonly string[]): number[];

  /**
   * An index, drawn in proportion to the weights (non-negative, not all zero). One word.
   * @param names what replays call what is picked, by index
   */
  pick(weights: readonly number[], names?: readonly string[]): number;

  /** A value of a law, by inversion: a greater word never gives a lesser value. One word. */
  sample(law: Distribution): number;

  /**
   * The faces of `count` dice with faces 1..sides, rolled together, in descending order. One word, by inversion: a
   * greater word never gives faces that come before in lexicographic order. The list is frozen.
   * @throws RangeError if there are more than 65536 different ones
   */
  roll(count: number, sides: number): readonly number[];
}

/** What rules get chance and decisions from: dice, draws, picks, and the choices of players. */
export interface Chance extends RandomDraws {
  /** True if nobody listens and policies decide: what rules do between two draws is then a function of the state alone. */
  readonly unheard?: true;

  /**
   * A player's decision.
   * @param point  the decision point, by the name that the system declares
   * @param player who decides
   * @param options what is allowed, never empty
   * @param policy what the scenario's policy does here
   */
  decide<T extends string | number>(point: string, player: string, options: readonly T[], policy: () => T): T;

  /** Says that a rule applied: its id in the system's catalogue, and what happened, which is put together only if anybody listens. */
  rule(id: string, facts?: () => EventData): void;
}
