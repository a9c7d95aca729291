/** What several studies are asked with, beside the settings of runs. */
import { MAX_BATTLES } from '../core/index.ts';
import { STEPS_MAX } from '../engines/index.ts';
import { fractionUpTo } from '../rules/index.ts';
import { choice, count, text } from '../rules/option-spec.ts';
import { BATTLES, RUN_LENGTH } from './run-options.ts';

/** How many battles, where no precision ends them. */
export const BATTLE_COUNT = {
  ...count(1, MAX_BATTLES, 'number of battles: 1000000, 1e6, 1M or 1,000,000'),
  ...{ default: BATTLES, shown: '1e6' },
};

/** Battles that each of several scenarios plays unless said otherwise. */
export const PAIRED_BATTLES = 200_000;

/** An outcome or a metric. */
export const COMPARED_VALUE = text(
  'name',
  'outcome or metric to compare (default: the first outcome that is not a stalemate)',
);

/** Intervals of differences hold for every law in the declared ranges, wherever the comparison ends. */
export const BOUNDED_DIFFERENCES = {
  ...RUN_LENGTH.bounded,
  about: 'use intervals of differences that are valid for every distribution in the declared ranges',
};

export const EXACTNESS = ['auto', 'always', 'never'] as const;

/**
 * Exact answers: where they are affordable beside the battles (`auto`), wherever they can be had in seconds (`always`:
 * elsewhere the study fails), or nowhere (`never`).
 */
export type ExactMode = (typeof EXACTNESS)[number];

/** Exact answers where no estimate stands beside them. */
export const EXACT = choice('exact answers instead of simulation; auto: if they are cheap to compute', EXACTNESS);

/** Steps that an exact answer may take. */
export const BUDGET = count(1, STEPS_MAX, 'maximum number of steps for the exact answer (default: 4000000)', 'steps');

/** The same where exact answers stand beside battles, or in their place. */
export const ALONGSIDE_BUDGET = {
  ...BUDGET,
  about:
    'maximum number of steps for an exact answer or --engine automaton (default: automatic; 4000000 if requested explicitly)',
};

/** With what probability what is told from playing may be wrong. */
export const ERROR_RATE = {
  ...fractionUpTo('maximum probability that a result of simulation is wrong', 0.25),
  default: 0.01,
};
