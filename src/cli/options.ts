/** Settings that several commands have, beside those of the library. */
import { chance } from '../rules/index.ts';
import { choice, count, flag, repeated, type Setting, type Settings, text } from '../rules/setting.ts';

/** A field that is set before anything else is done. Of two values of one field the last counts. */
export const set = {
  ...repeated('path=value', 'set a field of the scenario first, such as attacker.hp=20; repeatable'),
  read(value: string, _: string, before: readonly string[] = []): readonly string[] {
    const path = value.slice(0, value.indexOf('=') + 1);
    return [...before.filter((other) => path === '' || !other.startsWith(path)), value];
  },
} satisfies Setting<readonly string[]>;

export const histograms = choice('histograms, by default of the metrics that tell most', ['auto', 'all', 'none']);

export const page = text('file', 'also write a page with pictures: one .html file that opens offline');

export const json = flag('one JSON object instead of tables');

/** What all commands have that can take long: it is added to them in program.ts. */
export const long = { quiet: { ...flag('no progress on standard error'), short: 'q' } } as const satisfies Settings;

/** As it is read. */
export interface Long {
  readonly quiet?: boolean | undefined;
}

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
