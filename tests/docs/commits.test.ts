/** Subjects of commits: an area, an imperative, at most 72 characters. */
import { expect, test } from 'vitest';

const { faultOf } = (await import(new URL('../../scripts/check-commits.js', import.meta.url).href)) as {
  readonly faultOf: (subject: string) => string | undefined;
};

test.each([
  'sweep: write columns from typed arrays',
  'docs, tests: embed the figure',
  'web/app: pass the seed to the worker',
  'cli: use one parser for conditions',
])('faultOf accepts "%s"', (subject) => {
  expect(faultOf(subject)).toBeUndefined();
});

test.each([
  ['write columns from typed arrays', 'expected "area: imperative ..."'],
  ['Sweep: write columns', 'expected "area: imperative ..."'],
  ['sweep: columns from typed arrays', 'found "columns"'],
  ['sweep: writes columns', 'found "writes"'],
  ['sweep: writing columns', 'found "writing"'],
  ['sweep: the words of columns', 'found "the"'],
  ['sweep: renamed columns', 'found "renamed"'],
  [`sweep: ${'write '.repeat(12)}`, 'at most 72'],
])('faultOf rejects "%s": %s', (subject, fault) => {
  expect(faultOf(subject)).toContain(fault);
});
