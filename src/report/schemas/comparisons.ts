/** JSON of `compare`, `compare-rules`, `balance` and `sensitivity`. */
import { z } from 'zod';
import * as part from './common.ts';

const { about, byName, count, flag, head, number, orNull, share, text } = part;

const varianceReduction = orNull(
  z.number(),
  'Variance of an unpaired comparison with the same number of battles, divided by the variance of this one. Null if infinite.',
);
const differing = count('Number of battles in which the two differ.');
const difference = number('Value of the second minus value of the first.');
const standardError = number('Standard error of a difference of means.');

const differences = {
  outcomes: byName(
    z.strictObject({
      p: about(z.tuple([z.number(), z.number()]), 'Share of the battles of the first and of the second.'),
      difference,
      ci95: part.ci95,
      varianceReduction,
      differing,
    }),
  ),
  unshared: about(
    byName(
      z.strictObject({ side: z.union([z.literal(0), z.literal(1)]), p: share('Share of battles with this outcome.') }),
    ),
    'Outcomes that only the first (side 0) or only the second (side 1) has.',
  ),
  metrics: byName(
    z.strictObject({
      mean: about(z.tuple([z.number(), z.number()]), 'Mean of the first and of the second.'),
      difference,
      ci95: part.ci95,
      standardError,
      unobserved: part.unobserved,
      varianceReduction,
      differing,
    }),
  ),
};

const bounded = flag('True if the intervals are valid for every distribution within the declared ranges.');

export const compareRules = z.strictObject({
  ...head,
  set: about(part.assignments, 'Changed fields of the second scenario.'),
  changedHash: about(part.hash, 'Hash of the changed scenario.'),
  seed: part.seed,
  battles: count('Number of battles simulated under each of the two scenarios.'),
  bounded,
  ...differences,
  exact: about(
    z.array(z.strictObject({ outcomes: byName(z.number()), metrics: byName(z.number()) })),
    'Exact probabilities and means of both scenarios. Absent if they are too expensive.',
  ).optional(),
});

const standing = z.strictObject({
  name: text('Name of the scenario.'),
  hash: part.hash,
  value: number('Share of the outcome or mean of the metric.'),
  ci95: about(part.interval, '95 % interval of this scenario, without adjustment for the number of scenarios.'),
  exact: number('Exact value. Absent unless the exact values of all scenarios are known.').optional(),
  rank: about(z.tuple([z.int(), z.int()]), 'Best and worst possible rank, from 1.'),
});

const place = count('Index of a scenario in the requested order, from 0.');

const pair = z.strictObject({
  first: place,
  second: place,
  difference,
  ci95: about(part.interval, 'Simultaneous interval: the intervals of all pairs together cover with 95 %.'),
  standardError: standardError.optional(),
  unobserved: part.unobserved.optional(),
  varianceReduction,
  differing,
  verdict: about(z.enum(['higher', 'lower', 'tie']), 'Verdict on the second scenario compared with the first.'),
  exact: number('Exact difference. Absent if it is not known.').optional(),
  battlesNeeded: orNull(
    z.number(),
    'Number of battles that detect such a difference with a power of 80 %. Null if the difference is 0.',
  ),
});

const best = z.strictObject({
  goal: z.enum(['highest', 'lowest']),
  indifference: number('Differences below this value are treated as ties.').optional(),
  remaining: about(z.array(place), 'Best scenario, or the scenarios that tie.'),
  reason: z.enum(['one', 'indifference', 'battles', 'exact', 'interrupted']),
  eliminated: about(
    z.array(
      z.strictObject({
        scenario: place,
        analysis: count('Interim analysis at which it was eliminated, from 1.'),
        battles: count('Number of battles at that interim analysis.'),
        against: place,
      }),
    ),
    'Eliminated scenarios in order of elimination.',
  ),
  analyses: about(z.array(z.int()), 'Number of battles at each planned interim analysis.'),
  simulated: about(z.array(z.int()), 'Number of simulated battles of each scenario, in the requested order.'),
  savedBattles: count('Number of requested battles that were not needed, over all scenarios.'),
});

export const compare = z.strictObject({
  ...part.origin,
  ...part.rules,
  set: part.set,
  of: part.of,
  kind: part.kindOfFigure,
  bounded,
  seed: part.seed,
  from: count('Index of the first battle.'),
  battles: count('Number of battles of each scenario; with --best, of each scenario that was not eliminated.'),
  scenarios: about(z.array(standing), 'Scenarios in the requested order.'),
  order: about(z.array(place), 'Scenarios from the highest value to the lowest; with --best, from the best.'),
  groups: about(z.array(z.array(place)), 'Largest groups of scenarios in which no two differ significantly.'),
  pairs: z.array(pair),
  ...z.strictObject(differences).partial().shape,
  best: about(best, 'With --best: the selection of the best scenario.').optional(),
});

const setting = z
  .strictObject({
    set: about(byName(z.number()), 'Values of the varied fields, by path.'),
    value: number('Probability, mean or share.'),
    interval: orNull(part.interval, 'Interval of the value. Null if the value is exact.'),
    unobserved: part.unobserved,
    battles: count('Number of battles; 0 if the value is exact.'),
    costs: part.costs,
    verdict: z.enum(['meets', 'misses', 'undecided']),
  })
  .meta({ id: 'setting', description: 'Setting of the varied fields and its result.' });

const settings = z.array(setting);

