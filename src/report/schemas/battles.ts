/** JSON of `run`, `exact`, `replay`, `find` and `rollout`. */

import { z } from 'zod';
import { ENGINES } from '../../engines/index.ts';
import * as part from './common.ts';

const { about, byName, count, elapsedSeconds, flag, head, number, orNull, share, text } = part;

const weights = byName(z.number());

const quantiles = z
  .strictObject({
    '0.05': z.number(),
    '0.25': z.number(),
    '0.5': z.number(),
    '0.75': z.number(),
    '0.95': z.number(),
  })
  .meta({
    id: 'quantiles',
    description: 'Quantiles by level: the smallest value that at least this share of the battles does not exceed.',
  });

const exactMetric = {
  mean: number('Mean, in the unit of the metric.'),
  variance: number('Variance of one battle.'),
  min: number('Smallest observed or possible value.'),
  max: number('Largest observed or possible value.'),
  range: about(part.interval, 'Smallest and largest value that the system declares as possible.'),
  quantiles,
  histogram: about(weights, 'Number of battles, or exact probability, by value.'),
  meanByOutcome: about(byName(z.number()), 'Mean over the battles with an outcome, for each outcome that occurred.'),
  histogramByOutcome: about(
    byName(weights),
    'Number of battles, or exact probability, by outcome and value, for each outcome that occurred.',
  ),
};

const moments = about(
  z.strictObject({ mean: z.number(), variance: z.number() }).meta({ id: 'momentError' }),
  'Error bounds of mean and variance due to truncated battles, without rounding errors.',
);

/** Outcomes and metrics of simulated battles. */
const simulatedResults = {
  outcomes: about(
    byName(
      z
        .strictObject({
          count: count('Number of battles with this outcome.'),
          p: share('Share of battles with this outcome.'),
          ci95: part.ci95,
        })
        .meta({ id: 'outcome' }),
    ),
    'Outcomes by name, including outcomes that did not occur.',
  ),
  metrics: about(
    byName(
      z
        .strictObject({ ...exactMetric, ci95: orNull(part.interval, '95 % interval of the mean.'), ...part.statistics })
        .meta({ id: 'metric' }),
    ),
    'Metrics by name.',
  ),
};

const exactReference = z.strictObject({
  elapsedSeconds,
  states: count('Number of states of the Markov chain.'),
  steps: count('Number of transitions before equal states are merged.'),
  truncated: share('Probability of battles that were truncated because they are too long.'),
  outcomes: byName(
    z.strictObject({
      p: share('Exact probability.'),
      z: orNull(z.number(), 'Difference of the estimate and the exact value in standard errors. Null if infinite.'),
    }),
  ),
  metrics: byName(
    z.strictObject({
      mean: number('Exact mean.'),
      variance: number('Exact variance.'),
      error: orNull(moments, 'Error bounds. Null if there are none.'),
      z: orNull(z.number(), 'Difference of the estimate and the exact value in standard errors. Null if infinite.'),
    }),
  ),
});

const stopping = z.strictObject({
  precision: number('Requested half-width, absolute or relative to each value.'),
  floor: number(
    'With a relative precision: smaller values are replaced by this one when the half-width is divided by the value.',
  ).optional(),
  of: text('"outcomes", or the name of the metric whose mean has the precision.'),
  halfWidth: number('Largest half-width at the end of the run.'),
  relativeHalfWidth: number(
    'With a relative precision: largest half-width divided by its value, or by the floor.',
  ).optional(),
  reached: flag('True if the run reached the precision; false if it reached the maximum number of battles first.'),
  analysis: count('Number of the interim analysis at which the run ended, from 1.'),
  analyses: count('Number of planned interim analyses.'),
  maxBattles: count('Number of battles at the last planned interim analysis.'),
  intervalMethod: about(
    z.enum(['clopper-pearson', 'chow-robbins', 'betting']),
    'Method of the intervals. See docs/explanation/statistics.md.',
  ),
  errorRate: share('Error rate of one interval at one analysis. All intervals together cover with 95 %.'),
});

const coverage = z.strictObject({
  battles: count('Number of battles that were examined.'),
  rules: about(
    byName(
      z.strictObject({
        source: text('Source of the rule in the rule text.'),
        fired: count('Number of times that the rule applied.'),
        battles: count('Number of battles in which the rule applied.'),
      }),
    ),
    'Rules by id.',
  ),
});

const resumedRun = z.strictObject({
  folder: text('Path of the folder.'),
  parts: count('Number of stored parts.'),
  battlesBefore: count('Number of battles that the folder contained before this call.'),
});

