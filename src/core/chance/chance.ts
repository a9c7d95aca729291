/**
 * The chance source: the only interface of rules to random values, players and replays. Rules are written once against
 * it; its implementation selects their use: simulation (Sampled), exact solver (Enumerated), rule test (Scripted),
 * replay (Recorded).
 */

/** `count` dice with faces 1..sides, as their sum. */
export interface Dice {
  readonly count: number;
  readonly sides: number;
}

/** `dice` six-sided dice, each of which hits with `value` or less. */
export interface DicePool {
  readonly dice: number;
  readonly value: number;
}

/** A custom die: the values of its six faces, whole numbers >= 0. */
export type Faces = readonly number[];

/** Custom dice that share a word: at most 32. */
export type DiceSet = readonly Faces[];

/** Whole numbers with exact weights: value `offset` + k has probability weights[k] / sum of the weights. */
export interface Distribution {
  readonly offset: number;
  readonly weights: readonly bigint[];
  /** Name in replays, such as `3d10`. */
  readonly name?: string;
}

/** Data of an event for its sentence in replays: numbers and names. */
export type EventData = Readonly<Record<string, string | number>>;

export interface RandomDraws {
  /**
   * Sets the stream position of the next draws. Rules give every draw its own position (round, phase, side), so that
   * two scenarios on the same streams roll the same dice for the same events, even if their battles differ. `word`:
   * 0..2^31-1; `half`: 1 starts at the upper half of that word.
   */
  seek(word: number, half?: 0 | 1): void;

  /** Rolls dice and returns their sum. One word. */
  sum(dice: Dice): number;

  /** Rolls `dice` twice and returns max(0, attack - defense + bonus). Half a word, low half first. */
  excess(dice: Dice, bonus: number): number;

  /** Rolls pools together and returns the total of hits. One word for every 64 dice of a pool, or part of it. */
  hits(pools: readonly DicePool[]): number;

  /** Rolls sets of custom dice together and returns their sum. One word for each set, also for an empty one. */
  faces(lots: readonly DiceSet[]): number;

  /**
   * Draws `count` cubes without replacement from a bag with `bag[c]` cubes of color c, and returns their number by
   * color; all cubes if the bag has no more. One word for each color except the last.
   * @param names names of the colors in replays
   */
  draw(bag: readonly number[], count: number, names?: readonly string[]): number[];

  /**
   * Picks an index in proportion to the weights (non-negative, not all zero). One word.
   * @param names names of the options in replays, by index
   */
  pick(weights: readonly number[], names?: readonly string[]): number;

  /** Samples a value of a distribution by inversion: a greater word never gives a lesser value. One word. */
  sample(distribution: Distribution): number;

  /**
   * Rolls `count` dice with faces 1..sides and returns the faces in descending order. One word, by inversion: a greater
   * word never gives faces that precede lexicographically. The list is frozen.
   * @throws RangeError if there are more than 65536 different results
   */
  roll(count: number, sides: number): readonly number[];
}

/** Source of random values and decisions for rules. */
export interface Chance extends RandomDraws {
  /** True if nothing records events and policies decide: the rules between two draws then depend only on the state. */
  readonly unheard?: true;

  /**
   * Returns the decision of a player.
   * @param point name of the decision point, as declared by the system
   * @param player the deciding player
   * @param options allowed options, never empty
   * @param policy the decision of the scenario's policy
   */
  decide<T extends string | number>(point: string, player: string, options: readonly T[], policy: () => T): T;

  /**
   * Reports that a rule applied: its id in the catalog of the system, and event data, which is created only if it is
   * recorded.
   */
  rule(id: string, facts?: () => EventData): void;
}
