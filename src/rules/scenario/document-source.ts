/** What the text of a file was read to, and which kind of file it is. */
import { InputError } from '../../core/index.ts';
import type { SystemRegistry } from '../registry.ts';
import type { Price } from '../system.ts';
import { type DocumentProblem, isMapping } from './problem.ts';

/** Where something stands in a text. */
export interface SourceLocation {
  /** Offset of the value. */
  readonly offset: number;
  /** Offset of the name of the field. */
  readonly name: number;
  /** How the text writes a scalar. */
  readonly text?: string | undefined;
  /** What is within a mapping or a list, by name or index. */
  readonly inside: ReadonlyMap<string | number, SourceLocation>;
}

export interface DocumentSource {
  readonly value: unknown;
  readonly spot: SourceLocation | undefined;
  /** What is wrong with it, whatever it is meant to be; the value is whole all the same. */
  readonly problems: readonly DocumentProblem[];
  /** What to call the place of an offset: file, line and column. */
  readonly place: (offset: number) => string;
  /** Systems that scenarios can name; the shipped ones unless given. */
  readonly registry?: SystemRegistry;
  /** Of a scenario that brings none. */
  readonly prices?: readonly Price[];
}

/** Kinds of files: scenarios, sweeps and expectations are told apart by their fields. */
export type FileKind = 'scenario' | 'sweep' | 'expectations';

/** What a kind is called, and what is done with such a file. */
const ABOUT: Readonly<Record<FileKind, { readonly name: string; readonly use: string }>> = {
  scenario: { name: 'a scenario', use: '"warpool run" plays it' },
  sweep: { name: 'a sweep file', use: '"warpool sweep" runs it' },
  expectations: { name: 'a file of expectations', use: '"warpool assert" decides it' },
};

/** What makes a file of its kind what it is. */
const NEEDS: Readonly<Record<FileKind, string>> = {
  scenario: 'a scenario, with the field system',
  sweep: 'a sweep file, with a scenario and axes',
  expectations: 'a file of expectations, with the field expectations',
};

/** undefined where nothing tells: such a file is best checked as what it should be. */
export function detectFileKind(value: unknown): FileKind | undefined {
  if (!isMapping(value)) return undefined;
  const fields = (['system', 'axes', 'expectations'] as const).filter((name) => name in value);
  if (fields.length !== 1) return undefined;
  return fields[0] === 'system' ? 'scenario' : fields[0] === 'axes' ? 'sweep' : 'expectations';
}

/** Refuses a file of another kind in one error, in the place of one for each of its fields. @throws InputError */
export function checkFileKind({ value, place }: DocumentSource, wanted: FileKind): void {
  const found = detectFileKind(value);
  if (found === undefined || found === wanted) return;
  const { name, use } = ABOUT[found];
  const file = place(0).replace(/:1:1$/, '');
  throw new InputError(file || wanted, NEEDS[wanted], `${name}; ${use}`, file === '' ? { path: [] } : { file });
}
