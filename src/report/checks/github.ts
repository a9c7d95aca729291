/** Output for GitHub Actions: annotations as workflow commands, and Markdown of job summaries. */
import { type FilePosition, InputError, splitPlace } from '../../core/index.ts';
import { sanitizeLine, sanitizeLines } from '../text/sanitize.ts';

export interface Annotation extends Partial<FilePosition> {
  readonly level?: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
}

const escapeData = (text: string): string => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');

const escapeProperty = (text: string): string => escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');

/**
 * `::error file=army.yaml,line=12,col=16,title=...::message`.
 * Source: docs.github.com, "Workflow commands for GitHub Actions"; escapes as in actions/toolkit, command.ts.
 */
export function formatWorkflowCommand({ level = 'error', title, message, file, line, column }: Annotation): string {
  const known = { file, line, col: column, title };
  const properties = Object.entries(known).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeProperty(sanitizeLine(String(value)))}`],
  );
  return `::${level} ${properties.join(',')}::${escapeData(sanitizeLines(message))}`;
}

/** Creates one annotation for each input error; undefined for other errors. */
export function createInputAnnotations(error: unknown): Annotation[] | undefined {
  if (!(error instanceof InputError)) return undefined;
  return error.errors.map(({ place, message }) => {
    const { field, ...at } = splitPlace(place);
    return { ...at, title: field === '' ? 'invalid input' : field, message };
  });
}

/** Escapes text for Markdown, including table cells. */
export function escapeMarkdown(text: string): string {
  return sanitizeLine(text).replace(/[\\`*_{}[\]<>|#]/g, String.raw`\$&`);
}

export function formatMarkdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const formatLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    formatLine(heads),
    formatLine(heads.map(() => '---')),
    ...rows.map((row) => formatLine(row.map(escapeMarkdown))),
  ].join('\n');
}
