/** Balance problems, searched and shown like those of `warpool balance`. */
import {
  BALANCE_SCENARIOS,
  type BalanceSolution,
  countSettings,
  type ProblemSetting,
  searchProblem,
} from '../../../src/analysis/index.ts';
import { createSettingMap, createSolutionJson, createSolutionSheet, formatGrouped } from '../../../src/report/index.ts';
import { parseBalanceProblem } from '../../../src/storage/index.ts';
import { formatCsv, renderFigure } from '../output/figures.ts';
import type { StudyParser, StudyResult } from './study-file.ts';
import { parseOptions } from './study-options.ts';

const COLUMNS = ['cost', 'steps', 'greatest_step', 'greatest_miss', 'verdict'];

/** Creates the CSV of the current setting, and of all that meet the targets, are undecided or on the Pareto front. */
function createSolutionCsv({ problem, current, meeting, undecided, front }: BalanceSolution): string {
  const settings = [...new Set<ProblemSetting>([current, ...meeting, ...undecided, ...front])];
  return formatCsv(
    [...problem.fields.map(({ name }) => name), ...problem.targets.map(({ text }) => text), ...COLUMNS],
    settings.map(({ values, targets, cost, steps, greatestStep, greatestMiss, verdict }) => [
      ...values.map((value) => (Number.isNaN(value) ? null : value)),
      ...targets.map(({ value }) => value),
      ...[cost, steps, greatestStep, greatestMiss, verdict],
    ]),
  );
}

function createResult(result: BalanceSolution): StudyResult {
  const { name } = result.problem;
  return {
    sheet: createSolutionSheet(result),
    createFigures: async () => {
      const map = createSettingMap(result);
      return map === undefined ? [] : [{ title: 'Greatest miss', picture: await renderFigure(map, name, 'settings') }];
    },
    createJson: () => createSolutionJson(result),
    createCsv: () => createSolutionCsv(result),
    renderReport: async (origin) => {
      const { renderSolutionPage } = await import('../../../src/report/html/commands/solution.ts');
      return await renderSolutionPage(result, { ...origin, name });
    },
  };
}

/** @throws InputError for an invalid balance problem or option */
export const parseProblem: StudyParser = async (source, file, loader, options) => {
  const requested = parseOptions(BALANCE_SCENARIOS, options);
  const problem = await parseBalanceProblem(source, file, loader);
  const { scenarios, targets } = problem;
  return {
    summary: `${formatGrouped(countSettings(problem))} settings, ${String(targets.length)} targets`,
    systems: scenarios.map(({ scenario }) => scenario.system),
    run: async (watch) => createResult(await searchProblem(problem, { ...requested, ...watch })),
  };
};