export const balance = z.strictObject({
  ...head,
  of: part.of,
  kind: about(
    z.enum(['outcome', 'mean', 'share']),
    '"outcome": probability of an outcome. "mean": mean of a metric. "share": share of some values of a metric.',
  ),
  target: number('Target value.'),
  tolerance: number('Largest allowed distance from the target.'),
  targetMet: flag('True if a setting meets the target.'),
  meetingCount: count('Number of settings that meet the target.'),
  examined: count('Number of examined settings.'),
  rejected: count('Number of settings that the scenario does not allow.'),
  exact: flag('True if all values are exact.'),
  seed: part.seed,
  maxBattles: count('Maximum number of battles of a setting.'),
  errorRate: share('Upper bound of the probability that any statement based on simulation is wrong.'),
  bounded,
  complete: flag('True if the search is complete; false if a signal ended it.'),
  fields: z.array(
    z.strictObject({
      path: text('Path of the field.'),
      current: orNull(z.number(), 'Current value in the scenario. Null if it is not a number.'),
      low: number('Lower end of the searched range.'),
      high: number('Upper end of the searched range.'),
    }),
  ),
  current: orNull(setting, 'Unchanged scenario. Null if one of the fields has no number.'),
  meeting: about(settings, 'Settings that meet the target, the closest first; at most 12.'),
  undecided: about(
    settings,
    'Settings whose verdict is undecided; at most 12, together with those that meet the target.',
  ),
  possible: orNull(z.array(byName(z.number())), 'All settings that may meet the target. Null if all values are exact.'),
  nearest: setting,
  least: setting,
  greatest: setting,
  curve: about(
    z.strictObject({
      allExamined: flag('True if every value was examined.'),
      allExact: flag('True if every value was examined and is exact.'),
      crossings: about(z.array(z.array(setting)), 'Pairs of settings between which the value crosses the target.'),
      trend: z.enum(['rises', 'falls', 'neither', 'constant']).optional(),
    }),
    'Search over one field: the value along the field.',
  ).optional(),
  pairs: about(
    settings,
    'Search over two fields: for each examined value of the first field, the setting closest to the target.',
  ).optional(),
  rows: about(
    z.strictObject({
      step: count('Distance between examined values of the first field, in steps; 1 if none was skipped.'),
      allExamined: flag('True if every setting of both ranges was examined.'),
    }),
    'Search over two fields: the examined settings.',
  ).optional(),
  exchangeRates: about(
    z.array(
      z.strictObject({
        per: text('Field whose value is expressed in units of the varied field.'),
        count: number('Value of this field in the scenario.'),
        at: number('Value of the varied field that meets the target, by linear interpolation.'),
        between: about(part.interval, 'Values of the two settings on both sides of the target.'),
        interval: about(part.interval, 'Range of the value that the intervals of both settings allow.').optional(),
        value: number('Exchange rate: `at` divided by `count`.'),
        price: number(
          'Exchange rate according to the prices: price of one unit of `per` divided by the price of one unit of the varied field.',
        ).optional(),
      }),
    ),
    'With --per: exchange rates at each crossing.',
  ).optional(),
  neighborhood: about(
    z.strictObject({
      radius: count('All settings up to this total number of steps were examined.'),
      meets: flag('True if at least one of these settings meets the target.'),
    }),
    'Search over three or more fields: the examined neighborhood of the scenario.',
  ).optional(),
});

const study = {
  ...head,
  of: part.of,
  kind: part.kindOfFigure,
  seed: part.seed,
  battles: count('Number of battles of a simulated cell.'),
  cells: z.strictObject({
    exact: count('Number of cells with exact results.'),
    simulated: count('Number of simulated cells.'),
  }),
  complete: flag('True if the study is complete; false if a signal ended it.'),
};

const axis = { path: text('Path of the field.'), min: z.number(), max: z.number(), integer: z.boolean() };
const effect = number('Size of the effect of the field. The list is sorted by it.');

const step = z
  .strictObject({
    to: number('New value of the field.'),
    effect: number('Result with the new value minus result of the unchanged scenario.'),
    ci95: part.ci95,
    standardError: standardError.optional(),
    exact: z.boolean(),
    differs: flag('True if the interval excludes 0.'),
  })
  .meta({ id: 'step' });

const steps = z.strictObject({
  ...study,
  method: z.literal('step'),
  value: number('Result of the unchanged scenario.'),
  fields: z.array(
    z.strictObject({
      path: text('Path of the field.'),
      value: number('Value in the unchanged scenario.'),
      down: step.optional(),
      up: step.optional(),
      effect,
      ci95: part.ci95.optional(),
      standardError: standardError.optional(),
      verdict: z.enum(['effect', 'unclear', 'none']),
    }),
  ),
  skipped: z.array(z.strictObject({ path: z.string(), to: z.number().optional(), reason: z.string() })),
  notVaried: text('Values in tables of the system that were not varied.').optional(),
});

const morris = z.strictObject({
  ...study,
  method: z.literal('morris'),
  trajectories: z.int(),
  fields: z.array(
    z.strictObject({
      ...axis,
      effect,
      ci95: part.ci95,
      muStar: number('Mean of the absolute elementary effects.'),
      muStarCi95: part.interval,
      mu: number('Mean of the elementary effects.'),
      muCi95: part.interval,
      sigma: number('Standard deviation of the elementary effects.'),
      noise: number('Standard deviation of the elementary effects due to sampling noise.'),
    }),
  ),
});

const sobol = z.strictObject({
  ...study,
  method: z.literal('sobol'),
  points: z.int(),
  variance: number('Variance of the result over the parameter space.'),
  noise: number('Share of the variance between cells that is sampling noise.'),
  fields: z.array(
    z.strictObject({
      ...axis,
      effect,
      ci95: part.ci95,
      first: number('First-order index: share of the variance that the field explains by itself.'),
      firstCi95: part.interval,
      total: number('Total index: share of the variance that the field explains with all its interactions.'),
      totalCi95: part.interval,
    }),
  ),
});

export const sensitivity = z.discriminatedUnion('method', [steps, morris, sobol]);
