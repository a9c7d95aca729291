/** The page of a run. */

import { RULESET } from '../../../answers/digest.ts';
import type { MetricSummary } from '../../../answers/summary.ts';
import { opened } from '../../../rules/opened.ts';
import type { RuleCoverage } from '../../../studies/coverage.ts';
import { disagreement } from '../../../studies/look.ts';
import type { SimulationResult } from '../../../studies/simulate.ts';
import type { ExactResult } from '../../../studies/solve.ts';
import { metricTable, outcomeTable } from '../../estimates.ts';
import type { Seen } from '../../examples/choose.ts';
import { chooseExamples, firstBattles } from '../../examples/examples.ts';
import { coverageTable } from '../../found.ts';
import { givenTable } from '../../given.ts';
import { leadOf } from '../../odds/lead.ts';
import { convergencePicture } from '../../pictures/convergence.ts';
import { coloursOf, endingsPicture, outcomesPicture } from '../../pictures/endings.ts';
import type { Picture } from '../../pictures/picture.ts';
import { stoppingLines } from '../../stopping.ts';
import { grouped } from '../../text/digits.ts';
import { sentence } from '../../text/sentence.ts';
import { type Markup, markup } from '../markup.ts';
import { shellOf } from '../shell.ts';
import { SINGLE_STYLE } from './dress.ts';
import { examplesOf } from './examples.ts';
import { answerOf, beside, commandOf, factsOf, paragraphs, picturesOf, type Subject, scenarioOf } from './parts.ts';
import { sheetOf } from './sheets.ts';

export interface RunSubject extends Subject {
  /** Battles that were asked for. */
  readonly asked: number;
  /** The command that tells a battle of the run. */
  readonly replay: (battle: number) => string;
  /** Which rules applied in the first battles, if that was asked for. */
  readonly rules?: { readonly coverage: readonly RuleCoverage[]; readonly battles: number } | undefined;
}

/** Metrics that have a picture, at most. */
const PICTURED = 9;

function answer({ scenario, summary, tally, from, to }: SimulationResult, exact: ExactResult | undefined): Markup {
  const played = { summary, tally, battles: to - from };
  const { lines, small } = leadOf({ scenario, exact: exact && { summary: exact.summary, tally: exact.law }, played });
  const [first, ...others] = lines;
  return first === undefined ? markup`` : answerOf(first, [...others, ...small]);
}

/** A metric with so much of the battles at one value says little in a picture. */
const STILL = 0.995;

/** Metrics that move, totals before their parts, those that hardly move at the end. */
function telling(metrics: readonly MetricSummary[], battles: number): number[] {
  const rank = (m: number): number => {
    const { name = '', histogram = [] } = metrics[m] ?? {};
    const still = histogram.some(([, count]) => count > STILL * battles);
    return name.split('.').length + (still ? 100 : 0);
  };
  const moving = [...metrics.keys()].filter((m) => (metrics[m]?.min ?? 0) < (metrics[m]?.max ?? 0));
  return moving.sort((a, b) => rank(a) - rank(b));
}

/** 100, 200, 500, 1000, ... battles, up to so many. */
function looksUpTo(most: number): number[] {
  const looks: number[] = [];
  for (let decade = 100; decade <= most; decade *= 10)
    looks.push(...[decade, 2 * decade, 5 * decade].filter((n) => n <= most));
  return looks;
}

/** How the estimate of the commonest outcome settles; nothing for short runs. */
function convergence(result: SimulationResult, battles: readonly Seen[], exact: ExactResult | undefined): Picture[] {
  const { summary, from, to } = result;
  const { outcomes } = summary;
  const first = outcomes.reduce((most, { p }, o) => (p > (outcomes[most]?.p ?? 0) ? o : most), 0);
  const looks = looksUpTo(battles.length).map((n) => ({
    battles: n,
    count: battles.reduce((sum, { outcome }, b) => (b < n && outcome === first ? sum + 1 : sum), 0),
  }));
  const { name = '', count = 0, p = 0 } = outcomes[first] ?? {};
  if (looks.length < 3 || p === 1) return [];
  const end = to - from > (looks.at(-1)?.battles ?? 0) ? [{ battles: to - from, count }] : [];
  const known = exact?.summary.outcomes[first]?.p;
  return [
    convergencePicture({
      outcome: name,
      place: '',
      looks: [...looks, ...end],
      ...(known !== undefined && { exact: known }),
    }),
  ];
}

function footerOf(result: SimulationResult, { name, version }: Subject): string {
  const { scenario, from, to, seed, digest } = result;
  return [
    name,
    scenario.system,
    `${grouped(to - from)} battles`,
    `seed ${seed}`,
    `digest ${digest.slice(0, 16)}`,
    `warpool ${version}`,
  ].join(' · ');
}

function facts(result: SimulationResult, exact: ExactResult | undefined, subject: RunSubject): Markup {
  const { scenario, from, to, seed, player, digest, scenarioHash } = result;
  const { title } = opened(scenario).system;
  return factsOf([
    ['scenario', `${subject.name}, ${scenarioHash}`],
    ['system', `${scenario.system} (${title}), ruleset ${RULESET}`],
    ['battles', `${grouped(to - from)}${from > 0 ? `, from battle ${grouped(from)} on` : ''}`],
    ['seed', seed],
    ['played by', player],
    [
      'exact answer',
      exact === undefined ? 'none' : `${grouped(exact.states)} states, ${grouped(exact.steps)} transitions`,
    ],
    ['digest', digest],
    ['version', `warpool ${subject.version}`],
  ]);
}

