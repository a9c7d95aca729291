/** Declarations of a layout.ts for writers in other languages. */

import { StreamLayout, type Stride } from '../core/index.ts';
import { type MetricOffset, Metrics, Struct, type StructFields } from './struct.ts';

type EnumMembers = readonly (readonly [string, number])[];

/** Writer of declarations in a language; empty text for unused ones. */
interface LanguageWriter {
  struct(name: string, struct: Struct<StructFields>): string;
  /** Writes names that are numbered from 0 on, or names of any numbers. */
  list(name: string, names: readonly string[]): string;
  names(name: string, members: EnumMembers): string;
  number(name: string, value: number): string;
  numbers(name: string, values: readonly number[]): string;
  places(name: string, places: StreamLayout): string;
  metrics(name: string, metrics: Metrics): string;
}

/** Converts SIDE_HEAD to SideHead, next-step to nextStep. */
const toPascalCase = (name: string): string =>
  name.toLowerCase().replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase());
const toCamelCase = (name: string): string => name.replace(/[-:.](\w)/g, (_, first: string) => first.toUpperCase());
/** Converts nextStep and next-step to NEXT_STEP. */
const toUpperCase = (name: string): string =>
  name
    .replace(/[-:.]/g, '_')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase();

function writeDeclaration(name: string, value: unknown, writer: LanguageWriter): string {
  if (typeof value === 'number') return writer.number(name, value);
  if (Array.isArray(value)) {
    if (value.every((each) => typeof each === 'number')) return writer.numbers(name, value);
    return writer.list(name, value.map(String));
  }
  if (value instanceof Struct) return writer.struct(name, value as Struct<StructFields>);
  if (value instanceof StreamLayout) return writer.places(name, value as StreamLayout);
  if (value instanceof Metrics) return writer.metrics(name, value as Metrics);
  const members = typeof value === 'object' && value !== null ? Object.entries<unknown>({ ...value }) : [];
  const areNumbered = members.length > 0 && members.every((member) => typeof member[1] === 'number');
  return areNumbered ? writer.names(name, members as [string, number][]) : '';
}

/** Writes the exports of a module of declarations, without functions. */
function writeDeclarations(writer: LanguageWriter, declarations: Readonly<Record<string, unknown>>): string {
  return Object.entries(declarations)
    .map(([name, value]) => writeDeclaration(name, value, writer))
    .filter((text) => text !== '')
    .join('\n');
}

// Writes the declarations of a layout.ts as AssemblyScript: structs, numbers, enums, lists, stream positions and
// metrics.

function writeWords(name: string, { at, size }: Struct<StructFields>): string {
  const lines = Object.entries(at).map(([word, index]) => `  export const ${word}: usize = ${String(index)};\n`);
  return `export namespace ${toPascalCase(name)} {\n${lines.join('')}}\nexport const ${name}_WORDS: usize = ${String(size)};\n`;
}

/** Writes a struct as a class; the words of a row have its name and a number from 0 on. */
function writeClass(name: string, { fields }: Struct<StructFields>): string {
  const lines = Object.entries(fields).flatMap(([field, kind]) => {
    if (typeof kind === 'string') return `  ${field}: ${kind};\n`;
    if (kind instanceof Struct || typeof kind.of !== 'string')
      throw new Error(`${name}.${field} is neither a word nor a row of words`);
    const { of } = kind;
    return Array.from({ length: kind.length }, (_, k) => `  ${field}${String(k)}: ${of};\n`);
  });
  return `@unmanaged\nexport class ${toPascalCase(name)} {\n${lines.join('')}}\n`;
}

const writeConstant = (name: string, type: string, value: number): string =>
  `  static readonly ${toCamelCase(name)}: ${type} = ${String(value)};\n`;

/** Writes a function of numbers in a class. */
function writeInlineFunction(name: string, type: string, parameters: readonly string[], value: string): string {
  const given = parameters.map((parameter) => `${parameter}: ${type}`).join(', ');
  return `  @inline static ${name}(${given}): ${type} {\n    return ${value};\n  }\n`;
}

/** Formats the stride of an index. */
function formatStride({ name, words, of }: Stride): string {
  const share = words === 1 ? name : `${name} * ${String(words)}`;
  return of === undefined ? share : `${share} * ${of}`;
}

