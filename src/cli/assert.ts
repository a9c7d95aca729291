/** `warpool assert` */

import { InputError } from '../core/index.ts';
import { checkOutput, writeText } from '../core/node.ts';
import { placeOf } from '../rules/index.ts';
import { flag, type Given, picked, type Settings, text } from '../rules/setting.ts';
import { JUDGE } from '../studies/index.ts';
import {
  checkUpdate,
  type Expectation,
  judgeExpectations,
  keep,
  loadExpectations,
  snapshotPath,
  withoutKept,
} from '../studies/node.ts';
import {
  complaints,
  expectationsAnnotations,
  expectationsJson,
  expectationsJUnit,
  expectationsMarkdown,
  expectationsSheet,
  type JudgedFile,
} from '../tell/index.ts';
import { type DeclaredCommand, examples } from './command.ts';
import { advised, BATTLES_INSTEAD, Ended, failed } from './failure.ts';
import { annotate, annotateFailure, summarise } from './github.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { json, type Long } from './options.ts';
import { progressBar, watched } from './progress.ts';
import { type Known, registryFor } from './registry.ts';
import { look, print, printJson, say } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  ...JUDGE,
  update: flag('write the snapshot of what is found, for expectations that are "as in the snapshot"'),
  allowUndecided: flag('exit code 0 although some are undecided'),
  junit: text('file', 'also write the verdicts as JUnit XML'),
  json,
} as const satisfies Settings;

type AssertOptions = Given<typeof ASKED> & Known & Long;

/** The expectations of a file; with `--update` without what is kept of them, for it is found anew. */
async function expectationsFor(file: string, options: AssertOptions): Promise<readonly Expectation[]> {
  const { update = false, junit, seed, battles } = options;
  const expectations = await loadExpectations(file, { systems: await registryFor(options, file) });
  if (!update) return expectations;
  for (const [name, value] of Object.entries({ seed, battles }))
    if (value !== undefined) throw new InputError('--update', `the ${name} of the file`, `--${name} ${String(value)}`);
  const reads = [file, ...(options.systems ?? []), ...(junit === undefined ? [] : [junit])];
  await checkUpdate(expectations, file, reads);
  return withoutKept(expectations);
}

async function judgedFile(file: string, options: AssertOptions, signals: Signals): Promise<JudgedFile> {
  const expectations = await expectationsFor(file, options);
  const seconds: number[] = [];
  let began = performance.now();
  const onJudged = (): void => {
    seconds.push((performance.now() - began) / 1000);
    began = performance.now();
  };
  try {
    const asked = { ...picked(JUDGE, options), onJudged };
    const verdicts = await watched(progressBar(options), signals, (watch) =>
      judgeExpectations(expectations, { ...asked, ...watch }),
    );
    const whole = verdicts.every(({ verdict }) => verdict !== 'interrupted');
    if (options.update !== true || !whole) return { file: placeOf(file), judged: verdicts, seconds };
    const judged = await keep(verdicts, file);
    say(`${snapshotPath(file)}: written`);
    return { file: placeOf(file), judged, seconds };
  } catch (error) {
    throw advised(error, BATTLES_INSTEAD);
  }
}

/** Shows what could not be decided. @returns the exit code */
function showError(error: unknown): number {
  const { code, message } = failed(error);
  if (!annotateFailure(error, message)) say(message);
  return code;
}

/** Shows the verdicts of files, and what could not be decided. @returns the complaints that are still to be shown, and the exit code */
async function show(
  results: readonly JudgedFile[],
  files: readonly string[],
  { allowUndecided = false, json }: AssertOptions,
) {
  const verdicts = results.flatMap(({ judged }) => judged);
  const held = verdicts.every(({ verdict }) => verdict === 'holds' || (allowUndecided && verdict === 'undecided'));
  const decided = results.filter(({ error }) => error === undefined);
  const passed = held && decided.length === results.length;
  if (json === true) printJson(expectationsJson(verdicts, files, passed));
  else for (const { file, judged } of decided) print(expectationsSheet(judged, file, look(process.stdout)));
  const told = annotate(expectationsAnnotations(verdicts, allowUndecided));
  for (const { file, judged } of decided) await summarise(() => expectationsMarkdown(judged, file));
  const codes = results.map(({ error }) => (error === undefined ? 0 : showError(error)));
  return { code: Math.max(passed ? 0 : 1, ...codes), complaints: held ? [] : complaints(verdicts).slice(told) };
}

/** Decides the expectations of files, and ends with 1 unless all hold, with 2 if a file is wrong. */
export async function assert(files: readonly string[], options: AssertOptions, signals: Signals): Promise<void> {
  const { junit, allowUndecided = false } = options;
  const reads = [...files, ...(options.update === true ? files.map(snapshotPath) : []), ...(options.systems ?? [])];
  if (junit !== undefined) await checkOutput(junit, '--junit', reads);
  const results: JudgedFile[] = [];
  for (const file of files)
    results.push(
      await judgedFile(file, options, signals).catch((error: unknown) => ({
        ...{ file: placeOf(file), judged: [], seconds: [] },
        error: error instanceof Error ? error : new Error(String(error)),
      })),
    );
  // A report of an earlier run must not remain, whatever happened.
  if (junit !== undefined) await writeText(junit, expectationsJUnit(results, allowUndecided));
  const [failure] = results.flatMap(({ error }) => (error === undefined ? [] : [error]));
  if (files.length === 1 && failure !== undefined) throw failure;
  const shown = await show(results, files, options);
  const verdicts = results.flatMap(({ judged }) => judged);
  const decided = verdicts.filter(({ verdict }) => verdict !== 'interrupted').length;
  if (decided < verdicts.length)
    throw new Ended(
      signals.code() ?? 1,
      `interrupted after ${String(decided)} of ${String(verdicts.length)} expectations`,
    );
  if (shown.code > 0) throw new Ended(shown.code, shown.complaints.join('\n'));
}

const ASSERT_NOTES = `
An expectation holds, fails, or is undecided within its battles. Exact answers decide where they
are affordable; otherwise a verdict is wrong with at most the error that the file states (1 %).
docs/reference/expectations.md tells what a file holds; "warpool schema expectations" is its JSON Schema.
What is to be "as in the snapshot" is compared with the file <expectations>.snapshot.json; only
--update writes it, in CI too, and it belongs beside the expectations under version control.
--seed and --battles do not replace those of a digest.
Exit code 1 if an expectation fails or is undecided, 2 if a file is wrong; --junit writes a report in any case.`;

export const command: DeclaredCommand = {
  description: 'Decides whether named expectations on outcomes and metrics hold, for continuous integration.',
  takes: ['files of expectations in YAML or JSON; - reads standard input'],
  asked: ASKED,
  after: [
    examples(
      'assert examples/balance.yaml',
      'assert examples/balance.yaml --junit report.xml --seed 2',
      'assert examples/balance.yaml --update',
    ),
    ASSERT_NOTES,
  ],
  action: (files: string[], options: AssertOptions) => assert(files, options, catchSignals()),
};
