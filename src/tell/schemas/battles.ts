/** What `run`, `exact`, `replay`, `find` and `rollout` print as JSON. */

import { z } from 'zod';
import { ENGINES } from '../../engines/index.ts';
import * as part from './parts.ts';

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
    description: 'For each share the least value that so much of the battles does not exceed.',
  });

const law = {
  mean: number('The mean, in the unit of the metric.'),
  variance: number('Of the battles: the mean squared distance from the mean.'),
  min: number('The least value that came.'),
  max: number('The greatest value that came.'),
  range: about(part.interval, 'What the system declares to be possible.'),
  quantiles,
  histogram: about(weights, 'Battles, or probability, by value.'),
  meanGiven: about(byName(z.number()), 'The mean over the battles that ended in an outcome, for each that came.'),
  histogramGiven: about(byName(weights), 'Battles, or probability, by outcome and value, for each outcome that came.'),
};

const moments = about(
  z.strictObject({ mean: z.number(), variance: z.number() }).meta({ id: 'momentError' }),
  'By how much mean and variance may be wrong, but for rounding: what was not followed of the battles.',
);

/** Outcomes and metrics of battles that were played. */
const played = {
  outcomes: about(
    byName(
      z
        .strictObject({ count: count('Battles that ended so.'), p: share('Their share.'), ci95: part.ci95 })
        .meta({ id: 'outcome' }),
    ),
    'By name, all that the scenario can have.',
  ),
  metrics: about(
    byName(
      z
        .strictObject({ ...law, ci95: orNull(part.interval, 'Of the mean.'), ...part.statistics })
        .meta({ id: 'metric' }),
    ),
    'By name.',
  ),
};

const beside = z.strictObject({
  elapsedSeconds,
  states: count('States of the chain.'),
  steps: count('Transitions before merging.'),
  lost: share('Probability of battles longer than what was followed.'),
  outcomes: byName(
    z.strictObject({
      p: share('The exact probability.'),
      z: orNull(z.number(), 'Standard errors by which the estimate misses it; null if infinite.'),
    }),
  ),
  metrics: byName(
    z.strictObject({
      mean: number('The exact mean.'),
      variance: number('The exact variance.'),
      error: orNull(moments, 'Null where there is none.'),
      z: orNull(z.number(), 'Standard errors by which the estimate misses it; null if infinite.'),
    }),
  ),
});

const stopping = z.strictObject({
  precision: number('The half-width, or the part of each value, that was asked for.'),
  floor: number('Of a part: the value below which it is that part of this.').optional(),
  of: text('"outcomes", or the metric whose mean is meant.'),
  halfWidth: number('The greatest half-width at the end.'),
  part: number('Of a part: the greatest half-width over its value, or over the floor.').optional(),
  reached: flag('False if the bound on battles came first.'),
  look: count('The look at which the run ended, from 1.'),
  looks: count('How many looks there could have been.'),
  most: count('Battles of the last of them.'),
  interval: about(z.enum(['clopper-pearson', 'chow-robbins', 'betting']), 'See docs/explanation/statistics.md.'),
  level: share('By how much the confidence of one interval at one look falls short of 1, so that all make 95 %.'),
});

const coverage = z.strictObject({
  battles: count('Battles that were looked at.'),
  rules: about(
    byName(
      z.strictObject({
        source: text('Where the rule stands.'),
        fired: count('How often it applied.'),
        battles: count('Battles in which it did.'),
      }),
    ),
    'By id.',
  ),
});

const kept = z.strictObject({
  folder: text('The folder.'),
  parts: count('Parts of the tally.'),
  before: count('Battles that were there before.'),
});

/** `simulate` and `run`. */
export const result = z.strictObject({
  ...head,
  engine: about(z.enum(ENGINES), 'What was asked for; it changes no result.'),
  player: about(
    z.enum(['kernel', 'automaton', 'reference', 'sampled']),
    'What has played: the kernel of the system, the scenario compiled, the rules as written, or none but draws.',
  ),
  why: text('Why that has played, for people: words and figures may differ from run to run.'),
  seed: part.seed,
  from: count('Index of the first battle.'),
  battles: count('Battles that were played.'),
  asked: count('Battles that were asked for. Only from the command line.').optional(),
  complete: flag('False if a signal ended the run.'),
  stopping: about(stopping, 'How a run with a precision ended.').optional(),
  workers: count('Threads; 0 if the calling one played all.'),
  digest: text('SHA-256 of what was played and counted.'),
  elapsedSeconds,
  ...played,
  exact: about(beside, 'The exact answer, where it was cheap or asked for.').optional(),
  contradiction: text(
    'In what battles and the exact answer cannot both be right; the command then ends with 1.',
  ).optional(),
  coverage: about(coverage, 'With --coverage: which rules applied.').optional(),
  kept: about(kept, 'With --out: where the run is kept.').optional(),
});

