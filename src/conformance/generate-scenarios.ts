/** Generates scenarios within the ranges of a schema: minimum, maximum, and random ones. */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { Stream } from '../core/index.ts';
import { generateValue, getDeclaration, type System, type ValueChooser } from '../rules/index.ts';

/** Maximum rounds of generated battles: those of the largest scenarios would be endless. */
const ROUNDS = 60;

const NAMES = ['Red', 'Blue', 'red', 'blue', 'a', 'x1', '2d6', '1d6'];

/** Creates a chooser from functions that choose numbers and list elements; all optional fields are present. */
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

/** Maximum distances of numbers, in steps, from 0 or the nearest end of their range. */
const REACHES = [1, 3, 14];

/** One in this number may be anywhere in its range. */
const WIDE_EVERY = 32;

/** Creates a random chooser. Small battles are more likely: large ones have too many states. */
export function createLeaningChooser(stream: Stream): ValueChooser {
  const drawIndex = (count: number): number => uniformInt(stream, 0, count - 1);
  const spaceEvenly: ValueChooser['number'] = (low, high, parts) => {
    const [least, most] = [Math.ceil(low * parts), Math.floor(high * parts)];
    return least < most ? uniformInt(stream, least, most) / parts : low;
  };
  const listNear: ValueChooser['number'] = (low, high, parts) => {
    if (drawIndex(WIDE_EVERY) === 0) return spaceEvenly(low, high, parts);
    const middle = Math.min(high, Math.max(low, 0));
    const reach = (REACHES[drawIndex(REACHES.length)] ?? 0) / parts;
    return spaceEvenly(Math.max(low, middle - reach), Math.min(high, middle + reach), parts);
  };
  return {
    ...createChooser(listNear, drawIndex, spaceEvenly),
    has: (field) => field === 'maxRounds' || drawIndex(2) === 0,
    // Repeated elements are a common source of confusion.
    hasRepeatedElements: () => drawIndex(4) === 0,
  };
}

export interface GeneratedScenario {
  readonly label: string;
  readonly input: unknown;
}

/** Attempts to generate a value that the schema accepts. */
const ATTEMPTS = 20;

/**
 * Generates scenarios of a system in the form of files: first those at the bounds.
 * @param count number of random ones
 */
export function generateScenarios(system: System, count: number, seed: bigint): GeneratedScenario[] {
  const declared = getDeclaration(system.schema);
  const isAccepted = (input: unknown): boolean => system.schema.safeParse(input).success;
  const ends = [
    { label: 'the minimum of every field', input: generateValue(declared, LEAST) },
    { label: 'the maximum of every field', input: generateValue(declared, GREATEST) },
  ];
  const random = Array.from({ length: count }, (_, k) => {
    const choices = createLeaningChooser(Stream.forBattle(seed, k));
    const inputs = Array.from({ length: ATTEMPTS }, () => generateValue(declared, choices));
    return { label: `generated from the schema, ${String(k + 1)}`, input: inputs.find(isAccepted) };
  });
  return [...ends, ...random].filter(({ input }) => isAccepted(input));
}
