/** The page of a run. */
import type { MetricSummary } from '../../../answers/index.ts';
import { opened } from '../../../rules/index.ts';
import type { ExactResult, RuleCoverage, SimulationResult } from '../../../studies/index.ts';
import type { Seen } from '../../examples/choose.ts';
import { chooseExamples, firstBattles } from '../../examples/examples.ts';
import { coverageTable } from '../../found.ts';
import { leadOf } from '../../odds/lead.ts';
import { colourIn, coloursOf } from '../../pictures/colours.ts';
import { convergencePicture } from '../../pictures/convergence.ts';
import { endingsPicture, outcomesPicture } from '../../pictures/endings.ts';
import type { Picture } from '../../pictures/picture.ts';
import { runSheet } from '../../sheet.ts';
import { sidesOf } from '../../sides.ts';
import { grouped } from '../../text/digits.ts';
import { markup } from '../markup.ts';
import { answerPage, paragraphs, picturesOf, type Subject, sectionOf } from './answer.ts';
import { examplesOf } from './battles.ts';

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
      colour: colourIn(name, sidesOf(result.scenario)),
      place: '',
      looks: [...looks, ...end],
      ...(known !== undefined && { exact: known }),
    }),
  ];
}

/** Why there is no battle of draws from the exact law. */
const DRAWN =
  'The engine sampled draws endings from the exact law. They are no battles, so none can be told; a run with another engine has some.';

/** The whole page of a run, and of its exact answer where there is one. */
export async function runPage(
  result: SimulationResult,
  exact: ExactResult | undefined,
  subject: RunSubject,
): Promise<string> {
  const { scenario, summary, shape, tally, from, to, digest } = result;
  const { asked, replay, rules, name } = subject;
  const isDrawn = result.engine === 'sampled';
  const battles = isDrawn ? [] : await firstBattles(result);
  const colours = coloursOf(summary.outcomes, sidesOf(scenario));
  const known = exact && new Map(exact.summary.outcomes.map(({ name: of, p }) => [of, p]));
  const moving = telling(summary.metrics, to - from);
  const { counts = {} } = opened(scenario).system;
  const laws = moving.slice(0, PICTURED).map((m) => endingsPicture(shape, tally, m, colours, exact?.law, counts));
  const left = moving.length - laws.length;
  const more = left > 0 ? [`${grouped(left)} further metrics that vary have no picture here; the table has them.`] : [];
  const { lines, small } = leadOf({
    scenario,
    exact: exact && { summary: exact.summary, tally: exact.law },
    played: { summary, tally, battles: to - from },
  });
  const covered = rules === undefined ? [] : [coverageTable(rules.coverage, rules.battles)];
  const page = {
    title: name,
    sheet: [...runSheet(result, name, exact, asked, 'none'), ...covered],
    answer: [...lines, ...small],
    alarm: result.complete
      ? undefined
      : `The run was interrupted: ${grouped(to - from)} of ${grouped(asked)} battles were played.`,
    pictures: [outcomesPicture(summary.outcomes, colours, known), ...convergence(result, battles, exact)],
    sections: [
      isDrawn
        ? sectionOf('battles', 'Example battles', paragraphs([DRAWN]))
        : examplesOf({
            ...{ result, replay, exact: exact !== undefined },
            examples: chooseExamples(scenario, battles, shape, tally, exact?.law),
          }),
      sectionOf(
        'distributions',
        'Distributions',
        markup`${await picturesOf(laws, [name, `digest ${digest.slice(0, 16)}`, `warpool ${subject.version}`].join(' · '))}${paragraphs(more, 'note')}`,
      ),
    ],
    facts: [
      ['digest', digest] as const,
      ...(exact
        ? [['exact answer', `${grouped(exact.states)} states, ${grouped(exact.steps)} transitions`] as const]
        : []),
    ],
    scenarios: [[name, scenario] as const],
  };
  return await answerPage(page, subject);
}
