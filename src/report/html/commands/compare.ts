/** HTML report of a comparison. */

import type { Comparison } from '../../../analysis/index.ts';
import { getBoundScenario, type Scenario } from '../../../rules/index.ts';
import { createBestScenarioSheet } from '../../compare/best-scenario.ts';
import { createComparisonSheet, createRankingTable } from '../../compare/comparison.ts';
import { MAX_EXAMINED, simulateFirstBattles } from '../../examples/examples.ts';
import type { ExaminedBattle } from '../../examples/selection.ts';
import { createScenarioRankingFigure } from '../../figures/scenario-ranking.ts';
import { getSides } from '../../scenario/sides.ts';
import { formatInterval, formatValue, getScale } from '../../sheet/estimated-value.ts';
import { formatGrouped } from '../../text/number-format.ts';
import { sanitizeXmlText } from '../../text/sanitize.ts';
import type { PageSection } from '../page-template.ts';
import { createBattle, createBattlesSection } from './battles.ts';
import { createParagraphs, createSection, type PageOrigin, renderCommandPage } from './command-page.ts';

export interface ComparisonPageOrigin extends PageOrigin {
  readonly scenarios: readonly Scenario[];
  /** Labels of the scenarios, in the requested order. */
  readonly names: readonly string[];
  /** Formats the command that replays a battle of a scenario. @param scenario its index */
  readonly replay: (scenario: number, battle: number) => string;
}

/** Maximum number of scenarios that a sentence names. */
const MAX_NAMED = 4;

/** Names the scenario with the highest value, and the scenarios that do not differ significantly from it. */
function formatHighest({ of, kind, order, standings, groups }: Comparison, names: readonly string[]): string {
  const [first = 0] = order;
  const scale = getScale({ kind });
  const { value = 0, ci95: interval, exact } = standings[first] ?? {};
  const known = exact === undefined ? '' : `, exactly ${formatValue(scale, { value: exact })}`;
  const figure = `${formatValue(scale, { value, interval })} (${formatInterval(scale, { value, interval })}${known})`;
  const tied = (groups.find((group) => group.includes(first)) ?? []).filter((s) => s !== first);
  const also = tied.slice(0, MAX_NAMED).map((s) => sanitizeXmlText(names[s] ?? ''));
  if (tied.length > MAX_NAMED) also.push(`${formatGrouped(tied.length - MAX_NAMED)} more`);
  const apart =
    tied.length === 0 ? 'It differs from all others.' : `It does not differ significantly from ${also.join(', ')}.`;
  const what = kind === 'outcome' ? 'share' : 'mean';
  return `${sanitizeXmlText(names[first] ?? '')} has the highest ${what} of ${sanitizeXmlText(of)}: ${figure}. ${apart}`;
}

/** Compared value of a battle. */
function getBattleValue({ of, kind }: Comparison, scenario: Scenario, { outcome, metrics }: ExaminedBattle): number {
  const { shape } = getBoundScenario(scenario);
  if (kind === 'outcome') return shape.outcomes[outcome] === of ? 1 : 0;
  return metrics[shape.metrics.findIndex(({ name }) => name === of)] ?? 0;
}

/** Finds the first battle in which two scenarios differ most. Undefined if no examined battle differs. */
async function findMostDifferentBattles(
  result: Comparison,
  one: Scenario,
  two: Scenario,
): Promise<readonly [ExaminedBattle, ExaminedBattle] | undefined> {
  const { seed, from, battles } = result;
  const course = { seed, from, to: from + battles };
  const others = await simulateFirstBattles({ scenario: two, ...course });
  let [found, most] = [undefined as readonly [ExaminedBattle, ExaminedBattle] | undefined, 0];
  for (const [b, first] of (await simulateFirstBattles({ scenario: one, ...course })).entries()) {
    const second = others[b];
    const apart = second ? Math.abs(getBattleValue(result, one, first) - getBattleValue(result, two, second)) : 0;
    if (second !== undefined && apart > most) [found, most] = [[first, second], apart];
  }
  return found;
}

/** Creates the section of one battle in the first and the last scenario of the ranking. */
async function createPairedBattleSection(result: Comparison, subject: ComparisonPageOrigin): Promise<PageSection[]> {
  const { order, kind, seed, battles } = result;
  const [first = 0, last = 0] = [order[0], order.at(-1)];
  const [one, two] = [subject.scenarios[first], subject.scenarios[last]];
  if (one === undefined || two === undefined || first === last) return [];
  const title = 'One battle in two scenarios';
  const of = sanitizeXmlText(result.of);
  const examined = formatGrouped(Math.min(MAX_EXAMINED, battles));
  const pair = await findMostDifferentBattles(result, one, two);
  const none = `In the first ${examined} battles these two scenarios do not differ in ${of}.`;
  if (pair === undefined) return [createSection('battles', title, createParagraphs([none]))];
  const what = kind === 'outcome' ? `with outcome ${of} in only one of them` : `with the largest difference of ${of}`;
  const reported = (
    [
      [one, first, pair[0]],
      [two, last, pair[1]],
    ] as const
  ).map(([scenario, s, seen]) => {
    const replay = (battle: number): string => subject.replay(s, battle);
    return createBattle({ title: subject.names[s] ?? '', scenario, seed, examined: seen, replay });
  });
  const why = `The same dice in the first and the last scenario of the ranking: the first battle, of ${examined} examined ones, ${what}.`;
  return [createBattlesSection(title, reported, why)];
}

/** Renders the HTML report of a comparison. */
export async function renderComparisonPage(result: Comparison, subject: ComparisonPageOrigin): Promise<string> {
  const { names, scenarios, name } = subject;
  const { best, all } = result;
  const [scenario] = scenarios;
  const { counts = {} } = scenario === undefined ? {} : getBoundScenario(scenario).system;
  const picture = createScenarioRankingFigure(result, names, counts, scenario === undefined ? [] : getSides(scenario));
  const [heading = [], ...sheet] = best
    ? createBestScenarioSheet(result, best, names)
    : createComparisonSheet(result, names);
  // Terminal output has no ranking of two scenarios, because their difference shows it.
  const ranking = all === undefined ? [] : [createRankingTable(result, names)];
  return await renderCommandPage(
    {
      title: name,
      sheet: [heading, ...ranking, ...sheet],
      ...(best === undefined && all === undefined && { answer: [formatHighest(result, names)] }),
      pictures: [picture],
      sections: await createPairedBattleSection(result, subject),
      scenarios: scenarios.map((each, s) => [names[s] ?? '', each] as const),
    },
    subject,
  );
}
