/** What units are worth beside their prices, in sentences and a table. */

import { endsText } from '../figure.ts';
import { note, type SheetBlock } from '../parts.ts';
import { axisText, titleOf } from '../survey/quantity.ts';
import type { EvenLine, Worth } from '../survey/worth.ts';
import { cleanText } from '../text/clean.ts';
import { grouped, significant } from '../text/digits.ts';
import type { Report } from './report.ts';

/** The title of the section. */
export const WORTH = 'What it is worth';

/** Lines that a table shows; of more, the least, the middle and the greatest of each group. */
const SHOWN = 18;

const ratio = (value: number): string => significant(value, 3);

/** What the other side's points are worth in points of this side: 1 where prices are right. */
const ratioOf = ({ points, against }: EvenLine): number => points / against;

/** Lines by the values of axes that have no price. */
function groupsOf({ lines }: Worth, free: readonly string[]): EvenLine[][] {
  const groups = new Map<string, EvenLine[]>();
  for (const line of lines.filter(({ against }) => against > 0)) {
    const key = free.map((name) => axisText(line.axes[name])).join(', ');
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  return Array.from(groups.values(), (group) => group.toSorted((a, b) => a.against - b.against));
}

function shownOf(group: readonly EvenLine[], all: number): readonly EvenLine[] {
  if (all <= SHOWN) return group;
  const ends = [0, Math.floor((group.length - 1) / 2), group.length - 1];
  return [...new Set(ends)].flatMap((at) => group[at] ?? []);
}

/** `In open a defender.units.tank is worth 1.17 to 1.33 attacker.units.rifleman; its price is that of 1.67.` */
function sentenceOf(group: readonly EvenLine[], free: readonly string[], { kinds, sides }: Worth): string {
  const ratios = group.map(ratioOf);
  const [least, greatest] = [Math.min(...ratios), Math.max(...ratios)];
  const place = free.map((name) => `${cleanText(name)} ${axisText(group[0]?.axes[name])}`).join(', ');
  const where = place === '' ? '' : `${place}: `;
  const span = (times: number): string =>
    ratio(times * least) === ratio(times * greatest)
      ? ratio(times * least)
      : `${ratio(times * least)} to ${ratio(times * greatest)}`;
  const [own, other] = sides.map((name) => cleanText(name));
  const right = least > 1 ? 'cheap' : greatest < 1 ? 'dear' : 'right for some numbers';
  if (kinds === undefined) return `${where}even at ${span(1)} ${own ?? ''} for 1 of ${other ?? ''}.`;
  const [{ path, price }, { path: unit, price: its }] = kinds;
  return `${where}one of ${cleanText(unit)} is worth ${span(its / price)} of ${cleanText(path)} and costs ${ratio(its / price)} of them: ${right}.`;
}

/** Nothing if the sweep has no prices on two sides, or no line of cells is even anywhere. */
export function worthParts({ worth, survey }: Report): SheetBlock[] {
  if (worth === undefined) return [];
  const { of, along, sides, lines, uncrossed, crossedAgain } = worth;
  const priced = (survey.facts.costs ?? []).flatMap(({ paths }) => paths);
  const free = survey.facts.axes
    .filter(({ paths }) => !paths.some((path) => priced.includes(path)))
    .map(({ name }) => name);
  const counts = survey.facts.axes.map(({ name }) => name).filter((name) => name !== along && !free.includes(name));
  const groups = groupsOf(worth, free);
  const estimated = lines.some(({ interval }) => interval !== undefined);
  const names = [...free, ...counts, sides[1]];
  const all = groups.flatMap((group) => shownOf(group, lines.length));
  const heads = [
    ...names.map((head) => ({ head, named: true, align: 'point' as const })),
    { head: `${sides[0]} at 50 %`, named: true, align: 'point' as const },
    ...(estimated ? [{ head: '95 %', spare: 1 }] : []),
    { head: 'per point', align: 'point' as const },
  ];
  const rows = all.map((line) => [
    ...[...free, ...counts].map((name) => axisText(line.axes[name])),
    axisText(line.against),
    ratio(line.points),
    ...(estimated ? [line.interval ? endsText(line.interval, ratio) : line.interval === null ? 'open' : 'exact'] : []),
    ratio(ratioOf(line)),
  ]);
  const left = [
    ...(uncrossed > 0 ? [`${grouped(uncrossed)} do not cross 50 %`] : []),
    ...(crossedAgain > 0 ? [`${grouped(crossedAgain)} cross it more than once and are left out`] : []),
  ];
  const how = `Even: the ${titleOf({ kind: 'outcome', name: of }, {})} is 50 %, interpolated linearly between neighbouring cells along ${cleanText(along)}${
    estimated ? '; intervals are where the 95 % intervals of single cells cross 50 %' : ''
  }.`;
  return [
    ...groups.map((group) => note(sentenceOf(group, free, worth), 'bold')),
    ...(rows.length === 0 ? [] : [{ kind: 'table' as const, heads, rows }]),
    note(`${how}${left.length === 0 ? '' : ` Of the other lines of cells ${left.join(', ')}.`}`),
  ];
}
