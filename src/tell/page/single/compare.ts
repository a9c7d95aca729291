/** The page of a comparison. */
import { opened } from '../../../rules/opened.ts';
import type { Scenario } from '../../../rules/system.ts';
import type { Comparison } from '../../../studies/comparing/compare.ts';
import { bestSheet } from '../../best.ts';
import { compareSheet, rankingTable } from '../../comparison.ts';
import type { Seen } from '../../examples/choose.ts';
import { firstBattles, LOOKED } from '../../examples/examples.ts';
import { intervalText, scaleOf, valueText } from '../../figure.ts';
import { standingsPicture } from '../../pictures/standings.ts';
import { sidesOf } from '../../sides.ts';
import { cleanText } from '../../text/clean.ts';
import { grouped } from '../../text/digits.ts';
import type { Section } from '../shell.ts';
import { answerPage, paragraphs, type Subject, sectionOf } from './answer.ts';
import { battleOf, battlesOf } from './battles.ts';

export interface ComparisonSubject extends Subject {
  readonly scenarios: readonly Scenario[];
  /** In the order given. */
  readonly names: readonly string[];
  /** The command that tells a battle of a scenario, by its place. */
  readonly replay: (scenario: number, battle: number) => string;
}

/** Those of the best group but the first, as far as a few are. */
function ties({ groups, order }: Comparison, names: readonly string[]): string {
  const others = (groups.find((group) => group.includes(order[0] ?? 0)) ?? []).filter((s) => s !== order[0]);
  const named = others.slice(0, 4).map((s) => cleanText(names[s] ?? ''));
  const more = others.length - named.length;
  return [...named, ...(more > 0 ? [`${grouped(more)} more`] : [])].join(', ');
}

/** What is said of the one with the highest figure. */
function highest(result: Comparison, names: readonly string[]): string {
  const { of, kind, order, standings } = result;
  const [first = 0] = order;
  const quantity = { kind, name: of } as const;
  const { value = 0, ci95 = [0, 0], exact } = standings[first] ?? {};
  const known = exact === undefined ? '' : `, exactly ${valueText(scaleOf(quantity), { value: exact })}`;
  const figure = valueText(scaleOf(quantity), { value, interval: ci95 });
  const also = ties(result, names);
  const apart = also === '' ? 'It differs from all others.' : `It cannot be told apart from ${also}.`;
  return `${cleanText(names[first] ?? '')} has the highest ${kind === 'outcome' ? `share of ${cleanText(of)}` : `mean of ${cleanText(of)}`}: ${figure} (${intervalText(scaleOf(quantity), { value, interval: ci95 })}${known}). ${apart}`;
}

/** By how much two battles of one index differ in what was compared. */
type Apart = (one: Seen, two: Seen) => number;

function apartBy({ of, kind }: Comparison, [one, two]: readonly [Scenario, Scenario]): Apart {
  const shapes = [one, two].map((scenario) => opened(scenario).shape);
  const read = (seen: Seen, side: number): number => {
    const shape = shapes[side];
    if (kind === 'outcome') return shape?.outcomes[seen.outcome] === of ? 1 : 0;
    return seen.metrics[shape?.metrics.findIndex(({ name }) => name === of) ?? -1] ?? 0;
  };
  return (first, second) => Math.abs(read(first, 0) - read(second, 1));
}

/** The first battle in which two scenarios differ most; undefined if they do not differ in what is looked at. */
async function parting(
  result: Comparison,
  sides: readonly [Scenario, Scenario],
): Promise<readonly [Seen, Seen] | undefined> {
  const { seed, from, battles } = result;
  const course = { seed, from, to: from + battles };
  const one = await firstBattles({ scenario: sides[0], ...course });
  const two = await firstBattles({ scenario: sides[1], ...course });
  const apart = apartBy(result, sides);
  let [found, most] = [undefined as readonly [Seen, Seen] | undefined, 0];
  for (const [b, first] of one.entries()) {
    const second = two[b];
    if (second === undefined || apart(first, second) <= most) continue;
    [found, most] = [[first, second], apart(first, second)];
  }
  return found;
}

/** One battle in two scenarios: those that are first and last in the order. */
async function sameDice(result: Comparison, subject: ComparisonSubject): Promise<Section[]> {
  const { order, kind, seed, battles } = result;
  const [first = 0, last = 0] = [order[0], order.at(-1)];
  const [one, two] = [subject.scenarios[first], subject.scenarios[last]];
  if (one === undefined || two === undefined || first === last) return [];
  const title = 'One battle in two scenarios';
  const of = cleanText(result.of);
  const looked = grouped(Math.min(LOOKED, battles));
  const pair = await parting(result, [one, two]);
  const none = `In the first ${looked} battles these two scenarios do not differ in ${of}.`;
  if (pair === undefined) return [sectionOf('battles', title, paragraphs([none]))];
  const what = kind === 'outcome' ? `of which one ends ${of} and the other does not` : `whose ${of} differs most`;
  const told = (
    [
      [one, first, pair[0]],
      [two, last, pair[1]],
    ] as const
  ).map(([scenario, s, seen]) => {
    const replay = (battle: number): string => subject.replay(s, battle);
    return battleOf({ title: subject.names[s] ?? '', scenario, seed, seen, replay });
  });
  const why = `The same dice in the scenarios that are first and last in the order: the first of the first ${looked} battles ${what}.`;
  return [battlesOf(title, told, why)];
}

/** The whole page of a comparison. */
export async function comparePage(result: Comparison, subject: ComparisonSubject): Promise<string> {
  const { names, scenarios, name } = subject;
  const { best, all } = result;
  const [scenario] = scenarios;
  const { counts = {} } = scenario === undefined ? {} : opened(scenario).system;
  const picture = standingsPicture(result, names, counts, scenario === undefined ? [] : sidesOf(scenario));
  const [heading = [], ...sheet] = best ? bestSheet(result, best, names) : compareSheet(result, names);
  // A comparison of two has no ranking on a terminal: there one sees which is higher.
  const ranking = all === undefined ? [] : [rankingTable(result, names)];
  return await answerPage(
    {
      title: name,
      sheet: [heading, ...ranking, ...sheet],
      ...(best === undefined && all === undefined && { answer: [highest(result, names)] }),
      pictures: [picture],
      sections: await sameDice(result, subject),
      scenarios: scenarios.map((each, s) => [names[s] ?? '', each] as const),
    },
    subject,
  );
}
