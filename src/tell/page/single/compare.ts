/** The page of a comparison. */

import { RULESET, scenarioHash } from '../../../answers/digest.ts';
import { opened } from '../../../rules/opened.ts';
import type { Scenario } from '../../../rules/system.ts';
import type { Comparison } from '../../../studies/comparing/compare.ts';
import { bestNotes, bestTable, bestVerdict } from '../../best.ts';
import { gapTable, pairVerdict, rankingNotes, rankingTable, unseenNote } from '../../comparison.ts';
import { differenceNotes, differenceTables, gainNotes } from '../../diff.ts';
import type { Seen } from '../../examples/choose.ts';
import { firstBattles, LOOKED } from '../../examples/examples.ts';
import { intervalText, scaleOf, valueText } from '../../figure.ts';
import { standingsPicture } from '../../pictures/standings.ts';
import { type ShownSide, sidesOf } from '../../sides.ts';
import { cleanText } from '../../text/clean.ts';
import { grouped } from '../../text/digits.ts';
import { sentence } from '../../text/sentence.ts';
import { PLAIN } from '../../text/table.ts';
import { type Markup, markup } from '../markup.ts';
import { shellOf } from '../shell.ts';
import { SINGLE_STYLE } from './dress.ts';
import { answerOf, beside, commandOf, factsOf, paragraphs, picturesOf, type Subject, scenarioOf } from './parts.ts';
import { sheetOf } from './sheets.ts';
import { taleOf } from './tale.ts';
import { phraseOf } from './words.ts';

export interface ComparisonSubject extends Subject {
  readonly scenarios: readonly Scenario[];
  /** In the order given. */
  readonly names: readonly string[];
  /** The command that tells a battle of a scenario, by its place. */
  readonly replay: (scenario: number, battle: number) => string;
}

const PLAINLY = { width: 1200, paint: PLAIN };

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

function answer(result: Comparison, names: readonly string[]): Markup {
  const { best, pairs, all, of } = result;
  if (best !== undefined) return answerOf(`${sentence(bestVerdict(result, best, names, PLAINLY))}.`, []);
  if (all === undefined) return answerOf(highest(result, names), []);
  const verdicts = pairs.map((pair) => `${sentence(pairVerdict(pair, cleanText(of), names, PLAIN))}.`);
  return answerOf(verdicts.join(' '), [figures(result, names)]);
}

