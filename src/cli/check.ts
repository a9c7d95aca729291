/** `warpool check` */

import {
  type CheckedFile,
  createCheckJson,
  createInputAnnotations,
  formatCheckLine,
  formatCheckMarkdown,
} from '../report/index.ts';
import { checkFile } from '../report/node.ts';
import type { OptionSpecs, ParsedOptions } from '../rules/option-spec.ts';
import { type CommandDeclaration, formatExamples } from './command.ts';
import { CommandExit, createFailure, renameLibraryOptions } from './failure.ts';
import { annotate, writeSummary } from './github.ts';
import { json, set } from './options.ts';
import { loadRegistry, type RegistryOptions } from './registry.ts';
import { print, printJson, printStatus, readTextStyle } from './terminal.ts';

const OPTIONS = {
  set,
  json,
} as const satisfies OptionSpecs;

type CheckCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions;

/** Replaces library options in the error of a file by command-line options. */
const renameOptionsOfError = (file: CheckedFile): CheckedFile =>
  file.error === undefined ? file : { ...file, error: renameLibraryOptions(file.error) };

/** Prints the result of each file; errors on standard error. */
export async function checkFiles(files: readonly string[], options: CheckCommandOptions): Promise<void> {
  const { json, set } = options;
  const found: CheckedFile[] = [];
  for (const file of files) {
    const systems = await loadRegistry(options, file);
    const place = files.length > 1 ? `${file} --set` : '--set';
    const one = renameOptionsOfError(await checkFile(file, { set, place, systems }));
    found.push(one);
    const mistakes = createInputAnnotations(one.error) ?? [];
    const reported = annotate(mistakes);
    if (json === true) continue;
    if (one.error === undefined) print(formatCheckLine(one, readTextStyle(process.stdout)));
    else if (reported < mistakes.length) printStatus(createFailure(one.error).message);
  }
  if (json === true) printJson(createCheckJson(found));
  await writeSummary(() => formatCheckMarkdown(found));
  const rejected = found.filter(({ error }) => error !== undefined).length;
  if (rejected > 0)
    throw new CommandExit(2, files.length > 1 ? `${String(rejected)} of ${String(files.length)} files rejected` : '');
}

const CHECK_NOTES = `
A file with axes is a sweep file, a file with armies is a roster, a file with targets is a balance problem, a file with
expectations is an expectation file, a file with the format warpool-policy-1 is a policy file, and all others are scenarios.
For a sweep or a roster, the scenarios of the first 1000 points are checked. Exit code 2 if a file is invalid.`;

export const command: CommandDeclaration = {
  description: 'Validates scenarios and other files of warpool, and reports errors.',
  parameters: ['files in YAML or JSON; - reads standard input'],
  settings: OPTIONS,
  notes: [
    formatExamples(
      'check scenarios/*.yaml examples/*.yaml',
      'check scenarios/attrition-direct.yaml --set attacker.hp=20',
      'check scenarios/*.yaml --json',
    ),
    CHECK_NOTES,
  ],
  action: (files: string[], options: CheckCommandOptions) => checkFiles(files, options),
};
