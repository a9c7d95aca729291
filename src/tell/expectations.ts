/** What `assert` tells: a table for people, JSON, JUnit XML. */

import { origin, rulesOf, scenarioHash } from '../answers/index.ts';
import { InputError, placeParts } from '../core/index.ts';
import type { Judged, ValueExpectation } from '../studies/node.ts';
import { account, expectedText, isExact, known, knownText, remark, subject } from './expected.ts';
import { GIVEN, percent, valueText } from './figure.ts';
import { type Annotation, markdownTable, markdownText } from './github.ts';
import { type JUnitCase, junitXml } from './junit.ts';
import { clean } from './text/clean.ts';
import { grouped, plain } from './text/digits.ts';
import { type Column, columns, dotted, type Look, said } from './text/table.ts';

const VERDICTS = ['holds', 'fails', 'undecided', 'interrupted'] as const;

type Paints = Readonly<Record<Judged['verdict'], (text: string) => string>>;

const paints = ({ paint }: Look): Paints => ({
  holds: paint.green,
  fails: paint.red,
  undecided: paint.yellow,
  interrupted: paint.yellow,
});

function countOf(judged: readonly Judged[], verdict: Judged['verdict']): number {
  return judged.filter((each) => each.verdict === verdict).length;
}

const HEADS: readonly Column[] = [
  { head: 'expectation', align: 'left' },
  { head: '', align: 'left' },
  { head: 'of', align: 'left', breaks: true, spare: 2 },
  { head: 'value', align: 'point' },
  { head: 'known to', align: 'left', spare: 3 },
  { head: 'expected', align: 'left' },
  { head: 'battles', spare: 1 },
];

function table(judged: readonly Judged[], look: Look): string[] {
  const paint = paints(look);
  const row = (each: Judged): string[] => [
    each.expectation.name,
    paint[each.verdict](each.verdict),
    subject(each),
    valueText(GIVEN, known(each)),
    knownText(each),
    expectedText(each),
    each.battles === 0 ? '' : grouped(each.battles),
  ];
  return columns(HEADS, judged.map(row), look);
}

/** `3 expectations: 2 hold, 1 fails`. */
function summary(judged: readonly Judged[]): string {
  const words: Readonly<Record<Judged['verdict'], readonly [one: string, more: string]>> = {
    holds: ['holds', 'hold'],
    fails: ['fails', 'fail'],
    undecided: ['is undecided', 'are undecided'],
    interrupted: ['was interrupted', 'were interrupted'],
  };
  const parts = VERDICTS.flatMap((verdict) => {
    const count = countOf(judged, verdict);
    return count === 0 ? [] : [`${String(count)} ${words[verdict][count === 1 ? 0 : 1]}`];
  });
  return `${String(judged.length)} expectation${judged.length === 1 ? '' : 's'}: ${parts.join(', ')}`;
}

