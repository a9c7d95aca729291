/** Quantile tables for the compiler. */
import {
  BoundedCache,
  type Chance,
  checkDraw,
  computeWeightThresholds,
  createDiceSetKey,
  createNondeterminismError,
  type Dice,
  type DicePool,
  type DiceSet,
  type DifferenceTable,
  type Distribution,
  ESCAPE,
  ESCAPES,
  type EventData,
  getCachedDistribution,
  getDiceSetTable,
  getDifferenceTable,
  getHitsThresholds,
  getSortedDice,
  getSumThresholds,
  POOL_CHUNK,
  type SortedDice,
  type SortedDiceDistribution,
  sampleMarked,
} from '../../core/index.ts';

/** Possible outcomes of a quantile table, and the thresholds between them. */
export interface WordBranches {
  readonly thresholds: readonly number[];
  readonly outcomes: readonly number[];
}

function splitTable(table: Uint32Array): WordBranches {
  const thresholds: number[] = [];
  const outcomes: number[] = [];
  let below = 0;
  for (const [k, threshold] of table.entries()) {
    if (threshold === below) continue;
    outcomes.push(k);
    thresholds.push(threshold);
    below = threshold;
  }
  return { thresholds, outcomes: [...outcomes, table.length] };
}

// Excess of one roll over another as a test of half a word: src/core/chance/dice-tables.ts has the table.

/** Bits of a half word that select a slot: 0-4 the slot of the table, 7 the sign. */
export const HALF_SLOTS = 0x9f;
const SIGN = 0x80;

/** Draw from an additional word: the number of thresholds <= it is the index of the value. */
export interface ResidualTable {
  readonly thresholds: readonly number[];
  readonly values: readonly number[];
}

/** A draw from half a word. Branches are the indices of `values`, followed by those of `residuals`. */
export interface HalfWordBranches {
  /** Identifies the table. */
  readonly name: string;
  readonly values: readonly number[];
  /** Residual tables of either sign, if the table has an escape. */
  readonly residuals: readonly ResidualTable[];
  /** By the bits of the slot: atoms below `cut` take the branch `below`, others `above`. */
  readonly slots: ReadonlyMap<number, HalfWordSlot>;
}

interface HalfWordSlot {
  readonly cut: number;
  readonly below: number;
  readonly above: number;
}

/** Distinct values of a draw, with their indices. */
class DrawValues {
  readonly list: number[] = [];
  readonly #bonus: number;

  constructor(bonus: number) {
    this.#bonus = bonus;
  }

