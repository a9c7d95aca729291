/** GitHub Actions, where a command runs there: annotations on standard error, a summary in the file of the job. */
import { appendFile } from 'node:fs/promises';
import { type Annotation, inputAnnotations, workflowCommand } from '../tell/github.ts';
import { say } from './terminal.ts';

/** GitHub shows ten annotations of a kind for a step. */
const SHOWN = 10;

/** Writes annotations, if GitHub reads them. The runner takes them from both streams; standard output stays what it is. */
export function annotate(annotations: readonly Annotation[]): void {
  if (process.env['GITHUB_ACTIONS'] !== 'true') return;
  for (const each of annotations.slice(0, SHOWN)) say(workflowCommand(each));
}

/** Adds Markdown to the summary of the job, if there is one. What cannot be written is told and no failure. */
export async function summarise(markdown: () => string): Promise<void> {
  const path = process.env['GITHUB_STEP_SUMMARY'];
  if (path === undefined || path === '') return;
  await appendFile(path, `${markdown()}\n\n`).catch((error: unknown) => {
    say(`warpool: the summary of the job cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  });
}

/** Annotates what ended a command: each mistake in its line, other failures without a place. */
export function annotateFailure(error: unknown, message: string): void {
  const annotations = inputAnnotations(error) ?? [{ title: 'warpool', message }];
  annotate(annotations.filter((each) => each.message !== ''));
}
