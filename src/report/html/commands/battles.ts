/** Battles of an HTML report, event by event: example battles of a run, or one battle in two scenarios. */

import { replay, type SimulationResult } from '../../../analysis/index.ts';
import { getBoundScenario, type Scenario } from '../../../rules/index.ts';
import { listValueCounts } from '../../../stats/index.ts';
import type { ExampleBattle, ExampleKind, ExampleSelection } from '../../examples/examples.ts';
import { computeMedianSpreads, computeQuantile, type ExaminedBattle } from '../../examples/selection.ts';
import { formatOutcomeClause } from '../../odds/outcome-names.ts';
import { createReplayLines, type ReplayLine } from '../../run/replay.ts';
import { findMentionedSide, getSides, type ScenarioSide } from '../../scenario/sides.ts';
import { formatPercent, formatPercentNumber } from '../../sheet/estimated-value.ts';
import { createTable, type DeclaredColumn } from '../../sheet/sheet.ts';
import { capitalize } from '../../text/capitalize.ts';
import { formatExact, formatGrouped, formatNumber, formatSignificant } from '../../text/number-format.ts';
import { sanitizeXmlText } from '../../text/sanitize.ts';
import { PLAIN_PAINT } from '../../text/terminal-style.ts';
import { createToneMark, Markup, markup } from '../markup.ts';
import type { PageSection } from '../page-template.ts';
import {
  createCommandBlock,
  createDetails,
  createParagraphs,
  createSection,
  createSheetMarkup,
} from './command-page.ts';

/** Maximum number of events of a battle: about 200 rounds of two sides. */
const MAX_EVENTS = 1500;

/** Begins and ends bold text. Sanitized texts do not contain this character. */
const BOLD_MARK = '\u0001';

/** Converts bold marks to markup. */
function createBoldMarkup(text: string): Markup {
  const pieces = text.split(BOLD_MARK).map((piece, p) => (p % 2 === 1 ? markup`<b>${piece}</b>` : markup`${piece}`));
  return new Markup(pieces.map((piece) => piece.text).join(''));
}

/** Creates a step of a battle, with the color of its side. */
function createReplayStep({ opens, text, notes }: ReplayLine, sides: readonly ScenarioSide[]): Markup {
  if (opens) return markup`<h4>${text}</h4>`;
  const seen = createBoldMarkup(notes.join('; '));
  const tone = createToneMark(findMentionedSide(text.trim(), sides)?.tone ?? 'none');
  if (text === '') return markup`<p>${tone}${seen}</p>`;
  const deep = text.startsWith(' ') ? markup` class="deep"` : markup``;
  return markup`<p${deep}>${tone}${text.trim()}${notes.length === 0 ? seen : markup` <i>[</i>${seen}<i>]</i>`}</p>`;
}

/** Creates the replay of a battle, limited to `MAX_EVENTS` events. */
export function createReplayMarkup(scenario: Scenario, seed: string, battle: number): Markup {
  const { events } = replay(scenario, { seed, battle });
  const paint = { ...PLAIN_PAINT, bold: (text: string) => BOLD_MARK + text + BOLD_MARK };
  const passages = createReplayLines(events.slice(0, MAX_EVENTS), getBoundScenario(scenario).system, paint);
  if (passages.length === 0) return createParagraphs(['This battle has no rolls, decisions or losses.'], 'note');
  const rest = events.length > MAX_EVENTS ? ['The battle continues; the command prints all of it.'] : [];
  const sides = getSides(scenario);
  return markup`<div class="tale" tabindex="0">${passages.map((each) => createReplayStep(each, sides))}${createParagraphs(rest, 'note')}</div>`;
}

/** Battle of an HTML report. */
interface BattlePageEntry {
  readonly title: string;
  readonly scenario: Scenario;
  readonly seed: string;
  readonly examined: ExaminedBattle;
  /** Formats the command that replays the battle. */
  readonly replay: (battle: number) => string;
  /** Reason for the choice of this battle. */
  readonly why?: string;
  readonly details?: Markup;
}

export function createBattle({
  title,
  scenario,
  seed,
  examined,
  why = '',
  details = markup``,
  ...reported
}: BattlePageEntry): Markup {
  const end = capitalize(
    formatOutcomeClause(getBoundScenario(scenario).model.outcomes[examined.outcome] ?? '', getSides(scenario)),
  );
  return markup`<article><h3>${title}: battle ${formatGrouped(examined.battle)}</h3>
<p><b>${end}.</b> ${why}</p>${details}
${createReplayMarkup(scenario, seed, examined.battle)}
${createCommandBlock(reported.replay(examined.battle))}</article>`;
}

