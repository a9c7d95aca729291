/**
 * Names for the 32-bit words that encoders write and kernels read. A layout.ts declares them once: `pack` and `read`
 * use the declaration here, and scripts/build-layouts.js writes it for AssemblyScript to assembly/generated/.
 */
import type { Metric } from './system.ts';

/** One word; signed or not only in kernels. */
type WordType = 'i32' | 'u32';
export const i32 = 'i32';
export const u32 = 'u32';

/** Several words of a kind in sequence. */
export interface StructRow<T> {
  readonly of: T;
  readonly length: number;
}

export function row<T>(of: T, length: number): StructRow<T> {
  return { of, length };
}

type StructField = WordType | Struct<StructFields> | StructRow<WordType> | StructRow<Struct<StructFields>>;
export interface StructFields {
  readonly [name: string]: StructField;
}

/** Input of a struct: a value for every field. */
export type StructInput<T> = T extends WordType
  ? number | boolean
  : T extends Struct<infer F>
    ? { readonly [K in keyof F]: StructInput<F[K]> }
    : T extends StructRow<infer E>
      ? readonly StructInput<E>[]
      : never;

/** Output of a struct. */
export type StructOutput<T> = T extends WordType
  ? number
  : T extends Struct<infer F>
    ? { readonly [K in keyof F]: StructOutput<F[K]> }
    : T extends StructRow<infer E>
      ? readonly StructOutput<E>[]
      : never;

const countWords = (field: StructField): number =>
  typeof field === 'string' ? 1 : field instanceof Struct ? field.size : field.length * countWords(field.of);

function packField(words: number[], field: StructField, value: unknown): void {
  if (typeof field === 'string') {
    words.push(Number(value));
    return;
  }
  if (field instanceof Struct) {
    const values = value as Readonly<Record<string, unknown>>;
    for (const { name, kind } of field.members) packField(words, kind, values[name]);
    return;
  }
  const items = value as readonly unknown[];
  if (items.length !== field.length) throw new Error(`${String(items.length)} values for ${String(field.length)}`);
  for (const item of items) packField(words, field.of, item);
}

function unpackField(field: StructField, words: ArrayLike<number>, at: number): unknown {
  if (field === 'u32') return (words[at] ?? 0) >>> 0;
  if (field === 'i32') return (words[at] ?? 0) | 0;
  if (field instanceof Struct) return field.read(words, at);
  return Array.from({ length: field.length }, (_, k) => unpackField(field.of, words, at + k * countWords(field.of)));
}

interface StructMember {
  readonly name: string;
  readonly kind: StructField;
}

export class Struct<F extends StructFields> {
  readonly fields: F;
  /** Access in kernels: indices of words in an enum, or fields of a class. */
  readonly form: 'enum' | 'class';
  /** Total number of words. */
  readonly size: number;
  /** The fields in their order. */
  readonly members: readonly StructMember[];
  /** The first word of each field. */
  readonly at: Readonly<Record<keyof F, number>>;

  constructor(form: 'enum' | 'class', fields: F) {
    this.form = form;
    this.fields = fields;
    this.members = Object.entries(fields).map(([name, kind]) => ({ name, kind }));
    let size = 0;
    const at: [string, number][] = [];
    for (const { name, kind } of this.members) {
      at.push([name, size]);
      size += countWords(kind);
    }
    this.size = size;
    this.at = Object.fromEntries(at) as Record<keyof F, number>;
  }

  /** Packs values into words. @throws Error if the number of values of a row differs from the declaration */
  pack(values: StructInput<Struct<F>>): number[] {
    const words: number[] = [];
    packField(words, this, values);
    return words;
  }

  /** Reads the values of the words from `from` on. */
  read(words: ArrayLike<number>, from = 0): StructOutput<Struct<F>> {
    const values = this.members.map(({ name, kind }) => [
      name,
      unpackField(kind, words, from + this.at[name as keyof F]),
    ]);
    return Object.fromEntries(values) as StructOutput<Struct<F>>;
  }
}

/** Declares words that kernels access by index: heads, and data without an address. */
export function head<const F extends StructFields>(fields: F): Struct<F> {
  return new Struct('enum', fields);
}

/** Declares words that kernels read as the fields of a class: rows of tables, parts of a battle. */
export function record<const F extends Readonly<Record<string, WordType | StructRow<WordType>>>>(fields: F): Struct<F> {
  return new Struct('class', fields);
}

// Metrics by name and order. A layout.ts declares them once; models use this declaration, and the declarations for
// kernels and C programs are generated from it.

