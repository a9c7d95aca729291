/** Options that several commands share, in addition to library options. */
import { probabilityOption } from '../rules/index.ts';
import { choice, count, flag, type OptionSpec, type OptionSpecs, repeated, text } from '../rules/option-spec.ts';

/** Sets a field before anything else. The last of several values of a field counts. */
export const set = {
  ...repeated('path=value', 'set a field of the scenario, such as attacker.hp=20; repeatable'),
  read(value: string, _: string, before: readonly string[] = []): readonly string[] {
    const path = value.slice(0, value.indexOf('=') + 1);
    return [...before.filter((other) => path === '' || !other.startsWith(path)), value];
  },
} satisfies OptionSpec<readonly string[]>;

export const histograms = choice('histograms to print; auto: for the most informative metrics', [
  'auto',
  'all',
  'none',
]);

export const html = text('file', 'also write a self-contained HTML report with figures');

export const json = flag('print one JSON object instead of tables');

/** Options of all long-running commands; program.ts adds them. */
export const longRunning = {
  quiet: { ...flag('do not show progress on standard error'), short: 'q' },
} as const satisfies OptionSpecs;

/** Parsed form. */
export interface LongRunningOptions {
  readonly quiet?: boolean | undefined;
}

export const passwordFile = text(
  'file',
  'read the password of the server from this file instead of WARPOOL_REDIS_PASSWORD',
);

/** Server of a queue, instead of local threads. */
export const queueOptions = {
  queue: text('url', 'simulate on the workers of a queue: redis://[user@]host[:port], rediss:// with TLS'),
  audit: probabilityOption('with --queue: share of jobs that a second worker repeats as a check (default: 0.02)'),
  passwordFile,
};

/** Description of a queue. */
export const QUEUE_SERVER = 'server of the queue: redis://[user@]host[:port], rediss:// with TLS';

/** Options of all commands that may run custom rules. */
export const customRules = {
  systems: repeated(
    'file',
    'also load battle systems from this module or installed package (runs its code); repeatable',
  ),
  noConfig: flag('ignore warpool.config.js in this folder and its parent folders'),
  ruleLimit: count(0, 1_000_000, 'stop if one call of custom rules takes longer (default: 30; 0: no limit)', 'seconds'),
};
