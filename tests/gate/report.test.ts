import { expect, test } from 'vitest';
import type { GateReport } from '../../bench/gate/gate.ts';
import type { GateFinding } from '../../bench/gate/judge.ts';
import { gateBenchmarks, gateJUnit, gateMarkdown, gateTable } from '../../bench/gate/report.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';

const slow: GateFinding = {
  ...{ layer: 'ratio', benchmark: 'duel', what: 'time', unit: 'yardsticks, 9 rounds' },
  ...{ value: 2.1, range: 0.01, baseline: 2, limit: 2.06, status: 'broken' },
};
const same: GateFinding = {
  ...{ layer: 'counters', benchmark: 'duel', what: 'digest', unit: '' },
  ...{ value: 'a'.repeat(64), baseline: 'a'.repeat(64), status: 'ok' },
};
const fewer: GateFinding = {
  ...{ layer: 'counters', benchmark: 'duel', what: 'draws', unit: 'draws' },
  ...{ value: 90, baseline: 100, limit: 100, status: 'better' },
};
const report: GateReport = {
  machine: { cpu: 'a processor', arch: 'x64', node: 'v20.0.0' },
  sameMachine: true,
  findings: [same, fewer, slow],
  notes: ['instructions not counted: valgrind is not installed'],
  passed: false,
  seconds: { counters: 0.5, ratio: 3 },
};

test('the text table shows changed and broken values, and the verdict', () => {
  expect(gateTable(report, { width: 80, paint: PLAIN_PAINT })).toMatch(
    /duel draws .*-10\.00 % +better\nduel time .*\+5\.00 % +broken\n\n1 counters are unchanged\.\n.*valgrind.*\nThe gate fails: 1 of 3 values/,
  );
});

test('the Markdown report has a table and the verdict', () => {
  const text = gateMarkdown(report);
  expect(text).toContain('| duel time | 2.1000 | yardsticks, 9 rounds | 2 | 2.0600 | +5.00 % | broken |');
  expect(text).toContain('The gate fails: 1 of 3 values exceed their limit.');
  expect(gateMarkdown({ ...report, findings: [fewer], passed: true })).toContain(
    'The gate passes: 1 values are within their limits; 1 are better than the baseline; consider renewing it.',
  );
});

test('the report of a comparison names the other build', () => {
  const against = '../base (0.3.0)';
  const faster: GateFinding = { ...slow, value: 0.9, baseline: 1, limit: 1.01, status: 'better' };
  const text = gateMarkdown({ ...report, against, findings: [faster], passed: true });
  expect(text).toContain('## warpool gate against ../base (0.3.0)\n');
  expect(text).toContain('1 values are within their limits; 1 are better than ../base (0.3.0).');
});

test('JUnit has a suite for each layer and a failure for each broken budget', () => {
  expect(gateJUnit(report)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1" errors="0" skipped="0">
  <testsuite name="gate.counters" tests="2" failures="0" errors="0" skipped="0" time="0.500">
    <testcase classname="gate.counters" name="duel digest" time="0.250"/>
    <testcase classname="gate.counters" name="duel draws" time="0.250"/>
  </testsuite>
  <testsuite name="gate.ratio" tests="1" failures="1" errors="0" skipped="0" time="3.000">
    <testcase classname="gate.ratio" name="duel time" time="3.000">
      <failure message="2.1000 yardsticks, 9 rounds, baseline 2, limit 2.0600">2.1000 yardsticks, 9 rounds, baseline 2, limit 2.0600</failure>
    </testcase>
  </testsuite>
</testsuites>
`);
});

test('names are escaped in JUnit', () => {
  const odd = { ...slow, benchmark: 'a<b & "c"' };
  expect(gateJUnit({ ...report, findings: [odd] })).toContain('name="a&lt;b &amp; &quot;c&quot; time"');
});

test('gateBenchmarks returns the format customSmallerIsBetter', () => {
  expect(gateBenchmarks(report)).toEqual([
    { name: 'duel draws', unit: 'draws', value: 90, extra: 'counters\nbetter\nbaseline 100\nlimit 100' },
    {
      ...{ name: 'duel time', unit: 'yardsticks, 9 rounds', value: 2.1, range: '± 0.010000' },
      extra: 'ratio\nbroken\nbaseline 2\nlimit 2.0600',
    },
  ]);
});
