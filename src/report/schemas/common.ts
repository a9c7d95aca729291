/** Common parts of the JSON of commands. */
import { z } from 'zod';
import { mapStatistics, STATISTICS } from '../../stats/index.ts';

/** Adds a description to a field. */
export const about = <T extends z.ZodType>(schema: T, description: string): T => schema.meta({ description });

export const number = (description: string) => about(z.number(), description);
export const share = (description: string) => about(z.number().min(0).max(1), description);
export const count = (description: string) => about(z.int().min(0), description);
export const text = (description: string) => about(z.string(), description);
export const flag = (description: string) => about(z.boolean(), description);

/** Object with names of a scenario as keys. */
export const byName = <T extends z.ZodType>(of: T) => z.record(z.string(), of);

/** JSON has no infinity. */
export const orNull = <T extends z.ZodType>(of: T, description: string) => about(z.union([of, z.null()]), description);

export const interval = z
  .tuple([z.number(), z.number()])
  .meta({ id: 'interval', description: 'Lower and upper end of an interval.' });

export const ci95 = about(interval, '95 % interval.');

export const hash = z.string().meta({
  id: 'hash',
  description: 'SHA-256 in hexadecimal. Equal scenarios have equal hashes; the name does not matter.',
});

export const seed = z.string().regex(/^\d+$/).meta({
  id: 'seed',
  description: 'Integer 0..2^64-1 as decimal text, because a JSON number is exact only up to 2^53.',
});

export const elapsedSeconds = number('Elapsed time in seconds. It differs between two equal calls.');

/** Version of warpool and of the rules. */
export const origin = {
  warpool: text('Version of warpool.'),
  ruleset: text('Version of the rules. The same scenario and seed give the same results under the same version.'),
};

/** Identification of custom rules. */
export const own = {
  systemHash: text(
    'SHA-256 of the module of a custom system and of all its imports. Absent for shipped systems.',
  ).optional(),
  systemPackage: text(
    'Package of the module of a custom system, as name@version. Absent if the module belongs to no package.',
  ).optional(),
};

/** Identification of the system. */
export const rules = { system: text('Id of the battle system.'), ...own };

const label = z
  .strictObject({ name: orNull(z.string(), 'Name of the scenario, or of its file. Null if it has neither.'), hash })
  .meta({ id: 'label' });

export const assignments = z.array(z.string());

export const set = about(assignments, 'Fields changed with --set. Absent if no field was changed.').optional();

export const costs = about(
  byName(z.number()),
  'Cost of each side in points. Absent if the scenario has no prices.',
).optional();

/** First keys of the JSON of one scenario. */
export const head = { ...origin, ...rules, scenario: label, set, costs };

/** One value for each quantile. */
const quantileIntervals = z.strictObject({
  ...{ '0.05': interval, '0.25': interval, '0.5': interval, '0.75': interval, '0.95': interval },
});

const KINDS = { number: z.number(), interval, quantiles: quantileIntervals };

/** Additional statistics of a metric. */
export const statistics = mapStatistics((name) => orNull(KINDS[STATISTICS[name].kind], STATISTICS[name].about));

export const { unobserved } = statistics;

export const kindOfFigure = about(
  z.enum(['outcome', 'metric']),
  '"outcome" for the probability of an outcome, 0..1; "metric" for the mean of a metric.',
);
export const of = text('Name of the outcome or metric.');