/** Returns true if indices are bit fields. */
const isOfBits = ({ words, of }: Stride): boolean => of === undefined && Number.isInteger(Math.log2(words));
const formatBitStride = ({ name, words }: Stride): string =>
  words === 1 ? name : `(${name} << ${String(Math.log2(words))})`;

const formatStrides = (strides: readonly Stride[], from: number): string =>
  [...(from > 0 ? [String(from)] : []), ...strides.map(formatStride)].join(' + ');

/** Writes the strides of all indices, named offsets, and the position by indices. */
function writeStreamLayout(name: string, { strides, parts, from }: StreamLayout): string {
  const sizes = new Set(strides.flatMap(({ of }) => (of === undefined ? [] : [of])));
  const fixed = strides.filter(({ of }) => of === undefined);
  const place =
    strides.every(isOfBits) && from === 0 ? strides.map(formatBitStride).join(' | ') : formatStrides(strides, from);
  return [
    `export class ${toPascalCase(name)} {\n`,
    ...fixed.map((stride) => writeConstant(stride.name, 'u32', stride.words)),
    ...Object.entries(parts).map(([part, word]) => writeConstant(part, 'u32', word)),
    writeInlineFunction('at', 'u32', [...strides.map((stride) => stride.name), ...sizes], place),
    '}\n',
  ].join('');
}

/** Writes the number of the first metric of a group, and of each metric of a constant group. */
function writeMetricNumbers({ name, group, number, sizes }: MetricOffset): string {
  if (sizes.size > 0) {
    const behind = [...sizes].map(([size, times]) => (times === 1 ? size : `${String(times)} * ${size}`));
    return writeInlineFunction(name, 'i32', [...sizes.keys()], [String(number), ...behind].join(' + '));
  }
  const names = typeof group === 'object' && 'names' in group ? group.names : [];
  const members = names.map((each, k) => writeConstant(`${name}-${each}`, 'i32', number + k));
  return [writeConstant(name, 'i32', number), ...members].join('');
}

function writeEnum(name: string, members: readonly (readonly [string, number])[]): string {
  const lines = members.map(([member, value]) => `  ${toCamelCase(member)} = ${String(value)},\n`);
  return `export const enum ${toPascalCase(name)} {\n${lines.join('')}}\n`;
}

const ASSEMBLY: LanguageWriter = {
  struct: (name, struct) => (struct.form === 'class' ? writeClass : writeWords)(name, struct),
  list: (name, names) =>
    writeEnum(
      name,
      [...names.entries()].map(([k, each]) => [each, k]),
    ),
  names: writeEnum,
  number(name, value) {
    const type = Number.isInteger(value) ? (value >= 2 ** 31 ? 'u32' : 'i32') : 'f64';
    return `export const ${name}: ${type} = ${String(value)};\n`;
  },
  /** Stored in memory. */
  numbers: (name, values) => `export const ${name}: usize = memory.data<i32>([${values.join(', ')}]);\n`,
  places: writeStreamLayout,
  metrics: (name, { offsets }) =>
    `export class ${toPascalCase(name)} {\n${offsets.map(writeMetricNumbers).join('')}}\n`,
};

/** Writes the exports of a module of declarations for AssemblyScript, without functions. */
export function writeAssemblyScript(declarations: Readonly<Record<string, unknown>>): string {
  return writeDeclarations(ASSEMBLY, declarations);
}

// Declarations of a layout.ts as a header of C: bench/native has programs that read the same words.

type Numbers = readonly (readonly [name: string, value: number])[];

const writeCEnum = (numbers: Numbers): string =>
  numbers.length === 0 ? '' : `enum { ${numbers.map(([name, value]) => `${name} = ${String(value)}`).join(', ')} };\n`;

const prefixNames = (name: string, numbers: Numbers): Numbers =>
  numbers.map(([each, value]) => [`${name}_${toUpperCase(each)}`, value]);

function writeCInlineFunction(name: string, type: string, parameters: readonly string[], value: string): string {
  const given = parameters.map((parameter) => `${type} ${parameter}`).join(', ');
  return `static inline ${type} ${name}(${given}) { return ${value}; }\n`;
}