/** Creates a section with battles next to each other. @param why method of their selection */
export const createBattlesSection = (title: string, battles: readonly Markup[], why: string): PageSection =>
  createSection('battles', title, markup`<div class="tales">${battles}</div>${createParagraphs([why], 'note')}`);

/** Run with its example battles. */
interface RunExamples {
  readonly result: SimulationResult;
  readonly examples: ExampleSelection;
  /** True if the exact distribution is known. */
  readonly exact: boolean;
  readonly replay: (battle: number) => string;
}

function formatRarity(
  example: ExampleBattle,
  outcome: string,
  { result: { shape }, examples, exact }: RunExamples,
): string {
  const { share, metric } = examples.rarityOf(example);
  if (share === 1) return 'All battles have this outcome.';
  const { name = '', unit = 1 } = shape.metrics[metric?.index ?? -1] ?? {};
  const end =
    metric &&
    ` with ${sanitizeXmlText(name)} ${formatNumber(metric.value * unit)} or ${metric.end === 'most' ? 'more' : 'less'}`;
  const known = exact ? 'of all battles (exact)' : 'of the battles of the run';
  return `${share < 0.5 ? 'Only ' : ''}${formatPercent(formatExact, share, share < 0.001 ? 4 : 2)} ${known} end “${outcome}”${end ?? ''}.`;
}

function formatCloseness(example: ExampleBattle, examples: ExampleSelection): string {
  const { figure = 0, player = '', lead = 0 } = examples.closenessOf(example) ?? {};
  if (examples.by === 'margin') return `The margin was ${formatNumber(figure)}.`;
  const gap = `${formatPercentNumber(formatSignificant, figure, 3)} points ${lead < 0 ? 'less' : 'more'}`;
  return `The remaining share of ${sanitizeXmlText(player)} was ${gap} than the remaining share of the other side.`;
}

/** Creates the table of the metrics of a battle and of the run, without metrics that never vary. */
function createBattleMetrics(
  example: ExampleBattle,
  outcome: string,
  { result: { shape, counts } }: RunExamples,
): Markup {
  const middles = computeMedianSpreads(shape, counts, example.outcome);
  const of = (head: string, value: (metric: number) => number | undefined): DeclaredColumn<number> => ({
    ...{ head, about: '' },
    cell: (m) => formatNumber((value(m) ?? Number.NaN) * (shape.metrics[m]?.unit ?? 1)),
  });
  const columns = [
    { head: 'metric', align: 'left', about: '', cell: (m) => shape.metrics[m]?.name ?? '' } as DeclaredColumn<number>,
    of('this battle', (m) => example.metrics[m]),
    of(`median, “${outcome}”`, (m) => middles[m]?.median),
    of('median of all', (m) => computeQuantile(listValueCounts(counts, m), 0.5)),
  ];
  const rows = [...shape.metrics.keys()].filter((m) => listValueCounts(counts, m).length > 1);
  return rows.length === 0 ? markup`` : createDetails('Metrics', createSheetMarkup([createTable(columns, rows)]));
}

function createExample(example: ExampleBattle, run: RunExamples): Markup {
  const { result, examples, replay } = run;
  const outcome = sanitizeXmlText(result.shape.outcomes[example.outcome] ?? '');
  const reasons: Record<ExampleKind, () => string> = {
    typical: () => `It has the most frequent outcome, “${outcome}”, and metrics near their medians.`,
    closest: () => formatCloseness(example, examples),
    strangest: () => formatRarity(example, outcome, run),
  };
  const title = capitalize(example.kinds.join(', ').replace(/, (\w+)$/, ' and $1'));
  const why = example.kinds.map((kind) => reasons[kind]()).join(' ');
  const { scenario, seed } = result;
  return createBattle({
    title,
    scenario,
    seed,
    examined: example,
    replay,
    why,
    details: createBattleMetrics(example, outcome, run),
  });
}

/** Creates the section of the example battles of a run. */
export function createExamplesSection(run: RunExamples): PageSection {
  const { result, examples } = run;
  const examined = examples.battles.length;
  const which = examined === result.to - result.from ? 'all' : 'the first';
  return createBattlesSection(
    'Example battles',
    examples.examples.map((example) => createExample(example, run)),
    `They are selected from ${which} ${formatGrouped(examined)} battles; among equal ones, the first is selected.`,
  );
}
