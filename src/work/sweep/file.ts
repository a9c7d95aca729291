/** What a sweep file holds: a scenario, axes over its fields, a design, and how each cell is played or solved. */

import { z } from 'zod';
import { PRECISION } from '../../answers/index.ts';
import { MAX_BATTLES, readPath } from '../../core/index.ts';
import { ENGINES, STEPS_MAX } from '../../engines/index.ts';
import {
  A_PATH,
  ALWAYS,
  across,
  costsField,
  countField,
  fieldsOf,
  OTHER_NAME,
  PROTO,
  refuse,
  type Scenario,
} from '../../rules/index.ts';
import { picked } from '../../rules/setting.ts';
import { EXACTNESS, LENGTH, type RunAsked } from '../../studies/index.ts';

/** Points of a design that is not a grid; a grid is limited by `POINTS_MAX` as well. */
export const POINTS_MAX = 10_000_000;

/** Values of one axis. */
const VALUES_MAX = 100_000;

const about = <T extends z.ZodType>(schema: T, description: string): T => schema.meta({ description });

const axisName = z
  .string()
  .regex(/^[^\s"'](.{0,98}[^\s"'])?$/u, 'a name of 1 to 100 characters')
  .refine((name) => !name.split(/[.[\]]/).includes(PROTO), { error: OTHER_NAME });
const fieldPath = axisName.refine((name) => readPath(name) !== undefined, { error: A_PATH });
const path = about(fieldPath, 'A field of the scenario: attacker.hp, combatants[0].attack.');
const paths = z.union([path, z.array(path).min(1).max(100)]);
const values = z.array(z.json()).min(1).max(VALUES_MAX);
const name = about(axisName.optional(), 'What the axis is called in tables; its first path unless given.');
const label = about(
  z.string().min(1).max(100).optional(),
  'What people read in reports and pictures; its own name, or words of its field, unless given. It changes no result.',
);

const listed = z.strictObject({
  name,
  label,
  path: about(paths, 'The field that gets the value; with a list, all of them get it.'),
  values: about(values, 'The values, one after the other.'),
});

const ranged = z.strictObject({
  name,
  label,
  path: about(paths, 'The field that gets the value; with a list, all of them get it.'),
  range: about(z.tuple([z.number(), z.number()]), 'The least and the greatest value, both included.'),
  step: about(z.number().positive().optional(), 'From the least value on in steps of this; whole numbers: 1.'),
  count: about(z.int().min(2).max(VALUES_MAX).optional(), 'So many values, evenly spaced, instead of a step.'),
  scale: about(z.enum(['linear', 'log']).default('linear'), 'Even in the values, or in their logarithms.'),
});

const cased = z.strictObject({
  name: about(axisName, 'What the axis is called in tables.'),
  label,
  cases: about(
    z.record(z.string().min(1).max(100), z.record(fieldPath, z.json())),
    'Named sets of values: for each name the fields that it sets.',
  ),
});

const zipped = z.strictObject({
  zip: about(
    z
      .array(z.union([listed, ranged]))
      .min(2)
      .max(100),
    'Axes of equally many values that go forward together, as one axis.',
  ),
});

const axis = z.union([listed, ranged, cased, zipped]);

const drawn = z.strictObject({
  kind: z.enum(['latin-hypercube', 'sobol', 'random']),
  points: about(z.int().min(1).max(POINTS_MAX), 'How many points.'),
  seed: about(z.int().min(0).default(1), 'Of the design; the battles have a seed of their own.'),
});

const fileSchema = z.strictObject({
  name: about(z.string().min(1).max(120).optional(), 'A label for people. It changes no result.'),
  scenario: about(
    z.union([z.string().min(1), z.record(z.string(), z.json())]),
    'The scenario that is varied: a file, its path relative to this one, or the scenario itself.',
  ),
  costs: costsField,
  axes: about(z.array(axis).min(1).max(100), 'What is varied.'),
  design: about(z.union([z.literal('grid'), drawn]), 'All combinations, or points that fill the space.').default(
    'grid',
  ),
  where: about(z.string().min(1).max(2000).optional(), 'Points for which this is false are left out.'),
  battles: countField(
    0,
    MAX_BATTLES,
    'Battles of each cell; 0: none, for cells that are solved. 100 000 unless given or a precision is.',
  ).optional(),
  ...fieldsOf(LENGTH),
  exact: about(
    z.enum(EXACTNESS).default('auto'),
    'The exact answer beside the estimates: where it is cheap, everywhere, nowhere.',
  ),
  budget: countField(
    1,
    STEPS_MAX,
    'Steps that an exact answer may take, in the place of what is affordable beside the battles.',
  ).optional(),
  seed: about(
    z.union([z.int().min(0), z.string().regex(/^\d{1,20}$/, 'an integer 0..2^64-1')]).default(1),
    'Of the battles, 0..2^64-1; beyond 2^53 in quotes.',
  ),
  streams: about(
    z.enum(['common', 'independent']).default('common'),
    'Whether all cells play the same streams, so that they can be compared, or each one its own.',
  ),
  keep: about(
    z
      .strictObject({
        outcomes: about(z.array(z.string()).optional(), 'Outcomes that have rows; all unless given.'),
        metrics: about(z.array(z.string()).optional(), 'Metrics that are stored; all unless given.'),
        histograms: about(z.boolean().default(true), 'Whether exact laws are stored value by value.'),
      })
      .default({ histograms: true }),
    'What is stored.',
  ),
});

const rule = across<z.output<typeof fileSchema>>((file, context) => {
  const { battles, precision, exact } = file;
  if (battles === 0 && exact !== 'always') refuse(context, ['battles'], '1 or more, or exact: always', '0');
  if (battles === 0 && precision !== undefined)
    refuse(context, ['battles'], '1 or more, for there is a precision', '0');
  for (const name of Object.keys(precision === undefined ? picked(PRECISION, file) : {}))
    refuse(context, [name], 'a precision beside it', 'none');
  for (const [a, axis] of file.axes.entries()) {
    const parts = 'zip' in axis ? axis.zip : [axis];
    for (const part of parts) {
      checkRange(part, (path, expected, found) => {
        refuse(context, ['axes', a, ...path], expected, found);
      });
    }
  }
});

export const schema = fileSchema.superRefine(rule, ALWAYS);

/** What manifests have: sweep files, and runs that are kept, which are sweeps without axes. */
export const keptSchema = fileSchema
  .extend({
    axes: z.array(axis).max(100),
    from: countField(0, MAX_BATTLES, 'Index of the first battle.').optional(),
    engine: z.enum(ENGINES).optional(),
    rangeSize: countField(1, MAX_BATTLES, 'Battles of a range.').optional(),
  })
  .superRefine(rule, ALWAYS);

type Part = z.output<typeof listed> | z.output<typeof ranged> | z.output<typeof cased>;

function checkRange(part: Part, refused: (path: string[], expected: string, found: string) => void): void {
  if (!('range' in part)) return;
  const { range, step, count, scale } = part;
  const [low, high] = range;
  if (low >= high) refused(['range'], 'the smaller value first', `${String(low)}, ${String(high)}`);
  if (step !== undefined && count !== undefined) refused(['count'], 'a step or a count', 'both');
  if (scale === 'log' && low <= 0) refused(['range'], 'values above 0, for the scale is log', String(low));
  if (scale === 'log' && step !== undefined) refused(['step'], 'a count, for the scale is log', 'a step');
}

/** A sweep file, checked and complete. */
export type SweepFile = z.output<typeof schema>;

export type AxisFile = SweepFile['axes'][number];

/** A sweep file with its scenario in it: all that the results depend on. */
export type SweepSpec = Omit<SweepFile, 'scenario'> & {
  /** Complete, with all defaults. */
  readonly scenario: Scenario;
  /** Of a run that is kept, which has one cell and no axes: its first battle, who plays, and the battles of a range. */
  readonly from?: number | undefined;
  readonly engine?: RunAsked['engine'];
  readonly rangeSize?: number | undefined;
};
