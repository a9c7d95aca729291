/** Fields of a scenario, named by their path: `attacker.units.knight`, `structures[1].marks`, `areas["Upper Egypt"]`. */
import { InputError } from '../../core/errors.ts';
import { describeFound, isMapping } from './finding.ts';
import { type Path, placeName } from './problem.ts';

/** A name, the index of an element, or a name in quotes. */
const STEP = /(?:^|(?<!^)\.)(?<name>[^.[\]]+)|\[(?:(?<index>\d{1,9})|(?<quoted>"(?:[^"\\]|\\.)+"))\]/y;

function unquoted(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}

/** `structures[1].marks` as ['structures', 1, 'marks']; undefined if the text is no path. */
export function readPath(path: string): Path | undefined {
  const steps: (string | number)[] = [];
  for (STEP.lastIndex = 0; STEP.lastIndex < path.length; ) {
    const { name, index, quoted } = STEP.exec(path)?.groups ?? {};
    const step = name ?? index ?? (quoted === undefined ? undefined : unquoted(quoted));
    if (step === undefined) return undefined;
    steps.push(quoted === undefined && /^\d+$/.test(step) ? Number(step) : step);
  }
  return steps.length === 0 ? undefined : steps;
}

/** What is expected where a path is none. */
export const A_PATH = 'a path such as attacker.hp or combatants[0].attack';

/** The steps of a path; of a text that is no path, the text as a single one, which no scenario has. */
export const stepsOf = (path: string): Path => readPath(path) ?? [path];

/**
 * The steps of a path.
 * @param place what the error message calls it
 * @throws InputError if it is none
 */
export function parsePath(path: string, place: string): Path {
  const steps = readPath(path);
  if (steps === undefined) throw new InputError(place, A_PATH, path === '' ? 'nothing' : `"${path.slice(0, 80)}"`);
  return steps;
}

/** A step as a path has it. */
function written(step: string | number): string {
  if (typeof step === 'number') return `[${String(step)}]`;
  return /^(?!\d+$)[^.[\]]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

/** ['structures', 1, 'marks'] as `structures[1].marks`. */
export function pathOf(steps: Path): string {
  return steps.map(written).join('').replace(/^\./, '');
}

/** What is at the path, or undefined. */
export function valueAt(value: unknown, path: Path): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Readonly<Record<string | number, unknown>>)[step];
  }
  return here;
}

/** What can stand at an index of a value, in words; undefined if something does. */
function missing(value: unknown, step: string | number): readonly [expected: string, found: string] | undefined {
  if (Array.isArray(value)) {
    if (typeof step === 'number' && step < value.length) return undefined;
    const last = value.length - 1;
    const indices = last < 0 ? 'no index, for the list is empty' : `an index 0..${String(last)} of the list`;
    return [indices, typeof step === 'number' ? String(step) : `"${step}"`];
  }
  if (typeof step === 'string' || isMapping(value)) return undefined;
  return [`a list, for [${String(step)}] is an element of one`, describeFound(value)];
}

/**
 * A copy of `value` in which the field at `steps` is `field`; mappings on the way are made where there are none.
 * @param place what error messages call the change
 * @throws InputError if a list on the way has no such element
 */
export function withField(value: unknown, steps: Path, field: unknown, place: string, depth = 0): unknown {
  const step = steps[depth];
  if (step === undefined) return field;
  const wrong = missing(value, step);
  if (wrong !== undefined) throw new InputError(placeName(steps.slice(0, depth + 1), place), ...wrong);
  const inner = (before: unknown): unknown => withField(before, steps, field, place, depth + 1);
  if (Array.isArray(value)) return value.map((item, i) => (i === step ? inner(item) : (item as unknown)));
  const mapping = isMapping(value) ? value : {};
  return { ...mapping, [step]: inner(Object.hasOwn(mapping, step) ? mapping[step] : undefined) };
}
