/** What `assert` tells: a table for people, JSON, JUnit XML. */

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
  { head: 'known to', align: 'left', spare: 3 },
  { head: 'expected', align: 'left' },
  { head: 'battles', spare: 1 },
];

function formatVerdictTable(judged: readonly ExpectationResult[], look: TerminalStyle): string[] {
  const paint = getVerdictPaints(look);
  const row = (each: ExpectationResult): string[] => [
    each.expectation.name,
    paint[each.verdict](each.verdict),
    formatSubject(each),
    formatValue(INPUT_SCALE, getResultValue(each)),
    formatResultValue(each),
    formatShortExpectation(each),
    each.battles === 0 ? '' : formatGrouped(each.battles),
  ];
  return formatTable(HEADINGS, judged.map(row), look);
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

/** Expectations on values that were decided by playing. */
function selectSimulatedExpectations(judged: readonly ExpectationResult[]): ValueExpectation[] {
  return judged
    .filter((each) => !isExact(each) && each.verdict !== 'interrupted')
    .flatMap(({ expectation }) => (expectation.kind === 'value' ? [expectation] : []));
}

/** What intervals of means are worth. */
const MEANS = {
  plain: 'Intervals of means count values that came in no battle, as far as the declared range of the metric goes.',
  bounded: 'Intervals of means hold for every law in the declared range of the metric.',
};

const SNAPSHOT =
  'A value by playing fails beside its snapshot with that error; changes within the intervals are not noticed.';

/** What the verdicts are worth. */
function formatNotes(judged: readonly ExpectationResult[]): string[] {
  const simulated = selectSimulatedExpectations(judged);
  if (judged.every(isExact)) return ['All verdicts are by exact answers.'];
  const digests = judged.some(({ digest }) => digest !== undefined) ? ['Digests are compared as they are.'] : [];
  const [one] = simulated;
  if (one === undefined) return digests;
  const together = simulated.reduce((sum, { error }) => sum + error, 0);
  const each = simulated.every(({ error }) => error === one.error);
  const single = each ? `${formatShare(one.error)} each, ` : '';
  const lines = [
    ...digests,
    `Verdicts by playing are wrong with at most ${single}${formatShare(Math.min(1, together))} together.`,
  ];
  const means = simulated.filter(({ quantity }) => quantity.kind === 'mean');
  if (means.length > 0) lines.push(MEANS[means.every(({ bounded }) => bounded) ? 'bounded' : 'plain']);
  if (simulated.some(({ snapshot }) => snapshot !== undefined)) lines.push(SNAPSHOT);
  if (countVerdicts(judged, 'undecided') > 0)
    lines.push('Undecided: the interval holds a bound. More battles may tell.');
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

/** What is asked, of a number with its bounds or of a digest. */
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

/** @param passed whether the gate is passed */
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

/** What came of an expectation, in a line. */
function formatVerdictLine(each: ExpectationResult): string {
  return formatExpectationResult(each, each.expectation.kind === 'value' ? formatShare(each.expectation.error) : '');
}

/** Those that do not hold, in a line each, for standard error and logs. */
export function formatExpectationFailures(judged: readonly ExpectationResult[]): string[] {
  return judged
    .filter(({ verdict }) => verdict !== 'holds')
    .map((each) => `${sanitizeLine(each.expectation.name)}: ${formatVerdictLine(each)}`);
}

/** A file of expectations with what came of it: verdicts, or why there are none. */
export interface ExpectationFileResult {
  readonly file: string;
  readonly judged: readonly ExpectationResult[];
  /** Seconds that each took; an exact distribution that several share counts for the first of them. */
  readonly seconds: readonly number[];
  readonly error?: Error;
}

/** One case for each error of a file that could not be decided. */
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
 * One test suite for each file, with a case for each expectation: `failure` where it fails or is undecided, `skipped` where it
 * was interrupted, or undecided and that is allowed; `error` where the file could not be decided.
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

/** Annotations of those that do not hold, each at its sentence; undecided ones are warnings where that is allowed. */
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

/** The verdicts as Markdown. @param file of the expectations */
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
