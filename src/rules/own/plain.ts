/**
 * States as plain data: numbers, texts, truth values, null, and lists and objects of them. Others have no key unless their
 * author gives one: JSON drops what it does not know, and takes states that differ for one.
 */
import { RulesError } from '../../core/errors.ts';

/** Nesting of a state; what is nested deeper contains itself. */
const DEPTH_MAX = 50;

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of other realms have another Object.prototype.
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return value - value === 0;
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value !== 'object' || depth > DEPTH_MAX) return false;
  if (Array.isArray(value)) {
    // No iterator: it is walked at every step.
    for (let k = 0; k < value.length; k++) if (!isPlain(value[k], depth + 1)) return false;
    return true;
  }
  if (!isPlainObject(value)) return false;
  for (const name in value) if (!isPlain((value as Readonly<Record<string, unknown>>)[name], depth + 1)) return false;
  return true;
}

function nameOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? 'a function' : String(value);
  const { name } = (value as { constructor?: { name?: unknown } }).constructor ?? {};
  return typeof name === 'string' && name !== '' ? `a ${name}` : 'an object of a class';
}

/** Where in a state something is no plain data, and what it is. */
function strange(value: unknown, path: string, depth: number): readonly [path: string, found: string] | undefined {
  if (isPlain(value, depth)) return undefined;
  const isNested = Array.isArray(value) || (typeof value === 'object' && value !== null && isPlainObject(value));
  if (!isNested) return [path, typeof value === 'bigint' ? `${String(value)}n` : nameOf(value)];
  if (depth > DEPTH_MAX) return ['', `more than ${String(DEPTH_MAX)} levels, or an object that contains itself`];
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [name, each] of inner) {
    const found = strange(each, `${path}${typeof name === 'number' ? `[${String(name)}]` : `.${name}`}`, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The key of a state unless its system gives one: its JSON.
 * @throws RulesError unless the state is plain data
 */
export function plainKey(state: unknown): string {
  if (isPlain(state, 0)) return JSON.stringify(state);
  const [path = '', found = ''] = strange(state, 'state', 0) ?? [];
  throw new RulesError(
    `${path === '' ? 'a state' : path} is ${found}, which has no key: hold numbers, texts, true, false, null, and lists and ` +
      'plain objects of them, or give the battle a "key" that names all that the future depends on',
  );
}

/** Freezes what a state holds, as far as it is new: a step that changes the state that it was given then fails there. */
export function frozen<S>(state: S): S {
  if (typeof state !== 'object' || state === null || Object.isFrozen(state) || ArrayBuffer.isView(state)) return state;
  Object.freeze(state);
  if (Array.isArray(state)) for (let k = 0; k < state.length; k++) frozen(state[k]);
  else for (const name in state) frozen(state[name]);
  return state;
}
