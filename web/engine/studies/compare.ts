/** Comparison of a scenario with a changed copy, paired battle by battle. */
import { stringify } from 'yaml';
import {
  type Comparison,
  compare as comparing,
  computeWhatIf,
  type RulesComparison,
  type WhatIfResult,
} from '../../../src/analysis/index.ts';
import { createSideBudget, runInCallingThread } from '../../../src/engines/index.ts';
import {
  type AnswerHeadline,
  addSign,
  capitalize,
  countDecimals,
  createDifferenceRangeNotes,
  createDifferenceTables,
  createDotPlotSpec,
  createOddsParts,
  createWhatIfQuestions,
  createWhatIfTables,
  type Dot,
  type Figure,
  formatArmies,
  formatCommandLine,
  formatFixed,
  formatGrouped,
  formatOutcome,
  formatOutcomeClause,
  formatPairVerdict,
  formatPercentNumber,
  formatQuantityHeading,
  formatRange,
  formatRules,
  formatSharePercent,
  getExactDifference,
  getSideColor,
  getSides,
  PLAIN_PAINT,
  type ProgressCount,
  type ScenarioSide,
  SHARE,
  type SheetBlock,
  SINGLE_COLUMN,
  sanitizeXmlText,
  toPlotValue,
  type WhatIfTable,
} from '../../../src/report/index.ts';
import { getBoundScenario, type Scenario } from '../../../src/rules/index.ts';
import { RULESET } from '../../../src/stats/index.ts';
import { createArmyForm } from '../editing/army-form.ts';
import { listAbsentTypes } from '../editing/army-form-edits.ts';
import { getFileStem } from '../file-stem.ts';
import { formatCsv, type PathChange, type RenderedFigure, renderFigure, setFields } from '../output/figures.ts';
import { createSheetParts, type SheetPart } from '../output/sheet.ts';
import { createDistributions, type MetricDistribution } from '../output/tables.ts';
import { computeQuickAnswer, getSignal, loadSolvableScenario, MAX_QUICK_BATTLES } from '../task.ts';

export interface CompareRequest {
  /** Text of the scenario. */
  readonly text: string;
  readonly file: string;
  /** Copy: changed fields, or another text. */
  readonly copy: readonly PathChange[] | string;
  readonly battles: number;
  readonly seed: string;
}

export interface ComparisonView {
  /** Headline of the first outcome. */
  readonly lines: readonly string[];
  readonly outcomeTable: readonly SheetPart[];
  readonly metricTable: readonly SheetPart[];
  readonly notes: readonly SheetPart[];
  /** Exact distributions of metrics, with the copy as marks; empty if not affordable. */
  readonly distributions: readonly MetricDistribution[];
  readonly picture: RenderedFigure;
  readonly csv: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly battles: number;
  /** False if it was stopped. */
  readonly complete: boolean;
  /** Equivalent command. */
  readonly command: string;
  /** Text of the copy. */
  readonly copy: string;
}

const VARIANT_NAMES = ['as it is', 'changed'] as const;

/** Creates the text of the copy. @throws InputError for an invalid path */
function createCopyText({ text, copy }: CompareRequest): string {
  return typeof copy === 'string' ? copy : setFields(text, copy);
}

/** Formats an assignment for `--set`. */
const formatAssignment = ([path, value]: PathChange): string => `${path}=${stringify(value).trim()}`;

/** Formats the equivalent command; a copy that was edited as text is a second file. */
function formatCompareCommand({ file, copy, seed }: CompareRequest, battles: number): string {
  const how = ['--battles', String(battles), '--seed', seed];
  if (typeof copy === 'string')
    return formatCommandLine('compare', { file }, `${getFileStem(file)}-changed.yaml`, ...how);
  return formatCommandLine(
    'compare-rules',
    { file },
    ...copy.flatMap((change) => ['--set', formatAssignment(change)]),
    ...how,
  );
}

const COLUMNS = [
  'kind',
  'name',
  'first',
  'second',
  'difference',
  'low',
  'high',
  'exact',
  'gain',
  'differing',
  'battles',
];

function createComparisonCsv(all: RulesComparison): string {
  const createRow = (
    kind: 'outcome' | 'metric',
    {
      name,
      difference,
      ci95,
      varianceReduction,
      differing,
    }: RulesComparison['outcomes'][number] | RulesComparison['metrics'][number],
    [first, second]: readonly [number, number],
  ) => {
    const exact = getExactDifference(all, kind === 'outcome' ? 'outcomes' : 'metrics', name);
    const reduction = Number.isFinite(varianceReduction) ? varianceReduction : null;
    return [kind, name, first, second, difference, ...ci95, exact ?? null, reduction, differing, all.battles];
  };
  return formatCsv(COLUMNS, [
    ...all.outcomes.map((outcome) => createRow('outcome', outcome, outcome.p)),
    ...all.metrics.map((metric) => createRow('metric', metric, metric.mean)),
  ]);
}