/** `a 57.6 % (57.4 .. 57.8 %), b 46.8 % (46.6 .. 47.1 %)` */
function figures({ of, kind, order, standings }: Comparison, names: readonly string[]): string {
  const quantity = { kind, name: of } as const;
  const texts = order.map((s) => {
    const { value = 0, ci95 = [0, 0] as const } = standings[s] ?? {};
    const reading = { value, interval: ci95 };
    return `${cleanText(names[s] ?? '')} ${valueText(scaleOf(quantity), reading)} (${intervalText(scaleOf(quantity), reading)})`;
  });
  return `${kind === 'outcome' ? 'Shares' : 'Means'} of ${cleanText(of)}: ${texts.join(', ')}.`;
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

function sideOf(seen: Seen, place: number, { scenarios, names, replay }: ComparisonSubject, seed: string): Markup {
  const scenario = scenarios[place];
  if (scenario === undefined) return markup``;
  const outcome = opened(scenario).model.outcomes[seen.outcome] ?? '';
  return markup`<article><h3>${names[place] ?? ''}: battle ${grouped(seen.battle)}</h3>
<p><b>${sentence(phraseOf(outcome))}.</b></p>
${taleOf(scenario, seed, seen.battle)}
${commandOf(replay(place, seen.battle))}</article>`;
}

/** One battle in two scenarios: those that are first and last in the order. */
async function sameDice(result: Comparison, subject: ComparisonSubject): Promise<Markup> {
  const [first = 0, last = 0] = [result.order[0], result.order.at(-1)];
  const [one, two] = [subject.scenarios[first], subject.scenarios[last]];
  if (one === undefined || two === undefined || first === last) return markup``;
  const pair = await parting(result, [one, two]);
  const of = cleanText(result.of);
  const looked = grouped(Math.min(LOOKED, result.battles));
  const none = `In the first ${looked} battles these two scenarios do not differ in ${of}.`;
  const what =
    result.kind === 'outcome' ? `of which one ends ${of} and the other does not` : `whose ${of} differs most`;
  const why = `The same dice in the scenarios that are first and last in the order: the first of the first ${looked} battles ${what}.`;
  const told = pair && [sideOf(pair[0], first, subject, result.seed), sideOf(pair[1], last, subject, result.seed)];
  return markup`<section id="battles"><h2>One battle in two scenarios</h2>
${told === undefined ? markup`<p>${none}</p>` : markup`<p class="note">${why}</p><div class="tales">${told}</div>`}</section>`;
}

/** Ranks, and where the best was looked for what was dropped. */
function ranks(result: Comparison, names: readonly string[], asked: number, picture: Markup): Markup {
  const { best } = result;
  const sheet = best
    ? sheetOf([...bestTable(result, best, names), ...bestNotes(result, best, asked)])
    : sheetOf([...rankingTable(result, names), ...rankingNotes(result)]);
  return markup`<section id="ranking"><h2>Ranking</h2>${beside(sheet, picture)}</section>`;
}

function differences(result: Comparison, names: readonly string[], sides: readonly ShownSide[]): Markup {
  const { all, bounded, best } = result;
  if (best !== undefined) return markup``;
  const [one = '', two = ''] = names.map(cleanText);
  const sheet = sheetOf(
    all === undefined
      ? [...gapTable(result, names), ...unseenNote(result), ...gainNotes(bounded)]
      : [...differenceTables(all, [one, two]).flat(), ...differenceNotes(all)],
    sides,
  );
  return markup`<section id="differences"><h2>Differences</h2>${sheet}</section>`;
}

function played(result: Comparison, subject: ComparisonSubject): Markup {
  const { seed, from, battles, best } = result;
  const { scenarios, names, command, version } = subject;
  const { id = '', title = '' } = scenarios[0] === undefined ? {} : opened(scenarios[0]).system;
  return markup`<section id="played"><h2>What was played</h2>
${factsOf([
  ['system', `${id} (${title}), ruleset ${RULESET}`],
  [
    'battles',
    `${grouped(battles)} ${best ? 'by those that are left' : 'each'}${from > 0 ? `, from battle ${grouped(from)} on` : ''}, the same dice`,
  ],
  ['seed', seed],
  ['version', `warpool ${version}`],
  ...names.map((name, s) => [name, scenarios[s] === undefined ? '' : scenarioHash(scenarios[s])] as const),
])}
${commandOf(command)}
${scenarios.map((scenario, s) => scenarioOf(scenario, names[s] ?? ''))}</section>`;
}

const METHODS = [
  'Battle i of a seed rolls the same dice in every scenario, so differences are paired, battle by battle. Intervals of differences hold all at once with 95 % (Bonferroni), those of single scenarios each by itself.',
  'A scenario stands before another if its figure is higher. Scenarios of one group, or that share a letter, cannot be told apart by these battles; that is no proof that they are equal. Where exact answers are known for all, they decide.',
];

/** The whole page of a comparison. */
export async function comparePage(result: Comparison, subject: ComparisonSubject): Promise<string> {
  const { names, scenarios, version, name } = subject;
  const { seed, battles, best, of } = result;
  const system = scenarios[0]?.system ?? '';
  const sides = scenarios[0] === undefined ? [] : sidesOf(scenarios[0]);
  const { counts = {} } = scenarios[0] === undefined ? {} : opened(scenarios[0]).system;
  const lead = [system, `${grouped(battles)} battles each`, 'the same dice', `seed ${seed}`].join(' · ');
  const footer = [
    name,
    system,
    cleanText(of),
    `${grouped(battles)} battles each`,
    `seed ${seed}`,
    `warpool ${version}`,
  ];
  const picture = await picturesOf([standingsPicture(result, names, counts, sides)], footer.join(' · '));
  const asked = (best?.looks.at(-1) ?? battles) * names.length;
  return shellOf({
    title: name,
    lead,
    warpool: version,
    style: SINGLE_STYLE,
    before: answer(result, names),
    sections: [
      { id: 'ranking', title: 'Ranking', body: ranks(result, names, asked, picture) },
      { id: 'differences', title: 'Differences', body: differences(result, names, sides) },
      { id: 'battles', title: 'One battle in two scenarios', body: await sameDice(result, subject) },
      { id: 'played', title: 'What was played', body: played(result, subject) },
      {
        id: 'methods',
        title: 'Methods',
        body: markup`<section id="methods"><h2>Methods</h2>${paragraphs(METHODS, 'note')}</section>`,
      },
    ],
  });
}
