/** Which kind of file a value is of: scenarios, sweeps and expectations are told apart by their fields. */
import { InputError } from '../../core/errors.ts';
import type { DocumentSource } from './document.ts';
import { isMapping } from './finding.ts';

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
export function kindOf(value: unknown): FileKind | undefined {
  if (!isMapping(value)) return undefined;
  const fields = (['system', 'axes', 'expectations'] as const).filter((name) => name in value);
  if (fields.length !== 1) return undefined;
  return fields[0] === 'system' ? 'scenario' : fields[0] === 'axes' ? 'sweep' : 'expectations';
}

/** Refuses a file of another kind in one error, in the place of one for each of its fields. @throws InputError */
export function checkKind({ value, place }: DocumentSource, wanted: FileKind): void {
  const found = kindOf(value);
  if (found === undefined || found === wanted) return;
  const { name, use } = ABOUT[found];
  throw new InputError(place(0).replace(/:1:1$/, '') || wanted, NEEDS[wanted], `${name}; ${use}`);
}
