/** Tables of single steps. */
import type { StepEffect, StepField, StepSensitivity } from '../studies/sensitivity/index.ts';
import { barOf, headOf, shownBy, UNCLEAR } from './effects.ts';
import { gapScaleOf, signed } from './figure.ts';
import { type Grid, note, type SheetBlock, type SheetNote, type TableCell, toned } from './parts.ts';
import { clean } from './text/clean.ts';
import type { Column } from './text/column.ts';
import { grouped, plain } from './text/digits.ts';

const sizeOf = (value: number, effect: StepEffect | undefined): number =>
  effect === undefined ? 0 : Number(Math.abs(effect.to - value).toPrecision(9));

function row(field: StepField, result: StepSensitivity, most: number, known: boolean): TableCell[] {
  const { path, value, up, down, effect, ci95: interval, standardError, verdict } = field;
  const shown = shownBy(gapScaleOf(result), { value: effect, interval, standardError });
  const show = (step: StepEffect | undefined): string => (step === undefined ? '' : signed(shown.value(step.effect)));
  return [
    path,
    plain(value),
    plain(sizeOf(value, up ?? down)),
    show(down),
    show(up),
    ...(known ? [] : [shown.interval(interval, signed)]),
    verdict === 'effect' ? barOf(Math.abs(effect), most) : toned(UNCLEAR, 'yellow'),
  ];
}

function table(result: StepSensitivity): Grid {
  const shown = result.fields.filter(({ verdict }) => verdict !== 'none');
  const known = result.cells.simulated === 0;
  const most = Math.max(
    0,
    ...shown.filter(({ verdict }) => verdict === 'effect').map((field) => Math.abs(field.effect)),
  );
  const heads: Column[] = [
    { head: 'field', align: 'left' },
    { head: 'value', align: 'point' },
    { head: 'step', align: 'point', spare: 2 },
    { head: headOf('down', result.kind), align: 'point' },
    { head: headOf('up', result.kind), align: 'point' },
    ...(known ? [] : [{ head: '95 %, of the\ngreater effect' }]),
    { head: '', align: 'left', spare: 1 },
  ];
  return { kind: 'table', heads, rows: shown.map((field) => row(field, result, most, known)) };
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
