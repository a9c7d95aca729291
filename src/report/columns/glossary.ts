/** What the columns of tables mean: for `warpool columns` and docs/reference/tables.md. */

import { PAIR_COLUMNS, RANKING_COLUMNS } from '../compare/comparison.ts';
import { DIFFERENCE_COLUMNS } from '../compare/rules-comparison.ts';
import { CORRECTION_COLUMNS } from '../policies/best-response.ts';
import { RETURN_COLUMNS } from '../policies/rollout.ts';
import { COVERAGE_COLUMNS } from '../run/battle-search.ts';
import { CONDITION_COLUMN } from '../run/conditional-means.ts';
import {
  EXACT_METRIC_COLUMNS,
  EXACT_OUTCOME_COLUMNS,
  METRIC_COLUMNS,
  OUTCOME_COLUMNS,
} from '../run/estimate-tables.ts';
import { PLAN_COLUMNS } from '../run/plan.ts';
import { createMorrisColumns, createSobolColumns } from '../sensitivity/global-sensitivity.ts';
import { createOneAtATimeColumns } from '../sensitivity/one-at-a-time.ts';
import { explainColumns } from '../sheet/sheet.ts';
import { TOPICS, type TopicTitle } from './topics.ts';

/** A head, or several that belong together, and what stands below. */
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
    ]),
  ],
  'Coverage and single battles': [
    ...explainColumns(COVERAGE_COLUMNS),
    [
      'battle',
      'the index of a battle, for "warpool replay --battle"; the other columns are its outcome and its metrics',
    ],
  ],
  'Comparisons on common random numbers': [
    ...explainColumns([
      ...[DIFFERENCE_COLUMNS.outcome, DIFFERENCE_COLUMNS.metric, DIFFERENCE_COLUMNS.difference],
      ...[DIFFERENCE_COLUMNS.interval, PAIR_COLUMNS.interval, DIFFERENCE_COLUMNS.exact, DIFFERENCE_COLUMNS.gain],
      PAIR_COLUMNS.needed,
      ...Object.values(RANKING_COLUMNS),
    ]),
    ['battles', 'with --best: battles that the scenario played'],
    ['dropped at look', 'with --best: at which look the scenario was shown to be worse'],
    [['lower than', 'higher than'], 'with --best: than which scenario'],
    ['difference, 95 %, all at once', 'with --best: by how much, as a confidence interval; all of them hold together'],
  ],
  Sensitivity: explainColumns([
    ...createOneAtATimeColumns('metric', false, 0),
    ...createMorrisColumns('metric', 0),
    ...createSobolColumns(0),
  ]),
  'Expectations and balance': [
    ['expectation', 'its name; beside it whether it holds, fails or is undecided'],
    ['of', 'the outcome or metric that it is about'],
    ['value', 'its probability or mean'],
    ['known to', 'the confidence interval of the value, or "exact"'],
    ['expected', 'the bounds that it must keep'],
    ['battles', 'battles that were played to decide it; none where the value is exact'],
    [
      'off target',
      'the value less the target of "balance", probabilities in points; "meets" where it is within the tolerance',
    ],
  ],
  'Best play': [
    [['attacker', 'defender', 'cards / air tokens'], 'what a side can choose'],
    ['best mixture %', 'how often the equilibrium chooses it'],
    ['policy %', 'how often the policy of the scenario chooses it, or ends so'],
    [
      ['worth against best play', 'worth against policy'],
      'the payoff of the choice against the enemy’s equilibrium, and against its policy',
    ],
    ['optimum %', 'the probability of the outcome by the best play'],
    ...explainColumns(CORRECTION_COLUMNS),
  ],
  'Reports of sweeps': [
    [['axis', 'sets', 'values'], 'an axis of the sweep, the fields that it sets, and their values'],
    [
      ['over the cells', 'least', 'mean', 'greatest'],
      'probabilities and means: their smallest, mean and largest value over the cells',
    ],
    [
      'intervals up to',
      'half of the widest 95 % interval of a cell; how far intervals of a mean reach below and above it where these differ',
    ],
    ['main effect, %', 'the share of the variance between cells that an axis explains by itself'],
    ['cell', 'the number of a cell, for "warpool verify" and the tables'],
    [
      ['z-scores', 'scores', 'mean', 'SD', 'farthest'],
      'how many estimates stand beside exact values, and how their z are distributed',
    ],
  ],
  Queues: [
    ['queue', 'the queue of a build: of all workers whose results have the same bytes'],
    ['system', 'shipped systems, or a system of your own with the beginning of its hash'],
    ['state', 'open, or paused by "warpool queue"'],
    [['waiting', 'active'], 'jobs that nobody plays yet, and jobs that are played'],
    ['failed', 'jobs that failed for reasons of a machine; they were sent again'],
    [['asked by', 'for'], 'host and process of a coordinator, and its sweep or run'],
    ['here for', 'since when it is there'],
    [['jobs done', 'sent again'], 'jobs that came back, and jobs that were sent more than once'],
    ['worker', 'host, process and a random part; "(set aside)" if a result of it was wrong'],
    ['builds', 'the beginnings of the names of its queues'],
    ['parts go to', 'where its results go: the store given by --store, or the queue'],
    ['threads', 'its threads'],
    ['jobs', 'jobs that it has done'],
    ['busy', 'of the time that it is there, how much its threads have played'],
  ],
  'The gate': [
    ['value', 'what was measured'],
    ['baseline', 'what the baseline has, or the other build'],
    ['limit', 'what the budget allows'],
    ['change', 'by how much the value differs from that'],
  ],
};

/** What the columns of tables mean, by topic. */
export const GLOSSARY: readonly GlossaryTopic[] = (Object.keys(TOPICS) as TopicTitle[]).map((title) => ({
  title,
  commands: TOPICS[title],
  columns: COLUMNS[title],
}));

export const listHeadings = ([heads]: TopicColumn): readonly string[] => (typeof heads === 'string' ? [heads] : heads);
