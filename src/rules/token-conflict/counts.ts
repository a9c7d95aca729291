/** How many tokens a player brings: a number, a range or a weighted choice. */

/** A number; a range [least, most], all alike; or relative weights by count. */
export type Count = number | readonly number[] | Readonly<Record<string, number>>;

/** The most tokens of one player in one area. */
export const TOKENS_MAX = 1000;

/** What a count can be: values[k], ascending, in proportion to weights[k] > 0. */
export interface CountLaw {
  readonly values: readonly number[];
  readonly weights: readonly number[];
}

/** The law of a count that the schema accepts. */
export function lawOf(count: Count): CountLaw {
  if (typeof count === 'number') return { values: [count], weights: [1] };
  if (isRange(count)) {
    const [least = 0, most = least] = count;
    const values = Array.from({ length: most - least + 1 }, (_, k) => least + k);
    return { values, weights: values.map(() => 1) };
  }
  const likely = Object.entries(count)
    .map(([value, weight]) => ({ value: Number(value), weight }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => a.value - b.value);
  return { values: likely.map(({ value }) => value), weights: likely.map(({ weight }) => weight) };
}

function isRange(count: readonly number[] | Readonly<Record<string, number>>): count is readonly number[] {
  return Array.isArray(count);
}

/** The greatest count of a law. */
export function mostOf({ values }: CountLaw): number {
  return values.at(-1) ?? 0;
}
