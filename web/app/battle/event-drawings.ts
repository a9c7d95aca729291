/** Converts observed events of a battle to shapes. */
import type { ObservedEvent } from '../../engine/studies/battle.ts';

export interface Die {
  /** 0 for custom faces. */
  readonly sides: number;
  /** Number on top; undefined if only the sum of the dice is known. */
  readonly face: number | undefined;
  readonly hit: boolean;
}

export interface Cube {
  /** Index of the color, from 0. */
  readonly colour: number;
  /** Letter that distinguishes colors where they are not visible. */
  readonly letter: string;
}

export interface DrawnCard {
  readonly name: string;
  readonly chosen: boolean;
}

/** Observed things of one kind. */
export type EventDrawing =
  | {
      readonly kind: 'dice';
      readonly title: string;
      readonly dice: readonly Die[];
      readonly more: number;
      /** Sum of dice whose faces are unknown. */
      readonly sum?: number;
    }
  | { readonly kind: 'cubes'; readonly title: string; readonly cubes: readonly Cube[]; readonly more: number }
  | { readonly kind: 'cards'; readonly cards: readonly DrawnCard[]; readonly more: number }
  | { readonly kind: 'lot'; readonly shares: readonly number[]; readonly index: number }
  | { readonly kind: 'value'; readonly title: string; readonly value: string };

/** Maximum number of shapes of one kind. */
const MAX_DRAWN = 60;

/** Maximum number of parts of a lot. */
const MAX_LOT_PARTS = 24;

const limitShown = <T>(all: readonly T[]): { readonly shown: readonly T[]; readonly more: number } => ({
  shown: all.slice(0, MAX_DRAWN),
  more: Math.max(0, all.length - MAX_DRAWN),
});

function createDice(title: string, all: readonly Die[]): EventDrawing[] {
  const { shown, more } = limitShown(all);
  return shown.length === 0 ? [] : [{ kind: 'dice', title, dice: shown, more }];
}

const createPlainDie = (sides: number, face: number | undefined): Die => ({ sides, face, hit: false });

/** Creates distinct letters: initials of the names, else letters of the alphabet. */
export function createLetters(names: readonly string[], count: number): string[] {
  const first = names.map((name) => name.charAt(0).toUpperCase());
  const apart =
    names.length === count && new Set(first).size === count && first.every((letter) => /\p{L}/u.test(letter));
  return apart ? first : Array.from({ length: count }, (_, k) => String.fromCodePoint(65 + (k % 26)));
}

function createCubes(
  { bag, drawn }: Extract<ObservedEvent, { kind: 'draw' }>,
  colors: readonly string[],
): EventDrawing[] {
  const letters = createLetters(colors, bag.length);
  const all = drawn.flatMap((count, colour) =>
    Array.from({ length: Math.min(count, MAX_DRAWN + 1) }, () => ({ colour, letter: letters[colour] ?? '' })),
  );
  const reported = drawn.map((count, colour) => `${String(count)} ${colors[colour] ?? letters[colour] ?? ''}`);
  const total = drawn.reduce((sum, count) => sum + count, 0);
  const more = Math.max(0, total - MAX_DRAWN);
  return total === 0 ? [] : [{ kind: 'cubes', title: reported.join(', '), cubes: all.slice(0, MAX_DRAWN), more }];
}

function formatBonus(bonus: number): string {
  return bonus === 0 ? '' : bonus < 0 ? ` - ${String(-bonus)}` : ` + ${String(bonus)}`;
}

/** Creates the dice of a sum: the faces of several dice are unknown. */
function createSumDice(sides: number, count: number, sum: number, title: string): EventDrawing[] {
  if (count === 1) return createDice(title, [createPlainDie(sides, sum)]);
  const { shown, more } = limitShown(
    Array.from({ length: Math.min(count, 1e4) }, () => createPlainDie(sides, undefined)),
  );
  return [{ kind: 'dice', title, dice: shown, more, sum }];
}

