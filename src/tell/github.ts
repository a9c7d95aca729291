/** What GitHub Actions shows of a command: annotations, as workflow commands, and the Markdown of a job's summary. */
import { type FilePosition, InputError, placeParts } from '../core/index.ts';
import { clean, cleanLines } from './text/clean.ts';

export interface Annotation extends Partial<FilePosition> {
  readonly level?: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
}

const data = (text: string): string => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');

const property = (text: string): string => data(text).replace(/:/g, '%3A').replace(/,/g, '%2C');

/**
 * `::error file=army.yaml,line=12,col=16,title=...::message`.
 * Source: docs.github.com, "Workflow commands for GitHub Actions"; the escapes are those of actions/toolkit, command.ts.
 */
export function workflowCommand({ level = 'error', title, message, file, line, column }: Annotation): string {
  const known = { file, line, col: column, title };
  const properties = Object.entries(known).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${property(clean(String(value)))}`],
  );
  return `::${level} ${properties.join(',')}::${data(cleanLines(message))}`;
}

/** The annotations of bad input, one for each mistake; undefined of other errors. */
export function inputAnnotations(error: unknown): Annotation[] | undefined {
  if (!(error instanceof InputError)) return undefined;
  return error.errors.map(({ place, message }) => {
    const { field, ...at } = placeParts(place);
    return { ...at, title: field === '' ? 'bad input' : field, message };
  });
}

/** Text as a cell of a Markdown table, or elsewhere in Markdown. */
export function markdownText(text: string): string {
  return clean(text).replace(/[\\`*_{}[\]<>|#]/g, String.raw`\$&`);
}

export function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map((row) => line(row.map(markdownText)))].join('\n');
}
