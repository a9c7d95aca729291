/** Public interface of the module. */

export {
  createBalanceJson,
  createBalanceSheet,
  createBalanceTable,
  formatBalanceVerdict,
  formatConfidence,
  formatSearchCoverage,
  selectShownSettings,
} from './balance/balance.ts';
export {
  createProblemSettingJson,
  createSolutionJson,
  createSolutionSheet,
} from './balance/solution.ts';
export { type CheckedFile, createCheckJson, formatCheckLine, formatCheckMarkdown } from './checks/check.ts';
export {
  type ConformanceResult,
  createConformanceJson,
  formatConformanceSheet,
  isConformant,
} from './checks/conformance.ts';
export {
  createExpectationAnnotations,
  createExpectationsJson,
  type ExpectationFileResult,
  formatExpectationFailures,
  formatExpectationsJUnit,
  formatExpectationsMarkdown,
  formatExpectationsSheet,
} from './checks/expectations.ts';
export { type Annotation, createInputAnnotations, formatWorkflowCommand } from './checks/github.ts';
export { formatColumnsSheet } from './columns/columns-sheet.ts';
export { COMMANDS_WITH_TABLES } from './columns/topics.ts';
export { createBestScenarioSheet } from './compare/best-scenario.ts';
export { createComparisonSheet, formatPairVerdict } from './compare/comparison.ts';
export {
  createDifferenceRangeNotes,
  createDifferenceTables,
  createRulesComparisonSheet,
  getExactDifference,
} from './compare/rules-comparison.ts';
export { createPrismFiles, formatPrismCommands } from './export/prism.ts';
export { createBalanceFigure } from './figures/balance.ts';
export { getSideColor } from './figures/colors.ts';
export { createDotPlotSpec, type Dot } from './figures/dot-plot.ts';
export type { Figure } from './figures/figure.ts';
export { createHeatMap } from './figures/heat-map.ts';
export { type ChartLine, createLineChart } from './figures/line-chart.ts';
export { createMatchupMaps } from './figures/matchup-map.ts';
export { createSensitivityFigure } from './figures/sensitivity.ts';
export { createSettingMap } from './figures/setting-map.ts';
export { drawFigure, type VegaDrawer } from './figures/svg.ts';
export { SINGLE_COLUMN } from './figures/theme.ts';
export { createFitJson, createFitSheet } from './fit/fit.ts';
export {
  createComparisonJson,
  createCoverageJson,
  createExactJson,
  createFindJson,
  createReplayJson,
  createRulesComparisonJson,
  createRunJson,
  type ScenarioLabel,
} from './json.ts';
export { createLink, readLink } from './link/link.ts';
export {
  FILE_NAME_PATTERN,
  type LinkContent,
  parseLinkContent,
  type RequestedEffort,
  sanitizeFileName,
  TEXT_LIMIT,
  toPlainContent,
} from './link/link-content.ts';
export { createCertificationJson, createCertificationSheet } from './matchup/certification.ts';
export { createMatchupJson, createMatchupSheet, type MatchupAblation } from './matchup/matchup.ts';
export { formatArmies } from './odds/armies.ts';
export { formatCountedNoun } from './odds/counted-noun.ts';
export { type AnsweredScenario, type AnswerHeadline, createHeadline, type SummarizedCounts } from './odds/headline.ts';
export {
  createLuckReports,
  LUCK_ORDER_EXPLANATION,
  type LuckOption,
  type LuckReport,
  listLuckOptions,
} from './odds/luck.ts';
export { createOddsParts, type PlacedPart, placeParts } from './odds/odds-bar.ts';
export { formatOutcomeClause } from './odds/outcome-names.ts';
export { formatRoughPercent, formatSharePercent } from './odds/probability-text.ts';
export { createWhatIfQuestions, createWhatIfTables, type WhatIfTable } from './odds/what-if.ts';
export { formatRules } from './origin.ts';
export { createBestResponseJson, createBestResponseSheet } from './policies/best-response.ts';
export {
  createEquilibriumJson,
  createEquilibriumSheet,
  createExploitabilityJson,
  createExploitabilitySheet,
} from './policies/equilibrium.ts';
export { createRolloutJson, formatRolloutSheet } from './policies/rollout.ts';
export { createGradeJson, createGradeSheet, createTaskListSheet, createTaskSheet } from './policies/suite.ts';
export { createCoverageTable, formatFindSheet } from './run/battle-search.ts';
export { createConditionalMeansTable } from './run/conditional-means.ts';
export {
  createExactMetricTable,
  createExactOutcomeTable,
  createMetricTable,
  createOutcomeTable,
} from './run/estimate-tables.ts';
export { createReplayLines, formatReplay, formatReplayLines, type ReplayLine } from './run/replay.ts';
export { createResumableRunJson } from './run/resumable-run.ts';
export { createExactSheet, createRunSheet } from './run/run-sheet.ts';
export { formatPrecisionNotReached, formatStopping } from './run/stopping.ts';
export { listSettings, type ScenarioSetting } from './scenario/settings.ts';
export { findMentionedSide, findSide, getSides, type ScenarioSide } from './scenario/sides.ts';
export { createTableTones, type SideTone, type TableTones } from './scenario/table-tones.ts';
export { createOutputJsonSchema, describeOutput, OUTPUT_NAMES, type OutputName } from './schemas/index.ts';
export { createOneAtATimeBlocks } from './sensitivity/one-at-a-time.ts';
export {
  createSensitivityJson,
  createSensitivitySheet,
  formatCellCounts,
  formatMethod,
} from './sensitivity/sensitivity.ts';
export { CARD_SIZE, renderCardSvg } from './share/card.ts';
export { formatChatMessage } from './share/chat.ts';
export {
  createSharedAnswer,
  formatOdds,
  formatSharedAnswer,
  type SharedAnswer,
  selectHeadlineParts,
} from './share/shared-answer.ts';
export {
  addSign,
  countDecimals,
  formatInterval,
  formatIntervalOrExact,
  formatPercentNumber,
  formatRange,
  formatValue,
  getScale,
  getTargetScale,
  SHARE,
  toPlotValue,
} from './sheet/estimated-value.ts';
export { formatBlocks, formatSheet, type Sheet, type SheetBlock, toPlainTable } from './sheet/sheet.ts';
export {
  createMergeJson,
  createPreparedStoreJson,
  createSweepShardJson,
  formatMergeSheet,
  formatPreparedStoreSheet,
  formatSweepShardSheet,
} from './sweep/shards.ts';
export { createSweepEstimateJson, createSweepJson, formatSweepEstimateSheet, formatSweepSheet } from './sweep/sweep.ts';
export { createVerifyJson, formatVerifySheet } from './sweep/verification.ts';
export { type CellTile, collectFigureData } from './sweep-analysis/figure-data.ts';
export { formatOutcome } from './sweep-analysis/outcome-text.ts';
export {
  formatCellPlace,
  formatQuantityHeading,
  formatQuantityTitle,
  formatReading,
  getQuantityKey,
  type SweepQuantity,
} from './sweep-analysis/quantity.ts';
export { createSweepView, type SweepView } from './sweep-analysis/view.ts';
export { createReportJson } from './sweep-report/json.ts';
export { createFileNames, createSweepReport, formatFooter, type SweepReport } from './sweep-report/report.ts';
export { formatSweepReportSheet } from './sweep-report/sheet.ts';
export { formatAcceptedValues, formatItemCount } from './systems/field-list.ts';
export { createSystemEntry, formatSystemList, formatSystemSheet, type SystemEntry } from './systems/system-list.ts';
export { capitalize } from './text/capitalize.ts';
export { joinHeading } from './text/column.ts';
export { formatCommandLine, removeOverridden, type ScenarioOptions } from './text/command-line.ts';
export { escaped } from './text/escape.ts';
export {
  createHistogramBins,
  type HistogramBin,
  mixDistributions,
  sumBinWeight,
  sumWeights,
} from './text/histogram.ts';
export { preventNumberBreaks } from './text/number-breaks.ts';
export {
  formatDuration,
  formatExact,
  formatFixed,
  formatGrouped,
  formatNumber,
  formatSignificant,
  formatThreadCount,
} from './text/number-format.ts';
export { formatProgress, formatSweepProgress, type ProgressCount, type SweepProgressState } from './text/progress.ts';
export { sanitizeLine, sanitizeLines, sanitizeXmlText } from './text/sanitize.ts';
export { formatTable, PLAIN_PAINT, type TerminalStyle } from './text/table.ts';
export { PLAIN_STYLE } from './text/terminal-style.ts';
