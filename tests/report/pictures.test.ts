/** Figures: marks, texts, and names that stay within their bounds. */
import { inflateSync } from 'node:zlib';
import { Resvg } from '@resvg/resvg-js';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  morrisSensitivity,
  type Sensitivity,
  sobolSensitivity,
  stepSensitivity,
} from '../../src/analysis/sensitivity/index.ts';
import { getFontFiles } from '../../src/core/platform/node/files.ts';
import { createColorScale, isDark } from '../../src/report/figures/color-scale.ts';
import { createConvergenceFigure } from '../../src/report/figures/convergence.ts';
import { createZScoreFigure } from '../../src/report/figures/distributions.ts';
import { type Figure, truncateToWidth, wrapToWidth } from '../../src/report/figures/figure.ts';
import { measureTextWidth } from '../../src/report/figures/font.ts';
import { renderPng, renderSvg } from '../../src/report/figures/render.ts';
import { createSensitivityFigure } from '../../src/report/figures/sensitivity.ts';
import { DOUBLE_COLUMN, SINGLE_COLUMN } from '../../src/report/figures/theme.ts';
import { getSides } from '../../src/report/scenario/sides.ts';
import { createSensitivitySheet } from '../../src/report/sensitivity/sensitivity.ts';
import { formatSheet } from '../../src/report/sheet/sheet.ts';
import {
  createFileNames,
  createSweepReport,
  formatFooter,
  type SweepReport,
} from '../../src/report/sweep-report/report.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import { labelField } from '../../src/rules/index.ts';
import { loadScenario, validateScenario } from '../../src/rules/scenario/index.ts';
import type { Store } from '../../src/storage/sweep/rows.ts';
import { DEPTH } from '../depth.ts';
import { axis, DUEL, EVIL, sweepStore } from './store.ts';

const hp = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, k) => from + step * k);

let store: Store;
let report: SweepReport;
beforeAll(async () => {
  store = await sweepStore({
    scenario: DUEL,
    axes: [axis('attacker.hp', hp(10, 40, 10)), axis('defender.hp', hp(10, 30, 10)), axis('defender.attack', [0, 2])],
    battles: 500,
    parts: 5,
  });
  report = await createSweepReport(store);
});

afterEach(() => {
  vi.restoreAllMocks();
});

function pictureOf({ figures: pictures }: SweepReport, kind: Figure['kind'], of?: string): Figure {
  const picture = pictures.find((each) => each.kind === kind && (of === undefined || each.of === of));
  if (picture === undefined) throw new Error(`no picture of kind ${kind}`);
  return picture;
}

const drawn = (picture: Figure, of: SweepReport = report) => renderSvg(picture, formatFooter(of.survey), 'p');

/** Returns the texts of an SVG without the titles of marks. */
function textsOf(svg: string): string[] {
  const shown = svg.replaceAll(/<title>[^<]*<\/title>/g, '');
  return [...shown.matchAll(/>([^<>\n]+)</g)].map(([, text = '']) => text);
}

const titlesOf = (svg: string): string[] => [...svg.matchAll(/<title>([^<]*)<\/title>/g)].map(([, text = '']) => text);

