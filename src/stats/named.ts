/**
 * An object of values by the names that a scenario gives, in their order. It has no prototype: `__proto__` and
 * `constructor` are names like any other, and a name that is not there is undefined.
 */
export function named<T>(entries: Iterable<readonly [name: string, value: T]>): Record<string, T> {
  const found = Object.create(null) as Record<string, T>;
  for (const [name, value] of entries) found[name] = value;
  return found;
}

/** The same of a list whose entries tell their names, which then need not be told again. */
export function byName<T extends { readonly name: string }, V>(
  list: readonly T[],
  value: (entry: Omit<T, 'name'>, place: number) => V,
): Record<string, V> {
  return named(list.map(({ name, ...rest }, place) => [name, value(rest, place)]));
}
