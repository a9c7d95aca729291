/** Answers in words for every shipped scenario. The expected texts are in tests/answer/sentences.txt. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { formatArmies } from '../../src/report/odds/armies.ts';
import { createHeadline } from '../../src/report/odds/headline.ts';
import { createLuckReports, type LuckInput, listLuckOptions } from '../../src/report/odds/luck.ts';
import { getSides } from '../../src/report/scenario/sides.ts';
import { DEPTH } from '../depth.ts';
import { type Shipped, shipped } from './shipped.ts';

/** Expected texts. `WARPOOL_DEPTH=deep npx vitest run answer/sentences -u` updates them. */
const KNOWN = readFileSync(new URL('sentences.txt', import.meta.url), 'utf8').trimEnd();

let all: readonly Shipped[];

beforeAll(async () => {
  all = await shipped();
});

function leadFor({ scenario, summary, counts, battles }: LuckInput) {
  const found = { summary, counts };
  if (battles === undefined) return createHeadline({ scenario, exact: found });
  return createHeadline({ scenario, simulated: { ...found, battles } });
}

/** Formats the answer of a scenario as a paragraph. */
function paragraph({ file, known }: Shipped): string {
  const { lines, finePrint: small, odds } = leadFor(known);
  const bar = odds.map(({ name, share, tone }) => `${name} ${share}${tone === undefined ? '' : ` (${String(tone)})`}`);
  const armies = formatArmies(known.scenario, getSides(known.scenario));
  return [file, ...lines, ...small, `[ ${bar.join(' | ')} ]`, ...(armies === undefined ? [] : [armies])].join('\n  ');
}

describe('every shipped scenario', () => {
  test('is answered in sentences', async () => {
    const reported = all.map(paragraph);
    expect(reported.length).toBeGreaterThan(DEPTH > 1 ? 60 : 8);
    if (DEPTH > 1) await expect(`${reported.join('\n\n')}\n`).toMatchFileSnapshot('sentences.txt');
    else expect(KNOWN.split(/\n{2,}/)).toEqual(expect.arrayContaining(reported));
  });

  test('is told without what is not there, and nothing uncertain is 100 % or never', () => {
    for (const { file, known } of all) {
      const text = paragraph({ file, known });
      expect(text).not.toMatch(/undefined|NaN|Infinity|\[object/);
      const sure = known.battles === undefined && known.summary.outcomes.some(({ p }) => p === 1);
      if (!sure) expect(text, file).not.toMatch(/\b(?:100 %|(?<!almost )every time|in every battle|never)/);
    }
  });

  test('has odds that are all of it, in the order of the sides', () => {
    for (const { file, known } of all) {
      const { odds } = leadFor(known);
      const sum = odds.reduce((total, { p }) => total + p, 0);
      expect(sum, file).toBeCloseTo(1, 9);
      const tones = odds.flatMap(({ tone }) => tone ?? []);
      expect(tones, file).toEqual(tones.toSorted((a, b) => a - b));
    }
  });

  test('has endings whose tails hold all battles, whatever is asked', () => {
    for (const { file, known } of all) {
      for (const { outcome, metric } of listLuckOptions(known)) {
        const [reported] = createLuckReports(known, outcome, metric?.middle);
        // Scenarios without sides have no luck reports.
        if (reported !== undefined)
          expect(reported.lines.join(' '), file).toMatch(/^This or a worse result for .*%\).*This or a better/);
      }
    }
  });
});
