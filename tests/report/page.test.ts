/** HTML report of a sweep: complete, deterministic, and safe against injected names and network access. */

import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { Markup, markup } from '../../src/report/html/markup.ts';
import { renderSweepReport } from '../../src/report/html/sweep-report.ts';
import { formatValue, getScale } from '../../src/report/sheet/estimated-value.ts';
import { formatQuantityHeading } from '../../src/report/sweep-analysis/quantity.ts';
import { createSweepReport, type SweepReport } from '../../src/report/sweep-report/report.ts';
import { formatSweepReportSheet } from '../../src/report/sweep-report/sheet.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import type { ResultRow, Store } from '../../src/storage/sweep/rows.ts';
import { DEPTH } from '../depth.ts';
import { axis, DUEL, EVIL, outcomeRow, storeOf, sweepStore } from './store.ts';

let store: Store;
let report: SweepReport;
let page: string;
beforeAll(async () => {
  const axes = [axis('attacker.hp', [10, 20, 30]), axis('defender.hp', [10, 20])];
  store = await sweepStore({ scenario: DUEL, axes, battles: 1000 });
  report = await createSweepReport(store);
  page = await renderSweepReport(report);
});

/** Elements without an end tag. */
const VOID = new Set(['meta', 'wbr', 'path', 'rect', 'line', 'stop']);

/** Returns tags that are opened and not closed, or closed and not opened, outside scripts and styles. */
function unbalanced(html: string): string[] {
  const open: string[] = [];
  const bare = html.replaceAll(/<(script|style)>[\s\S]*?<\/\1>/g, '').replace('<!doctype html>', '');
  for (const [tag, slash, name = ''] of bare.matchAll(/<(\/?)([a-z0-9]+)[^<>]*>/gi)) {
    if (tag.endsWith('/>') || (VOID.has(name) && slash === '' && (name === 'meta' || name === 'wbr'))) continue;
    if (slash === '') open.push(name);
    else if (open.at(-1) === name) open.pop();
    else return [...open, `/${name}`];
  }
  return open;
}

