/** Settings that several commands have, beside those of the library. */
import { MAX_BATTLES } from '../core/chance/stream.ts';
import { WORKERS_MAX } from '../core/limits.ts';
import { STEPS_MAX } from '../engines/exact/budget.ts';
import { chance, choice, count, flag, repeated, type Setting, text } from '../rules/setting.ts';

/** A field that is set before anything else is done. Of two values of one field the last counts. */
export const set = {
  ...repeated('path=value', 'set a field of the scenario first, such as attacker.hp=20; repeatable'),
  read(value: string, _: string, before: readonly string[] = []): readonly string[] {
    const path = value.slice(0, value.indexOf('=') + 1);
    return [...before.filter((other) => path === '' || !other.startsWith(path)), value];
  },
} satisfies Setting<readonly string[]>;

export const workers = count(1, WORKERS_MAX, 'threads (default: as many as there are cores)');

export const exact = choice('the exact answer beside the estimates, by default where it is cheap', [
  'auto',
  'always',
  'never',
]);

/** The same where no estimate stands beside it. */
export const exactInstead = {
  ...choice('exact answers in the place of playing, by default where they are affordable', ['auto', 'always', 'never']),
};

/** Steps that an exact answer may take. */
export const budget = count(
  1,
  STEPS_MAX,
  'steps that the exact answer may take (default: 4000000, some seconds)',
  'steps',
);

/** The same where exact answers stand beside battles, or in their place. */
export const besideBudget = {
  ...budget,
  about:
    'steps that an exact answer, or exploring for --engine automaton, may take (default: what is cheap; asked for, 4000000)',
};

export const histograms = choice('histograms, by default of the metrics that tell most', ['auto', 'all', 'none']);

/** Battles in the place of those of a file, or of a cell. */
export const mostBattles = (about: string) => count(1, MAX_BATTLES, about);

export const page = text('file', 'also write a page with pictures: one .html file that opens offline');

export const json = flag('one JSON object instead of tables');

export const quiet = { ...flag('no progress bar'), short: 'q' };

/** The same where there is no bar. */
export const noProgress = { ...quiet, about: 'no progress' };

export const passwordFile = text('file', 'the password of the server, instead of WARPOOL_REDIS_PASSWORD');

/** The server of a queue, in the place of threads of this machine. */
export const queue = {
  on: text('url', 'have the workers of a queue play: redis://[user@]host[:port], rediss:// with TLS'),
  audit: chance('with --on: the share that is played again by another worker (default: 0.02)'),
  passwordFile,
};

/** What a queue is called by. */
export const SERVER = 'server of the queue: redis://[user@]host[:port], rediss:// with TLS';

/** What all commands have that can meet rules of one's own. */
export const ownRules = {
  systems: repeated(
    'file',
    'also load battle systems from this module or installed package, which is code; repeatable',
  ),
  noConfig: flag('ignore warpool.config.js of this folder and those above'),
  ruleLimit: count(
    0,
    1_000_000,
    'end when one call of rules of your own takes longer (default: 30; 0: as long as it likes)',
    'seconds',
  ),
};