/** `run --plan` */
export const plan = z.strictObject({
  ...head,
  seed: part.seed,
  source: about(z.enum(['exact', 'pilot']), 'Where probabilities and means are from.'),
  pilot: z.strictObject({ battles: count('Battles that were played.'), seconds: number('How long they took.') }),
  values: z.array(
    z.strictObject({
      kind: part.kindOfFigure,
      of: part.of,
      value: number('The probability or the mean.'),
      halfWidth: number('Half of the 95 % interval that is asked for.'),
      battles: count('Of a run of fixed length whose interval of this value alone is as narrow; to a part in 512.'),
    }),
  ),
  battles: count('After which a run with the precision ends, if all comes as often as it is likely.'),
  stopping: about(stopping, 'How such a run would end.'),
  workers: count('Threads that it may have.'),
  seconds: number('How long it takes them at the rate of the pilot.'),
});

/** `solve` and `exact`. */
export const exact = z.strictObject({
  ...head,
  engine: z.literal('exact'),
  elapsedSeconds,
  states: count('States of the chain.'),
  steps: count('Transitions before merging.'),
  lost: share(
    'Probability of battles longer than what was followed, at most: docs/explanation/exact.md says how little that is.',
  ),
  outcomes: byName(z.strictObject({ p: share('The exact probability.') })),
  metrics: byName(z.strictObject({ ...law, error: orNull(moments, 'Null where there is none.') })),
});

const whole = z.array(z.int());

const names = about(z.array(z.string()), 'Of what could be drawn, in its order, if the rules name it.').optional();

/** What was rolled, drawn or decided, or which rule applied. */
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
      faces: whole,
      hits: z.int(),
    }),
    z.strictObject({ kind: z.literal('faces'), dice: z.array(whole), shown: whole, sum: z.int() }),
    z.strictObject({ kind: z.literal('draw'), bag: whole, drawn: whole, names }),
    z.strictObject({ kind: z.literal('pick'), weights: z.array(z.number()), index: z.int(), names }),
    z.strictObject({
      kind: z.literal('take'),
      law: text('The name of the law that the value is from, if it has one.').optional(),
      value: z.int(),
      probability: share('Of this value.'),
    }),
    z.strictObject({
      kind: z.literal('roll'),
      dice: z.strictObject({ count: z.int(), sides: z.int() }),
      faces: about(whole, 'In descending order.'),
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
      id: text('One of "warpool systems --rules".'),
      facts: byName(z.union([z.string(), z.number()])),
    }),
  ])
  .meta({ id: 'event' });

const ending = {
  battle: count('The index of the battle in the run.'),
  outcome: text('How it ended.'),
  metrics: about(byName(z.number()), 'Values by name, in their units.'),
};

export const replay = z.strictObject({
  ...head,
  seed: part.seed,
  ...ending,
  events: about(z.array(event), 'In the order of the battle.'),
});

export const find = z.strictObject({
  ...head,
  seed: part.seed,
  looked: count('Battles that were looked at, from the first on.'),
  found: about(z.array(z.strictObject(ending)), 'In ascending order of their indices.'),
});

const counted = z.strictObject({
  name: orNull(z.string(), 'What the scenario is called.'),
  hash: part.hash,
  battles: count('Episodes that came to an end.'),
  outcomes: byName(
    z.strictObject({
      count: count('Battles that ended so.'),
      p: orNull(z.number().min(0).max(1), 'Their share; null without a battle.'),
      ci95: orNull(part.interval, 'The 95 % interval of the share; null without a battle.'),
    }),
  ),
  metrics: about(played.metrics, 'By name; none without a battle.'),
});

/** `runEpisodes` and `rollout`. */
export const rollout = z.strictObject({
  ...part.origin,
  ...part.rules,
  set: part.set,
  envs: count('Environments.'),
  episodes: count('Episodes of each environment.'),
  policy: about(z.enum(['scenario', 'uniform']), 'Who decides.'),
  points: about(z.array(z.string()), 'Decision points at which agents are asked.'),
  seed: part.seed,
  steps: count('Actions in all environments.'),
  truncated: count('Episodes that a limit of steps has cut short.'),
  elapsedSeconds: elapsedSeconds.optional(),
  returns: about(byName(z.number()), 'By agent: the mean of what it earned in an episode.'),
  returnsCi95: about(
    byName(orNull(part.interval, 'Null if no episode was played.')),
    'By agent: the 95 % interval of that mean, which counts what never came.',
  ),
  scenarios: about(z.array(counted), 'In the order given.'),
  digest: text('Where the episodes are the battles of a run: its digest.').optional(),
});