const textOf = (html: string): string =>
  html
    .replaceAll(/<(script|style)>[\s\S]*?<\/\1>/g, '')
    .replaceAll('<wbr>', '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

describe('HTML report', () => {
  test('refers to no external resource', () => {
    expect(page).not.toMatch(/https?:|\/\/[a-z]|@import|url\((?!#)|<(link|iframe|object|embed|base|img)\b/i);
    expect(page).not.toMatch(/\s(src|srcset|xlink:href)=/);
    for (const [, target = ''] of page.matchAll(/\shref="([^"]*)"/g)) expect(target).toMatch(/^#[a-z]+$/);
  });

  test('has a content security policy without connections and with only its own script', () => {
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(policy).toBe(
      `default-src &#39;none&#39;; script-src &#39;sha256-${hash}&#39;; style-src &#39;unsafe-inline&#39;`,
    );
    expect(page.match(/<script/g)).toHaveLength(1);
  });

  test('has balanced tags, unique ids, and targets of all links', () => {
    expect(unbalanced(page)).toEqual([]);
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = [...page.matchAll(/\shref="#([^"]*)"|url\(#([^)]*)\)/g)].map(([, a, b]) => a ?? b);
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
  });

  test('has the key figures of all quantities', () => {
    const text = textOf(page);
    const [, figures = ''] = /<section id="figures">([\s\S]*?)<\/section>/.exec(page) ?? [];
    for (const { quantity, greatest, least } of report.survey.quantities) {
      expect(textOf(figures)).toContain(formatQuantityHeading(quantity));
      if (quantity.name === 'stalemate') continue;
      for (const { to } of [greatest, least]) expect(text).toContain(formatValue(getScale(quantity), { value: to }));
    }
    expect(text).toContain('digest f00dfacef00dface');
    expect(text).toContain('1 000 battles each, 6 000 in total');
    expect(text).toContain('attacker.hp 10, 20, 30');
    expect(text).not.toContain('not complete');
  });

  test('has every figure, and a row of the table for each cell', () => {
    expect(page.match(/<figure/g)).toHaveLength(report.figures.length);
    const [, table = ''] = /<section id="table">([\s\S]*?)<\/section>/.exec(page) ?? [];
    expect(table.match(/<tr>/g)).toHaveLength(1 + 6);
  });

  test('is identical if rendered again', async () => {
    expect(await renderSweepReport(await createSweepReport(store))).toBe(page);
  });

  test('of an incomplete sweep says how many cells are missing', async () => {
    const open = await renderSweepReport(await createSweepReport(await sweepStore({ ...EVIL, name: 'half' })));
    expect(textOf(open)).toContain('This sweep is not complete: 11 of at most 12 cells are complete.');
    expect(textOf(open)).toContain('digest none, because the sweep is not complete');
  });

  test('says how many cells did not reach their precision target', async () => {
    const rows: ResultRow[] = [0, 1, 2].map((cell) => ({
      ...outcomeRow(cell, { a: cell }, 0.2 * (1 + cell), 0.01),
      reached: cell > 0,
    }));
    const facts = { ...store.info, axes: [axis('a', [0, 1, 2])], points: 3, precision: 0.01 };
    expect(textOf(await renderSweepReport(await createSweepReport(storeOf(facts, rows))))).toContain(
      '1 cells did not reach their precision.',
    );
  });

  test.runIf(DEPTH > 1)('of 14 400 cells shows each cell and has a limited size', async () => {
    const values = Array.from({ length: 120 }, (_, k) => k);
    const facts = { ...store.info, axes: [axis('a', values), axis('b', values)], points: 14_400 };
    const names = ['attacker', 'defender', 'mutual', 'stalemate'];
    const pageOf120 = async (value: (a: number, b: number, n: number) => number): Promise<string> => {
      const rows = values.flatMap((a) =>
        values.flatMap((b) =>
          names.map((name, n) => ({ ...outcomeRow(120 * a + b, { a, b }, value(a, b, n), 0.001), name })),
        ),
      );
      return await renderSweepReport(await createSweepReport(storeOf(facts, rows)));
    };
    const smooth = await pageOf120((a, b, n) => (a + b + n) / 250);
    expect(smooth.length).toBeLessThan(2_000_000);
    // If no neighbors have equal values, a heat map has at most one rectangle for each cell.
    const rough = await pageOf120((a, b, n) => ((a * b + n) % 101) / 101);
    expect(rough.length).toBeLessThan(6_000_000);
    for (const large of [smooth, rough]) {
      expect(textOf(large)).toContain('Each tile is a cell');
      expect(textOf(large)).not.toContain('There are too many cells to draw');
    }
  });
});

describe('names with markup', () => {
  test('add no tag, close no tag, and remain text', async () => {
    const evil = await renderSweepReport(await createSweepReport(await sweepStore(EVIL)));
    expect(unbalanced(evil)).toEqual([]);
    expect(evil.match(/<script/g)).toHaveLength(1);
    const tags = [...evil.replaceAll(/<(script|style)>[\s\S]*?<\/\1>/g, '').matchAll(/<[a-z][^<>]*>/gi)].map(
      ([tag]) => tag,
    );
    expect(tags.filter((tag) => /<(img|b)\b|\son\w+=/i.test(tag.replaceAll(/"[^"]*"/g, '""')))).toEqual([]);
    expect(evil).toContain('<title>&lt;/title&gt;&lt;script&gt;alert(&quot;name&quot;)');
    // Characters that change the writing direction, and control characters, are replaced by visible ones.
    for (const hidden of ['\u202e', '\u0007']) expect(evil).not.toContain(hidden);
  });

  test('are escaped by templates, unless they are of type Markup', () => {
    const name = `<a href="'">&`;
    expect(markup`<p title="${name}">${name}${new Markup('<br>')}${[markup`<i>${1}</i>`]}</p>`.text).toBe(
      '<p title="&lt;a href=&quot;&#39;&quot;&gt;&amp;">&lt;a href=&quot;&#39;&quot;&gt;&amp;<br><i>1</i></p>',
    );
  });
});

describe('text report', () => {
  const look = { width: 80, paint: PLAIN_PAINT };

  test('shows facts, effects, both ends of the ranking, and scores', () => {
    const sheet = formatSweepReportSheet(report, look);
    expect(sheet).toMatch(/^a duel\nbalanced cells: attacker wins\n {2}Closest to even: attacker wins \d/);
    expect(sheet).toMatch(
      /\nmain effects: attacker wins\n[\s\S]+\nanomalies\n[\s\S]+\n\nsystem +attrition, ruleset 1\n/,
    );
    expect(sheet).toMatch(/\ndesign +grid, 6 points\n/);
    expect(sheet).toMatch(/main effect, % +attacker +defender +mutual +rounds/);
    expect(sheet).toMatch(
      /highest and lowest: probability that attacker wins\ncell +attacker\.hp +defender\.hp +attacker wins\n/,
    );
    expect(sheet).toMatch(/estimates have exact values/);
    expect(sheet.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test('has no column of intervals if all values are exact, and names the target of the closest cells', async () => {
    const axes = [axis('attacker.hp', [20, 21, 22, 23]), axis('defender.hp', [20, 21, 22, 23])];
    const sheet = formatSweepReportSheet(
      await createSweepReport(await sweepStore({ scenario: DUEL, axes, battles: 0, solved: true })),
      look,
    );
    expect(sheet).not.toContain('95 % interval');
    expect(sheet).toMatch(/\nclosest to 50 %: probability that attacker wins\ncell +attacker\.hp/);
    expect(sheet).not.toContain('closest to 50 %: probability that both sides fall');
    expect(sheet).toContain('(Select others with --of: ');
  });

  test('contains no control characters of names', async () => {
    const sheet = formatSweepReportSheet(
      await createSweepReport(await sweepStore({ ...EVIL, name: 'a\u001b[2Jb' })),
      look,
    );
    expect(Array.from(sheet).filter((letter) => (letter < ' ' && letter !== '\n') || letter === '\u202e')).toEqual([]);
    expect(sheet).toContain('not complete');
  });
});
