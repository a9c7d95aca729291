/** Schema of sweep files: a scenario, axes over its fields, a design, and options of simulating and solving cells. */

import { z } from 'zod';
import { EXACTNESS, RUN_LENGTH, type RunSpec } from '../../analysis/index.ts';
import { MAX_BATTLES, readPath } from '../../core/index.ts';
import { ENGINES, STEPS_MAX } from '../../engines/index.ts';
import {
  ALWAYS,
  checkAcrossFields,
  costsField,
  countField,
  createFieldSchemas,
  NAME_EXPECTED,
  PATH_EXPECTED,
  PROTO,
  reject,
  type Scenario,
} from '../../rules/index.ts';
import { pickOptions } from '../../rules/option-spec.ts';
import { PRECISION } from '../../stats/index.ts';

/** Points of a design that is not a grid; a grid is limited by `POINTS_MAX` as well. */
export const POINTS_MAX = 10_000_000;

/** Values of one axis. */
const VALUES_MAX = 100_000;

export const describeSchema = <T extends z.ZodType>(schema: T, description: string): T => schema.meta({ description });

const axisName = z
  .string()
  .regex(/^[^\s"'](.{0,98}[^\s"'])?$/u, 'a name of 1 to 100 characters')
  .refine((name) => !name.split(/[.[\]]/).includes(PROTO), { error: NAME_EXPECTED });
export const fieldPath = axisName.refine((name) => readPath(name) !== undefined, { error: PATH_EXPECTED });
const path = describeSchema(fieldPath, 'Path of a field of the scenario: attacker.hp, combatants[0].attack.');
const paths = z.union([path, z.array(path).min(1).max(100)]);
const values = z.array(z.json()).min(1).max(VALUES_MAX);
const name = describeSchema(axisName.optional(), 'Name of the axis in tables. Default: its first path.');
const label = describeSchema(
  z.string().min(1).max(100).optional(),
  'Label in reports and figures. Default: the name of the axis or of its field. It does not change results.',
);

const listedAxis = z.strictObject({
  name,
  label,
  path: describeSchema(paths, 'Path of the field that gets the value, or list of paths that all get it.'),
  values: describeSchema(values, 'List of values.'),
});

const rangeAxis = z.strictObject({
  name,
  label,
  path: describeSchema(paths, 'Path of the field that gets the value, or list of paths that all get it.'),
  range: describeSchema(z.tuple([z.number(), z.number()]), 'Smallest and largest value, both included.'),
  step: describeSchema(z.number().positive().optional(), 'Step between values. Default for integer fields: 1.'),
  count: describeSchema(
    z.int().min(2).max(VALUES_MAX).optional(),
    'Number of evenly spaced values, instead of a step.',
  ),
  scale: describeSchema(
    z.enum(['linear', 'log']).default('linear'),
    'Evenly spaced values (linear) or logarithms (log).',
  ),
});

const casesAxis = z.strictObject({
  name: describeSchema(axisName, 'Name of the axis in tables.'),
  label,
  cases: describeSchema(
    z.record(z.string().min(1).max(100), z.record(fieldPath, z.json())),
    'Named cases. Each case sets fields to values.',
  ),
});

const zippedAxes = z.strictObject({
  zip: describeSchema(
    z
      .array(z.union([listedAxis, rangeAxis]))
      .min(2)
      .max(100),
    'Axes with the same number of values that advance together, as one axis.',
  ),
});

const axis = z.union([listedAxis, rangeAxis, casesAxis, zippedAxes]);

const sampledDesign = z.strictObject({
  kind: z.enum(['latin-hypercube', 'sobol', 'random']),
  points: describeSchema(z.int().min(1).max(POINTS_MAX), 'Number of points.'),
  seed: describeSchema(z.int().min(0).default(1), 'Seed of the design. Battles have a separate seed.'),
});

/** Fields of sweeps and rosters: the budget of exact answers and the seed. */
export const limitFields = {
  budget: countField(
    1,
    STEPS_MAX,
    'Maximum number of steps of an exact computation. Default: depends on the number of battles.',
  ).optional(),
  seed: describeSchema(
    z.union([z.int().min(0), z.string().regex(/^\d{1,20}$/, 'an integer 0..2^64-1')]).default(1),
    'Seed of the battles, 0..2^64-1. Put values above 2^53 in quotes.',
  ),
};

const fileSchema = z.strictObject({
  name: describeSchema(z.string().min(1).max(120).optional(), 'Label. It does not change results.'),
  scenario: describeSchema(
    z.union([z.string().min(1), z.record(z.string(), z.json())]),
    'Base scenario: path of a file, relative to this one, or the scenario itself.',
  ),
  costs: costsField,
  axes: describeSchema(z.array(axis).min(1).max(100), 'Axes of the sweep.'),
  design: describeSchema(
    z.union([z.literal('grid'), sampledDesign]),
    'Design: all combinations (grid), or points that fill the space.',
  ).default('grid'),
  where: describeSchema(z.string().min(1).max(2000).optional(), 'Condition. Points for which it is false are skipped.'),
  battles: countField(
    0,
    MAX_BATTLES,
    'Number of battles of each cell; 0 if all cells are solved exactly. Default without a precision: 100 000.',
  ).optional(),
  ...createFieldSchemas(RUN_LENGTH),
  exact: describeSchema(
    z.enum([...EXACTNESS, 'instead']).default('auto'),
    'Exact results in addition to estimates: if they are cheap (auto), always or never; instead: in place of estimates if they are cheap.',
  ),
  ...limitFields,
  streams: describeSchema(
    z.enum(['common', 'independent']).default('common'),
    'Random streams: the same for all cells (common), which makes comparisons more precise, or different ones (independent).',
  ),
  keep: describeSchema(
    z
      .strictObject({
        outcomes: describeSchema(z.array(z.string()).optional(), 'Outcomes that have rows. Default: all.'),
        metrics: describeSchema(z.array(z.string()).optional(), 'Metrics that are stored. Default: all.'),
        histograms: describeSchema(z.boolean().default(true), 'True if exact distributions are stored value by value.'),
      })
      .default({ histograms: true }),
    'Stored results.',
  ),
});

const rule = checkAcrossFields<z.output<typeof fileSchema>>((file, context) => {
  const { battles, precision, exact } = file;
  if (battles === 0 && exact !== 'always') reject(context, ['battles'], '1 or more, or exact: always', '0');
  if (battles === 0 && precision !== undefined) reject(context, ['battles'], '1 or more with a precision', '0');
  for (const name of Object.keys(precision === undefined ? pickOptions(PRECISION, file) : {}))
    reject(context, [name], 'a precision with it', 'none');
  for (const [a, axis] of file.axes.entries()) {
    const parts = 'zip' in axis ? axis.zip : [axis];
    for (const part of parts) {
      checkRange(part, (path, expected, found) => {
        reject(context, ['axes', a, ...path], expected, found);
      });
    }
  }
});

export const schema = fileSchema.superRefine(rule, ALWAYS);

/** Schema of the sweep in a manifest: a sweep file, or a resumable run, which is a sweep without axes. */
export const keptSchema = fileSchema
  .extend({
    axes: z.array(axis).max(100),
    from: countField(0, MAX_BATTLES, 'Index of the first battle.').optional(),
    engine: z.enum(ENGINES).optional(),
    rangeSize: countField(1, MAX_BATTLES, 'Battles of a range.').optional(),
  })
  .superRefine(rule, ALWAYS);

type AxisPart = z.output<typeof listedAxis> | z.output<typeof rangeAxis> | z.output<typeof casesAxis>;

function checkRange(part: AxisPart, reject: (path: string[], expected: string, found: string) => void): void {
  if (!('range' in part)) return;
  const { range, step, count, scale } = part;
  const [low, high] = range;
  if (low >= high) reject(['range'], 'the smaller value first', `${String(low)}, ${String(high)}`);
  if (step !== undefined && count !== undefined) reject(['count'], 'a step or a count', 'both');
  if (scale === 'log' && low <= 0) reject(['range'], 'values above 0 for scale log', String(low));
  if (scale === 'log' && step !== undefined) reject(['step'], 'a count for scale log', 'a step');
}

/** Complete, validated sweep file. */
export type SweepFile = z.output<typeof schema>;

export type AxisFile = SweepFile['axes'][number];

/** Complete sweep file with its scenario: everything that affects the results. */
export type SweepSpec = Omit<SweepFile, 'scenario'> & {
  /** Complete, with all defaults. */
  readonly scenario: Scenario;
  /** Of a resumable run, which has one cell and no axes: its first battle, engine, and battles per range. */
  readonly from?: number | undefined;
  readonly engine?: RunSpec['engine'];
  readonly rangeSize?: number | undefined;
};