  indexOf(difference: number): number {
    const value = Math.max(0, difference + this.#bonus);
    const known = this.list.indexOf(value);
    return known >= 0 ? known : this.list.push(value) - 1;
  }
}

/** Merges adjacent distances of equal value. */
function createResidual(table: Uint32Array, sign: 1 | -1, values: DrawValues): ResidualTable {
  const { thresholds, outcomes } = splitTable(table);
  const found = outcomes.map((distance) => values.indexOf(sign * distance));
  const differs = (k: number): boolean => found[k] !== found[k + 1];
  return {
    thresholds: thresholds.filter((_, k) => differs(k)),
    values: found.filter((_, k) => k === thresholds.length || differs(k)),
  };
}

/** Returns the two distances of a slot; twice the same if no atom is below the cut. */
function readDistances(
  { cut, primary, alias }: DifferenceTable,
  slot: number,
): readonly [below: number, above: number] {
  const above = alias[slot] ?? 0;
  return [cut[slot] === 0 ? above : (primary[slot] ?? 0), above];
}

/** Creates the slots of either sign. */
function createSlots(
  table: DifferenceTable,
  wayOf: (distance: number, sign: 1 | -1) => number,
): Map<number, HalfWordSlot> {
  const slots = new Map<number, HalfWordSlot>();
  for (const sign of [1, -1] as const) {
    for (const [slot, cut] of table.cut.entries()) {
      const [below, above] = readDistances(table, slot).map((distance) => wayOf(distance, sign));
      slots.set((sign < 0 ? SIGN : 0) | slot, { cut, below: below ?? 0, above: above ?? 0 });
    }
  }
  return slots;
}

const branchesByDraw = new Map<string, HalfWordBranches>();

/** Creates the branches of max(0, X - Y + bonus), rolls X and Y of `dice`, by half a word. */
function createHalfWordBranches(dice: Dice, bonus: number): HalfWordBranches {
  const name = `${String(dice.count)}d${String(dice.sides)}${bonus < 0 ? '' : '+'}${String(bonus)}`;
  const known = branchesByDraw.get(name);
  if (known !== undefined) return known;
  const table = getDifferenceTable(dice);
  const values = new DrawValues(bonus);
  const signs: readonly (1 | -1)[] = table.residual.length > 0 ? [1, -1] : [];
  const residuals = signs.map((sign) => createResidual(table.residual, sign, values));
  createSlots(table, (distance, sign) => (distance === ESCAPE ? 0 : values.indexOf(sign * distance)));
  const escaped = (sign: 1 | -1): number => values.list.length + signs.indexOf(sign);
  const slots = createSlots(table, (distance, sign) =>
    distance === ESCAPE ? escaped(sign) : values.indexOf(sign * distance),
  );
  const ways = { name, values: values.list, residuals, slots };
  branchesByDraw.set(name, ways);
  return ways;
}

// The chance source of the compiler, which records the words that a battle would test. It enumerates the branches of an
// act, as the enumerated chance source does, but a draw is not a distribution here: it is the decision of the sampled
// chance source on the words at a position.

/** Test of one word: the number of thresholds, ascending and above 0, that are <= word is the index of the branch. */
export interface WordTest {
  /** Offset from the position of the draw, in words. */
  readonly offset: number;
  readonly thresholds: readonly number[];
  /** The draw has escaped to an additional word. */
  readonly escaped?: boolean;
}

/** Test of half of the word at the position of the draw. */
export interface HalfWordTest {
  readonly ways: HalfWordBranches;
}

export type DrawTest = WordTest | HalfWordTest;

/**
 * A draw as a graph of tests. Layer l has a test for each state of the draw before its word l is read; `exits[l][s][k]`
 * is the next state, in the last layer the index of the drawn value. An exit below 0 is value -1 - exit, in any layer.
 */
export interface DrawGraph<T> {
  readonly layers: readonly (readonly DrawTest[])[];
  readonly exits: readonly (readonly (readonly number[])[])[];
  readonly values: readonly T[];
}

/** A quantile table of values from `least` on. */
interface TablePart {
  readonly least: number;
  readonly table: Uint32Array;
}

/** Builds tests whose outcomes are summed: only the sum matters. */
function buildSum(parts: readonly TablePart[]): DrawGraph<number> {
  const layers: DrawTest[][] = [];
  const exits: number[][][] = [];
  let sums = [0];
  for (const [k, { least, table }] of parts.entries()) {
    const { thresholds, outcomes } = splitTable(table);
    const after = [...new Set(sums.flatMap((sum) => outcomes.map((more) => sum + least + more)))].sort((a, b) => a - b);
    const index = new Map(after.map((sum, at) => [sum, at]));
    layers.push(sums.map(() => ({ offset: k, thresholds })));
    exits.push(sums.map((sum) => outcomes.map((more) => index.get(sum + least + more) ?? 0)));
    sums = after;
  }
  return { layers, exits, values: sums };
}

const markedTables = new Map<string, Uint32Array>();

/** Creates the thresholds of `sampleMarked` from its values, relative to the value of word 0. */
function createMarkedTable(size: number, marked: number, count: number): Uint32Array {
  const name = [size, marked, count].join();
  const known = markedTables.get(name);
  if (known !== undefined) return known;
  const drawn = (word: number): number => sampleMarked(size, marked, count, word);
  const [least, most] = [drawn(0), drawn(0xffff_ffff)];
  const table = Uint32Array.from({ length: most - least }, (_, k) => {
    let [below, above] = [0, 0xffff_ffff];
    while (above - below > 1) {
      const middle = Math.floor((below + above) / 2);
      if (drawn(middle) > least + k) above = middle;
      else below = middle;
    }
    return above;
  });
  markedTables.set(name, table);
  return table;
}

/** Builds a draw of cubes of several colors: one test for each color except the last. */
function buildCubeDraw(bag: readonly number[], count: number): DrawGraph<number[]> {
  const layers: DrawTest[][] = [];
  const exits: number[][][] = [];
  let size = bag.reduce((sum, cubes) => sum + cubes, 0);
  let hands: { readonly hand: number[]; readonly left: number }[] = [{ hand: [], left: count }];
  for (const [colour, cubes] of bag.slice(0, -1).entries()) {
    const after: typeof hands = [];
    const looks: DrawTest[] = [];
    const ways: number[][] = [];
    for (const { hand, left } of hands) {
      const least = sampleMarked(size, cubes, left, 0);
      const { thresholds, outcomes } = splitTable(createMarkedTable(size, cubes, left));
      looks.push({ offset: colour, thresholds });
      ways.push(outcomes.map((k) => after.push({ hand: [...hand, least + k], left: left - least - k }) - 1));
    }
    layers.push(looks);
    exits.push(ways);
    hands = after;
    size -= cubes;
  }
  return { layers, exits, values: hands.map(({ hand, left }) => [...hand, left]) };
}

/** Builds the excess of one roll over another: a test of half a word, and of an additional word if it escapes. */
function buildExcess(dice: Dice, bonus: number): DrawGraph<number> {
  const ways = createHalfWordBranches(dice, bonus);
  const first: HalfWordTest = { ways };
  const escapes = ways.residuals.map(({ thresholds }): WordTest => ({ offset: 0, thresholds, escaped: true }));
  const ends = ways.values.map((_, value) => -1 - value);
  const layers = escapes.length === 0 ? [[first]] : [[first], escapes];
  const exits = [[[...ends, ...escapes.keys()]], ways.residuals.map(({ values }) => values.map((value) => -1 - value))];
  return { layers, exits, values: ways.values };
}

/** Builds sorted faces: a test of one word. */
function buildHand({ list, thresholds: table }: SortedDiceDistribution): DrawGraph<SortedDice> {
  const { thresholds, outcomes } = splitTable(table);
  return {
    layers: [[{ offset: 0, thresholds }]],
    exits: [[[...outcomes.keys()]]],
    values: outcomes.map((k) => list[k] ?? []),
  };
}

/** Position of a draw: the word, relative to a base, and its half. */
export interface WordPosition {
  readonly word: number;
  readonly half: 0 | 1;
}

/** A draw on the path of an act: its position, the index of the taken value, and the next position. */
export interface DrawChoice {
  readonly draw: DrawGraph<unknown>;
  readonly at: WordPosition;
  readonly after: WordPosition;
  choice: number;
}

/** Cache of draws by name: models repeat them often. */
const drawGraphs = new BoundedCache<DrawGraph<unknown>>(2 ** 20);

function getOrBuild<T>(name: string, make: () => DrawGraph<T>): DrawGraph<T> {
  let draw = drawGraphs.get(name) as DrawGraph<T> | undefined;
  if (draw === undefined) {
    draw = make();
    drawGraphs.set(name, draw, 1 + draw.values.length);
  }
  return draw;
}

const START: WordPosition = { word: 0, half: 0 };

export class TracingChance implements Chance {
  readonly unheard = true;
  /** Draws of the present branch. The next branch is selected by changing a taken value and truncating the path. */
  readonly path: DrawChoice[] = [];
  readonly #base: number;
  #depth = 0;
  #place = START;