/** `simulate` and `run`. */
export const result = z.strictObject({
  ...head,
  engine: about(z.enum(ENGINES), 'Requested engine. It does not change results.'),
  engineUsed: about(
    z.enum(['kernel', 'automaton', 'reference', 'sampled']),
    'Engine that ran: the kernel of the system, the compiled scenario (automaton), the reference implementation, or draws from the exact distribution (sampled).',
  ),
  engineReason: text('Reason for the choice of the engine, as text for people. It may differ between equal runs.'),
  seed: part.seed,
  from: count('Index of the first battle.'),
  battles: count('Number of simulated battles.'),
  requested: count('Requested number of battles. Only on the command line.').optional(),
  complete: flag('True if all battles were simulated; false if a signal ended the run.'),
  stopping: about(stopping, 'End of a run with a precision.').optional(),
  workers: count('Number of worker threads; 0 if the calling thread simulated all battles.'),
  digest: text('SHA-256 of the scenario hash, the rules, the seed, the range of battles and the counts.'),
  elapsedSeconds,
  ...simulatedResults,
  exact: about(exactReference, 'Exact results. Absent if they were neither requested nor cheap.').optional(),
  contradiction: text(
    'Contradiction between the simulated and the exact results, as text. The exit code is then 1.',
  ).optional(),
  coverage: about(coverage, 'With --coverage: how often each rule applied.').optional(),
  store: about(resumedRun, 'With --out: the folder of the resumable run.').optional(),
});

/** `run --plan` */
export const plan = z.strictObject({
  ...head,
  seed: part.seed,
  source: about(z.enum(['exact', 'pilot']), 'Source of probabilities and means: exact results or pilot battles.'),
  pilot: z.strictObject({
    battles: count('Number of pilot battles.'),
    seconds: number('Duration of the pilot in seconds.'),
  }),
  values: z.array(
    z.strictObject({
      kind: part.kindOfFigure,
      of: part.of,
      value: number('Probability of the outcome or mean of the metric.'),
      halfWidth: number('Requested half-width of the 95 % interval.'),
      battles: count(
        'Number of battles of a fixed-length run whose interval of this value has the requested half-width, accurate to 1/512.',
      ),
    }),
  ),
  battles: count('Number of battles of a run with the precision, if all observed frequencies equal the probabilities.'),
  stopping: about(stopping, 'Predicted end of a run with the precision.'),
  workers: count('Number of threads.'),
  seconds: number('Estimated duration in seconds, from the speed of the pilot.'),
});

/** `run --rare` */
export const rareOutcome = z.strictObject({
  ...head,
  outcome: text('Name of the outcome.'),
  seed: part.seed,
  probability: share('Unbiased estimate of the probability of the outcome.'),
  exactProbability: orNull(
    z.number().min(0).max(1),
    'Exact probability of the outcome. Null if its computation exceeds the budget.',
  ),
  relativeError: orNull(
    z.number(),
    'Standard error relative to the probability. Null if no replication reached the outcome.',
  ),
  ci95: part.ci95,
  precision: z.strictObject({
    requested: number('Requested half-width of the interval relative to the probability.'),
    reached: flag('True if the interval has this half-width.'),
  }),
  replications: count('Number of independent replications.'),
  emptyReplications: count('Number of replications that did not reach the outcome.'),
  deviation: orNull(z.number(), 'Relative standard deviation of one replication. Null if none reached the outcome.'),
  pilotProbability: share('Greatest mean estimate of the importance functions that the pilots tested.'),
  reliable: flag('False if the replications or the pilots show that the interval may be too narrow.'),
  stages: about(
    z.array(
      z.strictObject({
        segments: count('Number of simulated battle segments of the stage.'),
        reached: count('Number of segments that reached the next level.'),
        share: share('Share of these segments.'),
      }),
    ),
    'Stages of all replications together. The last stage ends at the outcome.',
  ),
  segments: count('Number of battle segments of the estimate.'),
  pilotSegments: count('Number of battle segments of the pilots, which do not count in the estimate.'),
  plainBattles: orNull(
    z.number(),
    'Number of battles of plain simulation with the same relative error. Null if no replication reached the outcome.',
  ),
  digest: text('SHA-256 of the counts. Equal on all machines.'),
  elapsedSeconds,
});

/** `solve` and `exact`. */
export const exact = z.strictObject({
  ...head,
  engine: z.literal('exact'),
  elapsedSeconds,
  states: count('Number of states of the Markov chain.'),
  steps: count('Number of transitions before equal states are merged.'),
  truncated: share(
    'Upper bound of the probability of battles that were truncated because they are too long. See docs/explanation/exact.md.',
  ),
  outcomes: byName(z.strictObject({ p: share('Exact probability.') })),
  metrics: byName(z.strictObject({ ...exactMetric, error: orNull(moments, 'Error bounds. Null if there are none.') })),
});