interface Image {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Reverses a PNG filter (specification, 9.2) in one line of RGBA pixels. */
function unfiltered(filter: number, line: Uint8Array, above: Uint8Array): Uint8Array {
  const out = new Uint8Array(line.length);
  for (const [i, byte] of line.entries()) {
    const [left = 0, up = 0, corner = 0] = [out[i - 4], above[i], above[i - 4]];
    const p = left + up - corner;
    const nearest = [left, up, corner].toSorted((a, b) => Math.abs(p - a) - Math.abs(p - b))[0] ?? 0;
    out[i] = byte + ([0, left, up, (left + up) >> 1, nearest][filter] ?? 0);
  }
  return out;
}

/** Decodes a PNG with eight-bit RGBA pixels. */
function decoded(png: Uint8Array): Image {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  expect([view.getUint8(24), view.getUint8(25)]).toEqual([8, 6]);
  const parts: Uint8Array[] = [];
  for (let at = 8; at < png.length; at += 12 + view.getUint32(at)) {
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8));
    if (type === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  const raw = inflateSync(Buffer.concat(parts));
  const pixels = new Uint8Array(width * height * 4);
  let above = new Uint8Array(width * 4);
  for (let y = 0; y < height; y++) {
    const at = y * (width * 4 + 1);
    above = new Uint8Array(unfiltered(raw[at] ?? 0, raw.subarray(at + 1, at + 1 + width * 4), above));
    pixels.set(above, y * width * 4);
  }
  return { width, height, pixels };
}

/** Computes the share of dark pixels in the lines from..to. */
function ink({ width, pixels }: Image, from: number, to: number): number {
  let dark = 0;
  for (let at = from * width; at < to * width; at++) if ((pixels[4 * at + 1] ?? 255) < 128) dark += 1;
  return dark / ((to - from) * width);
}

describe('figures of a sweep', () => {
  test('have every kind that applies to the sweep, without a warning', async () => {
    const warn = vi.spyOn(console, 'warn');
    const kinds = new Set(report.figures.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['convergence', 'effects', 'law', 'map', 'ranks', 'scores']);
    for (const picture of report.figures) expect(await drawn(picture)).toMatch(/^<svg [\s\S]*<\/svg>$/);
    expect(warn).not.toHaveBeenCalled();
  });

  test('include a heat map with a tile, value and interval for each cell, and labels of its axes', async () => {
    const svg = await drawn(pictureOf(report, 'map', 'attacker'));
    const titles = titlesOf(svg);
    expect(titles).toHaveLength(4 * 3 * 2);
    for (const title of titles)
      expect(title).toMatch(
        /^attacker\.hp \d+, defender\.hp \d+, defender\.attack \d\nattacker wins: [\d.]+ % exact, simulated [\d.]+ % \(95 %: .+ %\), z [+-]?\d/,
      );
    const texts = textsOf(svg);
    expect(texts).toEqual(
      expect.arrayContaining(['Probability that attacker wins', 'attacker.hp', 'defender.hp', '%']),
    );
    expect(texts).toEqual(expect.arrayContaining(['defender.attack = 0', 'defender.attack = 2', '10', '40']));
    expect(texts.at(-1)).toBe(
      'a duel · attrition · 24 cells · 500 battles each · seed 1 · digest f00dface · warpool 0.1.0',
    );
  });

  test('include a heat map with percentages in its tiles if there are few cells', async () => {
    const one = await createSweepReport(store, { fix: new Map([['defender.attack', '2']]), of: ['attacker'] });
    const svg = await drawn(pictureOf(one, 'map'), one);
    const values = (one.figureData.tiles.get('outcome attacker') ?? []).map(({ value }) => (100 * value).toFixed(0));
    expect(values).toHaveLength(12);
    expect(textsOf(svg)).toEqual(expect.arrayContaining(['defender.attack = 2', ...values]));
  });

  test('include lines with a band each if the sweep has one axis', async () => {
    const line = await createSweepReport(
      await sweepStore({ scenario: DUEL, axes: [axis('attacker.hp', hp(10, 40, 5))], battles: 500 }),
    );
    const svg = await drawn(pictureOf(line, 'lines', ''), line);
    expect(titlesOf(svg)).toHaveLength(3 * 7);
    expect(textsOf(svg)).toEqual(
      expect.arrayContaining([
        'Probabilities of outcomes',
        'probability (%)',
        'attacker wins',
        'defender wins',
        'both sides fall',
      ]),
    );
    expect(svg.match(/fill-opacity="0.22"|opacity="0.22"/g)).toHaveLength(3);
    expect(textsOf(await drawn(pictureOf(line, 'lines', 'rounds'), line))).toContain('mean of rounds');
  });

  test('include scatter plots of sampled points over the axes with the greatest effects', async () => {
    const range = (path: string, low: number, high: number) => ({
      name: path,
      paths: [path],
      range: [low, high] as const,
    });
    const points = Array.from({ length: 40 }, (_, k) => [10 + ((k * 7) % 31), 10 + ((k * 11) % 31), k % 2]);
    const axes = [range('attacker.hp', 10, 40), range('defender.hp', 10, 40), range('defender.attack', 0, 1)];
    const sobol = await createSweepReport(
      await sweepStore({ scenario: DUEL, design: 'sobol', axes, points, battles: 200 }),
    );
    const svg = await drawn(pictureOf(sobol, 'points', 'attacker'), sobol);
    expect(titlesOf(svg)).toHaveLength(40);
    expect(textsOf(svg)).toEqual(expect.arrayContaining(['attacker.hp', 'defender.hp']));
  });

  test('include effects in percent, in descending order', async () => {
    const [attacker] = report.shown;
    const greatest = (attacker?.effects.axes ?? []).toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0))[0];
    const [first] = titlesOf(await drawn(pictureOf(report, 'effects', 'attacker')));
    expect(first).toBe(
      `${greatest?.axis ?? ''}: ${(100 * (greatest?.share ?? 0)).toFixed(1)} % of the variance between cells`,
    );
  });

