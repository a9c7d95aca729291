/** `warpool assert` */

import { CHECK_EXPECTATIONS, THREADS } from '../analysis/index.ts';
import {
  checkExpectations,
  checkUpdate,
  clearSnapshotValues,
  type Expectation,
  getSnapshotPath,
  loadExpectations,
  writeSnapshot,
} from '../analysis/node.ts';
import { createConflictError } from '../core/index.ts';
import { checkOutput, writeText } from '../core/node.ts';
import {
  createExpectationAnnotations,
  createExpectationsJson,
  type ExpectationFileResult,
  formatExpectationFailures,
  formatExpectationsJUnit,
  formatExpectationsMarkdown,
  formatExpectationsSheet,
} from '../report/index.ts';
import { detectFileKind, getSourceName, loadSource } from '../rules/index.ts';
import { flag, type OptionSpecs, type ParsedOptions, pickOptions, text } from '../rules/option-spec.ts';
import { type CommandDeclaration, formatExamples } from './command.ts';
import { addBudgetAdvice, BATTLES_INSTEAD, CommandExit, createFailure } from './failure.ts';
import { annotate, annotateFailure, writeSummary } from './github.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { json, type LongRunningOptions } from './options.ts';
import { createLongProgressBar, createProgressBar, watched } from './progress.ts';
import { loadRegistry, type RegistryOptions } from './registry.ts';
import { print, printJson, printStatus, readTextStyle } from './terminal.ts';

const OPTIONS = {
  ...CHECK_EXPECTATIONS,
  update: flag('write the results to the snapshot, for expectations that are "as in the snapshot"'),
  allowUndecided: flag('exit with code 0 even if expectations are undecided'),
  junit: text('file', 'also write the verdicts as JUnit XML'),
  json,
} as const satisfies OptionSpecs;

type AssertCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions & LongRunningOptions;

/** Reads the expectations of a file; with `--update` without their snapshot, which is rewritten. */
async function readExpectationFile(file: string, options: AssertCommandOptions): Promise<readonly Expectation[]> {
  const { update = false, junit, seed, battles } = options;
  const expectations = await loadExpectations(file, { systems: await loadRegistry(options, file) });
  if (!update) return expectations;
  for (const [name, value] of Object.entries({ seed, battles }))
    if (value !== undefined) throw createConflictError(`--${name}`, `--update, which uses the ${name} of the file`);
  const reads = [file, ...(options.systems ?? []), ...(junit === undefined ? [] : [junit])];
  await checkUpdate(expectations, file, reads);
  return clearSnapshotValues(expectations);
}

const { seed, battles } = CHECK_EXPECTATIONS;

/** Options of the check of a roster. */
const CHECK_ROSTER = { seed, battles, ...THREADS } as const satisfies OptionSpecs;

/** Checks the sentences of a roster; undefined for other files. */
async function checkRosterFile(
  file: string,
  options: AssertCommandOptions,
  signals: Signals,
): Promise<ExpectationFileResult | undefined> {
  if (file === '-') return undefined;
  const source = await loadSource(file, 'expectations', { systems: await loadRegistry(options, file) });
  if (detectFileKind(source.value) !== 'roster') return undefined;
  if (options.update === true) throw createConflictError('--update', 'a roster');
  const { checkRoster, parseRosterFile } = await import('../storage/node.ts');
  const roster = await parseRosterFile(source, file);
  const judged = await watched(createLongProgressBar(options, 'cells'), signals, (watch) =>
    checkRoster(roster, { ...pickOptions(CHECK_ROSTER, options), ...watch }),
  );
  return { file: getSourceName(file), judged, seconds: judged.map(() => 0) };
}

async function checkExpectationFile(
  file: string,
  options: AssertCommandOptions,
  signals: Signals,
): Promise<ExpectationFileResult> {
  const roster = await checkRosterFile(file, options, signals);
  if (roster !== undefined) return roster;
  const expectations = await readExpectationFile(file, options);
  const seconds: number[] = [];
  let began = performance.now();
  const onResult = (): void => {
    seconds.push((performance.now() - began) / 1000);
    began = performance.now();
  };
  try {
    const requested = { ...pickOptions(CHECK_EXPECTATIONS, options), onResult: onResult };
    const verdicts = await watched(createProgressBar(options), signals, (watch) =>
      checkExpectations(expectations, { ...requested, ...watch }),
    );
    const whole = verdicts.every(({ verdict }) => verdict !== 'interrupted');
    if (options.update !== true || !whole) return { file: getSourceName(file), judged: verdicts, seconds };
    const judged = await writeSnapshot(verdicts, file);
    printStatus(`${getSnapshotPath(file)}: written`);
    return { file: getSourceName(file), judged, seconds };
  } catch (error) {
    throw addBudgetAdvice(error, BATTLES_INSTEAD);
  }
}

