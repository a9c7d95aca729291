/** Tables of one-at-a-time sensitivity. */
import type { StepEffect, StepField, StepSensitivity } from '../../analysis/index.ts';
import { labelField } from '../../rules/index.ts';
import { addSign, getDifferenceScale, type QuantityKind } from '../sheet/estimated-value.ts';
import { createNote, type DeclaredColumn, type SheetBlock, type SheetNote, type SheetTable } from '../sheet/sheet.ts';
import { formatGrouped, formatNumber } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { createEffectBar, createEffectFormat, formatEffectHeading } from './effect-format.ts';
import { createFieldTable, createNoEffectCell, FIELD_COLUMN } from './global-sensitivity.ts';

const getEffectSize = (value: number, effect: StepEffect | undefined): number =>
  effect === undefined ? 0 : Number(Math.abs(effect.to - value).toPrecision(9));

/** @param isExact true if effects have no intervals @param most largest effect */
export function createOneAtATimeColumns(
  kind: QuantityKind,
  isExact: boolean,
  most: number,
): DeclaredColumn<StepField>[] {
  const formatShown = ({ effect: value, ci95: interval, standardError }: StepField) =>
    createEffectFormat(getDifferenceScale({ kind }), { value, interval, standardError });
  const createEffectColumn = (way: 'down' | 'up'): DeclaredColumn<StepField> => ({
    ...{ head: formatEffectHeading(way, kind), align: 'point' },
    about: 'effect of one step down and of one step up; of shares in percentage points',
    cell: (field) => (field[way] === undefined ? '' : addSign(formatShown(field).value(field[way].effect))),
  });
  const interval: DeclaredColumn<StepField> = {
    head: '95 % interval,\nlarger effect',
    about: 'confidence interval of the larger of the two, valid for all fields together (Bonferroni)',
    cell: (field) => formatShown(field).interval(field.ci95, addSign),
  };
  return [
    FIELD_COLUMN,
    { head: 'value', align: 'point', about: 'value in the scenario', cell: ({ value }) => formatNumber(value) },
    {
      ...{ head: 'step', align: 'point', spare: 2, about: 'size of a step' },
      cell: ({ value, up, down }) => formatNumber(getEffectSize(value, up ?? down)),
    },
    ...[createEffectColumn('down'), createEffectColumn('up')],
    ...(isExact ? [] : [interval]),
    {
      ...{ head: '', align: 'left', spare: 1, about: '' },
      cell: ({ verdict, effect: of }) =>
        verdict === 'effect' ? createEffectBar(Math.abs(of), most) : createNoEffectCell(false),
    },
  ];
}

function createOneAtATimeTable({ scenario, fields, cells, kind }: StepSensitivity): SheetTable {
  const shown = fields.filter(({ verdict }) => verdict !== 'none');
  const effects = shown.filter(({ verdict }) => verdict === 'effect').map(({ effect }) => Math.abs(effect));
  const columns = createOneAtATimeColumns(kind, cells.simulated === 0, Math.max(0, ...effects));
  return createFieldTable(columns, scenario, shown);
}

/** Lists skipped steps, by reason. */
function createSkippedNotes({ scenario, skipped }: StepSensitivity): SheetNote[] {
  const reasons = new Map<string, string[]>();
  for (const { path, to, reason: why } of skipped) {
    const reason = why.replace(/, found [^,]*$/, '');
    const label = sanitizeLine(labelField(scenario, path));
    reasons.set(reason, [...(reasons.get(reason) ?? []), to === undefined ? label : `${label} = ${String(to)}`]);
  }
  return [...reasons].map(([reason, steps]) => createNote(`Skipped: ${steps.join(', ')} (${reason}).`));
}

const createUnvariedNotes = ({ notVaried }: StepSensitivity): SheetNote[] =>
  notVaried === undefined ? [] : [createNote(`Not varied: ${notVaried}; --fields <path>=<value> varies any field.`)];

/** Creates the tables of a one-at-a-time study. */
export function createOneAtATimeBlocks(result: StepSensitivity): SheetBlock[][] {
  const { scenario, fields, kind, of, battles, cells } = result;
  const idle = fields.filter(({ verdict }) => verdict === 'none').map(({ path }) => labelField(scenario, path));
  const played = cells.simulated > 0;
  const same = played ? ` on any of ${formatGrouped(battles)} battles` : '';
  const words =
    kind === 'outcome'
      ? `Effects of one step on the share of battles that end with ${sanitizeLine(of)}, in percentage points.`
      : `Effects of one step on the mean of ${sanitizeLine(of)}.`;
  const sure = played ? ' Intervals hold simultaneously with 95 % (Bonferroni); unclear: they contain 0.' : '';
  return [
    [createOneAtATimeTable(result)],
    [
      ...(idle.length > 0 ? [createNote(`No effect${same}: ${sanitizeLine(idle.join(', '))}.`)] : []),
      ...createSkippedNotes(result),
      ...createUnvariedNotes(result),
    ],
    [createNote(words + sure)],
  ];
}
