/** Tables of single steps. */
import type { StepEffect, StepField, StepSensitivity } from '../studies/index.ts';
import { barOf, headOf, shownBy } from './effects.ts';
import { gapScaleOf, type Kind, signed } from './figure.ts';
import { type DeclaredColumn, type Grid, grid, note, type SheetBlock, type SheetNote } from './parts.ts';
import { FIELD, withoutEffect } from './space.ts';
import { clean } from './text/clean.ts';
import { grouped, plain } from './text/digits.ts';

const sizeOf = (value: number, effect: StepEffect | undefined): number =>
  effect === undefined ? 0 : Number(Math.abs(effect.to - value).toPrecision(9));

/** @param isExact whether effects have no intervals @param most the greatest effect */
export function stepColumns(kind: Kind, isExact: boolean, most: number): DeclaredColumn<StepField>[] {
  const shown = ({ effect: value, ci95: interval, standardError }: StepField) =>
    shownBy(gapScaleOf({ kind }), { value, interval, standardError });
  const effect = (way: 'down' | 'up'): DeclaredColumn<StepField> => ({
    ...{ head: headOf(way, kind), align: 'point' },
    about: 'the effect of one step down and of one step up; of shares in percentage points',
    cell: (field) => (field[way] === undefined ? '' : signed(shown(field).value(field[way].effect))),
  });
  const interval: DeclaredColumn<StepField> = {
    head: '95 %, of the\ngreater effect',
    about: 'confidence interval of the larger of the two, valid for all fields together (Bonferroni)',
    cell: (field) => shown(field).interval(field.ci95, signed),
  };
  return [
    { ...FIELD, cell: ({ path }) => path },
    { head: 'value', align: 'point', about: 'its value in the scenario', cell: ({ value }) => plain(value) },
    {
      ...{ head: 'step', align: 'point', spare: 2, about: 'by how much it was raised and lowered' },
      cell: ({ value, up, down }) => plain(sizeOf(value, up ?? down)),
    },
    ...[effect('down'), effect('up')],
    ...(isExact ? [] : [interval]),
    {
      ...{ head: '', align: 'left', spare: 1, about: '' },
      cell: ({ verdict, effect: of }) => (verdict === 'effect' ? barOf(Math.abs(of), most) : withoutEffect(false)),
    },
  ];
}

function table({ fields, cells, kind }: StepSensitivity): Grid {
  const shown = fields.filter(({ verdict }) => verdict !== 'none');
  const effects = shown.filter(({ verdict }) => verdict === 'effect').map(({ effect }) => Math.abs(effect));
  return grid(stepColumns(kind, cells.simulated === 0, Math.max(0, ...effects)), shown);
}

/** Steps that were not taken, by the reason. */
function untaken({ skipped }: StepSensitivity): SheetNote[] {
  const reasons = new Map<string, string[]>();
  for (const { path, to, why } of skipped) {
    const reason = why.replace(/, found [^,]*$/, '');
    reasons.set(reason, [...(reasons.get(reason) ?? []), to === undefined ? path : `${path}=${String(to)}`]);
  }
  return [...reasons].map(([reason, steps]) => note(`Not taken: ${steps.join(', ')} (${reason}).`));
}

const leftOf = ({ left }: StepSensitivity): SheetNote[] =>
  left === undefined ? [] : [note(`Not moved: ${left}; --fields <path>=<value> moves any field.`)];

/** The tables of a study of steps. */
export function stepParts(result: StepSensitivity): SheetBlock[][] {
  const { fields, kind, of, battles, cells } = result;
  const idle = fields.filter(({ verdict }) => verdict === 'none').map(({ path }) => path);
  const played = cells.simulated > 0;
  const same = played ? `, where none of ${grouped(battles)} battles reacts` : '';
  const words =
    kind === 'outcome'
      ? `Effects of one step on the share of battles that end with ${clean(of)}, in percentage points.`
      : `Effects of one step on the mean of ${clean(of)}.`;
  const sure = played ? ' All intervals hold together with 95 % (Bonferroni); unclear: they hold 0.' : '';
  return [
    [table(result)],
    [
      ...(idle.length > 0 ? [note(`Without effect here${same}: ${idle.join(', ')}.`)] : []),
      ...untaken(result),
      ...leftOf(result),
    ],
    [note(words + sure)],
  ];
}