/** A single metric with the name of its group. */
type SingleMetric = 'one';
export const one: SingleMetric = 'one';

/** One metric for each name. */
export interface NamedMetrics {
  readonly names: readonly string[];
}

export const each = (names: readonly string[]): NamedMetrics => ({ names });

/** One metric for each element of the scenario. */
export interface SizedMetrics {
  /** Placeholder of the name: `<combatant>`. */
  readonly of: string;
  /** Name of the size in kernels. */
  readonly size: string;
  /** The first part of their names, if it differs from the name of the group. */
  readonly label: string | undefined;
}

export const many = (of: string, size: string, label?: string): SizedMetrics => ({ of, size, label });

export type MetricGroup = SingleMetric | NamedMetrics | SizedMetrics;
type MetricGroups = Readonly<Record<string, MetricGroup>>;

/** The greatest value of a metric from 0, or its whole declaration. */
type MetricBound = number | Omit<Metric, 'name'>;

type MetricBounds<G> = G extends SingleMetric
  ? MetricBound
  : G extends NamedMetrics
    ? readonly MetricBound[]
    : readonly (readonly [string, MetricBound])[];
type MetricValues<G> = G extends SingleMetric ? number : readonly number[];

const createMetric = (name: string, bound: MetricBound): Metric =>
  typeof bound === 'number' ? { name, min: 0, max: bound } : { name, ...bound };

function createGroupMetrics(name: string, group: MetricGroup, bounds: unknown): Metric[] {
  if (group === one) return [createMetric(name, bounds as MetricBound)];
  if ('names' in group) {
    const given = bounds as readonly MetricBound[];
    if (given.length !== group.names.length) throw new Error(`${name}: ${String(given.length)} bounds`);
    return given.map((bound, k) => createMetric(`${name}.${group.names[k] ?? ''}`, bound));
  }
  const { label = name } = group;
  return (bounds as readonly (readonly [string, MetricBound])[]).map(([each, bound]) =>
    createMetric(`${label}.${each}`, bound),
  );
}

/** Start of a group: a number, plus the sizes of previous groups that depend on the scenario. */
export interface MetricOffset {
  readonly name: string;
  readonly group: MetricGroup;
  readonly number: number;
  /** By name, its multiplicity. */
  readonly sizes: ReadonlyMap<string, number>;
}

function computeMetricOffsets(groups: MetricGroups): MetricOffset[] {
  let number = 0;
  const sizes = new Map<string, number>();
  return Object.entries(groups).map(([name, group]) => {
    const begins = { name, group, number, sizes: new Map(sizes) };
    if (group === one) number++;
    else if ('names' in group) number += group.names.length;
    else sizes.set(group.size, (sizes.get(group.size) ?? 0) + 1);
    return begins;
  });
}

export class Metrics<G extends MetricGroups = MetricGroups> {
  readonly groups: G;
  /** The groups in their order. */
  readonly offsets: readonly MetricOffset[];

  constructor(groups: G) {
    this.groups = groups;
    this.offsets = computeMetricOffsets(groups);
  }

  /** Creates the metrics of a model. @throws Error if the numbers of bounds and names of a group differ */
  declare(bounds: { readonly [K in keyof G]: MetricBounds<G[K]> }): Metric[] {
    return this.offsets.flatMap(({ name, group }) => createGroupMetrics(name, group, bounds[name]));
  }

  /** Returns the values of a battle in the order of the metrics. */
  values(values: { readonly [K in keyof G]: MetricValues<G[K]> }): number[] {
    const found: number[] = [];
    for (const { name } of this.offsets) {
      const value: number | readonly number[] = values[name] as number | readonly number[];
      if (typeof value === 'number') found.push(value);
      else for (const part of value) found.push(part);
    }
    return found;
  }

  /** Number of metrics, if all sizes are known. */
  get count(): number | undefined {
    const counts = Object.values(this.groups).map((group) =>
      group === one ? 1 : 'names' in group ? group.names.length : undefined,
    );
    return counts.reduce<number | undefined>(
      (sum, each) => (sum === undefined || each === undefined ? undefined : sum + each),
      0,
    );
  }

  /** Returns the number of a metric without previous sizes. */
  at(name: keyof G): number {
    const found = this.offsets.find((beginning) => beginning.name === name);
    if (found === undefined || found.sizes.size > 0) throw new Error(`${String(name)} has no number`);
    return found.number;
  }
}

export function metrics<const G extends MetricGroups>(groups: G): Metrics<G> {
  return new Metrics(groups);
}
