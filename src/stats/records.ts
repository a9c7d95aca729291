/**
 * An object of values by the names that a scenario gives, in their order. All are properties of its own: `__proto__` and
 * `constructor` are names like any other.
 */
export function createRecord<T>(entries: Iterable<readonly [name: string, value: T]>): Record<string, T> {
  return Object.fromEntries(entries);
}

/** The same of a list whose entries tell their names, which then need not be told again. */
export function indexByName<T extends { readonly name: string }, V>(
  list: readonly T[],
  value: (entry: Omit<T, 'name'>, place: number) => V,
): Record<string, V> {
  return createRecord(list.map(({ name, ...rest }, place) => [name, value(rest, place)]));
}
