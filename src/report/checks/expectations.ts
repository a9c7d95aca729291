/** Output of `assert`: a table, JSON, JUnit XML, annotations and Markdown. */

import type { ExpectationResult, ValueExpectation } from '../../analysis/node.ts';
import { InputError, splitPlace } from '../../core/index.ts';
import { createVersionInfo, hashScenario, identifyRules } from '../../stats/index.ts';
import { formatPercent, formatValue, INPUT_SCALE } from '../sheet/estimated-value.ts';
import { formatGrouped, formatNumber } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { formatDimSentence, formatTable, joinFacts, type TerminalStyle, type TextColumn } from '../text/table.ts';
import {
  formatExpectationResult,
  formatReason,
  formatResultValue,
  formatShortExpectation,
  formatSubject,
  getResultValue,
  isExact,
} from './expectation-text.ts';
import { type Annotation, escapeMarkdown, formatMarkdownTable } from './github.ts';
import { formatJUnitXml, type JUnitCase } from './junit.ts';

const VERDICTS = ['holds', 'fails', 'undecided', 'interrupted'] as const;

type VerdictPaints = Readonly<Record<ExpectationResult['verdict'], (text: string) => string>>;

const getVerdictPaints = ({ paint }: TerminalStyle): VerdictPaints => ({
  holds: paint.green,
  fails: paint.red,
  undecided: paint.yellow,
  interrupted: paint.yellow,
});

function countVerdicts(judged: readonly ExpectationResult[], verdict: ExpectationResult['verdict']): number {
  return judged.filter((each) => each.verdict === verdict).length;
}

const HEADINGS: readonly TextColumn[] = [
  { head: 'expectation', align: 'left' },
  { head: '', align: 'left' },
  { head: 'of', align: 'left', breaks: true, spare: 2 },
  { head: 'value', align: 'point' },
  { head: 'interval', align: 'left', spare: 3 },
  { head: 'expected', align: 'left' },
  { head: 'battles', spare: 1 },
];

function formatVerdictTable(judged: readonly ExpectationResult[], look: TerminalStyle): string[] {
  const paint = getVerdictPaints(look);
  const createRow = (each: ExpectationResult): string[] => [
    each.expectation.name,
    paint[each.verdict](each.verdict),
    formatSubject(each),
    formatValue(INPUT_SCALE, getResultValue(each)),
    formatResultValue(each),
    formatShortExpectation(each),
    each.battles === 0 ? '' : formatGrouped(each.battles),
  ];
  return formatTable(HEADINGS, judged.map(createRow), look);
}

/** `3 expectations: 2 hold, 1 fails`. */
function formatSummary(judged: readonly ExpectationResult[]): string {
  const words: Readonly<Record<ExpectationResult['verdict'], readonly [one: string, more: string]>> = {
    holds: ['holds', 'hold'],
    fails: ['fails', 'fail'],
    undecided: ['is undecided', 'are undecided'],
    interrupted: ['was interrupted', 'were interrupted'],
  };
  const parts = VERDICTS.flatMap((verdict) => {
    const count = countVerdicts(judged, verdict);
    return count === 0 ? [] : [`${String(count)} ${words[verdict][count === 1 ? 0 : 1]}`];
  });
  return `${String(judged.length)} expectation${judged.length === 1 ? '' : 's'}: ${parts.join(', ')}`;
}

/** Expectations on values that were decided by simulation. */
function selectSimulatedExpectations(judged: readonly ExpectationResult[]): ValueExpectation[] {
  return judged
    .filter((each) => !isExact(each) && each.verdict !== 'interrupted')
    .flatMap(({ expectation }) => (expectation.kind === 'value' ? [expectation] : []));
}

/** Validity of intervals of means. */
const MEANS = {
  plain: 'Intervals of means include the possible effect of unobserved values in the declared range of the metric.',
  bounded: 'Intervals of means are valid for every distribution in the declared range of the metric.',
};

const SNAPSHOT =
  'Simulated values fail against their snapshot with this error; changes within the intervals are not detected.';

