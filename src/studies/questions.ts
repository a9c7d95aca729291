/** What several studies are asked with, beside the settings of runs. */
import { MAX_BATTLES } from '../core/index.ts';
import { STEPS_MAX } from '../engines/index.ts';
import { partUpTo } from '../rules/index.ts';
import { choice, count, text } from '../rules/setting.ts';
import { BATTLES, LENGTH } from './asked.ts';

/** How many battles, where no precision ends them. */
export const MANY = {
  ...count(1, MAX_BATTLES, 'how many battles to play: 1000000, 1e6, 1M or 1,000,000'),
  ...{ default: BATTLES, shown: '1e6' },
};

/** Battles that each of several scenarios plays unless said otherwise. */
export const BATTLES_TOGETHER = 200_000;

/** An outcome or a metric. */
export const OF = text('name', 'outcome or metric to compare (default: the first outcome that is no stalemate)');

/** Intervals of differences hold for every law in the declared ranges, wherever the comparison ends. */
export const BOUNDED_DIFFERENCES = {
  ...LENGTH.bounded,
  about: 'intervals of differences that hold for every law in the declared ranges',
};

export const EXACTNESS = ['auto', 'always', 'never'] as const;

/**
 * Exact answers: where they are affordable beside the battles (`auto`), wherever they can be had in seconds (`always`:
 * elsewhere the study fails), or nowhere (`never`).
 */
export type Exactness = (typeof EXACTNESS)[number];

/** Exact answers where no estimate stands beside them. */
export const EXACT = choice('exact answers in the place of playing, by default where they are affordable', EXACTNESS);

/** Steps that an exact answer may take. */
export const BUDGET = count(
  1,
  STEPS_MAX,
  'steps that the exact answer may take (default: 4000000, some seconds)',
  'steps',
);

/** The same where exact answers stand beside battles, or in their place. */
export const BESIDE_BUDGET = {
  ...BUDGET,
  about:
    'steps that an exact answer, or exploring for --engine automaton, may take (default: what is cheap; asked for, 4000000)',
};

/** With what probability what is told from playing may be wrong. */
export const ERROR = {
  ...partUpTo('with what probability what is told from playing may be wrong', 0.25),
  default: 0.01,
};