/** Creates the figure of differences of outcome probabilities with intervals. */
function createDifferenceFigure(all: RulesComparison, sides: readonly ScenarioSide[]): Figure {
  const shown = all.outcomes.filter(({ p }) => p[0] > 0 || p[1] > 0).slice(0, 24);
  const dots = shown.map(({ name, difference, ci95 }): Dot => {
    const text = addSign(formatPercentNumber(formatFixed, difference, countDecimals({ interval: ci95 }, SHARE, 2)));
    const head = formatQuantityHeading({ kind: 'outcome', name });
    const reported = `${head}: ${text} points, 95 % interval ${formatRange(ci95, (end) => formatPercentNumber(formatFixed, end, 3))}`;
    return {
      name: head,
      ...toPlotValue(SHARE, difference, ci95),
      colour: getSideColor(name, sides),
      text,
      tooltip: reported,
    };
  });
  const spec = createDotPlotSpec(dots, {
    title: 'effects of the change on outcomes',
    subtitle: 'changed minus as it is, with 95 % intervals',
    axis: 'difference (percentage points)',
    zero: true,
  });
  const caption =
    'Differences of outcome probabilities, the changed copy minus the scenario as it is, with 95 % intervals.';
  return { kind: 'standings', of: '', width: SINGLE_COLUMN, caption, spec };
}

function createFacts(scenario: Scenario, { battles, seed }: Comparison): ComparisonView['facts'] {
  return [
    ['system', formatRules(scenario)],
    ['battles', `${formatGrouped(battles)} per scenario, the same dice`],
    ['seed', seed],
  ];
}

/** Formats the headline: `The attacker wins: 36.3 % becomes 99.4 %.` */
function formatHeadline({ exact, outcomes }: RulesComparison, of: string, sides: readonly ScenarioSide[]): string {
  const counted = outcomes.find(({ name }) => name === of)?.p ?? [0, 0];
  const known = exact?.map((summary) => summary.outcomes.find(({ name }) => name === of)?.p ?? 0);
  const [before = '', after = ''] = (known ?? counted).map((p) => formatSharePercent(p, 1));
  const change = known !== undefined && known[0] === known[1] ? `${before}, as before` : `${before} becomes ${after}`;
  return `${capitalize(formatOutcomeClause(of, sides))}: ${change}${known === undefined ? ' in simulated battles' : ''}.`;
}

/** Removes columns that the command line drops first in narrow terminals. */
function dropSpareColumns(block: SheetBlock): SheetBlock {
  if (block.kind !== 'table') return block;
  const isKept = (_: unknown, c: number): boolean => block.heads[c]?.spare === undefined;
  return { ...block, heads: block.heads.filter(isKept), rows: block.rows.map((row) => row.filter(isKept)) };
}

async function createComparisonView(
  ask: CompareRequest,
  result: Comparison,
  scenario: Scenario,
): Promise<ComparisonView> {
  const { all, pairs, of, battles } = result;
  if (all === undefined) throw new TypeError('the result has no comparison of two scenarios');
  const sides = getSides(scenario);
  const [outcomeTable, metricTable] = createDifferenceTables(all, VARIANT_NAMES).map((table) =>
    createSheetParts(table.map(dropSpareColumns), sides),
  );
  const [first, second] = all.exact ?? [];
  const title = sanitizeXmlText(of);
  const { shape } = getBoundScenario(scenario);
  return {
    lines: pairs.flatMap((pair) => [
      formatHeadline(all, of, sides),
      ...(pair.verdict === 'tie' && pair.exact === undefined
        ? [formatPairVerdict(pair, title, VARIANT_NAMES, PLAIN_PAINT)]
        : []),
    ]),
    outcomeTable: outcomeTable ?? [],
    metricTable: metricTable ?? [],
    notes: createSheetParts(createDifferenceRangeNotes(all.metrics, battles)),
    distributions: first === undefined ? [] : createDistributions(first, shape, second, sides),
    picture: await renderFigure(
      createDifferenceFigure(all, sides),
      `${ask.file}, ${formatGrouped(battles)} battles per scenario, seed ${ask.seed}, ruleset ${RULESET}`,
      'compare',
    ),
    csv: createComparisonCsv(all),
    facts: createFacts(scenario, result),
    battles,
    complete: battles === ask.battles,
    command: formatCompareCommand(ask, battles),
    copy: createCopyText(ask),
  };
}

