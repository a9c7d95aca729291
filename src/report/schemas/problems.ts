/** JSON of `balance` for a balance problem. */
import { z } from 'zod';
import * as part from './common.ts';

const { about, byName, count, flag, number, orNull, share, text } = part;

const verdict = z.enum(['meets', 'misses', 'undecided']);

const setting = z
  .strictObject({
    set: about(
      byName(z.union([z.number(), z.null()])),
      'Values of the fields, by name. Null if the current scenarios have none.',
    ),
    cost: number('Sum over the fields of cost times value.'),
    steps: number('Sum over the fields of the steps from their current values.'),
    greatestStep: number('Greatest number of steps of a field from its current value.'),
    greatestMiss: number('Greatest miss of a target, in units of its tolerance; 0 if all targets are met.'),
    battles: count('Simulated battles; 0 if all values are exact.'),
    targets: about(
      z.array(
        z.strictObject({
          value: number('Value of the target, a sum of probabilities, means or quantiles.'),
          interval: orNull(part.interval, 'Interval of the value. Null if the value is exact.'),
          miss: number('Distance of the value from the bounds, in units of the tolerance; 0 if it is within.'),
          verdict,
        }),
      ),
      'Values of the targets, in the order of the problem.',
    ),
    verdict: about(verdict, 'Whether the setting meets all targets.'),
  })
  .meta({ id: 'problemSetting', description: 'Setting of a balance problem.' });

const settings = z.array(setting);

export const solution = z.strictObject({
  ...part.origin,
  problem: text('Name of the problem, or its file.'),
  settings: count('Number of settings: combinations of the values of all fields.'),
  search: about(
    z.enum(['complete', 'pruned', 'optimizer']),
    '"complete": all settings were examined. "pruned": settings that cannot be among the best were skipped. "optimizer": another program chose the settings.',
  ),
  exact: flag('True if all values are exact.'),
  targetsMet: flag('True if a setting meets all targets.'),
  allFound: flag('True if the lists contain all settings that meet all targets, or else all of the Pareto front.'),
  possible: count('Number of settings that the search did not exclude.'),
  seed: part.seed,
  maxBattles: count('Maximum number of battles of a combination.'),
  errorRate: share('Upper bound of the probability that any statement based on simulation is wrong.'),
  bounded: flag('True if intervals of means are valid for every distribution in the declared range.'),
  scenarios: z.array(
    z.strictObject({
      name: text('Name of the scenario in the problem.'),
      cells: count('Number of combinations of the fields of the scenario.'),
      evaluated: count('Number of evaluated combinations.'),
      rejected: count('Number of evaluated combinations that the scenario does not allow.'),
      exact: flag('False if battles were simulated.'),
      ...part.rules,
      hash: part.hash,
    }),
  ),
  fields: z.array(
    z.strictObject({
      name: text('Name of the field.'),
      paths: z.array(z.strictObject({ scenario: z.string(), path: z.string() })),
      low: number('Least value.'),
      step: number('Step between values.'),
      count: count('Number of values.'),
      current: orNull(z.number(), 'Current value. Null if the scenarios have none.'),
      cost: number('Cost of one unit.'),
      monotone: flag('True if the values of all targets are declared to rise or fall with the field.'),
    }),
  ),
  targets: z.array(
    z.strictObject({
      target: text('Target, as written.'),
      tolerance: number('Unit of misses; for an equality the accepted deviation, too.'),
      low: orNull(z.number(), 'Least accepted value. Null if there is none.'),
      high: orNull(z.number(), 'Greatest accepted value. Null if there is none.'),
    }),
  ),
  current: about(setting, 'The scenarios with the current values of the fields.'),
  cheapest: orNull(setting, 'Setting with the lowest cost among those that meet all targets. Null without costs.'),
  fewestSteps: about(
    setting,
    'Setting with the fewest steps among those that meet all targets, or else among the nearest ones.',
  ),
  leastGreatestStep: about(setting, 'Setting with the least greatest step among the same settings.'),
  nearest: about(setting, 'Setting with the least greatest miss.'),
  meetingCount: count('Number of settings that meet all targets.'),
  meeting: about(settings, 'Settings that meet all targets; at most 1 000.'),
  undecided: about(settings, 'Settings whose verdict is undecided.'),
  frontCount: count('Number of settings on the Pareto front.'),
  front: about(
    settings,
    'Pareto front: no other setting has a smaller miss of one target and no greater miss of any other; at most 1 000 settings. Empty if a setting meets all targets.',
  ),
});
