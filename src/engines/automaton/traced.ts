/** Quantile tables as the compiler walks them. */
import {
  Bounded,
  checkDraw,
  type Dice,
  type DicePool,
  type DifferenceTable,
  type Door,
  differenceTable,
  ESCAPE,
  type Facts,
  facesTable,
  type Hand,
  type HandsLaw,
  handsOf,
  hitsTable,
  type Law,
  type Lot,
  lotKey,
  markedAmong,
  POOL_CHUNK,
  sumTable,
  takenOf,
  unsteady,
  weightThresholds,
} from '../../core/index.ts';

/** The outcomes of a quantile table that some word gives, and the thresholds between them. */
export interface Ways {
  readonly thresholds: readonly number[];
  readonly outcomes: readonly number[];
}

function waysOf(table: Uint32Array): Ways {
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

// The excess of one roll over another as a look at half a word: src/core/chance/laws.ts gives the table.

/** Bits of a half word that choose a slot: 0-4 the slot of the table, 7 the sign. */
export const HALF_SLOTS = 0x9f;
const SIGN = 0x80;

/** What is drawn from a word of its own: as many of the thresholds are <= it, so many further is the value's index. */
export interface Residual {
  readonly thresholds: readonly number[];
  readonly values: readonly number[];
}

/** A draw from half a word. Ways are the indices of `values`, and behind them those of `residuals`. */
export interface HalfWays {
  /** Tells different ones apart. */
  readonly name: string;
  readonly values: readonly number[];
  /** Of either sign, where the table has an escape. */
  readonly residuals: readonly Residual[];
  /** By the slot's bits: atoms below `cut` take the way `below`, others `above`. */
  readonly slots: ReadonlyMap<number, Slot>;
}

interface Slot {
  readonly cut: number;
  readonly below: number;
  readonly above: number;
}

/** The values of a draw, each once, and the place of each. */
class Values {
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

/** Distances of equal value that lie side by side are one. */
function residualOf(table: Uint32Array, sign: 1 | -1, values: Values): Residual {
  const { thresholds, outcomes } = waysOf(table);
  const found = outcomes.map((distance) => values.indexOf(sign * distance));
  const differs = (k: number): boolean => found[k] !== found[k + 1];
  return {
    thresholds: thresholds.filter((_, k) => differs(k)),
    values: found.filter((_, k) => k === thresholds.length || differs(k)),
  };
}

/** The two distances of a slot; where no atom is below the cut, the same one twice. */
function distancesIn({ cut, primary, alias }: DifferenceTable, slot: number): readonly [below: number, above: number] {
  const above = alias[slot] ?? 0;
  return [cut[slot] === 0 ? above : (primary[slot] ?? 0), above];
}

/** The slots of either sign. */
function slotsOf(table: DifferenceTable, wayOf: (distance: number, sign: 1 | -1) => number): Map<number, Slot> {
  const slots = new Map<number, Slot>();
  for (const sign of [1, -1] as const) {
    for (const [slot, cut] of table.cut.entries()) {
      const [below, above] = distancesIn(table, slot).map((distance) => wayOf(distance, sign));
      slots.set((sign < 0 ? SIGN : 0) | slot, { cut, below: below ?? 0, above: above ?? 0 });
    }
  }
  return slots;
}

const made = new Map<string, HalfWays>();

/** How max(0, X - Y + bonus), X and Y rolls of `dice`, is drawn from half a word. */
function halfWays(dice: Dice, bonus: number): HalfWays {
  const name = `${String(dice.count)}d${String(dice.sides)}${bonus < 0 ? '' : '+'}${String(bonus)}`;
  const known = made.get(name);
  if (known !== undefined) return known;
  const table = differenceTable(dice);
  const values = new Values(bonus);
  const signs: readonly (1 | -1)[] = table.residual.length > 0 ? [1, -1] : [];
  const residuals = signs.map((sign) => residualOf(table.residual, sign, values));
  slotsOf(table, (distance, sign) => (distance === ESCAPE ? 0 : values.indexOf(sign * distance)));
  const escaped = (sign: 1 | -1): number => values.list.length + signs.indexOf(sign);
  const slots = slotsOf(table, (distance, sign) =>
    distance === ESCAPE ? escaped(sign) : values.indexOf(sign * distance),
  );
  const ways = { name, values: values.list, residuals, slots };
  made.set(name, ways);
  return ways;
}

// The door that writes down which words a battle would look at: what the compiler walks through. It takes every
// branch of an act in turn, as the enumerated door does, but a draw is not a law here: it is the decision that
// the sampled door takes on the words at a place.

/** A look at one word: as many of the thresholds, ascending and above 0, are <= word, so many further is the way out. */
export interface WordLook {
  /** From the place of the draw, in words. */
  readonly offset: number;
  readonly thresholds: readonly number[];
  /** The draw has escaped to a word of its own. */
  readonly escaped?: boolean;
}

/** A look at half of the word at the place of the draw. */
export interface HalfLook {
  readonly ways: HalfWays;
}

export type DrawLook = WordLook | HalfLook;

/**
 * A draw as a net of looks. Layer l has a look for each state that the draw can be in before its word l is read;
 * `exits[l][s][k]` is the state after it, in the last layer the index of the value that is drawn. An exit below 0 is
 * that of value -1 - exit, in any layer.
 */
export interface DrawNet<T> {
  readonly layers: readonly (readonly DrawLook[])[];
  readonly exits: readonly (readonly (readonly number[])[])[];
  readonly values: readonly T[];
}

/** A quantile table over `least` and up. */
interface Part {
  readonly least: number;
  readonly table: Uint32Array;
}

/** Looks whose outcomes are added up: only the sum so far matters. */
function sumOf(parts: readonly Part[]): DrawNet<number> {
  const layers: DrawLook[][] = [];
  const exits: number[][][] = [];
  let sums = [0];
  for (const [k, { least, table }] of parts.entries()) {
    const { thresholds, outcomes } = waysOf(table);
    const after = [...new Set(sums.flatMap((sum) => outcomes.map((more) => sum + least + more)))].sort((a, b) => a - b);
    const index = new Map(after.map((sum, at) => [sum, at]));
    layers.push(sums.map(() => ({ offset: k, thresholds })));
    exits.push(sums.map((sum) => outcomes.map((more) => index.get(sum + least + more) ?? 0)));
    sums = after;
  }
  return { layers, exits, values: sums };
}

const bisected = new Map<string, Uint32Array>();

/** The thresholds of `markedAmong`, found by asking it; outcomes are counted from that of word 0. */
function markedTable(size: number, marked: number, count: number): Uint32Array {
  const name = [size, marked, count].join();
  const known = bisected.get(name);
  if (known !== undefined) return known;
  const drawn = (word: number): number => markedAmong(size, marked, count, word);
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
  bisected.set(name, table);
  return table;
}

/** Cubes of several colours: one look for each colour but the last. */
function cubesOf(bag: readonly number[], count: number): DrawNet<number[]> {
  const layers: DrawLook[][] = [];
  const exits: number[][][] = [];
  let size = bag.reduce((sum, cubes) => sum + cubes, 0);
  let hands: { readonly hand: number[]; readonly left: number }[] = [{ hand: [], left: count }];
  for (const [colour, cubes] of bag.slice(0, -1).entries()) {
    const after: typeof hands = [];
    const looks: DrawLook[] = [];
    const ways: number[][] = [];
    for (const { hand, left } of hands) {
      const least = markedAmong(size, cubes, left, 0);
      const { thresholds, outcomes } = waysOf(markedTable(size, cubes, left));
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

/** The excess of one roll over another: a look at half a word and, where that escapes, at a word of its own. */
function excessOf(dice: Dice, bonus: number): DrawNet<number> {
  const ways = halfWays(dice, bonus);
  const first: HalfLook = { ways };
  const escapes = ways.residuals.map(({ thresholds }): WordLook => ({ offset: 0, thresholds, escaped: true }));
  const ends = ways.values.map((_, value) => -1 - value);
  const layers = escapes.length === 0 ? [[first]] : [[first], escapes];
  const exits = [[[...ends, ...escapes.keys()]], ways.residuals.map(({ values }) => values.map((value) => -1 - value))];
  return { layers, exits, values: ways.values };
}

/** Sorted faces: a look at one word. */
function handOf({ list, table }: HandsLaw): DrawNet<Hand> {
  const { thresholds, outcomes } = waysOf(table);
  return {
    layers: [[{ offset: 0, thresholds }]],
    exits: [[[...outcomes.keys()]]],
    values: outcomes.map((k) => list[k] ?? []),
  };
}

/** Where something is drawn from: the word, counted from a base, and the half of it. */
export interface WordPlace {
  readonly word: number;
  readonly half: 0 | 1;
}

/** A draw on the way through an act: where it is drawn, which of its values is taken, and the place after it. */
export interface DrawChoice {
  readonly draw: DrawNet<unknown>;
  readonly at: WordPlace;
  readonly after: WordPlace;
  taken: number;
}

/** Draws that were made before, by name: models ask for the same ones again and again. */
const known = new Bounded<DrawNet<unknown>>(2 ** 20);

function once<T>(name: string, make: () => DrawNet<T>): DrawNet<T> {
  let draw = known.get(name) as DrawNet<T> | undefined;
  if (draw === undefined) {
    draw = make();
    known.set(name, draw, 1 + draw.values.length);
  }
  return draw;
}

const START: WordPlace = { word: 0, half: 0 };

export class Traced implements Door {
  readonly unheard = true;
  /** The draws of the present way. The next way is set by changing what is taken, and by cutting the path. */
  readonly path: DrawChoice[] = [];
  readonly #base: number;
  #depth = 0;
  #place = START;

  /** @param base the place that counts as 0 */
  constructor(base = 0) {
    this.#base = base;
  }

  /** Whether the act has asked for all draws of the path. */
  get whole(): boolean {
    return this.#depth === this.path.length;
  }

  /** Back to the start of the act. */
  rewind(): void {
    this.#depth = 0;
  }

  seek(word: number, half: 0 | 1 = 0): void {
    this.#place = { word: word - this.#base, half };
  }

  sum(dice: Dice): number {
    if (this.#depth < this.path.length) return this.#again() as number;
    const make = () => sumOf([{ least: dice.count, table: sumTable(dice) }]);
    return this.#words(1, `s${String(dice.count)}d${String(dice.sides)}`, make);
  }

  excess(dice: Dice, bonus: number): number {
    if (this.#depth < this.path.length) return this.#again() as number;
    const { word, half } = this.#place;
    const after: WordPlace = half === 0 ? { word, half: 1 } : { word: word + 1, half: 0 };
    const name = `e${String(dice.count)}d${String(dice.sides)},${String(bonus)}`;
    return this.#take(name, () => excessOf(dice, bonus), after);
  }

  hits(pools: readonly DicePool[]): number {
    if (this.#depth < this.path.length) return this.#again() as number;
    let words = 0;
    let name = 'h';
    for (const { dice, value } of pools) {
      words += Math.ceil(dice / POOL_CHUNK);
      name += `${String(dice)}@${String(value)},`;
    }
    return this.#words(words, name, () => sumOf(pools.flatMap(poolParts)));
  }

  faces(lots: readonly Lot[]): number {
    if (this.#depth < this.path.length) return this.#again() as number;
    return this.#words(lots.length, `f${lots.map(lotKey).join('/')}`, () => sumOf(lots.map(facesTable)));
  }

  draw(bag: readonly number[], count: number): number[] {
    if (this.#depth < this.path.length) return this.#again() as number[];
    const size = bag.reduce((sum, cubes) => sum + cubes, 0);
    const drawn = Math.min(count, size);
    return this.#words(bag.length - 1, `b${bag.join()}:${String(drawn)}`, () => {
      checkDraw(bag, drawn);
      return cubesOf(bag, drawn);
    });
  }

  pick(weights: readonly number[]): number {
    if (this.#depth < this.path.length) return this.#again() as number;
    return this.#words(1, `p${weights.join()}`, () => sumOf([{ least: 0, table: weightThresholds(weights) }]));
  }

  take(law: Law): number {
    const taken = takenOf(law);
    const make = () => sumOf([{ least: law.offset, table: taken.table }]);
    return this.#words(1, `t${String(taken.id)}`, make);
  }

  roll(count: number, sides: number): Hand {
    return this.#words(1, `r${String(count)}d${String(sides)}`, () => handOf(handsOf('roll', count, sides)));
  }

  decide<T extends string | number>(_point: string, _player: string, _options: readonly T[], policy: () => T): T {
    return policy();
  }

  rule(_id: string, _facts?: () => Facts): void {
    // Nobody listens to a battle that is only compiled.
  }

  /** A draw of whole words: what is left of half a word is passed over. */
  #words<T>(words: number, name: string, make: () => DrawNet<T>): T {
    const { word, half } = this.#place;
    if (half === 1) this.#place = { word: word + 1, half: 0 };
    return this.#take(name, make, { word: this.#place.word + words, half: 0 });
  }

  /** A draw of the present way. */
  #take<T>(name: string, make: () => DrawNet<T>, after: WordPlace): T {
    if (this.#depth === this.path.length) {
      this.path.push({ draw: once(name, make), at: this.#place, after, taken: 0 });
    }
    return this.#again() as T;
  }

  /** The value that a draw of the path has on the present way: acts are pure, so nobody has to look what it was. */
  #again(): unknown {
    const choice = this.path[this.#depth++];
    if (choice === undefined) throw unsteady();
    this.#place = choice.after;
    return choice.draw.values[choice.taken];
  }
}

/** A pool by the words that it takes. */
function poolParts({ dice, value }: DicePool): Part[] {
  return Array.from({ length: Math.ceil(dice / POOL_CHUNK) }, (_, k) => {
    const rolled = Math.min(POOL_CHUNK, dice - k * POOL_CHUNK);
    return value >= 6 ? { least: rolled, table: new Uint32Array(0) } : { least: 0, table: hitsTable(rolled, value) };
  });
}
