/**
 * Creates an object with values by names of a scenario, in their order. All are own properties: `__proto__` and
 * `constructor` are ordinary names.
 */
export function createRecord<T>(entries: Iterable<readonly [name: string, value: T]>): Record<string, T> {
  return Object.fromEntries(entries);
}

/** Indexes a list by the names of its entries, which are omitted from the values. */
export function indexByName<T extends { readonly name: string }, V>(
  list: readonly T[],
  value: (entry: Omit<T, 'name'>, place: number) => V,
): Record<string, V> {
  return createRecord(list.map(({ name, ...rest }, place) => [name, value(rest, place)]));
}
