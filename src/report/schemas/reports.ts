/** JSON of `check`, `conform` and `report`. */
import { z } from 'zod';
import * as part from './common.ts';

const { about, byName, count, flag, number, orNull, share, text } = part;

const nullable = <T extends z.ZodType>(of: T) => z.union([of, z.null()]);

const mistake = z.strictObject({
  file: text('Path of the file: a requested file, or a file that it refers to.'),
  line: orNull(z.int(), 'Line, from 1. Null if there is none.'),
  column: orNull(z.int(), 'Column, from 1. Null if there is none.'),
  path: orNull(z.string(), 'Path of the field. Null for the whole file.'),
  expected: z.string(),
  found: z.string(),
  suggestion: orNull(z.string(), 'Suggested correction. Null if there is none.'),
});

/** `check` */
export const check = z.strictObject({
  ...part.origin,
  ok: flag('True if all files are valid.'),
  files: z.array(
    z.strictObject({
      file: text('Path of the file, as requested.'),
      ok: z.boolean(),
      kind: orNull(
        z.enum(['scenario', 'sweep', 'expectations', 'roster', 'policy', 'problem']),
        'Kind of the file. Null if it cannot be determined.',
      ),
      system: orNull(z.string(), 'Battle system. Null if the file is invalid or has none.'),
      ...part.own,
      name: nullable(z.string()),
      hash: orNull(part.hash, 'Hash of a scenario or a sweep. Null for other files.'),
      points: orNull(z.int(), 'Number of points of a sweep. Null for other files.'),
      costs: part.costs,
      expectations: orNull(z.int(), 'Number of expectations of an expectations file. Null for other files.'),
      errors: z.array(mistake),
      more: count('Number of errors that are not listed.'),
    }),
  ),
});

const conformFinding = z.strictObject({
  check: text('Id of the check.'),
  scenario: orNull(z.string(), 'Name of the scenario. Null if the finding is about the whole system.'),
  ok: flag('True if there is no error.'),
  checked: flag('True if the check was done completely. If it is false, the message gives the reason.'),
  message: text('Error or note. Empty if there is none.'),
  advice: text('Consequence and remedy. Empty if there is no error.'),
  seed: orNull(part.seed, 'Seed of the run with a battle that shows the error. Null if there is no such battle.'),
  battle: orNull(z.int(), 'Index of the battle that shows the error. Null if there is none.'),
  replay: orNull(z.string(), 'Command that replays the battle. Null if there is none.'),
});

/** `conform` */
export const conform = z.strictObject({
  ...part.origin,
  ok: flag('True if there are no errors.'),
  systems: z.array(
    z.strictObject({
      system: z.string(),
      file: text('Path of the module, as requested.'),
      ok: z.boolean(),
      checks: z.array(z.strictObject({ id: z.string(), title: text('Property that the check tests.') })),
      findings: about(z.array(conformFinding), 'One or more findings for each check and scenario.'),
    }),
  ),
});

const axes = byName(z.unknown()).meta({ id: 'axes', description: 'Values of the axes, by name.' });

const reading = z
  .strictObject({
    cell: count('Number of the cell.'),
    axes,
    estimate: orNull(z.number(), 'Estimate. Null if the cell has only exact results.'),
    ci95: orNull(part.interval, '95 % interval of the estimate. Null if there is no estimate.'),
    exact: orNull(z.number(), 'Exact value. Null if there is none.'),
  })
  .meta({ id: 'reading', description: 'Cell and its value.' });

const classMean = z
  .strictObject({
    value: text('Value of the axis.'),
    cells: z.int(),
    mean: z.number(),
    error: orNull(z.number(), 'Standard error of the mean. Null if there is only one cell.'),
  })
  .meta({ id: 'classMean', description: 'Mean over all cells with one value of an axis.' });

const mover = z.strictObject({
  axis: z.string(),
  share: share('Share of the variance between cells that the axis explains.'),
  least: classMean,
  greatest: classMean,
  chance: orNull(
    z.number(),
    'Largest difference of the means that chance explains, with 95 %. Null if it cannot be computed.',
  ),
  clear: flag('True if the means differ by more than chance explains.'),
  direction: orNull(z.enum(['rises', 'falls', 'turns']), 'Direction along a numeric axis. Null if the data show none.'),
  turn: orNull(z.array(classMean), 'Means before, at and after the turning point. Null if there is none.'),
});

