/** What `compare`, `diff-rules`, `balance` and `sensitivity` print as JSON. */
import { z } from 'zod';
import * as part from './parts.ts';

const { about, byName, count, flag, head, number, orNull, share, text } = part;

const gain = orNull(
  z.number(),
  'The variance of an unpaired comparison of as many battles over that of this one; null if infinite.',
);
const differing = count('Battles in which the two differ.');
const difference = number('Second minus first.');
const standardError = number('Of a difference of means, from the battles that came.');

const differences = {
  outcomes: byName(
    z.strictObject({
      p: about(z.tuple([z.number(), z.number()]), 'Shares of the battles, played the first and the second way.'),
      difference,
      ci95: part.ci95,
      gain,
      differing,
    }),
  ),
  unshared: about(
    byName(z.strictObject({ side: z.union([z.literal(0), z.literal(1)]), p: share('Its share of the battles.') })),
    'Outcomes that only the first (0) or the second (1) has.',
  ),
  metrics: byName(
    z.strictObject({
      mean: about(z.tuple([z.number(), z.number()]), 'Played the first and the second way.'),
      difference,
      ci95: part.ci95,
      standardError,
      unseen: part.unseen,
      gain,
      differing,
    }),
  ),
};

const bounded = flag('True if intervals hold for every law in the declared ranges.');

export const diffRules = z.strictObject({
  ...head,
  set: about(part.assignments, 'What was changed.'),
  changedHash: about(part.hash, 'Of the changed scenario.'),
  seed: part.seed,
  battles: count('Battles that were played both ways.'),
  bounded,
  ...differences,
  exact: about(
    z.array(z.strictObject({ outcomes: byName(z.number()), metrics: byName(z.number()) })),
    'Exact probabilities and means of both, where they are affordable.',
  ).optional(),
});

const standing = z.strictObject({
  name: text('What it is called.'),
  hash: part.hash,
  value: number('The share or mean.'),
  ci95: about(part.interval, 'Of this scenario alone.'),
  exact: number('The exact value, where those of all are known.').optional(),
  rank: about(z.tuple([z.int(), z.int()]), 'The best and the worst place that it can have, from 1.'),
});

const place = count('Place of a scenario, from 0.');

const pair = z.strictObject({
  first: place,
  second: place,
  difference,
  ci95: about(part.interval, 'Together with those of all other pairs right with 95 %.'),
  standardError: standardError.optional(),
  unseen: part.unseen.optional(),
  gain,
  differing,
  verdict: about(z.enum(['higher', 'lower', 'tie']), 'Of the second against the first.'),
  exact: number('The exact difference, where it is known.').optional(),
  needed: orNull(z.number(), 'Battles that tell such a difference with a chance of 80 %; null if it is 0.'),
});

const best = z.strictObject({
  wanted: z.enum(['highest', 'lowest']),
  indifference: number('Differences below it do not matter.').optional(),
  left: about(z.array(place), 'The best, or those that tie.'),
  ended: z.enum(['one', 'indifference', 'battles', 'exact', 'interrupted']),
  drops: about(
    z.array(
      z.strictObject({
        scenario: place,
        look: count('At which it was dropped, from 1.'),
        battles: count('Battles of that look.'),
        against: place,
      }),
    ),
    'In the order in which they were dropped.',
  ),
  looks: about(z.array(z.int()), 'Battles of all looks that there could have been.'),
  played: about(z.array(z.int()), 'Battles of each scenario, in the order given.'),
  saved: count('Battles that all together did not play of those that were asked for.'),
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
  battles: count('Battles of each scenario; with --best, of those that are left.'),
  scenarios: about(z.array(standing), 'In the order given.'),
  order: about(z.array(place), 'The highest first, or the best.'),
  groups: about(z.array(z.array(place)), 'The largest groups in which no two can be told apart.'),
  pairs: z.array(pair),
  ...z.strictObject(differences).partial().shape,
  best: about(best, 'With --best.').optional(),
});

const setting = z
  .strictObject({
    set: about(byName(z.number()), 'The values of the varied fields, by path.'),
    value: number('The share or mean.'),
    interval: orNull(part.interval, 'Null if the value is exact.'),
    unseen: part.unseen,
    battles: count('0 if the value is exact.'),
    costs: part.costs,
    verdict: z.enum(['meets', 'misses', 'undecided']),
  })
  .meta({ id: 'setting', description: 'A setting of the varied fields, and what comes of it.' });

const settings = z.array(setting);

