/** Declarations of a layout.ts as a header of C: bench/native has programs that read the same words. */
import type { Places } from '../core/chance/places.ts';
import { type LanguageWriter, upper, writtenBy } from './declared.ts';
import type { Beginning } from './metrics.ts';
import { Struct, type StructFields } from './struct.ts';

type Numbers = readonly (readonly [name: string, value: number])[];

const enumInC = (numbers: Numbers): string =>
  numbers.length === 0 ? '' : `enum { ${numbers.map(([name, value]) => `${name} = ${String(value)}`).join(', ')} };\n`;

const prefixed = (name: string, numbers: Numbers): Numbers =>
  numbers.map(([each, value]) => [`${name}_${upper(each)}`, value]);

function inlinedInC(name: string, type: string, parameters: readonly string[], value: string): string {
  const given = parameters.map((parameter) => `${type} ${parameter}`).join(', ');
  return `static inline ${type} ${name}(${given}) { return ${value}; }\n`;
}

/** Words by their numbers, and what a record has as members of a struct. */
function structOf(name: string, { form, fields, at, size }: Struct<StructFields>): string {
  const numbers = enumInC([...prefixed(name, Object.entries(at)), [`${name}_WORDS`, size]]);
  if (form === 'enum') return numbers;
  const members = Object.entries(fields).map(([field, kind]) => {
    if (typeof kind === 'string') return `${kind === 'u32' ? 'uint32_t' : 'int32_t'} ${field};`;
    return kind instanceof Struct ? '' : `int32_t ${field}[${String(kind.length)}];`;
  });
  return `${numbers}#define ${name}_FIELDS ${members.join(' ')}\n`;
}

function placesInC(name: string, { strides, parts, words, from }: Places): string {
  const sizes = new Set(strides.flatMap(({ of }) => (of === undefined ? [] : [of])));
  const shares = strides.map(({ name: index, words: stride, of }) =>
    [index, `${String(stride)}u`, ...(of === undefined ? [] : [of])].join(' * '),
  );
  const indices = [...strides.map((stride) => stride.name), ...sizes];
  return [
    enumInC([...prefixed(name, Object.entries(parts)), [`${name}_WORDS`, words]]),
    inlinedInC(`${name}_at`, 'uint32_t', indices, [`${String(from)}u`, ...shares].join(' + ')),
  ].join('');
}

function numbersInC(name: string, { name: group, number, sizes }: Beginning): string {
  if (sizes.size === 0) return enumInC([[`${name}_${upper(group)}`, number]]);
  const behind = [...sizes].map(([size, times]) => `${String(times)} * ${size}`);
  return inlinedInC(`${name}_${group}`, 'int32_t', [...sizes.keys()], [String(number), ...behind].join(' + '));
}

const C: LanguageWriter = {
  struct: structOf,
  list: (name, names) =>
    enumInC(
      prefixed(
        name,
        [...names.entries()].map(([k, each]) => [each, k]),
      ),
    ),
  names: (name, members) => enumInC(prefixed(name, members)),
  number: (name, value) =>
    Number.isInteger(value) && Math.abs(value) < 2 ** 31
      ? enumInC([[name, value]])
      : `#define ${name} ${String(value)}\n`,
  numbers: () => '',
  places: placesInC,
  metrics: (name, { beginnings, count }) =>
    [
      ...beginnings.map((beginning) => numbersInC(name, beginning)),
      count === undefined ? '' : enumInC([[`${name}_COUNT`, count]]),
    ].join(''),
};

/** The exports of a module of declarations for C; functions, lists of numbers and the like are left out. */
export function headerOf(declarations: Readonly<Record<string, unknown>>): string {
  return `#pragma once\n#include <stdint.h>\n\n${writtenBy(C, declarations)}`;
}