  test('include the counts of a metric together with its exact distribution', async () => {
    const svg = await drawn(pictureOf(report, 'law', 'rounds'));
    expect(titlesOf(svg).some((title) => /^\d+: sampled [\d.]+ %, exact [\d.]+ %$/.test(title))).toBe(true);
    expect(pictureOf(report, 'law', 'rounds').caption).toMatch(/Chi-square .* with \d+ degrees of freedom/);
  });

  test('are as wide as one or two columns of a paper', async () => {
    for (const picture of report.figures) {
      const [, width] = /width="([\d.]+)"/.exec(await drawn(picture)) ?? [];
      expect(Number(width), picture.kind).toBe(picture.width);
      // Names of ranked cells are long.
      expect(picture.width).toBe(['map', 'ranks'].includes(picture.kind) ? DOUBLE_COLUMN : SINGLE_COLUMN);
    }
  });

  test('are identical if rendered again', async () => {
    const again = await createSweepReport(store);
    expect(again.figures).toEqual(report.figures);
    const map = pictureOf(report, 'map', 'rounds');
    expect(await drawn(map)).toBe(await drawn(map));
  });

  test('have unique file names', () => {
    const of = (name: string): Figure => ({ ...pictureOf(report, 'map'), of: name });
    expect(createFileNames([of('hp.Red Army'), of('hp red army'), of('../../x'), of('…')])).toEqual([
      'map-hp-red-army',
      'map-hp-red-army-2',
      'map-x',
      'map',
    ]);
  });
});

describe('figures of other results', () => {
  /** Returns the labels of the fields in the order of the rows of the table. */
  function rowsOf(result: Sensitivity, fields: readonly string[]): string[] {
    const look = { width: 80, tableWidth: Number.POSITIVE_INFINITY, paint: PLAIN_PAINT };
    const names = formatSheet(createSensitivitySheet(result, 'x'), look)
      .split('\n')
      .map((line) => line.split('  ')[0] ?? '');
    return names.filter((name) => labelsOf(result, fields).includes(name));
  }

  const labelsOf = (of: Sensitivity, paths: readonly string[]) => paths.map((path) => labelField(of.scenario, path));

  test('show both steps of every field, in the order of the table', async () => {
    const scenario = await loadScenario('scenarios/attrition-direct.yaml');
    const fields = ['attacker.hp', 'attacker.attack', 'defender.attack', 'maxRounds'];
    const steps = await stepSensitivity(scenario, { fields });
    const svg = await drawn(createSensitivityFigure(steps));
    expect(titlesOf(svg)).toEqual([
      expect.stringMatching(/^attacker’s attack = 2: 9\.71$/),
      expect.stringMatching(/^attacker’s attack = 0: -10\.9$/),
      expect.stringMatching(/^defender’s attack = \d+: -10\.7$/),
      expect.stringMatching(/^defender’s attack = \d+: 10\.8$/),
      expect.stringMatching(/^attacker’s hit points = 31: 2\.05$/),
      expect.stringMatching(/^attacker’s hit points = 29: -2\.1$/),
    ]);
    const texts = textsOf(svg);
    expect(texts.filter((text) => labelsOf(steps, fields).includes(text))).toEqual(rowsOf(steps, fields));
    expect(texts).toEqual(
      expect.arrayContaining([
        'Sensitivity of attacker',
        'effect of one step (percentage points)',
        'one step up',
        'one step down',
        'exact',
      ]),
    );
    const rounds = await drawn(createSensitivityFigure({ ...steps, kind: 'metric', of: 'rounds' }));
    expect(titlesOf(rounds).at(-2)).toMatch(/^attacker’s hit points = 31: 0\.0205/);
  });

  test('show intervals of simulated steps, and complete long names', async () => {
    const scenario = await loadScenario('scenarios/cube-bag-landing.yaml');
    const fields = ['defender.armies[0].units.swordsman', 'attacker.armies[0].units.galley'];
    const steps = await stepSensitivity(scenario, { fields, battles: 200, exact: 'never' });
    const picture = createSensitivityFigure(steps);
    const svg = await drawn(picture);
    expect(picture.width).toBe(DOUBLE_COLUMN);
    expect(titlesOf(svg).every((title) => /: -?[\d.]+, 95 % interval -?[\d.e-]+ \.\. -?[\d.e-]+$/.test(title))).toBe(
      true,
    );
    expect(textsOf(svg).filter((text) => labelsOf(steps, fields).includes(text))).toEqual(rowsOf(steps, fields));
  });

  test.each(['morris', 'sobol'] as const)(
    'show the fields of a space by %s in the order of the table',
    async (method) => {
      const scenario = await loadScenario('scenarios/attrition-direct.yaml');
      const space = ['attacker.attack=0..2', 'attacker.hp=10..60', 'defender.attack=0..3'];
      const fields = space.map((range) => range.split('=')[0] ?? '');
      const result =
        method === 'morris'
          ? await morrisSensitivity(scenario, { space, trajectories: 4 })
          : await sobolSensitivity(scenario, { space, points: 16 });
      const labels = labelsOf(result, fields);
      const shown = textsOf(await drawn(createSensitivityFigure(result))).filter((text) => labels.includes(text));
      expect(shown).toHaveLength(3);
      expect(shown).toEqual(rowsOf(result, fields));
    },
  );

  test('show convergence with the exact value', async () => {
    const looks = [10, 100, 1000].map((battles) => ({ battles, count: battles / 2 }));
    const picture = createConvergenceFigure({
      outcome: 'attacker',
      colour: '#d55e00',
      place: 'a duel',
      checkpoints: looks,
      exact: 0.5,
    });
    const svg = await drawn(picture);
    expect(titlesOf(svg)).toHaveLength(3);
    expect(titlesOf(svg)[1]).toBe('100 battles\nattacker wins: 50 % (95 %: 40 .. 60 %)');
    expect(svg.match(/stroke-dasharray/g)).toHaveLength(1);
  });

  test('show z-scores next to the normal distribution', async () => {
    const svg = await drawn(createZScoreFigure(report.survey.scores));
    expect(textsOf(svg)).toEqual(expect.arrayContaining(['z: standard errors from the exact value', 'density']));
  });
});

