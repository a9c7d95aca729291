/** What is wrong with a scenario, and the one form in which all of it is told. */
import { InputError, InputErrors } from '../../core/errors.ts';

/** The way to a value: names of fields and indices of lists. */
export type Path = readonly (string | number)[];

export interface Problem {
  readonly path: Path;
  /** What of the field is wrong: its name, or its value. */
  readonly of: 'name' | 'value';
  /** Offset in the text; 0 where there is no text. */
  readonly offset: number;
  /** Only asked of problems that are told. */
  readonly tell: () => { readonly expected: string; readonly found: string };
}

/** How many problems are told; of the others only the number. */
const TOLD = 20;

const PLAIN_NAME = /^[\p{L}_$][\p{L}\p{N}_$-]{0,39}$/u;

/** A text without what would break a line or speak to the terminal. */
function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

/** A string in quotes, cut at 40 characters. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}...` : text);
}

/** A path as people write it: `attacker.hp`, `combatants[2].name`, `areas["Upper Egypt"]`. */
function fieldName(path: Path): string {
  return path
    .map((step, i) => {
      if (typeof step === 'number') return `[${String(step)}]`;
      if (!PLAIN_NAME.test(step)) return `[${quoted(step)}]`;
      return i === 0 ? step : `.${step}`;
    })
    .join('');
}

/** File and position, if there is a file, and the field. */
export function placeName(path: Path, position: string): string {
  const at = [position, fieldName(path)].filter((part) => part !== '').join(' ');
  return at === '' ? 'scenario' : visible(at);
}

/** The first of the problems at each place, in the order of the text. */
function distinct(problems: readonly Problem[]): Problem[] {
  const byPlace = new Map<string, Problem>();
  for (const problem of problems) {
    const place = `${String(problem.offset)} ${problem.of} ${JSON.stringify(problem.path)}`;
    if (!byPlace.has(place)) byPlace.set(place, problem);
  }
  return [...byPlace.values()].sort((a, b) => a.offset - b.offset);
}

/**
 * Throws if there are problems.
 *
 * @param problems of one scenario
 * @param place    file and position that belong to an offset, if there is a file
 */
export function throwIfAny(problems: readonly Problem[], place: (offset: number) => string): void {
  const all = distinct(problems);
  const errors = all.slice(0, TOLD).map((problem) => {
    const { expected, found } = problem.tell();
    return new InputError(placeName(problem.path, place(problem.offset)), visible(expected), visible(found));
  });
  const [only] = errors;
  if (only === undefined) return;
  throw all.length === 1 ? only : new InputErrors(errors, all.length - errors.length);
}
