/** Formats states of rules and their differences. */

type StateFields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is StateFields => typeof value === 'object' && value !== null;

/** Maximum nesting; deeper values are equal. */
const DEPTH_MAX = 20;

/** Serializes the content of any value: equal texts mean equal values. */
export function serializeValue(value: unknown, depth = 0): string {
  if (depth > DEPTH_MAX) return '...';
  const formatInner = (each: unknown): string => serializeValue(each, depth + 1);
  if (typeof value === 'string') return JSON.stringify(value);
  if (!isObject(value)) return Object.is(value, -0) ? '-0' : `${typeof value}:${String(value)}`;
  if (Array.isArray(value)) return `[${value.map(formatInner).join()}]`;
  if (value instanceof Map) return `Map${formatInner([...value])}`;
  if (value instanceof Set) return `Set${formatInner([...value])}`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${formatInner(value[name])}`).join()}}`;
}

/** Serializes a state without its round, which only affects stream positions and the round limit. */
export const serializeWithoutRound = ({ round: _, ...rest }: { readonly round: number }): string =>
  serializeValue(rest);

/** Returns the state of the author, without the wrapper of `defineSystem`. */
export function unwrapState(state: unknown): unknown {
  if (!isObject(state)) return state;
  const names = Object.keys(state).sort().join();
  return names === 'at,phase,round' ? state['at'] : state;
}

/** Maximum number of characters of a value. */
const WIDTH = 160;

function toPlainValue(value: unknown): unknown {
  if (value instanceof Map) return { map: [...value] };
  if (value instanceof Set) return { set: [...value] };
  return typeof value === 'bigint' || value === undefined || Number.isNaN(value) ? String(value) : value;
}

/** Formats a value on one line. */
export function formatValue(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(toPlainValue(value), (_, each: unknown) => toPlainValue(each));
  } catch {
    text = serializeValue(value);
  }
  return text.length <= WIDTH ? text : `${text.slice(0, WIDTH)}...`;
}

/** Lists differences of two values: `morale: 3 and 2`. */
export function listDifferences(one: unknown, other: unknown, path = ''): string[] {
  if (serializeValue(one) === serializeValue(other)) return [];
  const plainObjects = [one, other].every((each) => isObject(each) && !(each instanceof Map || each instanceof Set));
  if (!plainObjects) return [`${path === '' ? 'the state' : path}: ${formatValue(one)} and ${formatValue(other)}`];
  const [a, b] = [one as StateFields, other as StateFields];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names.flatMap((name) => listDifferences(a[name], b[name], path === '' ? name : `${path}.${name}`));
}

/** Formats the first elements of a list, and the number of the others. */
export function formatFew(items: readonly string[], most = 3): string {
  const more = items.length > most ? ` and ${String(items.length - most)} more` : '';
  return `${items.slice(0, most).join('; ')}${more}`;
}
