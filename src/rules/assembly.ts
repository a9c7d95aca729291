/** Declarations of a layout.ts as AssemblyScript: structs, numbers, names of numbers, lists, places and metrics. */
import type { Places, Stride } from '../core/chance/places.ts';
import { camel, type LanguageWriter, pascal, writtenBy } from './declared.ts';
import type { Beginning } from './metrics.ts';
import { Struct, type StructFields } from './struct.ts';

function wordsOf(name: string, { at, size }: Struct<StructFields>): string {
  const lines = Object.entries(at).map(([word, index]) => `  export const ${word}: usize = ${String(index)};\n`);
  return `export namespace ${pascal(name)} {\n${lines.join('')}}\nexport const ${name}_WORDS: usize = ${String(size)};\n`;
}

/** The words of a row bear its name and a number from 0 on. */
function classOf(name: string, { fields }: Struct<StructFields>): string {
  const lines = Object.entries(fields).flatMap(([field, kind]) => {
    if (typeof kind === 'string') return `  ${field}: ${kind};\n`;
    if (kind instanceof Struct || typeof kind.of !== 'string')
      throw new Error(`${name}.${field} is no word or row of words`);
    const { of } = kind;
    return Array.from({ length: kind.length }, (_, k) => `  ${field}${String(k)}: ${of};\n`);
  });
  return `@unmanaged\nexport class ${pascal(name)} {\n${lines.join('')}}\n`;
}

const constant = (name: string, type: string, value: number): string =>
  `  static readonly ${camel(name)}: ${type} = ${String(value)};\n`;

/** A function of numbers in a class. */
function inlined(name: string, type: string, parameters: readonly string[], value: string): string {
  const given = parameters.map((parameter) => `${parameter}: ${type}`).join(', ');
  return `  @inline static ${name}(${given}): ${type} {\n    return ${value};\n  }\n`;
}

/** What an index adds to a place. */
function share({ name, words, of }: Stride): string {
  const share = words === 1 ? name : `${name} * ${String(words)}`;
  return of === undefined ? share : `${share} * ${of}`;
}

/** Indices of so many bits each. */
const isOfBits = ({ words, of }: Stride): boolean => of === undefined && Number.isInteger(Math.log2(words));
const bits = ({ name, words }: Stride): string => (words === 1 ? name : `(${name} << ${String(Math.log2(words))})`);

const sum = (strides: readonly Stride[], from: number): string =>
  [...(from > 0 ? [String(from)] : []), ...strides.map(share)].join(' + ');

/** By how much places move on with each index, what has names in them, and the place that indices give. */
function placesOf(name: string, { strides, parts, from }: Places): string {
  const sizes = new Set(strides.flatMap(({ of }) => (of === undefined ? [] : [of])));
  const fixed = strides.filter(({ of }) => of === undefined);
  const place = strides.every(isOfBits) && from === 0 ? strides.map(bits).join(' | ') : sum(strides, from);
  return [
    `export class ${pascal(name)} {\n`,
    ...fixed.map((stride) => constant(stride.name, 'u32', stride.words)),
    ...Object.entries(parts).map(([part, word]) => constant(part, 'u32', word)),
    inlined('at', 'u32', [...strides.map((stride) => stride.name), ...sizes], place),
    '}\n',
  ].join('');
}

/** The number of a group's first metric, and of each where the declaration alone has them. */
function numbersOf({ name, group, number, sizes }: Beginning): string {
  if (sizes.size > 0) {
    const behind = [...sizes].map(([size, times]) => (times === 1 ? size : `${String(times)} * ${size}`));
    return inlined(name, 'i32', [...sizes.keys()], [String(number), ...behind].join(' + '));
  }
  const names = typeof group === 'object' && 'names' in group ? group.names : [];
  const members = names.map((each, k) => constant(`${name}-${each}`, 'i32', number + k));
  return [constant(name, 'i32', number), ...members].join('');
}

function enumOf(name: string, members: readonly (readonly [string, number])[]): string {
  const lines = members.map(([member, value]) => `  ${camel(member)} = ${String(value)},\n`);
  return `export const enum ${pascal(name)} {\n${lines.join('')}}\n`;
}

const ASSEMBLY: LanguageWriter = {
  struct: (name, struct) => (struct.form === 'class' ? classOf : wordsOf)(name, struct),
  list: (name, names) =>
    enumOf(
      name,
      [...names.entries()].map(([k, each]) => [each, k]),
    ),
  names: enumOf,
  number(name, value) {
    const type = Number.isInteger(value) ? (value >= 2 ** 31 ? 'u32' : 'i32') : 'f64';
    return `export const ${name}: ${type} = ${String(value)};\n`;
  },
  /** They lie in memory. */
  numbers: (name, values) => `export const ${name}: usize = memory.data<i32>([${values.join(', ')}]);\n`,
  places: placesOf,
  metrics: (name, { beginnings }) => `export class ${pascal(name)} {\n${beginnings.map(numbersOf).join('')}}\n`,
};

/** The exports of a module of declarations for AssemblyScript; functions and the like are left out. */
export function assemblyOf(declarations: Readonly<Record<string, unknown>>): string {
  return writtenBy(ASSEMBLY, declarations);
}
