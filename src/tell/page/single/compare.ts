/** The page of a comparison. */
import { opened, type Scenario } from '../../../rules/index.ts';
import type { Comparison } from '../../../studies/index.ts';
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

/** Scenarios that a sentence names. */
const NAMED = 4;

/** Names the scenario with the highest figure, and the scenarios that cannot be distinguished from it. */
function highest({ of, kind, order, standings, groups }: Comparison, names: readonly string[]): string {
  const [first = 0] = order;
  const scale = scaleOf({ kind });
  const { value = 0, ci95: interval, exact } = standings[first] ?? {};
  const known = exact === undefined ? '' : `, exactly ${valueText(scale, { value: exact })}`;
  const figure = `${valueText(scale, { value, interval })} (${intervalText(scale, { value, interval })}${known})`;
  const tied = (groups.find((group) => group.includes(first)) ?? []).filter((s) => s !== first);
  const also = tied.slice(0, NAMED).map((s) => cleanText(names[s] ?? ''));
  if (tied.length > NAMED) also.push(`${grouped(tied.length - NAMED)} more`);
  const apart = tied.length === 0 ? 'It differs from all others.' : `It cannot be told apart from ${also.join(', ')}.`;
  const what = kind === 'outcome' ? 'share' : 'mean';
  return `${cleanText(names[first] ?? '')} has the highest ${what} of ${cleanText(of)}: ${figure}. ${apart}`;
}

/** Returns what was compared of a battle. */
function figureIn({ of, kind }: Comparison, scenario: Scenario, { outcome, metrics }: Seen): number {
  const { shape } = opened(scenario);
  if (kind === 'outcome') return shape.outcomes[outcome] === of ? 1 : 0;
  return metrics[shape.metrics.findIndex(({ name }) => name === of)] ?? 0;
}

/** The first battle in which two scenarios differ most; undefined if they do not differ in what is looked at. */
async function parting(result: Comparison, one: Scenario, two: Scenario): Promise<readonly [Seen, Seen] | undefined> {
  const { seed, from, battles } = result;
  const course = { seed, from, to: from + battles };
  const others = await firstBattles({ scenario: two, ...course });
  let [found, most] = [undefined as readonly [Seen, Seen] | undefined, 0];
  for (const [b, first] of (await firstBattles({ scenario: one, ...course })).entries()) {
    const second = others[b];
    const apart = second ? Math.abs(figureIn(result, one, first) - figureIn(result, two, second)) : 0;
    if (second !== undefined && apart > most) [found, most] = [[first, second], apart];
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
  const pair = await parting(result, one, two);
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
