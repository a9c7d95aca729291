/** Figures in the manual pages of the systems: effects of alternative rule readings on shipped scenarios. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { simulate } from '../src/analysis/simulate.ts';
import { shippedSystems } from '../src/rules/index.ts';
import { applyChanges, loadScenario } from '../src/rules/scenario/index.ts';
import type { Scenario } from '../src/rules/system.ts';
import type { Summary } from '../src/stats/summary.ts';
import { DEPTH, some } from './depth.ts';

const HEADING = '## Where the text is silent or ambiguous';

interface Figure {
  readonly name: string;
  /** Printed values before and after the change: percentage of an outcome, or mean of a metric. */
  readonly values: readonly [before: string, after: string];
}

interface Reading {
  readonly text: string;
  readonly changes: readonly string[];
  readonly file: string;
  readonly figures: readonly Figure[];
}

function figureOf(reported: string): Figure {
  const [, name = '', before = '', after = ''] = /^(.+?) (-?[\d .]+(?: %)?) → (-?[\d .]+(?: %)?)$/.exec(reported) ?? [];
  return { name, values: [before, after] };
}

/** Returns the rows of a page's table that have an option for the alternative reading. */
function readingsOf(page: string): Reading[] {
  const [section = ''] = (page.split(HEADING)[1] ?? '').split('\n## ');
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).flatMap((row) => {
    const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const [, text = '', , option = '', shown = ''] = cells;
    const changes = /^`([^`]+=[^`]*)`/.exec(option)?.[1]?.split(' ');
    if (changes === undefined) return [];
    const [, file = '', figures = ''] = /^`([^`]+)`: (.*)$/.exec(shown) ?? [];
    return [{ text, changes, file, figures: figures.split('; ').map(figureOf) }];
  });
}

/** Simulates the battles that `compare-rules` simulates by default. */
async function simulated(scenario: Scenario): Promise<Summary> {
  return (await simulate(scenario, { battles: 1_000_000, seed: 1 })).summary;
}

/** Formats a figure with the same number of decimals as the printed one. */
function reported({ outcomes, metrics }: Summary, name: string, printed: string): string {
  const [number = ''] = printed.split(' %');
  const decimals = number.split('.')[1]?.length ?? 0;
  const value = printed.endsWith('%')
    ? 100 * (outcomes.find((outcome) => outcome.name === name)?.p ?? Number.NaN)
    : metrics.find((metric) => metric.name === name)?.mean;
  return value?.toFixed(decimals) ?? `no metric ${name}`;
}

describe.each(shippedSystems.map(({ id }) => id))('%s', (id) => {
  const page = readFileSync(`docs/reference/systems/${id}.md`, 'utf8');
  const readings = readingsOf(page);

  test('lists each ambiguity of the rule text with a figure that differs', () => {
    expect(readings.length).toBeGreaterThan(3);
    for (const { text, file, figures } of readings) {
      expect(file, text).toMatch(new RegExp(`^${id}-.*\\.yaml$`));
      for (const { name, values } of figures) expect([name, ...values], text).not.toContain('');
      expect(figures.filter(({ values: [before, after] }) => before !== after).length, text).toBeGreaterThan(0);
    }
  });

  // The shallow suite runs only some: a million battles of each reading take seconds, the longest in mass combat.
  test.each(some(readings.filter(({ file }) => DEPTH > 1 || !/mass|hunters/.test(file))))(
    '$changes in $file gives the printed figures',
    async ({ text, changes, file, figures }) => {
      const scenario = await loadScenario(`scenarios/${file}`);
      const summaries = [await simulated(scenario), await simulated(applyChanges(scenario, changes))] as const;
      for (const { name, values } of figures) {
        const found = summaries.map((summary, k) => reported(summary, name, values[k] ?? ''));
        expect(found, `${text}: ${name}`).toEqual(values.map((value) => value.replace(/[ %]/g, '')));
      }
    },
  );
});