export const compare = {
  /** Sets fields in a text. @throws InputError for an invalid path */
  setFields,

  /**
   * Simulates both scenarios.
   * @param onProgress receives the progress, several times per second
   * @throws InputError for one of the texts, and if the systems differ
   * @throws RunError if it was stopped before the first battle
   */
  async compare(ask: CompareRequest, task: number, onProgress: (done: ProgressCount) => void): Promise<ComparisonView> {
    const scenario = await loadSolvableScenario(ask.text);
    const changed = await loadSolvableScenario(createCopyText(ask), 'copy');
    const result = await comparing([scenario, changed], {
      battles: ask.battles,
      seed: ask.seed,
      names: VARIANT_NAMES,
      pool: { play: runInCallingThread },
      signal: getSignal(task),
      onProgress,
    });
    return await createComparisonView(ask, result, scenario);
  },
};

// Effects of one more or one fewer unit on the win probability.

export interface WhatIfRequest {
  readonly text: string;
  readonly seed: string;
}

export interface WhatIfView {
  readonly tables: readonly WhatIfTable[];
  /** False if it was stopped. */
  readonly complete: boolean;
  /** True if all values are exact. */
  readonly exact: boolean;
}

/** Battles per cell without an exact answer. */
const BATTLES_PER_CELL = 20_000;

const isExact = ({ sides }: WhatIfResult): boolean =>
  sides.every(({ moved }) => moved.every(({ more, fewer }) => (more?.exact ?? true) && (fewer?.exact ?? true)));

export const whatIfMethods = {
  /**
   * Changes each number of the sides by one.
   * @param onProgress receives the number of completed steps
   * @throws InputError for the text
   */
  async whatIf(
    { text, seed }: WhatIfRequest,
    task: number,
    onProgress: (done: ProgressCount) => void,
  ): Promise<WhatIfView> {
    const scenario = await loadSolvableScenario(text);
    const questions = createWhatIfQuestions(scenario, listAbsentTypes(text, createArmyForm(text).sides));
    const requested = questions.map(({ side, of, counters }) => ({
      ...{ id: side.id, of },
      paths: counters.map(({ path }) => path),
    }));
    const options = { seed, battles: BATTLES_PER_CELL, budget: createSideBudget(200_000).steps };
    const found = await computeWhatIf(scenario, requested, { ...options, signal: getSignal(task), onProgress });
    const { complete } = found;
    return { tables: createWhatIfTables(scenario, questions, found), complete, exact: isExact(found) };
  },
};

// Odds of two scenarios: the pinned and the current one.

export interface ScenarioOdds {
  /** Units of both sides, `4 infantry, 2 tanks against 5 infantry`, else names of the sides; empty without sides. */
  readonly armies: string;
  readonly bar: AnswerHeadline['odds'];
  readonly outcomes: readonly { readonly name: string; readonly phrase: string; readonly p: number }[];
  /** Half-width of the widest 95 % interval; 0 for exact odds. */
  readonly error: number;
}

/** Budget of an exact answer in steps: at most one second. */
const MAX_EXACT_STEPS = 1_000_000;

export const oddsMethods = {
  /** Computes odds: exact if quick, else from up to a million battles. @throws InputError */
  async getOdds({ text, seed }: { readonly text: string; readonly seed: string }, task: number): Promise<ScenarioOdds> {
    const scenario = await loadSolvableScenario(text);
    const { exact, simulated } = await computeQuickAnswer(
      scenario,
      { seed, battles: MAX_QUICK_BATTLES, steps: MAX_EXACT_STEPS },
      task,
    );
    const found = (exact ?? simulated)?.summary;
    const { outcomes = [] } = found ?? {};
    const sides = getSides(scenario);
    const halves = exact === undefined ? outcomes.map(({ ci95: [low, high] = [0, 1] }) => (high - low) / 2) : [];
    return {
      armies: formatArmies(scenario, sides) ?? sides.map(({ name }) => capitalize(name)).join(' against '),
      bar: found === undefined ? [] : createOddsParts(found, sides),
      outcomes: outcomes.map(({ name, p }) => ({ name, phrase: formatOutcome(name), p })),
      error: Math.max(0, ...halves),
    };
  },
};
