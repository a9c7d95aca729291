/** Output of `grade`: tasks with known optima, and grades of policies. */

import type { Grade, SuiteTask } from '../../environments/index.ts';
import { hashScenario } from '../../stats/index.ts';
import { createScenarioHeader } from '../json.ts';
import {
  bold,
  createDrawing,
  createFactLine,
  createProse,
  createTable,
  type DeclaredColumn,
  type Sheet,
} from '../sheet/sheet.ts';
import { formatDuration, formatGrouped } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { createLossBlocks, createSizeLine, formatValue } from './equilibrium.ts';

/** Player of a task. */
interface PlayerRow {
  readonly task: SuiteTask;
  readonly player: string;
  readonly optimum: number;
}

const listPlayerRows = (task: SuiteTask): PlayerRow[] =>
  task.players.map((player, p) => ({ task, player, optimum: p === 0 ? task.value : 0 - task.value }));

const TASK_COLUMNS: readonly DeclaredColumn<SuiteTask>[] = [
  { head: 'task', align: 'left', about: 'name of the task', cell: ({ name }) => bold(name) },
  { head: 'players', align: 'left', about: 'players who decide', cell: ({ players }) => players.join(', ') },
  { head: 'reward', align: 'left', about: 'reward of the players', cell: ({ reward }) => reward },
  { head: 'positions', about: 'number of positions', cell: ({ positions }) => formatGrouped(positions) },
  { head: 'optimum', align: 'point', about: 'value of an optimal policy', cell: ({ value }) => formatValue(value) },
];

const createBaselineColumn = (
  head: string,
  baseline: keyof SuiteTask['baselines'],
  about: string,
): DeclaredColumn<PlayerRow> => ({
  ...{ head, align: 'point', about },
  cell: ({ task, player }) => {
    const value = task.baselines[baseline]?.[player];
    return value === undefined ? '' : formatValue(value);
  },
});

const PLAYER_COLUMNS: readonly DeclaredColumn<PlayerRow>[] = [
  { head: 'player', align: 'left', about: 'name of the player', cell: ({ player }) => player },
  {
    ...{ head: 'optimum', align: 'point', about: 'value of an optimal policy' },
    cell: ({ optimum }) => bold(formatValue(optimum)),
  },
  createBaselineColumn('uniform', 'uniform', 'value of uniform choices'),
  createBaselineColumn('scenario', 'scenario', 'value of the policy of the scenario'),
  createBaselineColumn('Q-learning', 'q-learning', 'value of a policy by tabular Q-learning'),
  createBaselineColumn('PPO', 'ppo', 'value of a policy by proximal policy optimization'),
];

/** All columns of `grade`. */
export const SUITE_COLUMNS: readonly DeclaredColumn<never>[] = [...TASK_COLUMNS, ...PLAYER_COLUMNS];

/** Creates the list of tasks. */
export const createTaskListSheet = (tasks: readonly SuiteTask[]): Sheet => [
  [createTable(TASK_COLUMNS, tasks)],
  [createProse('"warpool grade <task>" shows a task, "warpool grade <task> <policy>" grades a policy.')],
];

/** Creates the description of a task. */
export const createTaskSheet = (task: SuiteTask): Sheet => [
  [
    createFactLine([bold(task.name), task.scenario.system, `reward ${task.reward}`]),
    ...(task.about === '' ? [] : [createProse(task.about)]),
  ],
  [createTable(PLAYER_COLUMNS, listPlayerRows(task))],
  [
    createProse(
      task.players.length > 1
        ? 'Values are against the best response to the policy.'
        : 'Values are against the policies of the scenario.',
    ),
    createFactLine([...createSizeLine(task), `a grade takes about ${formatDuration(task.seconds)}`], 'dim'),
  ],
];

/** Creates the report of a grade. */
export function createGradeSheet(grade: Grade, policy: string): Sheet {
  const { task, player, scenario, reward, value, optimum, exploitability, interval, elapsedSeconds } = grade;
  return [
    [createFactLine([bold(task), scenario.system, sanitizeLine(player), `reward ${reward}`])],
    [
      createDrawing(({ paint }) => [
        `Value of ${sanitizeLine(policy)}: ${paint.bold(formatValue(value))}`,
        `Optimum:        ${formatValue(optimum)}`,
        `Exploitability: ${formatValue(exploitability)}`,
      ]),
    ],
    createLossBlocks(grade),
    [
      createFactLine(
        [
          ...createSizeLine(grade),
          `error at most ${(interval[1] - interval[0]).toExponential(0)}`,
          formatDuration(elapsedSeconds),
        ],
        'dim',
      ),
    ],
  ];
}

/** Creates the JSON of a grade. */
export function createGradeJson({ scenario, ...grade }: Grade) {
  return { ...createScenarioHeader({ name: grade.task }, scenario, hashScenario(scenario)), ...grade };
}