const odd = z.union([
  z.strictObject({ kind: z.literal('unfinished'), cells: z.int(), points: z.int() }),
  z.strictObject({ kind: z.literal('missed'), cells: z.int() }),
  z.strictObject({
    kind: z.literal('disagrees'),
    name: z.string(),
    cell: z.int(),
    z: z.number(),
    expected: z.number(),
  }),
  z.strictObject({ kind: z.literal('never'), names: z.array(z.string()), exact: z.boolean() }),
  z.strictObject({ kind: z.literal('turns'), axis: z.string() }),
  z.strictObject({ kind: z.literal('stalemate'), cells: z.int(), greatest: reading, mean: z.number() }),
]);

const quantity = { kind: z.enum(['outcome', 'metric']), name: z.string() };

const balanced = z.strictObject({
  target: number('Probability that counts as balanced.'),
  band: about(part.interval, 'Range of probabilities that count as close to the target.'),
  cells: z.int(),
  within: count('Number of cells in the band, by their exact values or, if there are none, their estimates.'),
  surely: count('Number of cells whose exact value or whole interval is in the band.'),
  possibly: count('Number of cells whose interval overlaps the band.'),
  open: count('Number of cells whose interval contains the target.'),
  never: count('Number of cells in which the outcome never occurs. An exact probability below 1e-9 counts as never.'),
  always: count('Number of cells in which the outcome always occurs, with the same tolerance.'),
  nearest: about(z.array(reading), 'Cells closest to the target, the closest first.'),
});

const unitValue = z
  .strictObject({
    of: text('Outcome whose probability is 50 % if the sides are balanced.'),
    along: text('Axis that varies along a line of cells.'),
    sides: about(
      z.array(z.string()),
      'Column of the points of the side on the axis, and column of the points of the other side.',
    ),
    lines: z.array(
      z.strictObject({
        axes: about(z.record(z.string(), z.json()), 'Values of all other columns.'),
        against: number('Points of the other side.'),
        points: number('Points of the side that give 50 %, by linear interpolation.'),
        between: about(part.interval, 'Points of the two cells on both sides of 50 %.'),
        interval: orNull(
          part.interval,
          'Points at which the ends of the intervals cross 50 %. Null if an end does not cross it.',
        ).optional(),
      }),
    ),
    left: count('Number of lines that do not cross 50 % exactly once.'),
  })
  .meta({ description: 'Points at which two sides with prices are balanced.' });

/** `report` */
export const report = z.strictObject({
  ...part.origin,
  ...part.rules,
  name: nullable(z.string()),
  design: text('Design of the sweep.'),
  seed: part.seed,
  digest: orNull(z.string(), 'Digest of the store. Null while the store is incomplete.'),
  complete: z.boolean(),
  cells: z.strictObject({ present: z.int(), points: z.int(), solved: z.int() }),
  battles: count('Number of battles of all cells.'),
  findings: nullable(
    z.strictObject({
      of: about(z.strictObject(quantity), 'Outcome or metric that the findings are about.'),
      balanced: orNull(balanced, 'Balanced cells. Null if the findings are about a metric.'),
      matters: z.strictObject({
        effects: about(z.array(mover), 'Effects of the axes, the clearest and strongest first.'),
        together: orNull(
          z.number(),
          'Share of the variance that only interactions of axes explain. Null if it cannot be computed.',
        ),
        mixed: flag('True for an incomplete grid, in which the means along an axis include effects of other axes.'),
      }),
      odd: z.array(odd),
      text: about(
        z.strictObject({
          of: z.string(),
          balanced: z.array(z.string()),
          matters: z.array(z.string()),
          odd: z.array(z.string()),
        }),
        'Findings as text.',
      ),
    }),
  ),
  pointValues: unitValue.optional(),
  quantities: z.array(
    z.strictObject({
      ...quantity,
      mean: number('Mean over all cells.'),
      deviation: number('Standard deviation between cells.'),
      greatest: nullable(z.number()),
      least: nullable(z.number()),
      same: orNull(
        z.strictObject({ as: z.strictObject(quantity), kind: z.enum(['equal', 'complement']) }),
        'Quantity with the same information in every cell: an equal one, or the complement of an outcome. Null if there is none.',
      ),
    }),
  ),
});
