/** The numeric fields of a scenario: what can be swept, searched and varied step by step. */
import { InputError } from '../../core/errors.ts';
import { opened } from '../opened.ts';
import { didYouMean } from '../suggest.ts';
import type { Scenario } from '../system.ts';
import { declaredAt, declaredIn, type Numeric, type Place, placesIn, type Simple } from './declared.ts';
import { parsePath, pathOf, valueAt, withField } from './path.ts';

export interface NumericField {
  /** `attacker.hp`, `combatants[0].attack`. */
  readonly path: string;
  /** What the scenario has there; undefined where it has nothing, or no number. */
  readonly value: number | undefined;
  /** True if only whole numbers can stand there. */
  readonly integer: boolean;
  /** The declared range; the ends may be infinite. Ties between fields can make it narrower. */
  readonly min: number;
  readonly max: number;
}

/** What a declaration says of numbers, if it takes any. */
function numbersOf(declared: Simple): Pick<Numeric, 'whole' | 'low' | 'high'>[] {
  if (declared.kind === 'number') return [declared];
  const values: readonly number[] =
    declared.kind === 'choice' ? declared.of.filter((value) => typeof value === 'number') : [];
  if (values.length === 0) return [];
  return [{ whole: values.every(Number.isInteger), low: Math.min(...values), high: Math.max(...values) }];
}

function numericAt({ path, value, declared }: Omit<Place, 'named'>): NumericField | undefined {
  const numeric = declared.flatMap(numbersOf);
  if (numeric.length === 0) return undefined;
  return {
    path: pathOf(path),
    value: typeof value === 'number' ? value : undefined,
    integer: numeric.every(({ whole }) => whole),
    min: Math.min(...numeric.map(({ low = Number.NEGATIVE_INFINITY }) => low)),
    max: Math.max(...numeric.map(({ high = Number.POSITIVE_INFINITY }) => high)),
  };
}

const declarationOf = (scenario: Scenario) => declaredIn(opened(scenario).system.schema);

/** Every numeric field that a complete scenario has, defaults too, in the order of its fields. */
export function numericFields(scenario: Scenario): NumericField[] {
  const places = placesIn(declarationOf(scenario), scenario).filter(({ value }) => typeof value === 'number');
  return places.flatMap((each) => numericAt(each) ?? []);
}

/**
 * The numeric field at a path; the scenario need not have it, if its system knows it.
 * @param place what error messages call the path
 * @throws InputError if no number can stand there, or a list on the way has no such element
 */
export function numericField(scenario: Scenario, path: string, place: string): NumericField {
  const steps = parsePath(path, place);
  const declared = declaredAt(declarationOf(scenario), scenario, steps);
  const field = numericAt({ path: steps, value: valueAt(scenario, steps), declared });
  if (field !== undefined) withField(scenario, steps, field.value, place);
  if (field !== undefined) return field;
  const known = numericFields(scenario).map((each) => each.path);
  throw new InputError(place, `a numeric field: ${known.join(', ')}`, `"${path}"${didYouMean(path, known)}`);
}
