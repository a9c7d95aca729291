/** Output of `fit`: report and JSON. */

import type { FieldEstimate, FitResult } from '../../analysis/index.ts';
import { hashScenario } from '../../stats/index.ts';
import { createScenarioHeader, type ScenarioLabel } from '../json.ts';
import {
  bold,
  createFactLine,
  createNote,
  createProse,
  createTable,
  type DeclaredColumn,
  type Sheet,
} from '../sheet/sheet.ts';
import { formatExact, formatGrouped } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';

/** p-value below which the model is said not to fit. */
const REJECTION = 0.01;

/** Creates the output of `warpool fit --json`. */
export function createFitJson({ scenario, ...result }: FitResult, label: ScenarioLabel) {
  return { ...createScenarioHeader(label, scenario, hashScenario(scenario)), ...result };
}

const STATUSES: Readonly<Record<FieldEstimate['status'], string>> = {
  estimated: '',
  'range-end': 'the interval reaches the end of the range; extend it',
  unidentified: 'the observations do not determine this field',
};

export const FIT_COLUMNS: readonly DeclaredColumn<FieldEstimate>[] = [
  { head: 'field', align: 'left', about: 'path of the field', cell: ({ path }) => sanitizeLine(path) },
  { head: 'estimate', about: 'value with the greatest likelihood', cell: ({ value }) => bold(String(value)) },
  {
    head: '95 % interval',
    about: 'values whose profile likelihood is not significantly lower',
    cell: ({ low, high }) => `${String(low)}..${String(high)}`,
  },
  { head: 'range', about: 'examined values', cell: ({ range: [low, high] }) => `${String(low)}..${String(high)}` },
  {
    head: 'note',
    align: 'left',
    about: 'reason to examine other values or data',
    cell: ({ status }) => STATUSES[status],
  },
];

function describeTest({ test }: FitResult): string {
  if (test === undefined) return 'Test of the model: not possible, because the results have too few classes.';
  const { statistic, degreesOfFreedom, pValue } = test;
  const figures = `chi-square ${formatExact(statistic, 2)}, ${formatGrouped(degreesOfFreedom)} degrees of freedom, p = ${formatExact(pValue, 4)}`;
  return pValue < REJECTION
    ? `The model does not fit: the observed results differ from the best setting (${figures}).`
    : `The observations do not contradict the model (${figures}).`;
}

/** Creates the report of a fit. */
export function createFitSheet(result: FitResult, name: string): Sheet {
  const { scenario, fields, bestSettings, observedBattles, metrics, logLikelihood, examined, rejected, exact } = result;
  const made = [
    `${formatGrouped(examined)} settings`,
    ...(rejected > 0 ? [`${formatGrouped(rejected)} not allowed`] : []),
    exact ? 'exact likelihood' : 'simulated likelihood',
    `log-likelihood ${formatExact(logLikelihood, 4)}`,
  ];
  const observed = ['outcome', ...metrics].map(sanitizeLine).join(', ');
  return [
    [
      createFactLine([
        bold(sanitizeLine(name)),
        scenario.system,
        `${formatGrouped(observedBattles)} observed battles`,
        observed,
      ]),
    ],
    [createTable(FIT_COLUMNS, fields)],
    bestSettings > 1
      ? [
          createNote(
            `${formatGrouped(bestSettings)} settings have the greatest likelihood; the first one is shown.`,
            'yellow',
          ),
        ]
      : [],
    exact
      ? []
      : [createNote('The likelihood is simulated: intervals do not include the error of the simulation.', 'yellow')],
    [createProse(describeTest(result))],
    [createFactLine(made, 'dim')],
  ];
}