/** Writes the indices of words, and the members of a record as a struct. */
function writeCStruct(name: string, { form, fields, at, size }: Struct<StructFields>): string {
  const numbers = writeCEnum([...prefixNames(name, Object.entries(at)), [`${name}_WORDS`, size]]);
  if (form === 'enum') return numbers;
  const members = Object.entries(fields).map(([field, kind]) => {
    if (typeof kind === 'string') return `${kind === 'u32' ? 'uint32_t' : 'int32_t'} ${field};`;
    return kind instanceof Struct ? '' : `int32_t ${field}[${String(kind.length)}];`;
  });
  return `${numbers}#define ${name}_FIELDS ${members.join(' ')}\n`;
}

function writeCStreamLayout(name: string, { strides, parts, words, from }: StreamLayout): string {
  const sizes = new Set(strides.flatMap(({ of }) => (of === undefined ? [] : [of])));
  const shares = strides.map(({ name: index, words: stride, of }) =>
    [index, `${String(stride)}u`, ...(of === undefined ? [] : [of])].join(' * '),
  );
  const indices = [...strides.map((stride) => stride.name), ...sizes];
  return [
    writeCEnum([...prefixNames(name, Object.entries(parts)), [`${name}_WORDS`, words]]),
    writeCInlineFunction(`${name}_at`, 'uint32_t', indices, [`${String(from)}u`, ...shares].join(' + ')),
  ].join('');
}

function writeCMetricNumbers(name: string, { name: group, number, sizes }: MetricOffset): string {
  if (sizes.size === 0) return writeCEnum([[`${name}_${toUpperCase(group)}`, number]]);
  const behind = [...sizes].map(([size, times]) => `${String(times)} * ${size}`);
  return writeCInlineFunction(
    `${name}_${group}`,
    'int32_t',
    [...sizes.keys()],
    [String(number), ...behind].join(' + '),
  );
}

const C: LanguageWriter = {
  struct: writeCStruct,
  list: (name, names) =>
    writeCEnum(
      prefixNames(
        name,
        [...names.entries()].map(([k, each]) => [each, k]),
      ),
    ),
  names: (name, members) => writeCEnum(prefixNames(name, members)),
  number: (name, value) =>
    Number.isInteger(value) && Math.abs(value) < 2 ** 31
      ? writeCEnum([[name, value]])
      : `#define ${name} ${String(value)}\n`,
  numbers: () => '',
  places: writeCStreamLayout,
  metrics: (name, { offsets, count }) =>
    [
      ...offsets.map((beginning) => writeCMetricNumbers(name, beginning)),
      count === undefined ? '' : writeCEnum([[`${name}_COUNT`, count]]),
    ].join(''),
};

/** Writes the exports of a module of declarations for C, without functions and lists of numbers. */
export function writeCHeader(declarations: Readonly<Record<string, unknown>>): string {
  return `#pragma once\n#include <stdint.h>\n\n${writeDeclarations(C, declarations)}`;
}

// Declarations of a layout.ts as Python: words that the package in python/ reads and writes.

/** Writes a class of constants. */
function writePythonClass(name: string, about: string, numbers: readonly (readonly [string, number])[]): string {
  const lines = numbers.map(([each, value]) => `    ${toUpperCase(each)} = ${String(value)}\n`);
  return `\nclass ${toPascalCase(name)}:\n    """${about}"""\n\n${lines.join('')}\n`;
}

const PYTHON: LanguageWriter = {
  struct: (name, { at, size }) =>
    writePythonClass(name, 'Indices of words, and their number.', [...Object.entries(at), ['SIZE', size]]),
  list: (name, names) => `${name} = (\n${names.map((each) => `    "${each}",\n`).join('')})\n`,
  names: (name, members) => writePythonClass(name, 'Numbers by name.', members),
  number: (name, value) => `${name} = ${String(value)}\n`,
  // Only kernels simulate battles.
  numbers: () => '',
  places: () => '',
  metrics: () => '',
};

/** Writes the exports of a module of declarations for Python, without functions and lists of numbers. */
export function writePython(declarations: Readonly<Record<string, unknown>>): string {
  return `${writeDeclarations(PYTHON, declarations)
    .replaceAll(/\n{4,}/g, '\n\n\n')
    .trim()}\n`;
}
