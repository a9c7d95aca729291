/** Fields of a scenario, named by their path: `attacker.units.knight`, `structures[1].marks`. */
import { isMapping } from './finding.ts';
import type { Path } from './problem.ts';

/** `structures[1].marks` as ['structures', 1, 'marks']. */
export function stepsOf(path: string): Path {
  const names = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  return names.map((name) => (/^\d+$/.test(name) ? Number(name) : name));
}

/** ['structures', 1, 'marks'] as `structures[1].marks`. */
export function pathOf(steps: Path): string {
  return steps
    .map((step) => (typeof step === 'number' ? `[${String(step)}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

/** A copy of `value` in which the field at `steps` is `field`; mappings on the way are made where there are none. */
export function withField(value: unknown, [step, ...rest]: Path, field: unknown): unknown {
  if (step === undefined) return field;
  if (Array.isArray(value))
    return value.map((item, i) => (i === step ? withField(item, rest, field) : (item as unknown)));
  const mapping = isMapping(value) ? value : {};
  const before = Object.hasOwn(mapping, step) ? mapping[step] : undefined;
  return { ...mapping, [step]: withField(before, rest, field) };
}

/** The steps to every number within a value, in its order. */
export function numbersIn(value: unknown, at: Path = []): Path[] {
  if (typeof value === 'number') return [at];
  if (Array.isArray(value)) return value.flatMap((item, i) => numbersIn(item, [...at, i]));
  if (!isMapping(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => numbersIn(inner, [...at, name]));
}
