/** Terminal report of a sweep. */

import { formatPercentNumber } from '../sheet/estimated-value.ts';
import { formatBlocks } from '../sheet/sheet.ts';
import type { QuantityAnalysis } from '../sweep-analysis/analysis.ts';
import { listNeverObserved } from '../sweep-analysis/findings.ts';
import { formatAxisTitle } from '../sweep-analysis/quantity.ts';
import { formatFixed } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { formatDimSentence, formatTable, type TerminalStyle, type TextColumn, wrapText } from '../text/table.ts';
import { createFactRows, createOverviewSentences, createScoreSentences } from './facts-text.ts';
import { createFindingsText, formatDuplicates } from './findings-text.ts';
import type { SweepReport } from './report.ts';
import {
  createAxisTable,
  createOverviewTable,
  createRankingTables,
  createZScoreTable,
  listOverviewQuantities,
} from './tables.ts';
import { createUnitValueBlocks } from './unit-values.ts';

function formatHead({ survey }: SweepReport, look: TerminalStyle): string[] {
  const { name, complete } = survey.facts;
  const open = 'not complete: missing cells can change every value over the cells';
  return [look.paint.bold(sanitizeLine(name)), ...(complete ? [] : [look.paint.yellow(open)])];
}

function formatFacts({ survey }: SweepReport, look: TerminalStyle): string[] {
  const rows = createFactRows(survey).map(([what, text]) => `${look.paint.dim(what.padEnd(13))}  ${text}`);
  return [...rows, '', ...formatBlocks([createAxisTable(survey)], look)];
}

function formatOverview(report: SweepReport, look: TerminalStyle): string[] {
  const shown = listOverviewQuantities(report);
  const notes = [...createOverviewSentences(report.survey, shown), formatDuplicates(report.duplicates)];
  const table = createOverviewTable(shown, ({ name }) => sanitizeLine(name));
  return [
    ...formatBlocks([table], look),
    ...notes.flatMap((text) => wrapText(text, 0, look.width)).map(look.paint.dim),
  ];
}

/** Maximum numbers of sentences on balanced cells and on effects. The HTML report has all. */
const MAX_SENTENCES = [2, 3] as const;

/** Formats the findings. */
function formatFindings({ answers: found, survey }: SweepReport, look: TerminalStyle): string[] {
  if (found === undefined) return [];
  const { of, balanced, matters, odd } = createFindingsText(found, survey);
  const formatLines = (title: string, sentences: readonly string[]): string[] => [
    look.paint.bold(title),
    ...sentences.flatMap((text) => wrapText(text, 2, look.width)),
  ];
  return [
    ...(found.main.kind === 'outcome' ? formatLines(`balanced cells: ${of}`, balanced.slice(0, MAX_SENTENCES[0])) : []),
    ...formatLines(`main effects: ${of}`, matters.slice(0, MAX_SENTENCES[1])),
    ...formatLines('anomalies', odd),
  ];
}

/** In narrow tables, the last columns of effects are omitted first; the first one stays. */
const getDropOrder = (v: number, of: number): Pick<TextColumn, 'spare'> => (v === 0 ? {} : { spare: of - v });

/** Formats the shares of the variance between cells, with one column for each outcome or metric. */
function formatEffects({ shown, survey }: SweepReport, look: TerminalStyle): string[] {
  const { axes } = survey.facts;
  const varying = shown.filter(({ effects: { noise } }) => noise !== undefined);
  if (axes.length < 2 || varying.length === 0) return [];
  const heads: TextColumn[] = [
    { head: 'main effect, %', align: 'left' },
    ...varying.map(
      ({ quantity }, v): TextColumn => ({
        head: sanitizeLine(quantity.name),
        isName: true,
        align: 'point',
        ...getDropOrder(v, varying.length),
      }),
    ),
  ];
  const share = (value: number | undefined): string =>
    value === undefined ? '' : formatPercentNumber(formatFixed, value, 1);
  const formatLine = (name: string, of: (each: QuantityAnalysis) => number | undefined): string[] => [
    name,
    ...varying.map((each) => share(of(each))),
  ];
  const rest = varying.every((each) => each.effects.rest !== undefined);
  const rows = [
    ...axes.map((axis, a) => formatLine(formatAxisTitle(axis), (each) => each.effects.axes[a]?.share)),
    ...(rest ? [formatLine('interactions', (each) => each.effects.rest)] : []),
    ...(varying.some((each) => each.effects.noise !== 0)
      ? [formatLine('at most chance', (each) => each.effects.noise)]
      : []),
  ];
  return formatTable(heads, rows, look);
}

function formatRanking(of: QuantityAnalysis, report: SweepReport, look: TerminalStyle): string[] {
  return createRankingTables(of, report).flatMap(([title, table], t) => [
    ...(t > 0 ? [''] : []),
    look.paint.bold(title),
    ...formatBlocks([table], look),
  ]);
}

/** Lists quantities without a ranking. */
function formatOmittedQuantities({ survey, shown, duplicates }: SweepReport, look: TerminalStyle): string[] {
  const left = new Set([...listNeverObserved(survey), ...shown, ...duplicates]);
  const names = survey.quantities.filter((each) => !left.has(each)).map(({ quantity }) => sanitizeLine(quantity.name));
  return names.length === 0 ? [] : formatDimSentence(`(Select others with --of: ${names.join(', ')}.)`, look);
}

function formatScores({ survey }: SweepReport, look: TerminalStyle): string[] {
  const sentences = createScoreSentences(survey).flatMap((sentence) => wrapText(sentence, 0, look.width));
  if (sentences.length === 0) return [];
  return [...formatBlocks([createZScoreTable(survey)], look), ...sentences.map(look.paint.dim)];
}

/** Formats the report: findings, settings, main effects, highest and lowest cells, z-scores. */
export function formatSweepReportSheet(report: SweepReport, look: TerminalStyle): string {
  const blocks = [
    [...formatHead(report, look), ...formatFindings(report, look)],
    formatFacts(report, look),
    formatOverview(report, look),
    formatBlocks(createUnitValueBlocks(report), look),
    formatEffects(report, look),
    ...report.shown.map((each) => formatRanking(each, report, look)),
    formatOmittedQuantities(report, look),
    formatScores(report, look),
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}
