/** Output for GitHub Actions: annotations on standard error, and the summary of the job. */
import { appendFile } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { InputError } from '../core/index.ts';
import { type Annotation, createInputAnnotations, formatWorkflowCommand } from '../report/index.ts';
import { renameLibraryOptions } from './failure.ts';
import { printStatus } from './terminal.ts';

/** GitHub shows at most ten annotations of a kind per step. */
const ANNOTATIONS_MAX = 10;

/** Returns the file relative to the root of the repository, as GitHub requires. */
function locateInRepository(annotation: Annotation): Annotation {
  const { GITHUB_WORKSPACE: root } = process.env;
  if (root === undefined || root === '' || annotation.file === undefined) return annotation;
  const file = relative(root, resolve(annotation.file));
  return file.startsWith('..') || isAbsolute(file) ? annotation : { ...annotation, file: file.replaceAll(sep, '/') };
}

/**
 * Writes annotations in GitHub Actions, to standard error so that standard output is unchanged.
 * @returns number written, from the first on; logs show their messages, so they need not be printed again
 */
export function annotate(annotations: readonly Annotation[]): number {
  if (process.env['GITHUB_ACTIONS'] !== 'true') return 0;
  const shown = annotations.slice(0, ANNOTATIONS_MAX);
  for (const each of shown) printStatus(formatWorkflowCommand(locateInRepository(each)));
  return shown.length;
}

/** Appends Markdown to the summary of the job, if there is one. A failure is only reported. */
export async function writeSummary(markdown: () => string): Promise<void> {
  const path = process.env['GITHUB_STEP_SUMMARY'];
  if (path === undefined || path === '') return;
  await appendFile(path, `${markdown()}\n\n`).catch((error: unknown) => {
    printStatus(
      `warpool: cannot write the summary of the job: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
}

/**
 * Annotates the error that ended a command: each mistake at its line, other failures without a place.
 * @returns true if the annotations contain the whole message
 */
export function annotateFailure(error: unknown, message: string): boolean {
  const annotations = createInputAnnotations(error instanceof InputError ? renameLibraryOptions(error) : error) ?? [
    { title: 'warpool', message },
  ];
  const more = error instanceof InputError ? error.more : 0;
  return annotate(annotations.filter((each) => each.message !== '')) === annotations.length + more;
}
