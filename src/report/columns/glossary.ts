/** Meanings of the columns of tables, for `warpool columns` and docs/reference/tables.md. */

import { SOLUTION_COLUMNS, TARGET_COLUMNS } from '../balance/solution.ts';
import { PAIR_COLUMNS, RANKING_COLUMNS } from '../compare/comparison.ts';
import { DIFFERENCE_COLUMNS } from '../compare/rules-comparison.ts';
import { FIT_COLUMNS } from '../fit/fit.ts';
import { CORRECTION_COLUMNS } from '../policies/best-response.ts';
import { RETURN_COLUMNS } from '../policies/rollout.ts';
import { SUITE_COLUMNS } from '../policies/suite.ts';
import { COVERAGE_COLUMNS } from '../run/battle-search.ts';
import { CONDITION_COLUMN } from '../run/conditional-means.ts';
import {
  EXACT_METRIC_COLUMNS,
  EXACT_OUTCOME_COLUMNS,
  METRIC_COLUMNS,
  OUTCOME_COLUMNS,
} from '../run/estimate-tables.ts';
import { PLAN_COLUMNS } from '../run/plan.ts';
import { STAGE_COLUMNS } from '../run/rare-outcome.ts';
import { createMorrisColumns, createSobolColumns } from '../sensitivity/global-sensitivity.ts';
import { createOneAtATimeColumns } from '../sensitivity/one-at-a-time.ts';
import { explainColumns } from '../sheet/sheet.ts';
import { TOPICS, type TopicTitle } from './topics.ts';

/** One column head or several, and their meaning. */
type TopicColumn = readonly [heads: string | readonly string[], about: string];

export interface GlossaryTopic {
  /** Commands that print these columns. */
  readonly commands: readonly string[];
  readonly title: string;
  readonly columns: readonly TopicColumn[];
}