describe('names with markup', () => {
  test.runIf(DEPTH > 1)('remain text', async () => {
    const evil = await createSweepReport(await sweepStore(EVIL));
    expect(evil.figures.length).toBeGreaterThan(8);
    for (const picture of evil.figures) {
      const svg = await drawn(picture, evil);
      for (const [tag] of svg.matchAll(/<[^>]*>/g)) {
        expect(tag).toMatch(/^<\/?(svg|g|path|rect|text|tspan|title|defs|linearGradient|stop|clipPath|line)\b/);
        expect(tag).not.toMatch(/\s(on\w+|href|xlink:href|style)=/);
      }
      // resvg requires well-formed XML.
      expect((await renderPng(svg)).length).toBeGreaterThan(1000);
    }
    const map = await drawn(pictureOf(evil, 'map', "'); alert(2); ('"), evil);
    expect(textsOf(map).join('\n')).toContain('&lt;b onmouseover=');
    expect(textsOf(await drawn(pictureOf(evil, 'effects'), evil)).join('\n')).toContain('&lt;/svg&gt;&lt;script&gt;');
  });
});

test('names that look like attributes are written unchanged', async () => {
  const name = 'x class="y" id="g_1" url(#g_1) d="1.23456"';
  const scenario = await loadScenario('scenarios/attrition-direct.yaml');
  const steps = await stepSensitivity(scenario, { fields: ['attacker.hp'] });
  const svg = await drawn(createSensitivityFigure({ ...steps, of: name }));
  expect(textsOf(svg).join(' ')).toContain(name);
});

describe('PNG', () => {
  test.runIf(DEPTH > 1)('has 300 dots per inch, and dark pixels where texts are', async () => {
    const svg = await drawn(pictureOf(report, 'effects', 'attacker'));
    const image = decoded(await renderPng(svg));
    expect(image.width).toBe(Math.floor((SINGLE_COLUMN * 300) / 96));
    const line = (pixels: number): number => Math.round((pixels * 300) / 96);
    expect(ink(image, line(4), line(16))).toBeGreaterThan(0.02);
    expect(ink(image, image.height - line(9), image.height - line(1))).toBeGreaterThan(0.02);
    const mute = decoded(await renderPng(svg.replaceAll(/<text[\s\S]*?<\/text>/g, '')));
    expect(ink(mute, line(4), line(16))).toBe(0);
  });
});