/** Prints an error. @returns the exit code */
function printError(error: unknown): number {
  const { code, message } = createFailure(error);
  if (!annotateFailure(error, message)) printStatus(message);
  return code;
}

/** Prints the verdicts and errors of files. @returns the remaining messages and the exit code */
async function printResults(
  results: readonly ExpectationFileResult[],
  files: readonly string[],
  { allowUndecided = false, json }: AssertCommandOptions,
) {
  const verdicts = results.flatMap(({ judged }) => judged);
  const held = verdicts.every(({ verdict }) => verdict === 'holds' || (allowUndecided && verdict === 'undecided'));
  const decided = results.filter(({ error }) => error === undefined);
  const passed = held && decided.length === results.length;
  if (json === true) printJson(createExpectationsJson(verdicts, files, passed));
  else
    for (const { file, judged } of decided) print(formatExpectationsSheet(judged, file, readTextStyle(process.stdout)));
  const reported = annotate(createExpectationAnnotations(verdicts, allowUndecided));
  for (const { file, judged } of decided) await writeSummary(() => formatExpectationsMarkdown(judged, file));
  const codes = results.map(({ error }) => (error === undefined ? 0 : printError(error)));
  return {
    code: Math.max(passed ? 0 : 1, ...codes),
    complaints: held ? [] : formatExpectationFailures(verdicts).slice(reported),
  };
}

/** Decides the expectations of files; exits with 1 unless all hold, and with 2 if a file is invalid. */
export async function assertFiles(
  files: readonly string[],
  options: AssertCommandOptions,
  signals: Signals,
): Promise<void> {
  const { junit, allowUndecided = false } = options;
  const reads = [...files, ...(options.update === true ? files.map(getSnapshotPath) : []), ...(options.systems ?? [])];
  if (junit !== undefined) await checkOutput(junit, '--junit', reads);
  const results: ExpectationFileResult[] = [];
  for (const file of files)
    results.push(
      await checkExpectationFile(file, options, signals).catch((error: unknown) => ({
        ...{ file: getSourceName(file), judged: [], seconds: [] },
        error: error instanceof Error ? error : new Error(String(error)),
      })),
    );
  // A report of an earlier run must not remain in any case.
  if (junit !== undefined) await writeText(junit, formatExpectationsJUnit(results, allowUndecided));
  const [failure] = results.flatMap(({ error }) => (error === undefined ? [] : [error]));
  if (files.length === 1 && failure !== undefined) throw failure;
  const shown = await printResults(results, files, options);
  const verdicts = results.flatMap(({ judged }) => judged);
  const decided = verdicts.filter(({ verdict }) => verdict !== 'interrupted').length;
  if (decided < verdicts.length)
    throw new CommandExit(
      signals.getExitCode() ?? 1,
      `interrupted after ${String(decided)} of ${String(verdicts.length)} expectations`,
    );
  if (shown.code > 0) throw new CommandExit(shown.code, shown.complaints.join('\n'));
}

const ASSERT_NOTES = `
An expectation holds, fails, or is undecided within its number of battles. Exact answers decide if they are cheap to compute;
otherwise a verdict is wrong with at most the error probability in the file (default: 1 %).
docs/reference/expectations.md describes expectation files; "warpool schema expectations" prints their JSON Schema.
A roster file has expectations of its matchups in the field expect (docs/how-to/matchups.md).
Expectations that are "as in the snapshot" are compared with the file <expectations>.snapshot.json. Only --update writes
it, even in CI; keep it next to the expectations under version control. --seed and --battles do not override the seed and
battles of a digest.
Exit code 1 if an expectation fails or is undecided, 2 if a file is invalid; --junit writes a report in any case.`;

export const command: CommandDeclaration = {
  description: 'Checks whether named expectations about outcomes and metrics hold, for continuous integration.',
  parameters: ['expectation files in YAML or JSON; - reads standard input'],
  settings: OPTIONS,
  notes: [
    formatExamples(
      'assert examples/balance.yaml',
      'assert examples/balance.yaml --junit report.xml --seed 2',
      'assert examples/balance.yaml --update',
    ),
    ASSERT_NOTES,
  ],
  action: (files: string[], options: AssertCommandOptions) => assertFiles(files, options, catchSignals()),
};