/** Formats the reliability of the verdicts. */
function formatNotes(judged: readonly ExpectationResult[]): string[] {
  const simulated = selectSimulatedExpectations(judged);
  if (judged.every(isExact)) return ['All verdicts are exact.'];
  const digests = judged.some(({ digest }) => digest !== undefined) ? ['Digests must match exactly.'] : [];
  const [one] = simulated;
  if (one === undefined) return digests;
  const together = simulated.reduce((sum, { error }) => sum + error, 0);
  const each = simulated.every(({ error }) => error === one.error);
  const single = each ? `${formatShare(one.error)} each, ` : '';
  const lines = [
    ...digests,
    `Error probability of verdicts by simulation: at most ${single}${formatShare(Math.min(1, together))} in total.`,
  ];
  const means = simulated.filter(({ quantity }) => quantity.kind === 'mean');
  if (means.length > 0) lines.push(MEANS[means.every(({ bounded }) => bounded) ? 'bounded' : 'plain']);
  if (simulated.some(({ snapshot }) => snapshot !== undefined)) lines.push(SNAPSHOT);
  if (countVerdicts(judged, 'undecided') > 0)
    lines.push('Undecided: the interval contains a bound. More battles may decide.');
  return lines;
}

function formatShare(share: number): string {
  return formatPercent(formatNumber, share);
}

/** @param name of the file */
export function formatExpectationsSheet(
  judged: readonly ExpectationResult[],
  name: string,
  look: TerminalStyle,
): string {
  const { paint } = look;
  const heading = joinFacts([paint.bold(sanitizeLine(name)), formatSummary(judged)], look);
  const sentences = formatNotes(judged).flatMap((note) => formatDimSentence(note, look));
  return `${[...heading, '', ...formatVerdictTable(judged, look), '', ...sentences].join('\n')}\n`;
}

const toFiniteOrNull = (bound: number): number | null => (Number.isFinite(bound) ? bound : null);

/** Creates the JSON of a condition: bounds of a number, or a digest. */
function createExpectationJson(expectation: ExpectationResult['expectation']) {
  const { snapshot } = expectation;
  const { value = null, interval = null, digest = null, ruleset = null } = snapshot?.kept ?? {};
  const stored = snapshot === undefined ? null : { value, interval, digest, ruleset };
  if (expectation.kind === 'digest')
    return {
      of: 'digest',
      kind: 'digest',
      low: null,
      high: null,
      expected: expectation.digest ?? digest,
      snapshot: stored,
      errorRate: null,
      bounded: null,
    };
  const { quantity, bounds, error, bounded } = expectation;
  const { of, kind } = quantity;
  return {
    of,
    kind,
    low: toFiniteOrNull(bounds[0]),
    high: toFiniteOrNull(bounds[1]),
    expected: null,
    snapshot: stored,
    errorRate: error,
    bounded,
  };
}

/** @param passed true if the exit code is 0 */
export function createExpectationsJson(
  judged: readonly ExpectationResult[],
  files: readonly string[],
  passed: boolean,
) {
  return {
    ...createVersionInfo(),
    file: files.length === 1 ? files[0] : files,
    passed,
    ...Object.fromEntries(VERDICTS.map((verdict) => [verdict, countVerdicts(judged, verdict)])),
    expectations: judged.map((each) => {
      const { expectation, verdict, battles } = each;
      const { name, place, scenario, file: from = null, expect, seed } = expectation;
      const { value = null, interval = null } = getResultValue(each);
      const { unobserved = null } = each;
      return {
        name,
        place,
        scenario: { file: from, name: scenario.name ?? null, ...identifyRules(scenario), hash: hashScenario(scenario) },
        expect,
        ...createExpectationJson(expectation),
        verdict,
        exact: isExact(each),
        value,
        interval,
        unobserved,
        digest: each.digest ?? null,
        reason: formatReason(each).replace(/^; /, '') || null,
        battles,
        maxBattles: expectation.battles,
        seed,
      };
    }),
  };
}

/** Formats the result of an expectation as one line. */
function formatVerdictLine(each: ExpectationResult): string {
  return formatExpectationResult(each, each.expectation.kind === 'value' ? formatShare(each.expectation.error) : '');
}