  /** @param base position that counts as 0 */
  constructor(base = 0) {
    this.#base = base;
  }

  /** True if the act has made all draws of the path. */
  get isComplete(): boolean {
    return this.#depth === this.path.length;
  }

  /** Returns to the start of the act. */
  rewind(): void {
    this.#depth = 0;
  }

  seek(word: number, half: 0 | 1 = 0): void {
    const previous = word >= ESCAPES.from ? ESCAPES.positionOf(this.#base) - ESCAPES.from : this.#base;
    this.#place = { word: word - previous, half };
  }

  sum(dice: Dice): number {
    if (this.#depth < this.path.length) return this.#repeatDraw() as number;
    const make = () => buildSum([{ least: dice.count, table: getSumThresholds(dice) }]);
    return this.#addWordDraw(1, `s${String(dice.count)}d${String(dice.sides)}`, make);
  }

  excess(dice: Dice, bonus: number): number {
    if (this.#depth < this.path.length) return this.#repeatDraw() as number;
    const { word, half } = this.#place;
    const after: WordPosition = half === 0 ? { word, half: 1 } : { word: word + 1, half: 0 };
    const name = `e${String(dice.count)}d${String(dice.sides)},${String(bonus)}`;
    return this.#take(name, () => buildExcess(dice, bonus), after);
  }

  hits(pools: readonly DicePool[]): number {
    if (this.#depth < this.path.length) return this.#repeatDraw() as number;
    let words = 0;
    let name = 'h';
    for (const { dice, value } of pools) {
      words += Math.ceil(dice / POOL_CHUNK);
      name += `${String(dice)}@${String(value)},`;
    }
    return this.#addWordDraw(words, name, () => buildSum(pools.flatMap(splitPool)));
  }

  faces(lots: readonly DiceSet[]): number {
    if (this.#depth < this.path.length) return this.#repeatDraw() as number;
    return this.#addWordDraw(lots.length, `f${lots.map(createDiceSetKey).join('/')}`, () =>
      buildSum(lots.map(getDiceSetTable)),
    );
  }

  draw(bag: readonly number[], count: number): number[] {
    if (this.#depth < this.path.length) return this.#repeatDraw() as number[];
    const size = bag.reduce((sum, cubes) => sum + cubes, 0);
    const drawn = Math.min(count, size);
    return this.#addWordDraw(bag.length - 1, `b${bag.join()}:${String(drawn)}`, () => {
      checkDraw(bag, drawn);
      return buildCubeDraw(bag, drawn);
    });
  }

  pick(weights: readonly number[]): number {
    if (this.#depth < this.path.length) return this.#repeatDraw() as number;
    return this.#addWordDraw(1, `p${weights.join()}`, () =>
      buildSum([{ least: 0, table: computeWeightThresholds(weights) }]),
    );
  }

  sample(distribution: Distribution): number {
    const taken = getCachedDistribution(distribution);
    const make = () => buildSum([{ least: distribution.offset, table: taken.thresholds }]);
    return this.#addWordDraw(1, `t${String(taken.id)}`, make);
  }

  roll(count: number, sides: number): SortedDice {
    return this.#addWordDraw(1, `r${String(count)}d${String(sides)}`, () =>
      buildHand(getSortedDice('roll', count, sides)),
    );
  }

  decide<T extends string | number>(_point: string, _player: string, _options: readonly T[], policy: () => T): T {
    return policy();
  }

  rule(_id: string, _facts?: () => EventData): void {
    // Compiled battles record no events.
  }

  /** Adds a draw of whole words; the rest of half a word is skipped. */
  #addWordDraw<T>(words: number, name: string, make: () => DrawGraph<T>): T {
    const { word, half } = this.#place;
    if (half === 1) this.#place = { word: word + 1, half: 0 };
    return this.#take(name, make, { word: this.#place.word + words, half: 0 });
  }

  /** Makes a draw of the present branch. */
  #take<T>(name: string, make: () => DrawGraph<T>, after: WordPosition): T {
    if (this.#depth === this.path.length) {
      this.path.push({ draw: getOrBuild(name, make), at: this.#place, after, choice: 0 });
    }
    return this.#repeatDraw() as T;
  }

  /** Returns the value of a draw on the path. Acts are pure, so it needs no comparison. */
  #repeatDraw(): unknown {
    const choice = this.path[this.#depth++];
    if (choice === undefined) throw createNondeterminismError();
    this.#place = choice.after;
    return choice.draw.values[choice.choice];
  }
}

/** Splits a pool into words. */
function splitPool({ dice, value }: DicePool): TablePart[] {
  return Array.from({ length: Math.ceil(dice / POOL_CHUNK) }, (_, k) => {
    const rolled = Math.min(POOL_CHUNK, dice - k * POOL_CHUNK);
    return value >= 6
      ? { least: rolled, table: new Uint32Array(0) }
      : { least: 0, table: getHitsThresholds(rolled, value) };
  });
}
