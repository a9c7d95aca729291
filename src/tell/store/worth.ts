/** What units are worth beside their prices, in sentences and a table. */
import type { StoreFacts } from '../../work/index.ts';
import { endsText } from '../figure.ts';
import { note, type SheetBlock } from '../parts.ts';
import { axisText, axisTitle, titleOf, titlesOf } from '../survey/quantity.ts';
import type { EvenLine, EvenPoints } from '../survey/worth.ts';
import { cleanText } from '../text/clean.ts';
import { grouped, significant } from '../text/digits.ts';
import type { Report } from './report.ts';

/** The title of the section. */
export const WORTH = 'What it is worth';

const three = (value: number): string => significant(value, 3);

/** Points of a side that are worth one of the other. */
const ratioOf = ({ points, against }: EvenLine): number => points / against;

/** A side that is made of one kind of thing: what it is, in the words of its axis, and its price. */
function kindOf({ axes, costs = [] }: StoreFacts, column: string): readonly [path: string, price: number] | undefined {
  const { paths: [path, ...more] = [], prices: [price = 0] = [] } = costs.find(({ name }) => name === column) ?? {};
  return path === undefined || more.length > 0 || price === 0
    ? undefined
    : [axisTitle(axes.find(({ paths }) => paths.join() === path) ?? { name: path }), price];
}

/** `site open: one of defender’s tank is worth 1.32 to 1.34 of attacker’s rifleman and costs 1.67 of them: dear.` */
function sentenceOf(
  place: string,
  group: readonly EvenLine[],
  { sides: [own, other] }: EvenPoints,
  facts: StoreFacts,
): string {
  const ratios = group.map(ratioOf);
  const [least, greatest] = [Math.min(...ratios), Math.max(...ratios)];
  const span = (times = 1): string => [...new Set([least, greatest].map((end) => three(times * end)))].join(' to ');
  const [unit, its] = [kindOf(facts, own), kindOf(facts, other)];
  const where = place === '' ? '' : `${place}: `;
  if (unit === undefined || its === undefined)
    return `${where}even at ${span()} ${cleanText(own)} for one of ${cleanText(other)}.`;
  const asked = its[1] / unit[1];
  const verdict = least > 1 ? 'cheap' : greatest < 1 ? 'dear' : 'right for some numbers';
  return `${where}one of ${its[0]} is worth ${span(asked)} of ${unit[0]} and costs ${three(asked)} of them: ${verdict}.`;
}

/** Nothing if the sweep has no prices on two sides. All lines of cells are in the JSON: here are three of each group. */
export function worthParts({ worth, survey: { facts } }: Report): SheetBlock[] {
  if (worth === undefined) return [];
  const { of, along, sides, lines, left } = worth;
  const isPriced = (path: string): boolean => facts.costs?.some(({ paths }) => paths.includes(path)) === true;
  const free = facts.axes.filter(({ paths }) => !paths.some(isPriced)).map(({ name }) => name);
  const names = [
    ...free,
    ...facts.axes.map(({ name }) => name).filter((name) => name !== along && !free.includes(name)),
  ];
  const title = titlesOf(facts.axes);
  const groups = new Map<string, EvenLine[]>();
  for (const line of lines.filter(({ against }) => against > 0)) {
    const place = free.map((name) => `${title(name)} ${axisText(line.axes[name])}`).join(', ');
    groups.set(
      place,
      [...(groups.get(place) ?? []), line].sort((a, b) => a.against - b.against),
    );
  }
  const shown = [...groups.values()].flatMap((group) =>
    [...new Set([group[0], group[(group.length - 1) >> 1], group.at(-1)])].filter((line) => line !== undefined),
  );
  const estimated = lines.some(({ interval }) => interval !== undefined);
  const known = ({ interval }: EvenLine): string =>
    interval === null ? 'open' : interval === undefined ? 'exact' : endsText(interval, three);
  const rows = shown.map((line) => [
    ...names.map((name) => axisText(line.axes[name])),
    ...[axisText(line.against), three(line.points), ...(estimated ? [known(line)] : []), three(ratioOf(line))],
  ]);
  const heads = [...names.map(title), sides[1], `${sides[0]} at 50 %`, ...(estimated ? ['95 %'] : []), 'per point'];
  const how = `Even: the ${titleOf({ kind: 'outcome', name: of }, {})} is 50 %, interpolated linearly between neighbouring cells along ${title(along)}${estimated ? '; intervals are where the 95 % intervals of the cells cross 50 %' : ''}.`;
  const others = left === 0 ? '' : ` ${grouped(left)} other lines of cells cross 50 % not at all or more than once.`;
  return [
    ...Array.from(groups, ([place, group]) => note(sentenceOf(place, group, worth, facts), 'bold')),
    { kind: 'table', heads: heads.map((head) => ({ head, named: true, align: 'point' })), rows },
    note(how + others),
  ];
}
