/** The page of a run. */

import type { ExactResult, RuleCoverage, SimulationResult } from '../../../analysis/index.ts';
import { getBoundScenario } from '../../../rules/index.ts';
import type { MetricSummary } from '../../../stats/index.ts';
import { chooseExamples, simulateFirstBattles } from '../../examples/examples.ts';
import type { ExaminedBattle } from '../../examples/selection.ts';
import { assignObservedOutcomeColors, getSideColor } from '../../figures/colors.ts';
import { createConvergenceFigure } from '../../figures/convergence.ts';
import type { Figure } from '../../figures/figure.ts';
import { createOutcomesFigure, createResultsFigure } from '../../figures/results.ts';
import { createHeadline } from '../../odds/headline.ts';
import { createCoverageTable } from '../../run/battle-search.ts';
import { createRunSheet } from '../../run/run-sheet.ts';
import { getSides } from '../../scenario/sides.ts';
import { formatGrouped } from '../../text/number-format.ts';
import { markup } from '../markup.ts';
import { createExamplesSection } from './battles.ts';
import { createFigures, createParagraphs, createSection, type PageOrigin, renderCommandPage } from './command-page.ts';

export interface RunPageOrigin extends PageOrigin {
  /** Battles that were asked for. */
  readonly requestedBattles: number;
  /** The command that tells a battle of the run. */
  readonly replay: (battle: number) => string;
  /** Which rules applied in the first battles, if that was asked for. */
  readonly rules?: { readonly coverage: readonly RuleCoverage[]; readonly battles: number } | undefined;
}

/** Metrics that have a picture, at most. */
const MAX_FIGURES = 9;

/** A metric with so much of the battles at one value says little in a picture. */
const CONSTANT_SHARE = 0.995;

/** Metrics that move, totals before their parts, those that hardly move at the end. */
function selectMetrics(metrics: readonly MetricSummary[], battles: number): number[] {
  const rank = (m: number): number => {
    const { name = '', histogram = [] } = metrics[m] ?? {};
    const still = histogram.some(([, count]) => count > CONSTANT_SHARE * battles);
    return name.split('.').length + (still ? 100 : 0);
  };
  const moving = [...metrics.keys()].filter((m) => (metrics[m]?.min ?? 0) < (metrics[m]?.max ?? 0));
  return moving.sort((a, b) => rank(a) - rank(b));
}

/** 100, 200, 500, 1000, ... battles, up to so many. */
function listCheckpoints(most: number): number[] {
  const looks: number[] = [];
  for (let decade = 100; decade <= most; decade *= 10)
    looks.push(...[decade, 2 * decade, 5 * decade].filter((n) => n <= most));
  return looks;
}

/** How the estimate of the commonest outcome settles; nothing for short runs. */
function createConvergenceFigures(
  result: SimulationResult,
  battles: readonly ExaminedBattle[],
  exact: ExactResult | undefined,
): Figure[] {
  const { summary, from, to } = result;
  const { outcomes } = summary;
  const first = outcomes.reduce((most, { p }, o) => (p > (outcomes[most]?.p ?? 0) ? o : most), 0);
  const looks = listCheckpoints(battles.length).map((n) => ({
    battles: n,
    count: battles.reduce((sum, { outcome }, b) => (b < n && outcome === first ? sum + 1 : sum), 0),
  }));
  const { name = '', count = 0, p = 0 } = outcomes[first] ?? {};
  if (looks.length < 3 || p === 1) return [];
  const end = to - from > (looks.at(-1)?.battles ?? 0) ? [{ battles: to - from, count }] : [];
  const known = exact?.summary.outcomes[first]?.p;
  return [
    createConvergenceFigure({
      outcome: name,
      colour: getSideColor(name, getSides(result.scenario)),
      place: '',
      checkpoints: [...looks, ...end],
      ...(known !== undefined && { exact: known }),
    }),
  ];
}

/** Why there is no battle of draws from the exact law. */
const SAMPLED_NOTE =
  'The engine sampled draws endings from the exact law. They are no battles, so none can be told; a run with another engine has some.';

/** The whole page of a run, and of its exact answer where there is one. */
export async function renderRunPage(
  result: SimulationResult,
  exact: ExactResult | undefined,
  subject: RunPageOrigin,
): Promise<string> {
  const { scenario, summary, shape, tally, from, to, digest } = result;
  const { requestedBattles, replay, rules, name } = subject;
  const isDrawn = result.engine === 'sampled';
  const battles = isDrawn ? [] : await simulateFirstBattles(result);
  const colours = assignObservedOutcomeColors(summary.outcomes, getSides(scenario));
  const known = exact && new Map(exact.summary.outcomes.map(({ name: of, p }) => [of, p]));
  const moving = selectMetrics(summary.metrics, to - from);
  const { counts = {} } = getBoundScenario(scenario).system;
  const laws = moving
    .slice(0, MAX_FIGURES)
    .map((m) => createResultsFigure(shape, tally, m, colours, exact?.distribution, counts));
  const left = moving.length - laws.length;
  const more =
    left > 0 ? [`${formatGrouped(left)} further metrics that vary have no picture here; the table has them.`] : [];
  const { lines, finePrint } = createHeadline({
    scenario,
    exact: exact && { summary: exact.summary, tally: exact.distribution },
    simulated: { summary, tally, battles: to - from },
  });
  const covered = rules === undefined ? [] : [createCoverageTable(rules.coverage, rules.battles)];
  const page = {
    title: name,
    sheet: [...createRunSheet(result, name, exact, requestedBattles, 'none'), ...covered],
    answer: [...lines, ...finePrint],
    warning: result.complete
      ? undefined
      : `The run was interrupted: ${formatGrouped(to - from)} of ${formatGrouped(requestedBattles)} battles were played.`,
    pictures: [
      createOutcomesFigure(summary.outcomes, colours, known),
      ...createConvergenceFigures(result, battles, exact),
    ],
    sections: [
      isDrawn
        ? createSection('battles', 'Example battles', createParagraphs([SAMPLED_NOTE]))
        : createExamplesSection({
            ...{ result, replay, exact: exact !== undefined },
            examples: chooseExamples(scenario, battles, shape, tally, exact?.distribution),
          }),
      createSection(
        'distributions',
        'Distributions',
        markup`${await createFigures(laws, [name, `digest ${digest.slice(0, 16)}`, `warpool ${subject.version}`].join(' · '))}${createParagraphs(more, 'note')}`,
      ),
    ],
    facts: [
      ['digest', digest] as const,
      ...(exact
        ? [
            [
              'exact answer',
              `${formatGrouped(exact.states)} states, ${formatGrouped(exact.steps)} transitions`,
            ] as const,
          ]
        : []),
    ],
    scenarios: [[name, scenario] as const],
  };
  return await renderCommandPage(page, subject);
}
