/** A parsed file and its kind. */
import { InputError } from '../../core/index.ts';
import type { SystemRegistry } from '../registry.ts';
import type { Price } from '../system.ts';
import { type DocumentProblem, isMapping } from './problem.ts';

/** Location of a value in a text. */
export interface SourceLocation {
  /** Offset of the value. */
  readonly offset: number;
  /** Offset of the name of the field. */
  readonly name: number;
  /** Notation of a scalar in the text. */
  readonly text?: string | undefined;
  /** Elements of a mapping or a list, by name or index. */
  readonly inside: ReadonlyMap<string | number, SourceLocation>;
}

export interface DocumentSource {
  readonly value: unknown;
  readonly spot: SourceLocation | undefined;
  /** Problems for any kind of file; the value is complete nevertheless. */
  readonly problems: readonly DocumentProblem[];
  /** Formats the position of an offset: file, line and column. */
  readonly place: (offset: number) => string;
  /** Systems of scenarios; default: the shipped ones. */
  readonly registry?: SystemRegistry;
  /** Prices for a scenario without any. */
  readonly prices?: readonly Price[];
}

/** Kinds of files, which are distinguished by their fields. */
export type FileKind = 'scenario' | 'sweep' | 'expectations' | 'roster' | 'policy' | 'problem';

/** Kinds that commands require. Policy files are parts of scenarios. */
type RequiredKind = Exclude<FileKind, 'policy'>;

/** Name of a kind, and its command. */
const ABOUT: Readonly<Record<FileKind, { readonly name: string; readonly use: string }>> = {
  scenario: { name: 'a scenario', use: 'use "warpool run"' },
  sweep: { name: 'a sweep file', use: 'use "warpool sweep"' },
  expectations: { name: 'a file of expectations', use: 'use "warpool assert"' },
  roster: { name: 'a roster', use: 'use "warpool matchup"' },
  policy: { name: 'a policy file', use: 'use "--set policies.<player>=<file>"' },
  problem: { name: 'a balance problem', use: 'use "warpool balance" without --vary and --target' },
};

/** Requirement of a kind. */
const NEEDS: Readonly<Record<RequiredKind, string>> = {
  scenario: 'a scenario, with the field system',
  sweep: 'a sweep file, with a scenario and axes',
  expectations: 'a file of expectations, with the field expectations',
  roster: 'a roster, with armies, or attackers and defenders',
  problem: 'a balance problem, with scenarios, fields and targets',
};

/** Fields that other files do not have. */
const OWN_FIELDS: Readonly<Record<string, FileKind>> = {
  system: 'scenario',
  axes: 'sweep',
  expectations: 'expectations',
  targets: 'problem',
};

const ROSTER_FIELDS = ['armies', 'attackers', 'defenders'];

/**
 * Detects the kind of a file; undefined for unknown fields, where checking the file as the expected kind is most
 * helpful.
 */
export function detectFileKind(value: unknown): FileKind | undefined {
  if (!isMapping(value)) return undefined;
  if (String(value['format']).startsWith('warpool-policy-')) return 'policy';
  const kinds = Object.entries(OWN_FIELDS).flatMap(([name, kind]) => (name in value ? [kind] : []));
  if (kinds.length === 0) return ROSTER_FIELDS.some((name) => name in value) ? 'roster' : undefined;
  return kinds.length === 1 ? kinds[0] : undefined;
}

/** Rejects a file of another kind with one error, instead of one for each of its fields. @throws InputError */
export function checkFileKind({ value, place }: DocumentSource, wanted: RequiredKind): void {
  const found = detectFileKind(value);
  if (found === undefined || found === wanted) return;
  const { name, use } = ABOUT[found];
  const file = place(0).replace(/:1:1$/, '');
  throw new InputError(file || wanted, NEEDS[wanted], `${name}; ${use}`, file === '' ? { path: [] } : { file });
}
