/** Scenarios from the ranges that a schema declares: its least, its greatest, and some at random. */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { z } from 'zod';
import { Stream } from '../chance/stream.ts';
import type { System } from '../systems/system.ts';

type Json = z.core.JSONSchema.BaseSchema;

/** Which value of a field is taken. */
type Choose = (schema: Json, field: string) => unknown;

/** Items of lists, and entries of maps, that are made at most. */
const ITEMS = 4;

/** Rounds of battles that are made: those of the greatest scenarios would have no end. */
const ROUNDS = 60;

const NAMES = ['Red', 'Blue', 'red', 'blue', 'a', 'x1', '2d6', '1d6'];

function bounds({ minimum = 0, maximum = 100 }: Json, field: string): readonly [number, number] {
  return [minimum, field === 'maxRounds' ? Math.min(maximum, ROUNDS) : Math.min(maximum, 1e9)];
}

/** Values of a schema, each field as `choose` says. */
class Maker {
  readonly #choose: (from: readonly unknown[]) => unknown;
  readonly #integer: (low: number, high: number) => number;
  readonly #optional: () => boolean;

  constructor(integer: (low: number, high: number) => number, optional: () => boolean) {
    this.#integer = integer;
    this.#optional = optional;
    this.#choose = (from) => from[integer(0, from.length - 1)];
  }

  make: Choose = (schema, field) => {
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return this.#choose(schema.enum);
    const either = schema.anyOf ?? schema.oneOf;
    if (either !== undefined) return this.make(this.#choose(either) as Json, field);
    switch (schema.type) {
      case 'integer':
        return this.#integer(...bounds(schema, field));
      case 'number':
        return this.#integer(0, 10) / 10;
      case 'boolean':
        return this.#integer(0, 1) === 1;
      case 'null':
        return null;
      case 'array':
        return this.#list(schema, field);
      case 'object':
        return this.#object(schema, field);
      default:
        return this.#text(schema);
    }
  };

  #text({ pattern = '' }: Json): unknown {
    const fitting = NAMES.filter((name) => new RegExp(pattern, 'u').test(name));
    return this.#choose(fitting.length > 0 ? fitting : ['x']);
  }

  #list({ minItems = 0, maxItems = ITEMS, items }: Json, field: string): unknown[] {
    const length = this.#integer(minItems, Math.min(maxItems, minItems + ITEMS));
    return Array.from({ length }, () => this.make(items as Json, field));
  }

  #object({ properties, required = [], propertyNames, additionalProperties }: Json, field: string): object {
    if (properties === undefined) {
      const length = this.#integer(1, ITEMS);
      const entry = (): [string, unknown] => [
        String(this.make((propertyNames ?? { type: 'string' }) as Json, field)),
        this.make((additionalProperties ?? { type: 'integer' }) as Json, field),
      ];
      return Object.fromEntries(Array.from({ length }, entry));
    }
    const named = Object.entries(properties as Record<string, Json>);
    const kept = named.filter(([name]) => name === 'maxRounds' || required.includes(name) || this.#optional());
    return Object.fromEntries(kept.map(([name, schema]) => [name, this.make(schema, name)]));
  }
}

/** Small battles are likelier: large ones have too many states. */
function leaning(stream: Stream): Maker {
  const integer = (low: number, high: number): number => {
    const reach = [1, 3, 10, high - low][uniformInt(stream, 0, 3)] ?? 1;
    return uniformInt(stream, low, Math.min(high, low + reach));
  };
  return new Maker(integer, () => uniformInt(stream, 0, 1) === 1);
}

export interface Generated {
  readonly label: string;
  readonly input: unknown;
}

/** A value that a schema refuses is made anew so often. */
const ATTEMPTS = 20;

/**
 * Scenarios of a system, as files would hold them: those of the bounds first.
 * @param count of those at random
 */
export function generated(system: System, count: number, seed: bigint): Generated[] {
  const schema = z.toJSONSchema(system.schema, { io: 'input', unrepresentable: 'any' });
  const accepts = (input: unknown): boolean => system.schema.safeParse(input).success;
  const least = new Maker(
    (low) => low,
    () => true,
  );
  const greatest = new Maker(
    (_, high) => high,
    () => true,
  );
  const ends = [
    { label: 'the least of every field', input: least.make(schema, '') },
    { label: 'the greatest of every field', input: greatest.make(schema, '') },
  ];
  const random = Array.from({ length: count }, (_, k) => {
    const maker = leaning(Stream.of(seed, k));
    const inputs = Array.from({ length: ATTEMPTS }, () => maker.make(schema, ''));
    return { label: `made from the schema, ${String(k + 1)}`, input: inputs.find(accepts) };
  });
  return [...ends, ...random].filter(({ input }) => accepts(input));
}
