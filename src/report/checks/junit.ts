/** Test reports in JUnit XML, which most CI systems read. */

import { escaped } from '../text/escape.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';

export interface JUnitCase {
  readonly name: string;
  readonly classname: string;
  readonly seconds: number;
  /** File that defines the case. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  /** Failed assertion; `text` includes its place. All texts are one line. */
  readonly failure?: { readonly message: string; readonly type?: string; readonly text: string } | undefined;
  /** Reason why the case has no verdict. */
  readonly error?: { readonly message: string; readonly text: string } | undefined;
  readonly skipped?: boolean;
  /** Text of `system-out`, for every verdict. */
  readonly out?: string;
}

export interface JUnitSuite {
  readonly name: string;
  readonly seconds: number;
  readonly cases: readonly JUnitCase[];
}

const escapeText = (text: string): string => escaped(sanitizeXmlText(text));

function formatAttributes(values: Readonly<Record<string, string | number | undefined>>): string {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  return known.map(([name, value]) => ` ${name}="${escapeText(String(value))}"`).join('');
}

const countCases = (cases: readonly JUnitCase[]) => ({
  tests: cases.length,
  failures: cases.filter(({ failure }) => failure !== undefined).length,
  errors: cases.filter(({ error }) => error !== undefined).length,
  skipped: cases.filter(({ skipped }) => skipped === true).length,
});

function formatCase({ name, classname, seconds, file, line, failure, error, skipped, out }: JUnitCase): string[] {
  const { message, type, text = '' } = failure ?? {};
  const head = `    <testcase${formatAttributes({ classname, name, time: seconds.toFixed(3), file, line })}`;
  const inner = [
    ...(failure === undefined
      ? []
      : [`      <failure${formatAttributes({ message, type })}>${escapeText(text)}</failure>`]),
    ...(error === undefined
      ? []
      : [`      <error${formatAttributes({ message: error.message })}>${escapeText(error.text)}</error>`]),
    ...(skipped === true ? ['      <skipped/>'] : []),
    ...(out === undefined ? [] : [`      <system-out>${escapeText(out)}</system-out>`]),
  ];
  return inner.length === 0 ? [`${head}/>`] : [`${head}>`, ...inner, '    </testcase>'];
}

/** Formats a report, with suites and cases in the given order. */
export function formatJUnitXml(suites: readonly JUnitSuite[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${formatAttributes(countCases(suites.flatMap(({ cases }) => cases)))}>`,
    ...suites.flatMap(({ name, seconds, cases }) => [
      `  <testsuite${formatAttributes({ name, ...countCases(cases), time: seconds.toFixed(3) })}>`,
      ...cases.flatMap(formatCase),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}