const COLUMNS: Readonly<Record<TopicTitle, readonly TopicColumn[]>> = {
  'Outcomes and metrics': [
    ...explainColumns([
      ...OUTCOME_COLUMNS,
      ...METRIC_COLUMNS,
      ...EXACT_OUTCOME_COLUMNS,
      ...EXACT_METRIC_COLUMNS,
      CONDITION_COLUMN,
      ...RETURN_COLUMNS,
      ...PLAN_COLUMNS,
      ...STAGE_COLUMNS,
    ]),
  ],
  'Coverage and single battles': [
    ...explainColumns(COVERAGE_COLUMNS),
    ['battle', 'index of a battle, for "warpool replay --battle"; the other columns are its outcome and its metrics'],
  ],
  'Comparisons on common random numbers': [
    ...explainColumns([
      ...[DIFFERENCE_COLUMNS.outcome, DIFFERENCE_COLUMNS.metric, DIFFERENCE_COLUMNS.difference],
      ...[DIFFERENCE_COLUMNS.interval, PAIR_COLUMNS.interval, DIFFERENCE_COLUMNS.exact, DIFFERENCE_COLUMNS.gain],
      PAIR_COLUMNS.needed,
      ...Object.values(RANKING_COLUMNS),
    ]),
    ['battles', 'with --best: simulated battles of the scenario'],
    ['eliminated at analysis', 'with --best: interim analysis that showed the scenario to be worse'],
    [['lower than', 'higher than'], 'with --best: scenario that it was compared with'],
    ['difference, simultaneous 95 %', 'with --best: confidence interval of the difference, valid for all together'],
  ],
  Sensitivity: explainColumns([
    ...createOneAtATimeColumns('metric', false, 0),
    ...createMorrisColumns('metric', 0),
    ...createSobolColumns(0),
  ]),
  'Expectations and balance': [
    ['expectation', 'name of the expectation; next to it the verdict: holds, fails or undecided'],
    ['of', 'its outcome or metric'],
    ['value', 'its probability or mean'],
    ['interval', 'confidence interval of the value, or "exact"'],
    ['source', 'exact, or an estimate'],
    ['expected', 'bounds of the value'],
    ['battles', 'simulated battles; empty if the value is exact'],
    ['deviation', 'value minus target of "balance"; probabilities in percentage points'],
  ],
  'Balance problems': [...explainColumns(SOLUTION_COLUMNS), ...explainColumns(TARGET_COLUMNS)],
  'Estimates of fields': explainColumns(FIT_COLUMNS),
  Matchups: [
    ['attacker', 'army of the attacker; the other columns have its payoffs against each army of the defender'],
    ['army', 'name of the army'],
    ['mean payoff', 'mean payoff against all armies of the field'],
    ['weight', 'probability of the army in an equilibrium'],
    ['all equilibria', 'least and greatest weight in all equilibria'],
    ['at most', 'upper bound of the weight in all equilibria, with the intervals of simulated payoffs'],
    ['payoff against the mix', 'payoff of the army against the mix of the other player'],
    ['alpha-rank', 'long-run share of the army in alpha-rank'],
    ['certain', 'yes if all payoffs within the intervals have this result'],
    ['mirror', 'payoff of the attacker against the same army'],
    [
      'advantage of attacking',
      'mean payoff of the army as attacker and as defender; above 0 if it is better as attacker',
    ],
  ],
  'Best responses and equilibria': [
    ['player', 'name of the player'],
    ['equilibrium', 'expected reward of the player in the equilibrium'],
    ['policy against best response', 'expected reward of the policy of the scenario against the best response to it'],
    ['exploitability', 'difference of both'],
    ['equilibrium %', 'probability of the outcome in the equilibrium'],
    ['policy %', 'probability of the outcome under the policies of the scenario'],
    ['optimum %', 'probability of the outcome under the best response'],
    ...explainColumns(CORRECTION_COLUMNS),
  ],
  'Tasks with known optima': [...explainColumns(SUITE_COLUMNS)],
  'Reports of sweeps': [
    [['axis', 'sets', 'values'], 'axis of the sweep, the fields that it sets, and their values'],
    [['over the cells', 'least', 'mean', 'greatest'], 'smallest, mean and largest probability or mean over the cells'],
    [
      'intervals up to',
      'largest half-width of the 95 % intervals of the cells; two values if intervals of a mean are not symmetric',
    ],
    ['main effect, %', 'share of the variance between cells that an axis explains by itself'],
    ['cell', 'number of a cell, for "warpool verify" and the tables'],
    [
      ['z-scores', 'scores', 'mean', 'SD', 'farthest'],
      'number of estimates with exact values, and the distribution of their z-scores',
    ],
  ],
  Queues: [
    ['queue', 'queue of a build; all its workers compute identical bytes'],
    ['system', 'shipped systems, or a custom system with the beginning of its hash'],
    ['state', 'open, or paused by "warpool queue"'],
    [['waiting', 'active'], 'jobs that wait for a worker, and jobs that run'],
    ['failed', 'jobs that failed because of an error on a machine; they were sent again'],
    [['coordinator', 'for'], 'host and process of a coordinator, and its sweep or run'],
    ['connected', 'time since it connected'],
    [['jobs done', 'sent again'], 'jobs with a result, and jobs that were sent more than once'],
    ['worker', 'host, process and a random part; "(quarantined)" if it returned a wrong result'],
    ['builds', 'beginnings of the names of its queues'],
    ['parts go to', 'destination of its results: the store given by --store, or the queue'],
    ['threads', 'number of its threads'],
    ['jobs', 'number of its completed jobs'],
    ['busy', 'share of the time that its threads spent on jobs'],
  ],
  'Benchmark gate': [
    ['value', 'measured value'],
    ['baseline', 'value of the baseline or of the other build'],
    ['limit', 'largest allowed value'],
    ['change', 'difference from the baseline'],
  ],
};

/** Meanings of the columns of tables, by topic. */
export const GLOSSARY: readonly GlossaryTopic[] = (Object.keys(TOPICS) as TopicTitle[]).map((title) => ({
  title,
  commands: TOPICS[title],
  columns: COLUMNS[title],
}));

export const listHeadings = ([heads]: TopicColumn): readonly string[] => (typeof heads === 'string' ? [heads] : heads);
