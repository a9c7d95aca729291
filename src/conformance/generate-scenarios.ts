/** Scenarios from the ranges that a schema declares: its least, its greatest, and some at random. */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { Stream } from '../core/index.ts';
import { generateValue, getDeclaration, type System, type ValueChooser } from '../rules/index.ts';

/** Rounds of battles that are made: those of the greatest scenarios would have no end. */
const ROUNDS = 60;

const NAMES = ['Red', 'Blue', 'red', 'blue', 'a', 'x1', '2d6', '1d6'];

/** Choices by how numbers are chosen, and places among others; all fields are there. */
const createChooser = (
  number: ValueChooser['number'],
  among: ValueChooser['among'],
  rounds = number,
): ValueChooser => ({
  number,
  among,
  has: () => true,
  entries: 1,
  texts: () => [NAMES],
  own: (declared, field) => {
    if (field !== 'maxRounds' || declared.kind !== 'number') return undefined;
    const { low = 1, high = ROUNDS } = declared;
    return rounds(low, Math.max(low, Math.min(high, ROUNDS)), 1);
  },
});

const LEAST = createChooser(
  (low) => low,
  () => 0,
);
const GREATEST = createChooser(
  (_, high) => high,
  (count) => count - 1,
);

/** Numbers are at most so many parts from 0, or from the end of their range that is nearest to it. */
const REACHES = [1, 3, 14];

/** One in so many can be any of its range. */
const WIDE_EVERY = 32;

/** Choices at random. Small battles are likelier: large ones have too many states. */
export function createLeaningChooser(stream: Stream): ValueChooser {
  const among = (count: number): number => uniformInt(stream, 0, count - 1);
  const even: ValueChooser['number'] = (low, high, parts) => {
    const [least, most] = [Math.ceil(low * parts), Math.floor(high * parts)];
    return least < most ? uniformInt(stream, least, most) / parts : low;
  };
  const near: ValueChooser['number'] = (low, high, parts) => {
    if (among(WIDE_EVERY) === 0) return even(low, high, parts);
    const middle = Math.min(high, Math.max(low, 0));
    const reach = (REACHES[among(REACHES.length)] ?? 0) / parts;
    return even(Math.max(low, middle - reach), Math.min(high, middle + reach), parts);
  };
  return {
    ...createChooser(near, among, even),
    has: (field) => field === 'maxRounds' || among(2) === 0,
    // What is alike but not the same is often taken for the same.
    hasRepeatedElements: () => among(4) === 0,
  };
}

export interface GeneratedScenario {
  readonly label: string;
  readonly input: unknown;
}

/** A value that a schema refuses is made anew so often. */
const ATTEMPTS = 20;

/**
 * Scenarios of a system, as files would hold them: those of the bounds first.
 * @param count of those at random
 */
export function generateScenarios(system: System, count: number, seed: bigint): GeneratedScenario[] {
  const declared = getDeclaration(system.schema);
  const accepts = (input: unknown): boolean => system.schema.safeParse(input).success;
  const ends = [
    { label: 'the minimum of every field', input: generateValue(declared, LEAST) },
    { label: 'the maximum of every field', input: generateValue(declared, GREATEST) },
  ];
  const random = Array.from({ length: count }, (_, k) => {
    const choices = createLeaningChooser(Stream.forBattle(seed, k));
    const inputs = Array.from({ length: ATTEMPTS }, () => generateValue(declared, choices));
    return { label: `generated from the schema, ${String(k + 1)}`, input: inputs.find(accepts) };
  });
  return [...ends, ...random].filter(({ input }) => accepts(input));
}
