/** What the columns of tables mean: for `warpool columns` and docs/tables.md. */

/** A head, or several that belong together, and what stands below. */
type Explained = readonly [heads: string | readonly string[], about: string];

export interface Topic {
  /** Commands that print these columns. */
  readonly commands: readonly string[];
  readonly title: string;
  readonly columns: readonly Explained[];
}

export const TOPICS: readonly Topic[] = [
  {
    commands: ['run', 'exact', 'rollout'],
    title: 'Outcomes and metrics',
    columns: [
      ['outcome', 'how a battle ended'],
      ['count', 'battles that ended so'],
      ['%', 'the probability of the outcome: estimated (count over battles), or exact'],
      ['95 % interval', 'confidence interval (Clopper and Pearson); < or > is a bound where none or all were counted'],
      [['exact %', 'exact mean'], 'the exact answer, where it was affordable'],
      [
        'z',
        'standard errors between the estimate and the exact answer; ! beyond 4; in parentheses where the event is too rare for the normal law',
      ],
      ['metric', 'a number that each battle has, such as its rounds'],
      ['mean', 'the mean of the metric'],
      ['± 95 %', 'half of the 95 % confidence interval of the mean, which counts what never came'],
      [
        'unseen <',
        'by how much values that came in no battle may move the mean at most, by the declared range of the metric',
      ],
      ['SD', 'the standard deviation of one battle'],
      [['5 %', '50 %', '95 %'], 'quantiles: the least value that so many battles do not exceed'],
      [['least', 'most'], 'the smallest and the largest value that is possible'],
      ['mean, given', 'means of the metrics over those battles alone that had the outcome at the head of the column'],
      ['agent', 'who decides in an environment'],
      ['mean return', 'the mean sum of rewards in an episode'],
    ],
  },
  {
    commands: ['run', 'find'],
    title: 'Coverage and single battles',
    columns: [
      ['rule', 'a rule of the system (--coverage)'],
      ['times', 'how often it applied'],
      ['battles', 'the share of battles in which it applied'],
      ['source', 'where the rule comes from'],
      [
        'battle',
        'the index of a battle, for "warpool replay --battle"; the other columns are its outcome and its metrics',
      ],
    ],
  },
  {
    commands: ['compare', 'diff-rules'],
    title: 'Comparisons on common random numbers',
    columns: [
      [
        ['outcome, %', 'metric, mean'],
        'probabilities or means; one column for each scenario, or "as it is" and "changed"',
      ],
      ['difference', 'the second less the first, from paired battles; of shares in percentage points'],
      ['95 % interval', 'confidence interval of the difference'],
      ['95 % interval, all at once', 'the same, valid for all pairs together (Bonferroni)'],
      ['exact', 'the exact difference, where all scenarios can be solved'],
      ['gain', 'variance reduction: how many battles without pairing tell as much as one with it'],
      ['battles to tell', 'about how many battles a difference of this size takes to be told from 0'],
      ['scenario', 'the name of the scenario'],
      ['rank', 'the ranks that the intervals leave open; 1 is the highest'],
      ['group', 'scenarios that share a letter cannot be told apart'],
      ['battles', 'with --best: battles that the scenario played'],
      ['dropped at look', 'with --best: at which look the scenario was shown to be worse'],
      [['lower than', 'higher than'], 'with --best: than which scenario'],
      [
        'difference, 95 %, all at once',
        'with --best: by how much, as a confidence interval; all of them hold together',
      ],
    ],
  },
  {
    commands: ['sensitivity'],
    title: 'Sensitivity',
    columns: [
      ['field', 'the field that was varied, the most important first'],
      ['value', 'its value in the scenario'],
      ['step', 'by how much it was raised and lowered'],
      [['down', 'up'], 'the effect of one step down and of one step up; of shares in percentage points'],
      [
        '95 %, of the greater effect',
        'confidence interval of the larger of the two, valid for all fields together (Bonferroni)',
      ],
      ['range', 'the values of the field in the space'],
      ['mu*', 'Morris: the mean size of the effect of a passage through the whole range'],
      ['mu', 'Morris: the mean of these effects with their signs'],
      ['sigma', 'Morris: the standard deviation of these effects'],
      ['acts', 'linear (sigma below 0.1 mu*), monotonic (below 0.5), uneven (below 1), mixed'],
      ['first order', 'Sobol: the share of the variance that the field explains by itself'],
      ['total', 'Sobol: the share that it explains together with all its interactions'],
      ['95 % interval', 'confidence interval of the value to its left'],
    ],
  },
  {
    commands: ['assert', 'balance'],
    title: 'Expectations and balance',
    columns: [
      ['expectation', 'its name; beside it whether it holds, fails or is undecided'],
      ['of', 'the outcome or metric that it is about'],
      ['value', 'its probability or mean'],
      ['known to', 'the confidence interval of the value, or "exact"'],
      ['expected', 'the bounds that it must keep'],
      ['battles', 'battles that were played to decide it; none where the value is exact'],
      ['off target', 'the value less the target of "balance"; "meets" where it is within the tolerance'],
    ],
  },
  {
    commands: ['solve-cards', 'optimal'],
    title: 'Best play',
    columns: [
      [['attacker', 'defender', 'cards / air tokens'], 'what a side can choose'],
      ['best mixture %', 'how often the equilibrium chooses it'],
      ['policy %', 'how often the policy of the scenario chooses it, or ends so'],
      [
        ['worth against best play', 'worth against policy'],
        'the payoff of the choice against the enemy’s equilibrium, and against its policy',
      ],
      ['optimum %', 'the probability of the outcome by the best play'],
    ],
  },
  {
    commands: ['report'],
    title: 'Reports of sweeps',
    columns: [
      [['axis', 'sets', 'values'], 'an axis of the sweep, the fields that it sets, and their values'],
      [
        ['over the cells', 'least', 'mean', 'greatest'],
        'probabilities and means: their smallest, mean and largest value over the cells',
      ],
      ['intervals up to', 'half of the widest 95 % interval of a cell'],
      ['main effect, %', 'the share of the variance between cells that an axis explains by itself'],
      ['cell', 'the number of a cell, for "warpool verify" and the tables'],
      [
        ['z-scores', 'scores', 'mean', 'SD', 'farthest'],
        'how many estimates stand beside exact values, and how their z are distributed',
      ],
    ],
  },
  {
    commands: ['queue'],
    title: 'Queues',
    columns: [
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
  },
  {
    commands: ['bench'],
    title: 'The gate',
    columns: [
      ['value', 'what was measured'],
      ['baseline', 'what the baseline has, or the other build'],
      ['limit', 'what the budget allows'],
      ['change', 'by how much the value differs from that'],
    ],
  },
];

export const headsOf = ([heads]: Explained): readonly string[] => (typeof heads === 'string' ? [heads] : heads);

/** Commands that print tables. */
export const TABLED: readonly string[] = [...new Set(TOPICS.flatMap(({ commands }) => commands))];
