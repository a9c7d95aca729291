/** Content of links, and its validation. */

import { describeFound, InputError } from '../../core/index.ts';
import { isMapping } from '../../rules/index.ts';

/** Number of battles, or precision: half-width of the intervals of all outcomes, such as 0.001. */
export type RequestedEffort =
  | { readonly kind: 'battles'; readonly battles: number }
  | { readonly kind: 'precision'; readonly precision: number };

export interface LinkContent {
  /** Text of the scenario. */
  readonly text: string;
  readonly file: string;
  readonly seed: string;
  readonly effort: RequestedEffort;
  readonly panel: string;
  /** Inputs of panels, by panel. */
  readonly notes: Readonly<Record<string, unknown>>;
  /** Ruleset of the web app that created the link. Results may differ with another one. */
  readonly ruleset: string;
}

/** Maximum length of the text of a scenario, in UTF-16 units. */
export const TEXT_LIMIT = 1024 * 1024;

/** Maximum length of the inputs of all panels as JSON, in UTF-16 units. */
const NOTES_LIMIT = 64 * 1024;

const BATTLES_MAX = 2 ** 53;
const SEED_MAX = 2n ** 64n - 1n;

/** File names that are safe to show and to save. */
export const FILE_NAME_PATTERN = /^[\p{L}\p{N}_][\p{L}\p{N}_. ()+-]{0,99}$/u;
const ID_PATTERN = /^[a-z][a-z0-9.-]{0,40}$/;

/** Converts a name to a safe file name. */
export function sanitizeFileName(name: string): string {
  const kept = name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}_. ()+-]/gu, '_')
    .replace(/^[^\p{L}\p{N}]+/u, '');
  const short = kept.length > 80 ? kept.slice(0, 60) + kept.slice(-20) : kept;
  return FILE_NAME_PATTERN.test(short) ? short : 'scenario.yaml';
}

function rejectField(field: string, expected: string, value: unknown): never {
  throw new InputError(`link, ${field}`, expected, describeFound(value));
}

function readTextField(value: unknown): string {
  if (typeof value !== 'string') rejectField('scenario', 'a text', value);
  if (value.length > TEXT_LIMIT) throw new InputError('link, scenario', 'a text of at most 1 MiB', 'a longer one');
  return value;
}

function readMatchingField(field: string, pattern: RegExp, expected: string, value: unknown): string {
  return typeof value === 'string' && pattern.test(value) ? value : rejectField(field, expected, value);
}

/** Parses a decimal seed, 0..2^64-1; undefined if it is invalid. */
function readSeed(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value) || BigInt(value) > SEED_MAX) return undefined;
  return String(BigInt(value));
}

function readEffort({ battles, precision }: Readonly<Record<string, unknown>>): RequestedEffort {
  if (precision !== undefined) {
    if (typeof precision === 'number' && precision >= 1e-6 && precision <= 0.5) return { kind: 'precision', precision };
    rejectField('precision', 'a number 0.000001..0.5', precision);
  }
  const whole = typeof battles === 'number' && Number.isInteger(battles) && battles >= 1 && battles <= BATTLES_MAX;
  return whole ? { kind: 'battles', battles } : rejectField('battles', 'an integer 1..2^53', battles);
}

function readNotes(value: unknown): LinkContent['notes'] {
  if (value === undefined) return {};
  if (!isMapping(value)) rejectField('panels', 'a mapping', value);
  const strange = Object.keys(value).find((id) => !ID_PATTERN.test(id));
  if (strange !== undefined) rejectField('panels', 'names of panels', strange);
  if (JSON.stringify(value).length > NOTES_LIMIT) throw new InputError('link, panels', 'at most 64 KiB', 'more');
  return value;
}

/** Converts content to a plain object, without default values. */
export function toPlainContent({
  text,
  file,
  seed,
  effort,
  panel,
  notes,
  ruleset,
}: LinkContent): Record<string, unknown> {
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

/** Validates content. @throws InputError if it is invalid */
export function parseLinkContent(value: unknown): LinkContent {
  if (!isMapping(value)) rejectField('content', 'a mapping', value);
  const { text, file, seed = '1', panel = 'answer', notes, ruleset } = value;
  const strange = Object.keys(value).find((name) => !FIELDS.has(name));
  if (strange !== undefined) rejectField('content', 'known fields', strange);
  return {
    ruleset: readMatchingField('ruleset', /^\d{1,6}$/, 'a number', ruleset),
    file: readMatchingField('file', FILE_NAME_PATTERN, 'the name of a file', file),
    seed: readSeed(seed) ?? rejectField('seed', 'an integer 0..2^64-1, as a text', seed),
    effort: readEffort(value),
    panel: readMatchingField('panel', ID_PATTERN, 'the name of a panel', panel),
    notes: readNotes(notes),
    text: readTextField(text),
  };
}