export const balance = z.strictObject({
  ...head,
  of: part.of,
  kind: about(
    z.enum(['outcome', 'mean', 'share']),
    'A probability, the mean of a metric, or the share of some values.',
  ),
  target: number('What is to be reached.'),
  tolerance: number('By how much it may be missed.'),
  met: flag('True if a setting meets the target.'),
  meetingCount: count('Settings that meet it.'),
  looked: count('Settings that were looked at.'),
  refused: count('Settings that the scenario does not allow.'),
  exact: flag('True if everything is known exactly.'),
  seed: part.seed,
  most: count('Battles that may be played for a setting.'),
  error: share('With what probability anything said from playing may be wrong.'),
  bounded,
  finished: flag('False if a signal came first.'),
  fields: z.array(
    z.strictObject({
      path: text('The field.'),
      present: orNull(z.number(), 'What the scenario has there; null if it is no number.'),
      low: number('The least value that was searched.'),
      high: number('The greatest.'),
    }),
  ),
  present: orNull(setting, 'The scenario as it is; null if it has no numbers in all fields.'),
  meeting: about(settings, 'The nearest to the target first, at most 12.'),
  undecided: about(settings, 'Settings of which battles did not tell; at most 12 with those that meet it.'),
  possible: orNull(
    z.array(byName(z.number())),
    'All settings that may meet the target for all that is known; null if everything is known exactly.',
  ),
  nearest: setting,
  least: setting,
  greatest: setting,
  along: about(
    z.strictObject({
      whole: flag('True if every value was looked at.'),
      complete: flag('True if every value was looked at and is known exactly.'),
      crossings: about(z.array(z.array(setting)), 'Pairs of values between which the target is crossed.'),
      trend: z.enum(['rises', 'falls', 'neither', 'constant']).optional(),
    }),
    'Of one field.',
  ).optional(),
  pairs: about(
    settings,
    'Of two fields: for each examined value of the first the setting closest to the target.',
  ).optional(),
  rows: about(
    z.strictObject({
      step: count('Distance of the examined values of the first field, in steps; 1 if none was left out.'),
      whole: flag('True if every setting of both ranges was examined.'),
    }),
    'Of two fields: which settings were examined.',
  ).optional(),
  rates: about(
    z.array(
      z.strictObject({
        per: text('The field whose worth is told.'),
        count: number('How many of it there are.'),
        at: number('The varied field where the target is met, interpolated linearly.'),
        between: about(part.interval, 'The two settings between which that is.'),
        interval: about(part.interval, 'How far the intervals of both let it go.').optional(),
        worth: number('`at` by `count`.'),
        price: number('What one costs in the varied field.').optional(),
      }),
    ),
    'With --per: at each crossing.',
  ).optional(),
  near: about(
    z.strictObject({
      radius: count('All settings of up to so many steps of all fields together were looked at.'),
      meets: flag('True if some of them meet the target.'),
    }),
    'Of three or more fields.',
  ).optional(),
});

const study = {
  ...head,
  of: part.of,
  kind: part.kindOfFigure,
  seed: part.seed,
  battles: count('Battles of a cell that is played.'),
  cells: z.strictObject({ exact: count('Cells that were solved.'), simulated: count('Cells that were played.') }),
  complete: flag('False if a signal came first.'),
};

const axis = { path: text('The field.'), min: z.number(), max: z.number(), integer: z.boolean() };
const effect = number('How much the field matters: the number by which the list is ordered.');

const step = z
  .strictObject({
    to: number('The value that the field was moved to.'),
    effect: number('What comes of it, less what the scenario has.'),
    ci95: part.ci95,
    standardError: standardError.optional(),
    exact: z.boolean(),
    differs: flag('True if the interval leaves 0 out.'),
  })
  .meta({ id: 'step' });

const steps = z.strictObject({
  ...study,
  method: z.literal('step'),
  value: number('As the scenario is.'),
  fields: z.array(
    z.strictObject({
      path: text('The field.'),
      value: number('What the scenario has.'),
      down: step.optional(),
      up: step.optional(),
      effect,
      ci95: part.ci95.optional(),
      standardError: standardError.optional(),
      verdict: z.enum(['effect', 'unclear', 'none']),
    }),
  ),
  skipped: z.array(z.strictObject({ path: z.string(), to: z.number().optional(), why: z.string() })),
  left: text('What stands in tables of the system and was not moved.').optional(),
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
      sigma: number('Their standard deviation.'),
      noise: number('What luck alone would make of it.'),
    }),
  ),
});

const sobol = z.strictObject({
  ...study,
  method: z.literal('sobol'),
  points: z.int(),
  variance: number('Of the figure over the space.'),
  noise: number('The share of luck in the variance between cells.'),
  fields: z.array(
    z.strictObject({
      ...axis,
      effect,
      ci95: part.ci95,
      first: number('Share of the variance that the field explains by itself.'),
      firstCi95: part.interval,
      total: number('With all its interactions.'),
      totalCi95: part.interval,
    }),
  ),
});

export const sensitivity = z.discriminatedUnion('method', [steps, morris, sobol]);
