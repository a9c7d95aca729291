/** Declarations of a layout.ts, one after the other, for those who write them in other languages. */
import { Places } from '../core/chance/places.ts';
import { Metrics } from './metrics.ts';
import { Struct, type StructFields } from './struct.ts';

type Members = readonly (readonly [string, number])[];

/** Writes each kind of declaration in a language; the empty text where that has no use for it. */
export interface LanguageWriter {
  struct(name: string, struct: Struct<StructFields>): string;
  /** Names that are numbered from 0 on, and names of any numbers. */
  list(name: string, names: readonly string[]): string;
  names(name: string, members: Members): string;
  number(name: string, value: number): string;
  numbers(name: string, values: readonly number[]): string;
  places(name: string, places: Places): string;
  metrics(name: string, metrics: Metrics): string;
}

/** SIDE_HEAD becomes SideHead, next-step nextStep. */
export const pascal = (name: string): string =>
  name.toLowerCase().replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase());
export const camel = (name: string): string => name.replace(/[-:.](\w)/g, (_, first: string) => first.toUpperCase());
/** nextStep and next-step become NEXT_STEP. */
export const upper = (name: string): string =>
  name
    .replace(/[-:.]/g, '_')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase();

function textOf(name: string, value: unknown, writer: LanguageWriter): string {
  if (typeof value === 'number') return writer.number(name, value);
  if (Array.isArray(value)) {
    if (value.every((each) => typeof each === 'number')) return writer.numbers(name, value);
    return writer.list(name, value.map(String));
  }
  if (value instanceof Struct) return writer.struct(name, value as Struct<StructFields>);
  if (value instanceof Places) return writer.places(name, value as Places);
  if (value instanceof Metrics) return writer.metrics(name, value as Metrics);
  const members = typeof value === 'object' && value !== null ? Object.entries<unknown>({ ...value }) : [];
  const areNumbered = members.length > 0 && members.every((member) => typeof member[1] === 'number');
  return areNumbered ? writer.names(name, members as [string, number][]) : '';
}

/** The exports of a module of declarations; functions and the like are left out. */
export function writtenBy(writer: LanguageWriter, declarations: Readonly<Record<string, unknown>>): string {
  return Object.entries(declarations)
    .map(([name, value]) => textOf(name, value, writer))
    .filter((text) => text !== '')
    .join('\n');
}