/** Expectations on values that were decided by playing. */
function played(judged: readonly Judged[]): ValueExpectation[] {
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
function notes(judged: readonly Judged[]): string[] {
  const simulated = played(judged);
  if (judged.every(isExact)) return ['All verdicts are by exact answers.'];
  const digests = judged.some(({ digest }) => digest !== undefined) ? ['Digests are compared as they are.'] : [];
  const [one] = simulated;
  if (one === undefined) return digests;
  const together = simulated.reduce((sum, { error }) => sum + error, 0);
  const each = simulated.every(({ error }) => error === one.error);
  const single = each ? `${shareText(one.error)} each, ` : '';
  const lines = [
    ...digests,
    `Verdicts by playing are wrong with at most ${single}${shareText(Math.min(1, together))} together.`,
  ];
  const means = simulated.filter(({ quantity }) => quantity.kind === 'mean');
  if (means.length > 0) lines.push(MEANS[means.every(({ bounded }) => bounded) ? 'bounded' : 'plain']);
  if (simulated.some(({ snapshot }) => snapshot !== undefined)) lines.push(SNAPSHOT);
  if (countOf(judged, 'undecided') > 0) lines.push('Undecided: the interval holds a bound. More battles may tell.');
  return lines;
}

function shareText(share: number): string {
  return percent(plain, share);
}

/** @param name of the file */
export function expectationsSheet(judged: readonly Judged[], name: string, look: Look): string {
  const { paint } = look;
  const heading = dotted([paint.bold(clean(name)), summary(judged)], look);
  const sentences = notes(judged).flatMap((note) => said(note, look));
  return `${[...heading, '', ...table(judged, look), '', ...sentences].join('\n')}\n`;
}

const finite = (bound: number): number | null => (Number.isFinite(bound) ? bound : null);

/** What is asked, of a number with its bounds or of a digest. */
function askedJson(expectation: Judged['expectation']) {
  const { snapshot } = expectation;
  const { value = null, interval = null, digest = null, ruleset = null } = snapshot?.kept ?? {};
  const kept = snapshot === undefined ? null : { value, interval, digest, ruleset };
  if (expectation.kind === 'digest')
    return {
      of: 'digest',
      kind: 'digest',
      low: null,
      high: null,
      due: expectation.digest ?? digest,
      kept,
      error: null,
      bounded: null,
    };
  const { quantity, bounds, error, bounded } = expectation;
  const { of, kind } = quantity;
  return { of, kind, low: finite(bounds[0]), high: finite(bounds[1]), due: null, kept, error, bounded };
}

/** @param held whether the gate is passed */
export function expectationsJson(judged: readonly Judged[], files: readonly string[], held: boolean) {
  return {
    ...origin(),
    file: files.length === 1 ? files[0] : files,
    held,
    ...Object.fromEntries(VERDICTS.map((verdict) => [verdict, countOf(judged, verdict)])),
    expectations: judged.map((each) => {
      const { expectation, verdict, battles } = each;
      const { name, place, scenario, file: from = null, expect, seed } = expectation;
      const { value = null, interval = null } = known(each);
      const { unseen = null } = each;
      return {
        name,
        place,
        scenario: { file: from, name: scenario.name ?? null, ...rulesOf(scenario), hash: scenarioHash(scenario) },
        expect,
        ...askedJson(expectation),
        verdict,
        exact: isExact(each),
        value,
        interval,
        unseen,
        digest: each.digest ?? null,
        remark: remark(each).replace(/^; /, '') || null,
        battles,
        most: expectation.battles,
        seed,
      };
    }),
  };
}

/** What came of an expectation, in a line. */
function told(each: Judged): string {
  return account(each, each.expectation.kind === 'value' ? shareText(each.expectation.error) : '');
}

/** Those that do not hold, in a line each, for standard error and logs. */
export function complaints(judged: readonly Judged[]): string[] {
  return judged
    .filter(({ verdict }) => verdict !== 'holds')
    .map((each) => `${clean(each.expectation.name)}: ${told(each)}`);
}

/** A file of expectations with what came of it: verdicts, or why there are none. */
export interface JudgedFile {
  readonly file: string;
  readonly judged: readonly Judged[];
  /** Seconds that each took; an exact distribution that several share counts for the first of them. */
  readonly seconds: readonly number[];
  readonly error?: Error;
}

/** One case for each error of a file that could not be decided. */
function errorCases(file: string, error: unknown): JUnitCase[] {
  const each = error instanceof InputError ? error.errors : [error];
  return each.map((one) => {
    const text = one instanceof Error ? one.message : String(one);
    const [message = ''] = text.split('\n');
    const at = one instanceof InputError ? placeParts(one.place) : { field: '' };
    const name = at.field === '' ? 'expectations' : at.field;
    return { classname: file, name, seconds: 0, file: at.file ?? file, line: at.line, error: { message, text } };
  });
}

function judgedCases({ judged, seconds }: JudgedFile, allowUndecided: boolean): JUnitCase[] {
  return judged.map((each, e) => {
    const { name, file: from, scenario, place } = each.expectation;
    const [{ file: at, line }, message] = [placeParts(place), told(each)];
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
export function expectationsJUnit(files: readonly JudgedFile[], allowUndecided: boolean): string {
  return junitXml(
    files.map((each) => ({
      name: each.file,
      seconds: each.seconds.reduce((sum, one) => sum + one, 0),
      cases: each.error === undefined ? judgedCases(each, allowUndecided) : errorCases(each.file, each.error),
    })),
  );
}

/** Annotations of those that do not hold, each at its sentence; undecided ones are warnings where that is allowed. */
export function expectationsAnnotations(judged: readonly Judged[], allowUndecided: boolean): Annotation[] {
  return judged
    .filter(({ verdict }) => verdict !== 'holds')
    .map((each) => {
      const { field: _, ...at } = placeParts(each.expectation.place);
      const mild = each.verdict === 'interrupted' || (each.verdict === 'undecided' && allowUndecided);
      const { name } = each.expectation;
      return {
        ...at,
        level: mild ? 'warning' : 'error',
        title: `${name}: ${each.verdict}`,
        message: `${name}: ${told(each)}`,
      };
    });
}

/** The verdicts as Markdown. @param file of the expectations */
export function expectationsMarkdown(judged: readonly Judged[], file: string): string {
  const rows = judged.map((each) => [
    each.verdict,
    each.expectation.name,
    subject(each),
    each.digest ?? `${valueText(GIVEN, known(each))} ${knownText(each)}`.trim(),
    `${each.expectation.expect}${remark(each)}`,
    each.battles === 0 ? '' : grouped(each.battles),
  ]);
  const heads = ['verdict', 'expectation', 'of', 'value', 'expected', 'battles'];
  return `## warpool assert ${markdownText(file)}\n\n${summary(judged)}\n\n${markdownTable(heads, rows)}`;
}