function played(result: SimulationResult, exact: ExactResult | undefined, subject: RunSubject): Markup {
  return markup`<section id="played"><h2>What was played</h2>
${facts(result, exact, subject)}
<p>The same scenario, seed and numbers of battles give the same battles, wherever they are played:</p>
${commandOf(subject.command)}
${scenarioOf(result.scenario)}</section>`;
}

const METHODS = [
  'Intervals of probabilities are those of Clopper and Pearson (1934), of means Student’s with one more battle at either end of the declared range, 95 % each by itself; where a precision was asked for, those of the stopping rule, which hold although the run ended there. “Unseen” is by how much values that came in no battle may move a mean, by its declared range; the interval counts it.',
  'z is by how many standard errors of the exact law an estimate misses the exact value; in brackets where what is counted is too rare for the normal law.',
];

function interruption({ complete, from, to }: SimulationResult, { asked }: RunSubject): Markup {
  if (complete) return markup``;
  return markup`<p class="open">The run was interrupted: ${grouped(to - from)} of ${grouped(asked)} battles were played.</p>`;
}

function doubted({ scenario, summary, from, to }: SimulationResult, exact: ExactResult | undefined): Markup {
  const text = disagreement(scenario, summary, exact?.summary, to - from);
  return text === undefined ? markup`` : markup`<p class="open">${text}</p>`;
}

function metrics(result: SimulationResult, exact: ExactResult | undefined, pictures: Markup, left: number): Markup {
  const { summary, shape, tally, from, to } = result;
  const more = left > 0 ? [`${grouped(left)} further metrics that vary have no picture here; the table has them.`] : [];
  const given = sheetOf(givenTable(shape, tally, summary, false));
  return markup`<section id="metrics"><h2>Metrics</h2>
${sheetOf(metricTable(summary, to - from, exact?.summary))}
${pictures}${paragraphs(more, 'note')}
${given.text === '' ? given : markup`<h3>Means by outcome</h3>${given}`}</section>`;
}

function ended({ stopping, summary }: SimulationResult): Markup {
  if (stopping === undefined) return markup``;
  const mean = summary.metrics.find(({ name }) => name === stopping.of)?.ci95;
  return paragraphs(stoppingLines(stopping, mean).map((line) => `${sentence(line)}.`));
}

function rulesOf({ rules }: RunSubject): Markup {
  if (rules === undefined) return markup``;
  const { coverage, battles } = rules;
  return markup`<section id="rules"><h2>Rules that applied</h2>${sheetOf(coverageTable(coverage, battles))}</section>`;
}

/** Why no battle is told of draws from the exact law. */
const DRAWN =
  'The engine sampled draws endings from the exact law. They are no battles, so none can be told; a run with another engine has some.';

/** The whole page of a run, and of its exact answer where there is one. */
export async function runPage(
  result: SimulationResult,
  exact: ExactResult | undefined,
  subject: RunSubject,
): Promise<string> {
  const { scenario, summary, shape, tally, from, to, seed, engine } = result;
  const drawn = engine === 'sampled';
  const battles = drawn ? [] : await firstBattles(result);
  const colours = coloursOf(summary.outcomes);
  const footer = footerOf(result, subject);
  const known = exact && new Map(exact.summary.outcomes.map(({ name, p }) => [name, p]));
  const moving = telling(summary.metrics, to - from);
  const shown = moving.slice(0, PICTURED);
  const { counts = {} } = opened(scenario).system;
  const laws = shown.map((m) => endingsPicture(shape, tally, m, colours, exact?.law, counts));
  const ends = [outcomesPicture(summary.outcomes, colours, known), ...convergence(result, battles, exact)];
  const examples = drawn ? undefined : chooseExamples(scenario, battles, shape, tally, exact?.law);
  const table = sheetOf(outcomeTable(summary, to - from, exact?.summary));
  const told = examples && examplesOf({ result, examples, exact: exact !== undefined, replay: subject.replay });
  return shellOf({
    title: subject.name,
    lead: [scenario.system, `${grouped(to - from)} battles`, `seed ${seed}`, result.player].join(' · '),
    warpool: subject.version,
    style: SINGLE_STYLE,
    before: markup`${interruption(result, subject)}${doubted(result, exact)}${answer(result, exact)}`,
    sections: [
      {
        id: 'outcomes',
        title: 'Outcomes',
        body: markup`<section id="outcomes"><h2>How battles end</h2>
${beside(markup`${table}${ended(result)}`, await picturesOf(ends, footer))}</section>`,
      },
      {
        id: 'battles',
        title: 'Battles told',
        body: told ?? markup`<section id="battles"><h2>Battles told</h2><p>${DRAWN}</p></section>`,
      },
      {
        id: 'metrics',
        title: 'Metrics',
        body: metrics(result, exact, await picturesOf(laws, footer), moving.length - shown.length),
      },
      { id: 'rules', title: 'Rules', body: rulesOf(subject) },
      { id: 'played', title: 'What was played', body: played(result, exact, subject) },
      {
        id: 'methods',
        title: 'Methods',
        body: markup`<section id="methods"><h2>Methods</h2>${paragraphs(METHODS, 'note')}</section>`,
      },
    ],
  });
}