const integers = z.array(z.int());

const names = about(
  z.array(z.string()),
  'Names of the possible draws, in order. Absent if the rules have no names.',
).optional();

/** Roll, draw, decision or applied rule. */
const event = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('sum'),
      dice: z.strictObject({ count: z.int(), sides: z.int() }),
      sum: z.int(),
    }),
    z.strictObject({
      kind: z.literal('excess'),
      dice: z.strictObject({ count: z.int(), sides: z.int() }),
      attack: z.int(),
      defence: z.int(),
      bonus: z.int(),
      excess: z.int(),
    }),
    z.strictObject({
      kind: z.literal('hits'),
      pool: z.strictObject({ dice: z.int(), value: z.int() }),
      faces: integers,
      hits: z.int(),
    }),
    z.strictObject({ kind: z.literal('faces'), dice: z.array(integers), shown: integers, sum: z.int() }),
    z.strictObject({ kind: z.literal('draw'), bag: integers, drawn: integers, names }),
    z.strictObject({ kind: z.literal('pick'), weights: z.array(z.number()), index: z.int(), names }),
    z.strictObject({
      kind: z.literal('sample'),
      distribution: text('Name of the distribution. Absent if it has none.').optional(),
      value: z.int(),
      probability: share('Probability of this value.'),
    }),
    z.strictObject({
      kind: z.literal('roll'),
      dice: z.strictObject({ count: z.int(), sides: z.int() }),
      faces: about(integers, 'Faces in descending order.'),
    }),
    z.strictObject({
      kind: z.literal('decide'),
      point: z.string(),
      player: z.string(),
      options: z.array(z.union([z.string(), z.number()])),
      choice: z.union([z.string(), z.number()]),
    }),
    z.strictObject({
      kind: z.literal('rule'),
      id: text('Id of the rule, as listed by "warpool systems --rules".'),
      facts: byName(z.union([z.string(), z.number()])),
    }),
  ])
  .meta({ id: 'event' });

const battleEnd = {
  battle: count('Index of the battle in the run.'),
  outcome: text('Outcome of the battle.'),
  metrics: about(byName(z.number()), 'Metrics of the battle by name, in their units.'),
};

export const replay = z.strictObject({
  ...head,
  seed: part.seed,
  ...battleEnd,
  events: about(z.array(event), 'Events in the order of the battle.'),
});

export const find = z.strictObject({
  ...head,
  seed: part.seed,
  searched: count('Number of searched battles, from the first one.'),
  matches: about(z.array(z.strictObject(battleEnd)), 'Matching battles in ascending order of their indices.'),
});

const variantCounts = z.strictObject({
  name: orNull(z.string(), 'Name of the scenario. Null if it has none.'),
  hash: part.hash,
  battles: count('Number of complete episodes.'),
  outcomes: byName(
    z.strictObject({
      count: count('Number of battles with this outcome.'),
      p: orNull(z.number().min(0).max(1), 'Share of battles with this outcome. Null if there are no battles.'),
      ci95: orNull(part.interval, '95 % interval of the share. Null if there are no battles.'),
    }),
  ),
  metrics: about(simulatedResults.metrics, 'Metrics by name. Empty if there are no battles.'),
});

/** `runEpisodes` and `rollout`. */
export const rollout = z.strictObject({
  ...part.origin,
  ...part.rules,
  set: part.set,
  envs: count('Number of environments.'),
  episodes: count('Number of episodes of each environment.'),
  policy: about(
    z.enum(['scenario', 'uniform']),
    'Policy of the agents: the policy of the scenario, or uniformly random actions.',
  ),
  decisions: about(z.array(z.string()), 'Decision points that agents control.'),
  seed: part.seed,
  steps: count('Number of actions in all environments.'),
  truncated: count('Number of episodes that the step limit truncated.'),
  elapsedSeconds: elapsedSeconds.optional(),
  returns: about(byName(z.number()), 'Mean return of an episode, by agent.'),
  returnsCi95: about(
    byName(orNull(part.interval, 'Null if there are no episodes.')),
    '95 % interval of the mean return, by agent. It includes the possible effect of unobserved values.',
  ),
  scenarios: about(z.array(variantCounts), 'Scenarios in the requested order.'),
  digest: text(
    'Digest of the run with the same battles. Absent if the episodes are not the battles of a run.',
  ).optional(),
});
