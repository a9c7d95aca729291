/** Options that several studies share, in addition to those of runs. */
import { MAX_BATTLES } from '../core/index.ts';
import { STEPS_MAX } from '../engines/index.ts';
import { fractionUpTo } from '../rules/index.ts';
import { choice, count, text } from '../rules/option-spec.ts';
import { BATTLES, RUN_LENGTH } from './run-options.ts';

/** Number of battles, without a precision. */
export const BATTLE_COUNT = {
  ...count(1, MAX_BATTLES, 'number of battles: 1000000, 1e6, 1M or 1,000,000'),
  ...{ default: BATTLES, shown: '1e6' },
};

/** Default number of battles of each of several compared scenarios. */
export const PAIRED_BATTLES = 200_000;

/** An outcome or a metric. */
export const COMPARED_VALUE = text(
  'name',
  'outcome or metric to compare (default: the first outcome that is not a stalemate)',
);

/** Intervals of differences are valid for every distribution in the declared ranges, at any number of battles. */
export const BOUNDED_DIFFERENCES = {
  ...RUN_LENGTH.bounded,
  about: 'use intervals of differences that are valid for every distribution in the declared ranges',
};

export const EXACTNESS = ['auto', 'always', 'never'] as const;

/**
 * Use of exact answers: if they are affordable next to the battles (`auto`), always, with an error if they exceed the
 * budget (`always`), or `never`.
 */
export type ExactMode = (typeof EXACTNESS)[number];

/** Exact answers in studies without simultaneous estimates. */
export const EXACT = choice('exact answers instead of simulation; auto: if they are cheap to compute', EXACTNESS);

/** Maximum steps of an exact answer. */
export const BUDGET = count(1, STEPS_MAX, 'maximum number of steps for the exact answer (default: 4000000)', 'steps');

/** Budget of exact answers next to, or instead of, battles. */
export const ALONGSIDE_BUDGET = {
  ...BUDGET,
  about:
    'maximum number of steps for an exact answer or --engine automaton (default: automatic; 4000000 if requested explicitly)',
};

/** Maximum probability that a result from simulation is wrong. */
export const ERROR_RATE = {
  ...fractionUpTo('maximum probability that a result of simulation is wrong', 0.25),
  default: 0.01,
};
