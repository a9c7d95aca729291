/** What the JSON of several commands has in common. */
import { z } from 'zod';
import { eachStatistic, STATISTICS } from '../../answers/index.ts';

/** A field and what its description says. */
export const about = <T extends z.ZodType>(schema: T, description: string): T => schema.meta({ description });

export const number = (description: string) => about(z.number(), description);
export const share = (description: string) => about(z.number().min(0).max(1), description);
export const count = (description: string) => about(z.int().min(0), description);
export const text = (description: string) => about(z.string(), description);
export const flag = (description: string) => about(z.boolean(), description);

/** An object by names from a scenario. */
export const byName = <T extends z.ZodType>(of: T) => z.record(z.string(), of);

/** JSON has no infinity. */
export const orNull = <T extends z.ZodType>(of: T, description: string) => about(z.union([of, z.null()]), description);

export const interval = z
  .tuple([z.number(), z.number()])
  .meta({ id: 'interval', description: 'Both ends of an interval, the lower first.' });

export const ci95 = about(interval, 'The 95 % interval.');

export const hash = z
  .string()
  .meta({ id: 'hash', description: 'A SHA-256, in hexadecimal: equal for equal scenarios, whatever they are called.' });

export const seed = z
  .string()
  .regex(/^\d+$/)
  .meta({ id: 'seed', description: 'An integer 0..2^64-1 in decimal: more than a number in JSON can hold.' });

export const elapsedSeconds = number('Seconds that it took; all that differs from one time to the next.');

/** By which version and rules. */
export const origin = {
  warpool: text('The version of warpool.'),
  ruleset: text('The version of the rules: the same scenario and seed give the same results as long as it stays.'),
};

/** What names the rules of a module. */
export const own = {
  systemHash: text(
    'The SHA-256 of the module that the system was loaded from, and of all that it imports; absent if it is a shipped one.',
  ).optional(),
  systemPackage: text('The package that the module is of, as name@version; absent if it is of none.').optional(),
};

/** By which system. */
export const rules = { system: text('The battle system.'), ...own };

const label = z
  .strictObject({ name: orNull(z.string(), 'What the scenario is called: its name, or that of its file.'), hash })
  .meta({ id: 'label' });

export const assignments = z.array(z.string());

export const set = about(assignments, 'What was changed by --set, where something was.').optional();

export const costs = about(
  byName(z.number()),
  'What each side costs in points, where the scenario has prices.',
).optional();

/** What the JSON about one scenario begins with. */
export const head = { ...origin, ...rules, scenario: label, set, costs };

/** For each share of the distribution. */
const quantileIntervals = z.strictObject({
  ...{ '0.05': interval, '0.25': interval, '0.5': interval, '0.75': interval, '0.95': interval },
});

const KINDS = { number: z.number(), interval, quantiles: quantileIntervals };

/** Statistics of a metric: how a value came about by playing. */
export const statistics = eachStatistic((name) => orNull(KINDS[STATISTICS[name].kind], STATISTICS[name].about));

export const { unseen } = statistics;

export const kindOfFigure = about(z.enum(['outcome', 'metric']), 'A share of battles, 0..1, or the mean of a metric.');
export const of = text('The outcome or metric.');
