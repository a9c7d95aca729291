/** Figures of the web app: rendered without compiled expressions, as the same text as on the command line. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stepSensitivity } from '../../src/analysis/sensitivity/index.ts';
import { getCharacterWidth as table } from '../../src/core/platform/browser/font.ts';
import { getCharacterWidth as font } from '../../src/core/platform/node/font.ts';
import { createHeatMap } from '../../src/report/figures/heat-map.ts';
import { createLineChart } from '../../src/report/figures/line-chart.ts';
import { renderSvg } from '../../src/report/figures/render.ts';
import { createSensitivityFigure } from '../../src/report/figures/sensitivity.ts';
import { DARK_COLORS } from '../../src/report/figures/theme.ts';
import type { CellTile } from '../../src/report/sweep-analysis/figure-data.ts';
import { createSweepView } from '../../src/report/sweep-analysis/view.ts';
import { parseScenario } from '../../src/rules/scenario/index.ts';
import { formatCsv, renderFigure } from '../../web/engine/output/figures.ts';

const AXES = [
  { name: 'a', paths: ['a'], values: [1, 2, 3] },
  { name: '<b>&"', paths: ['b'], values: ['x', '</svg><script>alert(1)</script>'] },
];

const QUANTITY = { kind: 'outcome', name: 'red' } as const;

const tiles = (rows: number): CellTile[] =>
  Array.from({ length: 3 * rows }, (_, k) => ({ x: k % 3, y: Math.trunc(k / 3), panel: 0, cells: 1, value: k / 6 }));

const study = stepSensitivity(
  parseScenario(
    'system: attrition\nmode: direct\nattacker: { attack: 1, defense: 1, hp: 4 }\ndefender: { attack: 1, defense: 1, hp: 4 }\n',
  ),
  { battles: 100 },
);

test.each([
  [
    'lines',
    () =>
      createLineChart(
        [{ quantity: QUANTITY, tiles: tiles(1) }],
        createSweepView({ axes: AXES.slice(0, 1), design: 'grid' }, {}, []),
        {},
      ),
  ],
  ['a map', () => createHeatMap(QUANTITY, createSweepView({ axes: AXES, design: 'grid' }, {}, []), tiles(2), {})],
  ['a tornado', async () => createSensitivityFigure(await study)],
])('renderFigure draws %s like renderSvg, without compiled expressions', async (_, make) => {
  const picture = await make();
  const { svg, caption } = await renderFigure(picture, 'small print', 'p');
  expect(svg).toBe(await renderSvg(picture, 'small print', 'p'));
  expect(caption).not.toBe('');
  expect(svg).toMatch(/^<svg role="img" aria-label="[^"]+" /);
  // The Content Security Policy forbids inline styles, and names do not become markup.
  expect(svg).not.toMatch(/ style=|<script|<style|<foreignObject|href=/);
});

test('character widths in browsers equal the widths of the font', () => {
  const codes = [...Array.from({ length: 0x500 }, (_, code) => code), 0x2013, 0x2026, 0x2192, 0x2264];
  const known = codes.filter(
    (code) => code >= 0x20 && (code < 0x7f || (code >= 0xa0 && code < 0x180) || code >= 0x370),
  );
  for (const bold of [false, true]) {
    const wrong = known
      .filter((code) => code < 0x460 || code > 0x500)
      .filter((code) => table(code, bold) !== font(code, bold));
    expect(wrong).toEqual([]);
  }
  expect(table(0x4e00, false)).toBe(font(0x4e00, false));
});

test('the style sheet has the dark colors of reports', () => {
  const style = readFileSync(new URL('../../web/style/studies.css', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
  for (const [light, dark] of Object.entries(DARK_COLORS))
    for (const name of ['fill', 'stroke'])
      expect(style).toContain(`:root[data-scheme="dark"] .drawing svg [${name}="${light}"] { ${name}: ${dark}; }`);
});

test('formatCsv quotes fields and prevents formulas', () => {
  const text = formatCsv(
    ['name', 'value'],
    [
      ['=1+1', 0.5],
      ['a "b", c', null],
    ],
  );
  expect(text).toBe('\uFEFFname,value\r\n\'=1+1,0.5\r\n"a ""b"", c",\r\n');
});
