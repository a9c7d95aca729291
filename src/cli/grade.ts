/** `warpool grade` */

import { createRequirementError } from '../core/index.ts';
import { getTask, gradeLoadedTask, listTasks, loadTask, selectTaskPlayer } from '../environments/index.ts';
import {
  createGradeJson,
  createGradeSheet,
  createTaskListSheet,
  createTaskSheet,
  formatSheet,
  type SheetBlock,
} from '../report/index.ts';
import { applyChangesOfFiles } from '../rules/index.ts';
import { type OptionSpecs, type ParsedOptions, text } from '../rules/option-spec.ts';
import { type CommandDeclaration, formatExamples } from './command.ts';
import { json, type LongRunningOptions } from './options.ts';
import { runWithProgress } from './progress.ts';
import { print, printJson, readTextStyle } from './terminal.ts';

const OPTIONS = {
  player: text('player', 'player of the policy, if two players decide (default: the first player)'),
  json,
} as const satisfies OptionSpecs;

type GradeCommandOptions = ParsedOptions<typeof OPTIONS> & LongRunningOptions;

async function printGrade(
  name: string | undefined,
  policy: string | undefined,
  options: GradeCommandOptions,
): Promise<void> {
  const printResult = (value: unknown, createSheet: () => readonly (readonly SheetBlock[])[]): void => {
    if (options.json === true) printJson(value);
    else print(formatSheet(createSheet(), readTextStyle(process.stdout)));
  };
  if (name === undefined) {
    printResult(listTasks(), () => createTaskListSheet(listTasks()));
    return;
  }
  const task = getTask(name);
  if (policy === undefined && options.player !== undefined) throw createRequirementError('--player', 'a policy');
  const player = selectTaskPlayer(task, options.player);
  if (policy === undefined) {
    printResult(task, () => createTaskSheet(task));
    return;
  }
  const loaded = await loadTask(name);
  const scenario =
    policy === 'scenario'
      ? loaded.scenario
      : await applyChangesOfFiles(loaded.scenario, [`policies.${player}=${policy}`], 'policy');
  const grade = await runWithProgress(options, () => gradeLoadedTask({ task, scenario }, 'scenario', player));
  printResult(createGradeJson(grade), () => createGradeSheet(grade, policy));
}

const GRADE_NOTES = `
The policy is a policy file, uniform, or scenario for the policy of the scenario. Its value is exact: against the
policies of the scenario, or, if two players decide, against the best response. Visits times losses of all states sum
to the exploitability (docs/reference/suite.md).`;

export const command: CommandDeclaration = {
  description:
    'Computes the value of a policy in a task with known optimum, its exploitability, and its worst decisions.',
  parameters: ['name of a task (default: list all tasks)', 'policy file, uniform or scenario (default: show the task)'],
  settings: OPTIONS,
  notes: [
    formatExamples(
      'grade',
      'grade phased-dice-fleet-v1',
      'grade phased-dice-fleet-v1 uniform',
      'grade robots-five-v1 scenario --player blue',
    ),
    GRADE_NOTES,
  ],
  action: (task: string | undefined, policy: string | undefined, options: GradeCommandOptions) =>
    printGrade(task, policy, options),
};
