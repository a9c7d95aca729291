/** States of rules as people read them, and where two of them differ. */

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Nesting beyond which nothing is told apart. */
const DEPTH_MAX = 20;

/** All that a value holds, whatever it is made of: values of one text are alike. */
export function textOf(value: unknown, depth = 0): string {
  if (depth > DEPTH_MAX) return '...';
  const inner = (each: unknown): string => textOf(each, depth + 1);
  if (typeof value === 'string') return JSON.stringify(value);
  if (!isObject(value)) return Object.is(value, -0) ? '-0' : `${typeof value}:${String(value)}`;
  if (Array.isArray(value)) return `[${value.map(inner).join()}]`;
  if (value instanceof Map) return `Map${inner([...value])}`;
  if (value instanceof Set) return `Set${inner([...value])}`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${inner(value[name])}`).join()}}`;
}

/** The same of a state, whatever its round: places in the stream and the limit of rounds alone depend on it. */
export const roundlessText = ({ round: _, ...rest }: { readonly round: number }): string => textOf(rest);

/** A state as the author knows it: without what `defineSystem` puts around it. */
export function authored(state: unknown): unknown {
  if (!isObject(state)) return state;
  const names = Object.keys(state).sort().join();
  return names === 'at,phase,round' ? state['at'] : state;
}

/** Characters of a value that are told. */
const WIDTH = 160;

function plain(value: unknown): unknown {
  if (value instanceof Map) return { map: [...value] };
  if (value instanceof Set) return { set: [...value] };
  return typeof value === 'bigint' || value === undefined || Number.isNaN(value) ? String(value) : value;
}

/** A value on one line. */
export function shown(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(plain(value), (_, each: unknown) => plain(each));
  } catch {
    text = textOf(value);
  }
  return text.length <= WIDTH ? text : `${text.slice(0, WIDTH)}...`;
}

/** Where two values differ: `morale: 3 and 2`. */
export function differences(one: unknown, other: unknown, path = ''): string[] {
  if (textOf(one) === textOf(other)) return [];
  const plainObjects = [one, other].every((each) => isObject(each) && !(each instanceof Map || each instanceof Set));
  if (!plainObjects) return [`${path === '' ? 'the state' : path}: ${shown(one)} and ${shown(other)}`];
  const [a, b] = [one as Fields, other as Fields];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names.flatMap((name) => differences(a[name], b[name], path === '' ? name : `${path}.${name}`));
}

/** The first few of a list, and how many more there are. */
export function few(items: readonly string[], most = 3): string {
  const more = items.length > most ? ` and ${String(items.length - most)} more` : '';
  return `${items.slice(0, most).join('; ')}${more}`;
}
