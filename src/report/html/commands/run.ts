/** HTML report of a run. */

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
  /** Requested number of battles. */
  readonly requestedBattles: number;
  /** Formats the command that replays a battle of the run. */
  readonly replay: (battle: number) => string;
  /** Rules that applied in the first battles, with --coverage. */
  readonly rules?: { readonly coverage: readonly RuleCoverage[]; readonly battles: number } | undefined;
}

/** Maximum number of metrics with a figure. */
const MAX_FIGURES = 9;

/** Metrics with a larger share of battles at one value are not informative. */
const CONSTANT_SHARE = 0.995;

/** Selects metrics that vary: totals before parts, and metrics that hardly vary last. */
function selectMetrics(metrics: readonly MetricSummary[], battles: number): number[] {
  const rank = (m: number): number => {
    const { name = '', histogram = [] } = metrics[m] ?? {};
    const still = histogram.some(([, count]) => count > CONSTANT_SHARE * battles);
    return name.split('.').length + (still ? 100 : 0);
  };
  const moving = [...metrics.keys()].filter((m) => (metrics[m]?.min ?? 0) < (metrics[m]?.max ?? 0));
  return moving.sort((a, b) => rank(a) - rank(b));
}

/** Lists 100, 200, 500, 1000, ... up to a number of battles. */
function listCheckpoints(most: number): number[] {
  const looks: number[] = [];
  for (let decade = 100; decade <= most; decade *= 10)
    looks.push(...[decade, 2 * decade, 5 * decade].filter((n) => n <= most));
  return looks;
}

/** Creates the convergence figure of the most frequent outcome. Empty for short runs. */
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

/** Reason why runs of the engine sampled have no battles. */
const SAMPLED_NOTE =
  'The engine sampled draws results from the exact distribution, so there are no battles to replay; other engines have them.';

/** Renders the HTML report of a run, with its exact results if there are some. */
export async function renderRunPage(
  result: SimulationResult,
  exact: ExactResult | undefined,
  subject: RunPageOrigin,
): Promise<string> {
  const { scenario, summary, shape, counts, from, to, digest } = result;
  const { requestedBattles, replay, rules, name } = subject;
  const isDrawn = result.engine === 'sampled';
  const battles = isDrawn ? [] : await simulateFirstBattles(result);
  const colors = assignObservedOutcomeColors(summary.outcomes, getSides(scenario));
  const known = exact && new Map(exact.summary.outcomes.map(({ name: of, p }) => [of, p]));
  const moving = selectMetrics(summary.metrics, to - from);
  const { counts: countable = {} } = getBoundScenario(scenario).system;
  const distributions = moving
    .slice(0, MAX_FIGURES)
    .map((m) => createResultsFigure(shape, counts, m, colors, exact?.distribution, countable));
  const left = moving.length - distributions.length;
  const more = left > 0 ? [`${formatGrouped(left)} further metrics that vary have no figure; see the table.`] : [];
  const { lines, finePrint } = createHeadline({
    scenario,
    exact: exact && { summary: exact.summary, counts: exact.distribution },
    simulated: { summary, counts, battles: to - from },
  });
  const covered = rules === undefined ? [] : [createCoverageTable(rules.coverage, rules.battles)];
  const page = {
    title: name,
    sheet: [...createRunSheet(result, name, exact, requestedBattles, 'none'), ...covered],
    answer: [...lines, ...finePrint],
    warning: result.complete
      ? undefined
      : `The run was interrupted: ${formatGrouped(to - from)} of ${formatGrouped(requestedBattles)} battles were simulated.`,
    pictures: [
      createOutcomesFigure(summary.outcomes, colors, known),
      ...createConvergenceFigures(result, battles, exact),
    ],
    sections: [
      isDrawn
        ? createSection('battles', 'Example battles', createParagraphs([SAMPLED_NOTE]))
        : createExamplesSection({
            ...{ result, replay, exact: exact !== undefined },
            examples: chooseExamples(scenario, battles, shape, counts, exact?.distribution),
          }),
      createSection(
        'distributions',
        'Distributions',
        markup`${await createFigures(distributions, [name, `digest ${digest.slice(0, 16)}`, `warpool ${subject.version}`].join(' · '), subject.renderSvg)}${createParagraphs(more, 'note')}`,
      ),
    ],
    facts: [
      ['digest', digest] as const,
      ...(exact
        ? [
            [
              'exact results',
              `${formatGrouped(exact.states)} states, ${formatGrouped(exact.steps)} transitions`,
            ] as const,
          ]
        : []),
    ],
    scenarios: [[name, scenario] as const],
  };
  return await renderCommandPage(page, subject);
}
