/**
 * The one name that no field can have. JavaScript takes `__proto__` for something else than a name, and libraries leave
 * out what stands under it without a word: a scenario would be another than the one that was written.
 */
import type { Path, Problem } from './problem.ts';

export const PROTO = '__proto__';

/** What is expected instead of it. */
export const OTHER_NAME = `a name other than ${PROTO}`;

/** Places that are told; a value that has more is refused all the same. */
const PATHS_TOLD = 20;

/** A value that is still to be looked at: the way to it is told from its end, for values go down to any depth. */
interface Open {
  readonly value: object;
  readonly step?: string | number;
  readonly above?: Open;
}

function pathTo({ step, above }: Open): Path {
  const path: (string | number)[] = [];
  for (let [at, up] = [step, above]; at !== undefined; [at, up] = [up?.step, up?.above]) path.push(at);
  return path.reverse();
}

/** What is within a value that can hold something itself. */
function within(here: Open): Open[] {
  const { value } = here;
  const fields = Array.isArray(value) ? value.entries() : Object.entries(value);
  const found: Open[] = [];
  for (const [step, field] of fields as Iterable<[string | number, unknown]>)
    if (typeof field === 'object' && field !== null) found.push({ value: field, step, above: here });
  return found;
}

/** The paths to fields of that name, at most `TOLD` of them; a value may contain itself. */
function protoPaths(value: unknown): Path[] {
  const found: Path[] = [];
  const seen = new Set<object>();
  const open: Open[] = typeof value === 'object' && value !== null ? [{ value }] : [];
  for (let here = open.pop(); here !== undefined && found.length < PATHS_TOLD; here = open.pop()) {
    if (seen.has(here.value)) continue;
    seen.add(here.value);
    if (Object.hasOwn(here.value, PROTO)) found.push([...pathTo(here), PROTO]);
    for (const inner of within(here)) open.push(inner);
  }
  return found;
}

/** A complaint of each field of that name. @param offsetOf where in the text its name stands */
export function protoProblems(value: unknown, offsetOf: (path: Path) => number): Problem[] {
  const tell = () => ({ expected: OTHER_NAME, found: `"${PROTO}"` });
  return protoPaths(value).map((path) => ({ path, of: 'name', offset: offsetOf(path), tell }));
}
