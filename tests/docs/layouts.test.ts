/** Documents list the declared random words, stream positions and metrics. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ESCAPES } from '../../src/core/chance/sampled-chance.ts';
import type { StreamLayout } from '../../src/core/chance/stream-layout.ts';
import {
  CHOICES,
  CONFIGURATION,
  OPPONENT,
  OPPONENT_CHOICES,
  RECORD,
  STATUS,
  VARIANT,
  VARIANT_PLACE,
} from '../../src/environments/layout.ts';
import * as attrition from '../../src/rules/attrition/layout.ts';
import * as cubeBag from '../../src/rules/cube-bag/layout.ts';
import * as phasedDice from '../../src/rules/phased-dice/layout.ts';
import * as strengthCards from '../../src/rules/strength-cards/layout.ts';
import { type MetricGroup, one, type Struct, type StructFields } from '../../src/rules/struct.ts';
import * as tokenConflict from '../../src/rules/token-conflict/layout.ts';

const read = (file: string): string => readFileSync(file, 'utf8');
const randomness = read('docs/explanation/randomness.md');
const abi = read('docs/reference/abi.md');

/** Returns the row of a table with the given first cell. */
function rowOf(text: string, first: string): string {
  return text.split('\n').find((line) => line.startsWith(`| ${first} `)) ?? '';
}

/** Formats a layout, such as `word = 8 x round + side`. */
function formula({ strides, from }: StreamLayout): string {
  const shares = strides.map(({ name, words, of = '' }) =>
    [words === 1 ? '' : String(words), of, name].filter((part) => part !== '').join(' x '),
  );
  return `word = ${[...(from > 0 ? [String(from)] : []), ...shares].join(' + ')}`;
}

test.each([
  ['attrition, direct and indirect', attrition.PLACES],
  ['attrition, mass', attrition.MASS_PLACES],
  ['phased-dice', phasedDice.PLACES],
  ['token-conflict', tokenConflict.PLACES],
  ['cube-bag', cubeBag.PLACES],
  ['strength-cards', strengthCards.PLACES],
  ['all, escapes of the alias table', ESCAPES],
] as readonly (readonly [string, StreamLayout])[])(
  'docs/explanation/randomness.md lists the stream positions of %s',
  (row, places) => {
    const found = rowOf(randomness, row);
    expect(found.slice(row.length + 2).split(/ *[|;:,] */)).toContain(formula(places));
    for (const [name, word] of Object.entries(places.parts))
      expect(found).toMatch(new RegExp(` ${String(word)} ${name}\\b`));
  },
);

test('docs/explanation/randomness.md lists the purposes of cube-bag and the lots of strength-cards', () => {
  for (const [name, number] of Object.entries(cubeBag.PURPOSE))
    expect(randomness).toContain(` ${String(number)} ${name}`);
  const { parts } = strengthCards.PLACES;
  const { units, token } = strengthCards.LOTS;
  const row = rowOf(randomness, 'strength-cards');
  expect(row).toContain(`${String(parts.damage + units)} of the units, ${String(parts.damage + token)} + t of token t`);
});

/** Returns the possible labels of a metric in documents: a label with a placeholder, or all names. */
function labels(name: string, group: MetricGroup): (readonly string[])[] {
  if (group === one) return [[name]];
  if ('names' in group) return [[`${name}.<side>`], group.names.map((each) => `${name}.${each}`)];
  return [[`${group.label ?? name}.${group.of}`]];
}

describe.each([
  ['attrition', attrition.METRICS],
  ['attrition', attrition.MASS_METRICS],
  ['phased-dice', phasedDice.METRICS],
  ['cube-bag', cubeBag.METRICS],
  ['strength-cards', strengthCards.METRICS],
  ['token-conflict', tokenConflict.METRICS],
] as const)('docs/reference/systems/%s.md', (id, metrics) => {
  const [, section = ''] =
    /^## (?:Outcomes and m|M)etrics\n(.*?)(?=^## |(?![\s\S]))/ms.exec(read(`docs/reference/systems/${id}.md`)) ?? [];

  test('lists every metric in order', () => {
    const places = Object.entries(metrics.groups as Readonly<Record<string, MetricGroup>>).map(([name, group]) => {
      const found = labels(name, group).map((names) => names.map((each) => section.indexOf(`\`${each}\``)));
      const reported = found.find((all) => all.every((at) => at >= 0));
      expect(reported, name).toBeDefined();
      return reported?.[0] ?? 0;
    });
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
});

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns number and name of each row of the table whose second column has this heading. */
function words(heading: string): (readonly [number, string])[] {
  const [, table = ''] = new RegExp(`^\\| word +\\| ${heading} +\\|.*\\n((?:\\|.*\\n)+)`, 'm').exec(abi) ?? [];
  return [...table.matchAll(/^\| (\d+) +\| `(\w+)`/gm)].map(([, number, name = '']) => [Number(number), name]);
}

test.each([
  ['record', RECORD],
  ['configuration', CONFIGURATION],
  ['scenario', VARIANT],
] as readonly (readonly [string, Struct<StructFields>])[])(
  'docs/reference/abi.md lists the words of a %s',
  (heading, struct) => {
    expect(words(heading)).toEqual(Object.entries(struct.at).map(([name, at]) => [at, snake(name)]));
  },
);

test('docs/reference/abi.md contains sizes, statuses and stream positions', () => {
  expect(abi).toContain(`begin at ${String(CONFIGURATION.size)} + ${String(VARIANT.size)} v:`);
  expect(RECORD.size).toBe(12);
  expect(rowOf(abi, String(RECORD.at.status))).not.toBe('');
  expect(STATUS).toEqual({ open: 0, done: 1, truncated: 2 });
  expect([VARIANT_PLACE, CHOICES, OPPONENT_CHOICES]).toEqual([2 ** 32 - 1, 3 * 2 ** 30, 13 * 2 ** 28]);
  expect(abi).toContain('2^32-1 chooses the scenario, and 3 x 2^30 + t');
  expect(abi).toContain('Position 13 x 2^28 + n');
  expect(OPPONENT).toBe(-2);
  expect(abi).toContain(' or -2 (opponent) |');
});