/** Formats one line for each expectation that does not hold, for standard error and logs. */
export function formatExpectationFailures(judged: readonly ExpectationResult[]): string[] {
  return judged
    .filter(({ verdict }) => verdict !== 'holds')
    .map((each) => `${sanitizeLine(each.expectation.name)}: ${formatVerdictLine(each)}`);
}

/** Result of an expectations file: verdicts, or the error that prevented them. */
export interface ExpectationFileResult {
  readonly file: string;
  readonly judged: readonly ExpectationResult[];
  /** Seconds of each expectation; the time of a shared exact distribution counts for the first one. */
  readonly seconds: readonly number[];
  readonly error?: Error;
}

/** Creates one test case for each error of a file without verdicts. */
function createErrorCases(file: string, error: unknown): JUnitCase[] {
  const each = error instanceof InputError ? error.errors : [error];
  return each.map((one) => {
    const text = one instanceof Error ? one.message : String(one);
    const [message = ''] = text.split('\n');
    const at = one instanceof InputError ? splitPlace(one.place) : { field: '' };
    const name = at.field === '' ? 'expectations' : at.field;
    return { classname: file, name, seconds: 0, file: at.file ?? file, line: at.line, error: { message, text } };
  });
}

function createExpectationCases({ judged, seconds }: ExpectationFileResult, allowUndecided: boolean): JUnitCase[] {
  return judged.map((each, e) => {
    const { name, file: from, scenario, place } = each.expectation;
    const [{ file: at, line }, message] = [splitPlace(place), formatVerdictLine(each)];
    const skipped = each.verdict === 'interrupted' || (each.verdict === 'undecided' && allowUndecided);
    const fails = !skipped && each.verdict !== 'holds';
    return {
      ...{
        classname: from ?? scenario.name ?? scenario.system,
        name,
        seconds: seconds[e] ?? 0,
        file: at,
        line,
        skipped,
      },
      failure: fails ? { message, type: each.verdict, text: `${place}: ${message}` } : undefined,
      out: message,
    };
  });
}

/**
 * Formats one test suite for each file, with a case for each expectation: `failure` if it fails or is undecided,
 * `skipped` if it was interrupted, or undecided with `allowUndecided`; `error` if the file has no verdicts.
 */
export function formatExpectationsJUnit(files: readonly ExpectationFileResult[], allowUndecided: boolean): string {
  return formatJUnitXml(
    files.map((each) => ({
      name: each.file,
      seconds: each.seconds.reduce((sum, one) => sum + one, 0),
      cases:
        each.error === undefined
          ? createExpectationCases(each, allowUndecided)
          : createErrorCases(each.file, each.error),
    })),
  );
}

/** Creates an annotation at each expectation that does not hold: an error, or a warning if this verdict is allowed. */
export function createExpectationAnnotations(
  judged: readonly ExpectationResult[],
  allowUndecided: boolean,
): Annotation[] {
  return judged
    .filter(({ verdict }) => verdict !== 'holds')
    .map((each) => {
      const { field: _, ...at } = splitPlace(each.expectation.place);
      const mild = each.verdict === 'interrupted' || (each.verdict === 'undecided' && allowUndecided);
      const { name } = each.expectation;
      return {
        ...at,
        level: mild ? 'warning' : 'error',
        title: `${name}: ${each.verdict}`,
        message: `${name}: ${formatVerdictLine(each)}`,
      };
    });
}

/** Formats the verdicts as Markdown. @param file name of the expectations file */
export function formatExpectationsMarkdown(judged: readonly ExpectationResult[], file: string): string {
  const rows = judged.map((each) => [
    each.verdict,
    each.expectation.name,
    formatSubject(each),
    each.digest ?? `${formatValue(INPUT_SCALE, getResultValue(each))} ${formatResultValue(each)}`.trim(),
    `${each.expectation.expect}${formatReason(each)}`,
    each.battles === 0 ? '' : formatGrouped(each.battles),
  ]);
  const heads = ['verdict', 'expectation', 'of', 'value', 'expected', 'battles'];
  return `## warpool assert ${escapeMarkdown(file)}\n\n${formatSummary(judged)}\n\n${formatMarkdownTable(heads, rows)}`;
}
