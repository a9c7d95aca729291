/** Values of units compared with their prices, as sentences and a table. */
import type { StoreInfo } from '../../storage/index.ts';
import { formatRange } from '../sheet/estimated-value.ts';
import { createNote, type SheetBlock } from '../sheet/sheet.ts';
import { createAxisTitles, formatAxisTitle, formatAxisValue, formatQuantityTitle } from '../sweep-analysis/quantity.ts';
import type { BreakEvenLine, BreakEvenPoints } from '../sweep-analysis/unit-values.ts';
import { formatGrouped, formatSignificant } from '../text/number-format.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';
import type { SweepReport } from './report.ts';

export const UNIT_VALUE_TITLE = 'Unit values';

const formatThreeDigits = (value: number): string => formatSignificant(value, 3);

/** Points of a side that equal one point of the other side. */
const computeExchangeRatio = ({ points, against }: BreakEvenLine): number => points / against;

/** Title and price of the only unit of a side. Undefined if the side has several. */
function findPricedUnit(
  { axes, costs = [] }: StoreInfo,
  column: string,
): readonly [path: string, price: number] | undefined {
  const { paths: [path, ...more] = [], prices: [price = 0] = [] } = costs.find(({ name }) => name === column) ?? {};
  return path === undefined || more.length > 0 || price === 0
    ? undefined
    : [formatAxisTitle(axes.find(({ paths }) => paths.join() === path) ?? { name: path }), price];
}

/**
 * `site open: one of defender’s tank has the value of 1.32 to 1.34 of attacker’s rifleman, and the price of 1.67: expensive.`
 */
function formatUnitValue(
  place: string,
  group: readonly BreakEvenLine[],
  { sides: [own, other] }: BreakEvenPoints,
  facts: StoreInfo,
): string {
  const ratios = group.map(computeExchangeRatio);
  const [least, greatest] = [Math.min(...ratios), Math.max(...ratios)];
  const span = (times = 1): string =>
    [...new Set([least, greatest].map((end) => formatThreeDigits(times * end)))].join(' to ');
  const [unit, its] = [findPricedUnit(facts, own), findPricedUnit(facts, other)];
  const where = place === '' ? '' : `${place}: `;
  if (unit === undefined || its === undefined)
    return `${where}even at ${span()} ${sanitizeXmlText(own)} for one of ${sanitizeXmlText(other)}.`;
  const requested = its[1] / unit[1];
  const verdict = least > 1 ? 'cheap' : greatest < 1 ? 'expensive' : 'fair for some numbers';
  return `${where}one of ${its[0]} has the value of ${span(requested)} of ${unit[0]}, and the price of ${formatThreeDigits(requested)}: ${verdict}.`;
}

/**
 * Creates the section of unit values, with three lines of each group (JSON has all). Empty unless two sides have
 * prices.
 */
export function createUnitValueBlocks({ unitValues, survey: { facts } }: SweepReport): SheetBlock[] {
  if (unitValues === undefined) return [];
  const { of, along, sides, lines, omittedLines } = unitValues;
  const isPriced = (path: string): boolean => facts.costs?.some(({ paths }) => paths.includes(path)) === true;
  const free = facts.axes.filter(({ paths }) => !paths.some(isPriced)).map(({ name }) => name);
  const names = [
    ...free,
    ...facts.axes.map(({ name }) => name).filter((name) => name !== along && !free.includes(name)),
  ];
  const title = createAxisTitles(facts.axes);
  const groups = new Map<string, BreakEvenLine[]>();
  for (const line of lines.filter(({ against }) => against > 0)) {
    const place = free.map((name) => `${title(name)} ${formatAxisValue(line.axes[name])}`).join(', ');
    groups.set(
      place,
      [...(groups.get(place) ?? []), line].sort((a, b) => a.against - b.against),
    );
  }
  const shown = [...groups.values()].flatMap((group) =>
    [...new Set([group[0], group[(group.length - 1) >> 1], group.at(-1)])].filter((line) => line !== undefined),
  );
  const estimated = lines.some(({ interval }) => interval !== undefined);
  const formatKnown = ({ interval }: BreakEvenLine): string =>
    interval === null ? 'open' : interval === undefined ? 'exact' : formatRange(interval, formatThreeDigits);
  const rows = shown.map((line) => [
    ...names.map((name) => formatAxisValue(line.axes[name])),
    ...[
      formatAxisValue(line.against),
      formatThreeDigits(line.points),
      ...(estimated ? [formatKnown(line)] : []),
      formatThreeDigits(computeExchangeRatio(line)),
    ],
  ]);
  const heads = [...names.map(title), sides[1], `${sides[0]} at 50 %`, ...(estimated ? ['95 %'] : []), 'per point'];
  const how = `Even: the ${formatQuantityTitle({ kind: 'outcome', name: of }, {})} is 50 %, interpolated linearly between neighboring cells along ${title(along)}${estimated ? '; intervals are where the 95 % intervals of the cells cross 50 %' : ''}.`;
  const others =
    omittedLines === 0 ? '' : ` ${formatGrouped(omittedLines)} other lines of cells do not cross 50 % exactly once.`;
  return [
    ...Array.from(groups, ([place, group]) => createNote(formatUnitValue(place, group, unitValues, facts), 'bold')),
    { kind: 'table', heads: heads.map((head) => ({ head, named: true, align: 'point' })), rows },
    createNote(how + others),
  ];
}
