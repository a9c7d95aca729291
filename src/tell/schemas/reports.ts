/** What `check` and `report` print as JSON. */
import { z } from 'zod';
import * as part from './parts.ts';

const { about, byName, count, flag, number, orNull, share, text } = part;

const nullable = <T extends z.ZodType>(of: T) => z.union([of, z.null()]);

const mistake = z.strictObject({
  file: text('Where it is: the file that was given, or one that this names.'),
  line: orNull(z.int(), 'From 1; null where there is none.'),
  column: orNull(z.int(), 'From 1.'),
  path: orNull(z.string(), 'The field; null for the whole file.'),
  expected: z.string(),
  found: z.string(),
  suggestion: orNull(z.string(), 'What may have been meant.'),
});

/** `check` */
export const check = z.strictObject({
  ...part.origin,
  ok: flag('True if no file is refused.'),
  files: z.array(
    z.strictObject({
      file: text('As it was named.'),
      ok: z.boolean(),
      kind: orNull(z.enum(['scenario', 'sweep', 'expectations']), 'What the file is; null where nothing tells.'),
      system: orNull(z.string(), 'Null where the file is refused or has none.'),
      ...part.own,
      name: nullable(z.string()),
      hash: orNull(part.hash, 'Of a scenario or a sweep.'),
      points: orNull(z.int(), 'Of a sweep.'),
      costs: part.costs,
      expectations: orNull(z.int(), 'Of a file of expectations.'),
      errors: z.array(mistake),
      more: count('Mistakes that are not listed.'),
    }),
  ),
});

const conformFinding = z.strictObject({
  check: text('The id of the check.'),
  scenario: orNull(z.string(), 'What the scenario is called; null where the system as a whole is meant.'),
  ok: flag('False if something is wrong.'),
  checked: flag('False if it could not be checked, or not all of it: the message tells why.'),
  message: text('What is wrong or worth to know; empty where all is well.'),
  advice: text('What follows from it and what helps; empty where nothing is wrong.'),
  seed: orNull(part.seed, 'Of the run with the battle that shows it; null where no single battle does.'),
  battle: orNull(z.int(), 'Index of that battle.'),
  replay: orNull(z.string(), 'The command that shows that battle.'),
});

/** `conform` */
export const conform = z.strictObject({
  ...part.origin,
  ok: flag('True if nothing is wrong.'),
  systems: z.array(
    z.strictObject({
      system: z.string(),
      file: text('The module, as it was named.'),
      ok: z.boolean(),
      checks: z.array(z.strictObject({ id: z.string(), title: text('What holds of a good system.') })),
      findings: about(z.array(conformFinding), 'One or more for each check and scenario.'),
    }),
  ),
});

const axes = byName(z.unknown()).meta({ id: 'axes', description: 'Values of the axes, by their names.' });

const reading = z
  .strictObject({
    cell: count('Its number.'),
    axes,
    estimate: orNull(z.number(), 'Null where it was solved alone.'),
    ci95: orNull(part.interval, 'The 95 % interval of the estimate.'),
    exact: orNull(z.number(), 'Null where it was not solved.'),
  })
  .meta({ id: 'reading', description: 'A cell, and its value.' });

const classMean = z
  .strictObject({
    value: text('Of the axis.'),
    cells: z.int(),
    mean: z.number(),
    error: orNull(z.number(), 'The standard error of the mean; null where a class has one cell.'),
  })
  .meta({ id: 'classMean', description: 'The mean over all cells with one value of an axis.' });

const mover = z.strictObject({
  axis: z.string(),
  share: share('Of the variance between cells.'),
  least: classMean,
  greatest: classMean,
  chance: orNull(z.number(), 'How far means may lie apart by chance alone, with 95 %; null if nobody can say.'),
  clear: flag('True if the means differ by more than that.'),
  direction: orNull(z.enum(['rises', 'falls', 'turns']), 'Along a numeric axis; null where nothing is shown.'),
  turn: orNull(z.array(classMean), 'Where it turns: before, at, after.'),
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
  target: number('The probability that counts as even.'),
  band: about(part.interval, 'What counts as close to it.'),
  cells: z.int(),
  within: count('Cells in the band by their exact values, else by their estimates.'),
  surely: count('Cells in the band with their whole interval, or exactly.'),
  possibly: count('Cells whose interval reaches into the band.'),
  open: count('Cells whose interval holds the target: they cannot be told from even.'),
  never: count('Cells in which the outcome never came; to one battle of a billion, where values are exact.'),
  always: count('Cells in which it always came; as precisely.'),
  nearest: about(z.array(reading), 'The closest to the target, the closest first.'),
});

const worth = z
  .strictObject({
    of: text('The outcome that has 50 % where the sides are even.'),
    along: text('The axis along which lines of cells go.'),
    sides: about(z.array(z.string()), 'Columns of the points of its side, and of the other.'),
    lines: z.array(
      z.strictObject({
        axes: about(z.record(z.string(), z.json()), 'All other columns.'),
        against: number('Points of the other side.'),
        points: number('Points of the side at which it is even, interpolated linearly.'),
        between: about(part.interval, 'Of the two cells between which that is.'),
        interval: orNull(part.interval, 'Where intervals of cells cross 50 %; null: an end does not.').optional(),
      }),
    ),
    left: count('Lines that cross 50 % not at all or more than once.'),
  })
  .meta({ description: 'At which points two sides are even, where they have prices.' });

/** `report` */
export const report = z.strictObject({
  ...part.origin,
  ...part.rules,
  name: nullable(z.string()),
  design: text('How the points were chosen.'),
  seed: part.seed,
  digest: orNull(z.string(), 'Of the whole store; null until it is finished.'),
  complete: z.boolean(),
  cells: z.strictObject({ present: z.int(), points: z.int(), solved: z.int() }),
  battles: count('Battles of all cells.'),
  found: nullable(
    z.strictObject({
      of: about(z.strictObject(quantity), 'The outcome or metric that is meant.'),
      balanced: orNull(balanced, 'Null where a metric is meant.'),
      matters: z.strictObject({
        movers: about(z.array(mover), 'Axes, the clearest and strongest first.'),
        together: orNull(z.number(), 'Share of the variance that only axes together explain.'),
        mixed: flag('True for a grid with holes: means along an axis also carry what others do.'),
      }),
      odd: z.array(odd),
      text: about(
        z.strictObject({
          of: z.string(),
          balanced: z.array(z.string()),
          matters: z.array(z.string()),
          odd: z.array(z.string()),
        }),
        'The same in words.',
      ),
    }),
  ),
  worth: worth.optional(),
  quantities: z.array(
    z.strictObject({
      ...quantity,
      mean: number('Over all cells.'),
      deviation: number('The standard deviation between cells.'),
      greatest: nullable(z.number()),
      least: nullable(z.number()),
      same: orNull(
        z.strictObject({ as: z.strictObject(quantity), kind: z.enum(['equal', 'complement']) }),
        'What says the same in every cell: its equal, or the other of two outcomes that add to 1.',
      ),
    }),
  ),
});
