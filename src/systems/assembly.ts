/** Declarations of a layout.ts as AssemblyScript: structs, numbers, and lists of names that are numbered. */
import { type Fields, Struct } from './struct.ts';

/** SIDE_HEAD becomes SideHead, next-step nextStep. */
const pascal = (name: string): string =>
  name.toLowerCase().replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase());
const camel = (name: string): string => name.replace(/[-:](\w)/g, (_, first: string) => first.toUpperCase());

function namespaceOf(name: string, type: string, members: readonly (readonly [string, number])[]): string {
  const lines = members.map(([member, value]) => `  export const ${camel(member)}: ${type} = ${String(value)};\n`);
  return `export namespace ${pascal(name)} {\n${lines.join('')}}\n`;
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
  return `export const ${name}: ${value >= 2 ** 31 ? 'u32' : 'i32'} = ${String(value)};\n`;
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'number') return numberOf(name, value);
  if (Array.isArray(value)) {
    const members = value.map((member: string, k) => [member, k] as const);
    return namespaceOf(name, 'i32', members);
  }
  if (!(value instanceof Struct)) return '';
  if (value.form === 'class') return classOf(name, value as Struct<Fields>);
  const words = namespaceOf(name, 'usize', Object.entries<number>(value.at));
  return `${words}export const ${name}_WORDS: usize = ${String(value.size)};\n`;
}

/** The exports of a module of declarations for AssemblyScript; functions and the like are left out. */
export function assemblyOf(declarations: Readonly<Record<string, unknown>>): string {
  return Object.entries(declarations)
    .map(([name, value]) => textOf(name, value))
    .filter((text) => text !== '')
    .join('\n');
}
