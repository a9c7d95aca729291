/** Converts problems of the library to editor diagnostics. */
import type { Diagnostic } from '@codemirror/lint';
import type { Text } from '@codemirror/state';
import type { CheckResult, LocatedProblem } from '../../engine/editing/check.ts';

/** Word or quoted text at the start of the rest of a line. */
const TOKEN = /^(?:"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s,:#[\]{}]+|[^\s])/;

/** Returns the range of a problem: the word at its position, or the last character before an end. */
export function findProblemRange(
  doc: Text,
  { line, column }: Pick<LocatedProblem, 'line' | 'column'>,
): { from: number; to: number } {
  const { from: start, text } = doc.line(Math.min(Math.max(1, line), doc.lines));
  const at = Math.min(column - 1, text.length);
  const length = TOKEN.exec(text.slice(at))?.[0].length ?? 0;
  const from = start + at;
  return length > 0 ? { from, to: from + length } : { from: Math.max(start, from - 1), to: from };
}

export function createDiagnostics(doc: Text, checked: CheckResult): Diagnostic[] {
  if (checked.ok) return [];
  return checked.problems.map((problem): Diagnostic => {
    const { field, expected, found } = problem;
    const place = field === '' ? '' : `${field}: `;
    return {
      ...findProblemRange(doc, problem),
      severity: 'error',
      message: `${place}expected ${expected}, found ${found}`,
    };
  });
}