function createCards<T extends string | number>(
  names: readonly T[],
  chosen: (name: T, index: number) => boolean,
): EventDrawing {
  const { shown, more } = limitShown(names);
  return { kind: 'cards', cards: shown.map((name, k) => ({ name: String(name), chosen: chosen(name, k) })), more };
}

const repeatName =
  (counts: readonly number[]) =>
  (name: string, k: number): string[] =>
    Array.from({ length: Math.min(counts[k] ?? 0, MAX_DRAWN + 1) }, () => name);

/** Converts an event to shapes. @param colors names of the colors of cubes, if the system declares them */
export function createEventDrawings(seen: ObservedEvent, colors: readonly string[] = []): EventDrawing[] {
  switch (seen.kind) {
    case 'sum': {
      const { count, sides } = seen.dice;
      return createSumDice(sides, count, seen.sum, `${String(count)}d${String(sides)}`);
    }
    case 'excess': {
      const { dice: thrown, attack, defence, bonus } = seen;
      const { count, sides } = thrown;
      return [
        ...createSumDice(sides, count, attack, `attack${formatBonus(bonus)}`),
        ...createSumDice(sides, count, defence, 'defence'),
      ];
    }
    case 'hits': {
      const value = Math.min(6, seen.pool.value);
      return createDice(
        `hit on ${value < 1 ? 'no face' : value === 1 ? '1' : `1-${String(value)}`}`,
        seen.faces.map((face) => ({ sides: 6, face, hit: face <= value })),
      );
    }
    case 'faces':
      return createDice(
        '',
        seen.shown.map((face) => createPlainDie(0, face)),
      );
    case 'roll': {
      const { count, sides } = seen.dice;
      return createDice(
        `${String(count)}d${String(sides)}`,
        seen.faces.map((face) => createPlainDie(sides, face)),
      );
    }
    case 'draw':
      return seen.names === undefined
        ? createCubes(seen, colors)
        : [createCards(seen.names.flatMap(repeatName(seen.drawn)), () => true)];
    case 'pick':
      if (seen.names !== undefined) return [createCards(seen.names, (_, index) => index === seen.index)];
      return seen.weights.length > MAX_LOT_PARTS ? [] : [createLot(seen.weights, seen.index)];
    case 'sample':
      return [{ kind: 'value', title: seen.distribution ?? 'value', value: String(seen.value) }];
    case 'decide':
      return seen.options.length < 2 ? [] : [createCards(seen.options, (name) => name === seen.choice)];
  }
}

function createLot(weights: readonly number[], index: number): EventDrawing {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return { kind: 'lot', shares: weights.map((weight) => weight / total), index };
}

/** Pips of a die by face, in thirds of its width. */
const PIPS: Readonly<Record<number, readonly (readonly [x: number, y: number])[]>> = {
  1: [[1, 1]],
  2: [
    [0, 0],
    [2, 2],
  ],
  3: [
    [0, 0],
    [1, 1],
    [2, 2],
  ],
  4: [
    [0, 0],
    [2, 0],
    [0, 2],
    [2, 2],
  ],
  5: [
    [0, 0],
    [2, 0],
    [1, 1],
    [0, 2],
    [2, 2],
  ],
  6: [
    [0, 0],
    [2, 0],
    [0, 1],
    [2, 1],
    [0, 2],
    [2, 2],
  ],
};

/** Returns the centers of the pips of a face, 0..2 in both directions; empty for dice without pips. */
export function getPips({ sides, face }: Die): readonly (readonly [x: number, y: number])[] {
  return sides === 6 ? (PIPS[face ?? 0] ?? []) : [];
}

/** Outlines of dice in a square of 32, by number of sides. */
const OUTLINES: Readonly<Record<number, string>> = {
  4: '16,3 30,28 2,28',
  8: '16,2 30,16 16,30 2,16',
  10: '16,2 30,13 27,21 16,30 5,21 2,13',
  12: '16,2 30,12 25,29 7,29 2,12',
  20: '16,2 29,9 29,23 16,30 3,23 3,9',
};

/** Returns the outline of a die; undefined for a square. */
export function getOutline({ sides }: Die): string | undefined {
  return OUTLINES[sides];
}
