/** Problems of a scenario, and their common format. */
import {
  describeFound,
  type ErrorCode,
  InputError,
  isPlainObject,
  type Path,
  quote,
  readPath,
} from '../../core/index.ts';

export type { Path };

export interface DocumentProblem {
  readonly path: Path;
  /** Target of the problem: the name of the field, or its value. */
  readonly target: 'name' | 'value';
  /** Offset in the text; 0 where there is no text. */
  readonly offset: number;
  /** Only called for listed problems. */
  readonly describe: () => { readonly expected: string; readonly found: string };
  /** Code of its error, if it differs from the usual one. */
  readonly code?: ErrorCode;
}

/** Maximum number of listed problems. */
const LISTED_MAX = 20;

const PLAIN_NAME = /^[\p{L}_$][\p{L}\p{N}_$-]{0,39}$/u;

/** Escapes characters that would break a line or control the terminal. */
function escapeText(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

/** Formats a path: `attacker.hp`, `combatants[2].name`, `areas["Upper Egypt"]`. */
function formatFieldName(path: Path): string {
  return path
    .map((step, i) => {
      if (typeof step === 'number') return `[${String(step)}]`;
      if (!PLAIN_NAME.test(step)) return `[${quote(step)}]`;
      return i === 0 ? step : `.${step}`;
    })
    .join('');
}

/** Formats file and position, if there is a file, and the field. */
export function formatPlace(path: Path, position: string): string {
  const at = [position, formatFieldName(path)].filter((part) => part !== '').join(' ');
  return at === '' ? 'scenario' : escapeText(at);
}

/** Returns the first problem at each offset, in the order of the text. */
function removeDuplicates(problems: readonly DocumentProblem[]): DocumentProblem[] {
  const byPlace = new Map<string, DocumentProblem>();
  for (const problem of problems) {
    const place = `${String(problem.offset)} ${problem.target} ${JSON.stringify(problem.path)}`;
    if (!byPlace.has(place)) byPlace.set(place, problem);
  }
  return [...byPlace.values()].sort((a, b) => a.offset - b.offset);
}

/**
 * Throws if there are problems.
 *
 * @param problems of one scenario
 * @param place formats file and position of an offset, if there is a file
 */
export function throwIfAny(problems: readonly DocumentProblem[], place: (offset: number) => string): void {
  const all = removeDuplicates(problems);
  const errors = all.slice(0, LISTED_MAX).map(({ path, code, offset, describe }) => {
    const { expected, found } = describe();
    return new InputError(formatPlace(path, place(offset)), escapeText(expected), escapeText(found), { path, code });
  });
  const error = InputError.of(errors, all.length - errors.length);
  if (error !== undefined) throw error;
}

/** Returns true for parsed mappings of a file. */
export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isPlainObject(value);
}

// Fields of a scenario, named by their path: `attacker.units.knight`, `structures[1].marks`, `areas["Upper Egypt"]`.

/** Expected value instead of an invalid path. */
export const PATH_EXPECTED = 'a path such as attacker.hp or combatants[0].attack';

/** Splits a path into steps; invalid paths become a single step, which no scenario has. */
export const splitPath = (path: string): Path => readPath(path) ?? [path];

/**
 * Parses a path.
 * @param place name of the path in error messages
 * @throws InputError if it is invalid
 */
export function parsePath(path: string, place: string): Path {
  const steps = readPath(path);
  if (steps === undefined)
    throw new InputError(place, PATH_EXPECTED, path === '' ? 'nothing' : `"${path.slice(0, 80)}"`);
  return steps;
}

/** Formats a step of a path. */
function formatStep(step: string | number): string {
  if (typeof step === 'number') return `[${String(step)}]`;
  return /^(?!\d+$)[^.[\]]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

/** Formats ['structures', 1, 'marks'] as `structures[1].marks`. */
export function formatPath(steps: Path): string {
  return steps.map(formatStep).join('').replace(/^\./, '');
}

/** Returns the value at a path, or undefined. */
export function getValueAt(value: unknown, path: Path): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Readonly<Record<string | number, unknown>>)[step];
  }
  return here;
}

