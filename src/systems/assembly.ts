/** Declarations of a layout.ts as AssemblyScript: structs, numbers, names of numbers, and lists. */
import { type Fields, Struct } from './struct.ts';

/** SIDE_HEAD becomes SideHead, next-step nextStep. */
const pascal = (name: string): string =>
  name.toLowerCase().replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase());
const camel = (name: string): string => name.replace(/[-:](\w)/g, (_, first: string) => first.toUpperCase());

type Members = readonly (readonly [string, number])[];

function wordsOf(name: string, { at, size }: Struct<Fields>): string {
  const lines = Object.entries(at).map(([word, index]) => `  export const ${word}: usize = ${String(index)};\n`);
  return `export namespace ${pascal(name)} {\n${lines.join('')}}\nexport const ${name}_WORDS: usize = ${String(size)};\n`;
}

function namesOf(name: string, members: Members): string {
  const lines = members.map(([member, value]) => `  ${camel(member)} = ${String(value)},\n`);
  return `export const enum ${pascal(name)} {\n${lines.join('')}}\n`;
}

/** The words of a row bear its name and a number from 0 on. */
function classOf(name: string, { fields }: Struct<Fields>): string {
  const lines = Object.entries(fields).flatMap(([field, kind]) => {
    if (typeof kind === 'string') return `  ${field}: ${kind};\n`;
    if (kind instanceof Struct || typeof kind.of !== 'string')
      throw new Error(`${name}.${field} is no word or row of words`);
    const { of } = kind;
    return Array.from({ length: kind.length }, (_, k) => `  ${field}${String(k)}: ${of};\n`);
  });
  return `@unmanaged\nexport class ${pascal(name)} {\n${lines.join('')}}\n`;
}

function numberOf(name: string, value: number): string {
  const type = Number.isInteger(value) ? (value >= 2 ** 31 ? 'u32' : 'i32') : 'f64';
  return `export const ${name}: ${type} = ${String(value)};\n`;
}

/** Numbers lie in memory; names are numbered. */
function listOf(name: string, values: readonly unknown[]): string {
  const areNumbers = values.every((value) => typeof value === 'number');
  if (areNumbers) return `export const ${name}: usize = memory.data<i32>([${values.join(', ')}]);\n`;
  return namesOf(
    name,
    values.map((value, k) => [String(value), k]),
  );
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'number') return numberOf(name, value);
  if (Array.isArray(value)) return listOf(name, value);
  if (value instanceof Struct) return (value.form === 'class' ? classOf : wordsOf)(name, value as Struct<Fields>);
  const members = typeof value === 'object' && value !== null ? Object.entries<unknown>({ ...value }) : [];
  const areNumbered = members.length > 0 && members.every((member) => typeof member[1] === 'number');
  return areNumbered ? namesOf(name, members as [string, number][]) : '';
}

/** The exports of a module of declarations for AssemblyScript; functions and the like are left out. */
export function assemblyOf(declarations: Readonly<Record<string, unknown>>): string {
  return Object.entries(declarations)
    .map(([name, value]) => textOf(name, value))
    .filter((text) => text !== '')
    .join('\n');
}