describe('text', () => {
  test('has the width of the font', () => {
    // Advance widths of DejaVu Sans 2.37, in 2048ths of an em.
    expect(measureTextWidth('A', 2048)).toBeCloseTo(1401, 6);
    expect(measureTextWidth(' ', 2048)).toBeCloseTo(651, 6);
    expect(measureTextWidth('00', 2048)).toBeCloseTo(2 * 1303, 6);
    expect(measureTextWidth('A', 2048, true)).toBeCloseTo(1585, 6);
  });

  test.each(['Hit points of the attacker (mean)', 'H 0.123 .. 0.456 %', 'Hände → ±1'])(
    'is drawn as wide as measured: %s',
    (text) => {
      const left = (shown: string): number => {
        const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="50"><text x="800" y="30" text-anchor="end" font-family="DejaVu Sans" font-size="20">${shown}</text></svg>`;
        const font = { loadSystemFonts: false, fontFiles: [...getFontFiles()] };
        return new Resvg(svg, { font }).innerBBox()?.x ?? Number.NaN;
      };
      // Both begin with the same letter. Kerning, which is not measured, moves some letters by a fraction of a pixel.
      const wide = left('H') - left(text);
      expect(wide / (measureTextWidth(text, 20) - measureTextWidth('H', 20))).toBeCloseTo(1, 1);
    },
  );

  test('is wrapped and truncated to a given width', () => {
    expect(wrapToWidth('one two three', measureTextWidth('one two', 10) + 1, 10)).toEqual(['one two', 'three']);
    const short = truncateToWidth('a name that is far too long', 60, 10);
    expect(short.endsWith('…')).toBe(true);
    expect(measureTextWidth(short, 10)).toBeLessThanOrEqual(60);
    expect(truncateToWidth('short', 60, 10)).toBe('short');
  });
});

describe('colors', () => {
  const outcome = { kind: 'outcome', name: 'attacker' } as const;
  const metric = { kind: 'metric', name: 'margin' } as const;
  const sides = getSides(validateScenario(DUEL));

  test('diverge at 50 % if probabilities are on both sides, with the domain 0..100 %', () => {
    const { colors: colours, ...rest } = createColorScale(outcome, [0.2, 0.7], sides);
    expect(rest).toEqual({ domain: [0, 100], middle: 50 });
    expect(colours).toHaveLength(7);
    expect(createColorScale(outcome, [0.45, 0.7], sides).domain).toEqual([45, 70]);
    expect(createColorScale(outcome, [0.45, 0.7])).toEqual({ colors: 'viridis', domain: [45, 70] });
  });

  test('diverge at zero if a metric has values on both sides of it', () => {
    expect(createColorScale(metric, [-1, 3], sides)).toEqual({ colors: 'purplegreen', domain: [-3, 3], middle: 0 });
    expect(createColorScale(metric, [1, 3], sides)).toEqual({ colors: 'viridis', domain: [1, 3] });
  });

  test('of a single value have a domain with a width', () => {
    expect(createColorScale(metric, [2, 2]).domain).toEqual([1.5, 2.5]);
  });

  test('have text with sufficient contrast', () => {
    const scale = createColorScale(metric, [0, 10]);
    expect([0, 5, 9].map((value) => isDark(scale, value))).toEqual([true, true, false]);
    const turning = createColorScale(outcome, [0, 1], sides);
    expect([0, 50, 100].map((value) => isDark(turning, value))).toEqual([true, false, false]);
  });
});

test('PNG requires an optional package, SVG does not', async () => {
  vi.doMock('@resvg/resvg-js', () => {
    throw new Error('not installed');
  });
  try {
    await expect(renderPng('<svg/>')).rejects.toThrow(
      'PNG figures require @resvg/resvg-js: npm install @resvg/resvg-js',
    );
    expect(await renderSvg(pictureOf(report, 'map', 'attacker'), '', 'figure')).toContain('<svg');
  } finally {
    vi.doUnmock('@resvg/resvg-js');
  }
});