/** Describes accepted indices of a value; undefined if the index is valid. */
function describeMissing(
  value: unknown,
  step: string | number,
): readonly [expected: string, found: string] | undefined {
  if (Array.isArray(value)) {
    if (typeof step === 'number' && step < value.length) return undefined;
    const last = value.length - 1;
    const indices = last < 0 ? 'no index, because the list is empty' : `an index 0..${String(last)} of the list`;
    return [indices, typeof step === 'number' ? String(step) : `"${step}"`];
  }
  if (typeof step === 'string' || isMapping(value)) return undefined;
  return [`a list, because [${String(step)}] is an element of one`, describeFound(value)];
}

/**
 * Copies `value` with another field at `steps`; creates missing mappings.
 * @param place name of the change in error messages
 * @throws InputError if a list on the path has no such element
 */
export function setField(value: unknown, steps: Path, field: unknown, place: string, depth = 0): unknown {
  const step = steps[depth];
  if (step === undefined) return field;
  const wrong = describeMissing(value, step);
  if (wrong !== undefined) throw new InputError(formatPlace(steps.slice(0, depth + 1), place), ...wrong);
  const formatInner = (before: unknown): unknown => setField(before, steps, field, place, depth + 1);
  if (Array.isArray(value)) return value.map((item, i) => (i === step ? formatInner(item) : (item as unknown)));
  const mapping = isMapping(value) ? value : {};
  return { ...mapping, [step]: formatInner(Object.hasOwn(mapping, step) ? mapping[step] : undefined) };
}

// The only reserved name of fields. JavaScript treats `__proto__` specially, and libraries silently omit its value: the
// scenario would differ from its file.

export const PROTO = '__proto__';

/** Expected value instead of this name. */
export const NAME_EXPECTED = `a name other than ${PROTO}`;

/** Maximum number of listed paths; a value with more is rejected, too. */
const PATHS_LISTED_MAX = 20;

/** A pending value of the search: its path is a linked list, because values can be nested deeply. */
interface PendingValue {
  readonly value: object;
  readonly step?: string | number;
  readonly above?: PendingValue;
}

function tracePath({ step, above }: PendingValue): Path {
  const path: (string | number)[] = [];
  for (let [at, up] = [step, above]; at !== undefined; [at, up] = [up?.step, up?.above]) path.push(at);
  return path.reverse();
}

/** Lists the children of a value. */
function listChildren(here: PendingValue): PendingValue[] {
  const { value } = here;
  const fields = Array.isArray(value) ? value.entries() : Object.entries(value);
  const found: PendingValue[] = [];
  for (const [step, field] of fields as Iterable<[string | number, unknown]>)
    if (typeof field === 'object' && field !== null) found.push({ value: field, step, above: here });
  return found;
}

/** Finds the paths of fields with this name, at most `PATHS_LISTED_MAX`; a value may contain itself. */
function findProtoPaths(value: unknown): Path[] {
  const found: Path[] = [];
  const seen = new Set<object>();
  const open: PendingValue[] = typeof value === 'object' && value !== null ? [{ value }] : [];
  for (let here = open.pop(); here !== undefined && found.length < PATHS_LISTED_MAX; here = open.pop()) {
    if (seen.has(here.value)) continue;
    seen.add(here.value);
    if (Object.hasOwn(here.value, PROTO)) found.push([...tracePath(here), PROTO]);
    for (const inner of listChildren(here)) open.push(inner);
  }
  return found;
}

/** Creates a problem for each field with this name. @param offsetOf returns the offset of its name in the text */
export function findProtoProblems(value: unknown, offsetOf: (path: Path) => number): DocumentProblem[] {
  const describe = () => ({ expected: NAME_EXPECTED, found: `"${PROTO}"` });
  return findProtoPaths(value).map((path) => ({ path, target: 'name', offset: offsetOf(path), describe }));
}
