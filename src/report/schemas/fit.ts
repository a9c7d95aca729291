/** JSON of `fit`. */
import { z } from 'zod';
import * as part from './common.ts';

const { about, count, flag, head, number, share, text } = part;

export const fit = z.strictObject({
  ...head,
  fields: about(
    z.array(
      z.strictObject({
        path: text('Path of the field.'),
        value: number('Value with the greatest likelihood.'),
        low: number('Lower end of the 95 % interval.'),
        high: number('Upper end of the 95 % interval.'),
        range: about(z.tuple([z.number(), z.number()]), 'Least and greatest examined value.'),
        status: about(
          z.enum(['estimated', 'range-end', 'unidentified']),
          '"range-end": the interval reaches an end of the range. "unidentified": the observations exclude no value of the range.',
        ),
      }),
    ),
    'Estimates of the fields, in the order of the options.',
  ),
  logLikelihood: number('Natural logarithm of the likelihood of the best setting.'),
  bestSettings: count('Number of settings with the greatest likelihood.'),
  observedBattles: count('Number of observed battles.'),
  metrics: about(z.array(z.string()), 'Observed metrics.'),
  test: about(
    z.strictObject({
      statistic: number("Pearson's statistic."),
      degreesOfFreedom: count('Degrees of freedom.'),
      pValue: share('Probability of such a statistic or a greater one if the model is right.'),
    }),
    'Test of the model. Absent if the results have too few classes.',
  ).optional(),
  examined: count('Number of settings that the scenario allows.'),
  rejected: count('Number of settings that the scenario does not allow.'),
  exact: flag('False if battles were simulated for some settings.'),
  seed: part.seed,
});
