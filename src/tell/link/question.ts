/** The whole question that a link holds, and what of a link is one. */

import { describeFound, InputError } from '../../core/index.ts';
import { isMapping } from '../../rules/index.ts';

/** How long is played: so many battles, or until the intervals of all outcomes are so narrow (a half-width, 0.001). */
export type Effort =
  | { readonly kind: 'battles'; readonly battles: number }
  | { readonly kind: 'precision'; readonly precision: number };

export interface Question {
  /** Of the scenario. */
  readonly text: string;
  readonly file: string;
  readonly seed: string;
  readonly effort: Effort;
  readonly panel: string;
  /** What panels ask beside, by panel. */
  readonly notes: Readonly<Record<string, unknown>>;
  /** Ruleset of the page that made the link: with another one the same battles may end otherwise. */
  readonly ruleset: string;
}

/** UTF-16 units of a scenario's text. */
export const TEXT_LIMIT = 1024 * 1024;

/** Units of the notes of all panels, as JSON. */
const NOTES_LIMIT = 64 * 1024;

const BATTLES_MAX = 2 ** 53;
const SEED_MAX = 2n ** 64n - 1n;

/** A name of a file that is safe to show and to save under. */
export const FILE_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_. ()+-]{0,99}$/u;
const ID = /^[a-z][a-z0-9.-]{0,40}$/;

/** A name that is safe to show, to save under and to have in a link. */
export function safeName(name: string): string {
  const kept = name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}_. ()+-]/gu, '_')
    .replace(/^[^\p{L}\p{N}]+/u, '');
  const short = kept.length > 80 ? kept.slice(0, 60) + kept.slice(-20) : kept;
  return FILE_NAME.test(short) ? short : 'scenario.yaml';
}

function refuse(field: string, expected: string, value: unknown): never {
  throw new InputError(`link, ${field}`, expected, describeFound(value));
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') refuse('scenario', 'a text', value);
  if (value.length > TEXT_LIMIT) throw new InputError('link, scenario', 'a text of at most 1 MiB', 'a longer one');
  return value;
}

function matching(field: string, pattern: RegExp, expected: string, value: unknown): string {
  return typeof value === 'string' && pattern.test(value) ? value : refuse(field, expected, value);
}

/** A seed in decimal, 0..2^64-1; undefined if it is none. */
function seedOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value) || BigInt(value) > SEED_MAX) return undefined;
  return String(BigInt(value));
}

function effortOf({ battles, precision }: Readonly<Record<string, unknown>>): Effort {
  if (precision !== undefined) {
    if (typeof precision === 'number' && precision >= 1e-6 && precision <= 0.5) return { kind: 'precision', precision };
    refuse('precision', 'a number 0.000001..0.5', precision);
  }
  const whole = typeof battles === 'number' && Number.isInteger(battles) && battles >= 1 && battles <= BATTLES_MAX;
  return whole ? { kind: 'battles', battles } : refuse('battles', 'an integer 1..2^53', battles);
}

function notesOf(value: unknown): Question['notes'] {
  if (value === undefined) return {};
  if (!isMapping(value)) refuse('panels', 'a mapping', value);
  const strange = Object.keys(value).find((id) => !ID.test(id));
  if (strange !== undefined) refuse('panels', 'names of panels', strange);
  if (JSON.stringify(value).length > NOTES_LIMIT) throw new InputError('link, panels', 'at most 64 KiB', 'more');
  return value;
}

/** A question as a plain value, without what is as usual. */
export function plainOf({ text, file, seed, effort, panel, notes, ruleset }: Question): Record<string, unknown> {
  const { kind: _, ...amount } = effort;
  return {
    ruleset,
    file,
    ...(seed !== '1' && { seed }),
    ...amount,
    ...(panel !== 'answer' && { panel }),
    ...(Object.keys(notes).length > 0 && { notes }),
    text,
  };
}

const FIELDS: ReadonlySet<string> = new Set([
  'ruleset',
  'file',
  'seed',
  'battles',
  'precision',
  'panel',
  'notes',
  'text',
]);

/** The question that a plain value means. @throws InputError if it means none */
export function questionOf(value: unknown): Question {
  if (!isMapping(value)) refuse('content', 'a mapping', value);
  const { text, file, seed = '1', panel = 'answer', notes, ruleset } = value;
  const strange = Object.keys(value).find((name) => !FIELDS.has(name));
  if (strange !== undefined) refuse('content', 'fields that are known', strange);
  return {
    ruleset: matching('ruleset', /^\d{1,6}$/, 'a number', ruleset),
    file: matching('file', FILE_NAME, 'the name of a file', file),
    seed: seedOf(seed) ?? refuse('seed', 'an integer 0..2^64-1, as a text', seed),
    effort: effortOf(value),
    panel: matching('panel', ID, 'the name of a panel', panel),
    notes: notesOf(notes),
    text: textOf(text),
  };
}
