/** What `assert` tells: a table for people, JSON, JUnit XML. */
import junit, { type Builder } from 'junit-report-builder';
import type { Judged } from '../expectations/index.ts';
import { RULESET, rulesOf, scenarioHash } from '../stats/digest.ts';
import { type Annotation, markdownTable, markdownText, placeParts } from './github.ts';
import { boundsText, intervalText, valueText } from './text/bounds.ts';
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

/** True if nobody had to play for the value. */
const isExact = ({ value, battles }: Judged): boolean => value !== undefined && battles === 0;

/** What is known of the value, apart from the bounds; a value of which only a part was played is not told. */
function known(each: Judged): { value?: number; interval?: readonly [number, number] } {
  const { verdict, value, interval } = each;
  if (value === undefined || verdict === 'interrupted') return {};
  return interval === undefined ? { value } : { value, interval };
}

/** What the number is: `attacker`, `mean rounds`, `share of rounds`. */
function subject({ expectation: { quantity, expect } }: Judged): string {
  if (quantity.kind === 'share') return clean(expect.replace(/^\S+(?: %)?\s+of\s+/, ''));
  return clean(quantity.of);
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
    valueText(known(each)),
    intervalText(known(each)),
    boundsText(each.expectation.bounds),
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

function played(judged: readonly Judged[]): readonly Judged[] {
  return judged.filter((each) => !isExact(each) && each.verdict !== 'interrupted');
}

/** What intervals of means are worth. */
const MEANS = {
  plain: 'Intervals of means count values that came in no battle, as far as the declared range of the metric goes.',
  bounded: 'Intervals of means hold for every law in the declared range of the metric.',
};

/** What the verdicts are worth. */
function notes(judged: readonly Judged[]): string[] {
  const simulated = played(judged);
  if (simulated.length === 0) return ['All verdicts are by exact answers.'];
  const together = simulated.reduce((sum, { expectation }) => sum + expectation.error, 0);
  const [one] = simulated;
  const each = simulated.every(({ expectation }) => expectation.error === one?.expectation.error);
  const single = each ? `${percent(one?.expectation.error ?? 0)} each, ` : '';
  const lines = [`Verdicts by playing are wrong with at most ${single}${percent(Math.min(1, together))} together.`];
  const means = simulated.filter(({ expectation }) => expectation.quantity.kind === 'mean');
  if (means.length > 0) lines.push(MEANS[means.every(({ expectation }) => expectation.bounded) ? 'bounded' : 'plain']);
  if (countOf(judged, 'undecided') > 0) lines.push('Undecided: the interval holds a bound. More battles may tell.');
  return lines;
}

function percent(share: number): string {
  return `${plain(100 * share)} %`;
}

/** @param name of the file */
export function expectationsSheet(judged: readonly Judged[], name: string, look: Look): string {
  const { paint } = look;
  const heading = dotted([paint.bold(clean(name)), summary(judged)], look);
  const sentences = notes(judged).flatMap((note) => said(note, look));
  return `${[...heading, '', ...table(judged, look), '', ...sentences].join('\n')}\n`;
}

const finite = (bound: number): number | null => (Number.isFinite(bound) ? bound : null);

/** @param held whether the gate is passed */
export function expectationsJson(judged: readonly Judged[], file: string, version: string, held: boolean) {
  return {
    warpool: version,
    ruleset: RULESET,
    file,
    held,
    ...Object.fromEntries(VERDICTS.map((verdict) => [verdict, countOf(judged, verdict)])),
    expectations: judged.map((each) => {
      const { expectation, verdict, battles } = each;
      const { name, scenario, file: from = null, expect, quantity, bounds, seed, error, bounded } = expectation;
      const { value = null, interval = null } = known(each);
      const { unseen = null } = each;
      return {
        name,
        scenario: { file: from, name: scenario.name ?? null, ...rulesOf(scenario), hash: scenarioHash(scenario) },
        expect,
        of: quantity.of,
        kind: quantity.kind,
        low: finite(bounds[0]),
        high: finite(bounds[1]),
        verdict,
        exact: isExact(each),
        value,
        interval,
        unseen,
        battles,
        most: expectation.battles,
        seed,
        error,
        bounded,
      };
    }),
  };
}

/** `attacker = 0.57648, exact`, or with its interval and battles. */
function finding(each: Judged): string {
  const value = `${subject(each)} = ${valueText(known(each))}, ${intervalText(known(each))}`;
  return isExact(each) ? value : `${value} after ${grouped(each.battles)} battles`;
}

/** What came of an expectation, in a line. */
function account(each: Judged): string {
  const { expect, error } = each.expectation;
  const expected = `expected ${clean(expect)}`;
  switch (each.verdict) {
    case 'holds':
      return `${expected}, found ${finding(each)}`;
    case 'fails':
      return `${expected}, found ${finding(each)}${isExact(each) ? '' : `, wrong with at most ${percent(error)}`}`;
    case 'undecided':
      return `${expected}, undecided: ${finding(each)}`;
    case 'interrupted':
      return `${expected}, interrupted before it was decided`;
  }
}

/** Those that do not hold, in a line each, for standard error and logs. */
export function complaints(judged: readonly Judged[]): string[] {
  return judged
    .filter(({ verdict }) => verdict !== 'holds')
    .map((each) => `${clean(each.expectation.name)}: ${account(each)}`);
}

/**
 * One test suite with a case for each expectation: `failure` where it fails or is undecided, `skipped` where it was
 * interrupted, or undecided and that is allowed.
 * @param file    of the expectations
 * @param seconds that each took; an exact law that several share counts for the first of them
 */
export function expectationsJUnit(
  judged: readonly Judged[],
  file: string,
  allowUndecided: boolean,
  seconds: readonly number[],
): string {
  // The package declares a default export, but its module is the builder itself.
  const builder = (junit as unknown as Builder).newBuilder();
  const time = (each: number): number => Number(each.toFixed(3));
  const total = seconds.reduce((sum, each) => sum + each, 0);
  const suite = builder.testSuite().name(clean(file)).time(time(total));
  for (const [e, each] of judged.entries()) {
    const { name, file: from, scenario } = each.expectation;
    const testCase = suite
      .testCase()
      .className(clean(from ?? scenario.name ?? scenario.system))
      .name(clean(name))
      .time(time(seconds[e] ?? 0));
    const skipped = each.verdict === 'interrupted' || (each.verdict === 'undecided' && allowUndecided);
    if (skipped) testCase.skipped();
    else if (each.verdict !== 'holds') testCase.failure(account(each), each.verdict);
    testCase.standardOutput(account(each));
  }
  return builder.build();
}

/** Annotations of those that do not hold, each at its sentence; undecided ones are warnings where that is allowed. */
export function expectationsAnnotations(judged: readonly Judged[], allowUndecided: boolean): Annotation[] {
  return judged
    .filter(({ verdict }) => verdict !== 'holds')
    .map((each) => {
      const { path: _, ...at } = placeParts(each.expectation.place);
      const mild = each.verdict === 'interrupted' || (each.verdict === 'undecided' && allowUndecided);
      const title = `${each.expectation.name}: ${each.verdict}`;
      return { ...at, level: mild ? 'warning' : 'error', title, message: account(each) };
    });
}

/** The verdicts as Markdown. @param file of the expectations */
export function expectationsMarkdown(judged: readonly Judged[], file: string): string {
  const rows = judged.map((each) => [
    each.verdict,
    each.expectation.name,
    subject(each),
    `${valueText(known(each))} ${intervalText(known(each))}`.trim(),
    each.expectation.expect,
    each.battles === 0 ? '' : grouped(each.battles),
  ]);
  const heads = ['verdict', 'expectation', 'of', 'value', 'expected', 'battles'];
  return `## warpool assert ${markdownText(file)}\n\n${summary(judged)}\n\n${markdownTable(heads, rows)}`;
}
