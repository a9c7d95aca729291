/** Heat maps: the line at 50 %, holes, panels, and captions that describe exactly the elements that are drawn. */
import { describe, expect, test } from 'vitest';
import type { Figure } from '../../src/report/figures/figure.ts';
import { renderSvg } from '../../src/report/figures/render.ts';
import { GREY, TILE_INK } from '../../src/report/figures/theme.ts';
import { createSweepReport } from '../../src/report/sweep-report/report.ts';
import type { AxisValue, StoredAxis, StoreInfo } from '../../src/storage/sweep/rows.ts';
import { DEPTH } from '../depth.ts';
import { axis, outcomeRow, storeOf } from './store.ts';

const facts: StoreInfo = {
  name: 'made by hand',
  system: 'attrition',
  ruleset: '1',
  warpool: '0.1.0',
  axes: [],
  design: 'grid',
  points: 0,
  battles: 100,
  seed: '1',
  streams: 'independent',
  complete: true,
  digest: 'abc',
};

const upTo = (count: number): number[] => Array.from({ length: count }, (_, k) => k);

type Place = Readonly<Record<string, AxisValue>>;

/** Creates a figure of a grid, by default its heat map. @param value returns undefined where there is no cell */
async function mapOf(
  axes: readonly StoredAxis[],
  value: (place: Place) => number | undefined,
  wanted: Figure['kind'] = 'map',
): Promise<Figure> {
  const places = axes.reduce<Place[]>(
    (all, { name, values = [] }) => all.flatMap((place) => values.map((each) => ({ ...place, [name]: each }))),
    [{}],
  );
  const rows = places.flatMap((place, cell) => {
    const found = value(place);
    return found === undefined ? [] : [outcomeRow(cell, place, found, 0.001)];
  });
  const { figures: pictures } = await createSweepReport(storeOf({ ...facts, axes, points: places.length }, rows));
  const map = pictures.find(({ kind }) => kind === wanted);
  if (map === undefined) throw new Error(`no ${wanted}`);
  return map;
}

const drawn = (picture: Figure): Promise<string> => renderSvg(picture, '', 'm');

/** Returns the ends of all strokes of a color, in pixels of their panel. */
function strokesOf(svg: string, colour: string): [x: number, y: number][] {
  const paths = [...svg.matchAll(new RegExp(`<path d="([^"]*)"[^>]*stroke="${colour}"`, 'g'))];
  return paths.flatMap(([, d = '']) =>
    [...d.matchAll(/[ML]([\d.-]+),([\d.-]+)/g)].map(([, x, y]): [number, number] => [Number(x), Number(y)]),
  );
}

const number = (value: AxisValue | undefined): number => Number(value);

test('tiles of values between 0 and 100 % never show 0 or 100', async () => {
  const map = await mapOf([axis('a', upTo(2)), axis('b', upTo(2))], ({ a, b }) =>
    number(a) + number(b) === 1 ? 0.5 : number(a) === 0 ? 0.0029 : 0.9952,
  );
  const texts = [...(await drawn(map)).matchAll(/>(&lt;|&gt;)?(\d+)<\/text>/g)].map(
    ([, sign = '', digits]) => sign + String(digits),
  );
  expect(texts).toEqual(expect.arrayContaining(['50', '&lt;1', '&gt;99']));
});

describe('line at 50 %', () => {
  test('is interpolated between the centers of tiles', async () => {
    const square = [axis('a', upTo(10)), axis('b', upTo(10))];
    const map = await mapOf(square, ({ a, b }) => 0.05 + 0.1 * number(a) + 0 * number(b));
    expect(map.caption).toBe(
      'Each tile is a cell of the sweep; its color is the probability. The line is at 50 %, linearly interpolated between tiles.',
    );
    const svg = await drawn(map);
    const [, width = '0'] = /<path d="M0,0h([\d.]+)v[\d.]+h/.exec(svg.slice(svg.indexOf('<g fill'))) ?? [];
    const line = strokesOf(svg, TILE_INK);
    expect(line.length).toBeGreaterThanOrEqual(10);
    // 0.5 is between columns 4 (0.45) and 5 (0.55), whose border is the middle of the panel.
    const size = Math.max(...[...svg.matchAll(/<path d="M0,0h([\d.]+)v/g)].map(([, wide]) => Number(wide)));
    expect(Number(width)).toBeLessThanOrEqual(size);
    for (const [x] of line) expect(x).toBeCloseTo(size / 2, 1);
    const heights = line.map(([, y]) => y);
    expect(Math.max(...heights) - Math.min(...heights)).toBeCloseTo(0.9 * size, 0);
  });

  test('is not drawn if all values are on one side, or between values of a text axis', async () => {
    const numbers = [axis('a', upTo(4)), axis('b', upTo(4))];
    const high = await mapOf(numbers, ({ a, b }) => 0.6 + 0.05 * number(a) + 0.01 * number(b));
    const words = [axis('a', ['w', 'x', 'y', 'z']), axis('b', upTo(4))];
    const named = await mapOf(words, ({ a, b }) => (a === 'w' ? 0.1 : 0.8 + 0.01 * number(b)));
    for (const map of [high, named]) {
      expect(map.caption).toBe('Each tile is a cell of the sweep; its color is the probability.');
      expect(strokesOf(await drawn(map), TILE_INK)).toEqual([]);
    }
  });
});

describe('names', () => {
  const armies = (count: number): string[] => upTo(count).map((k) => `an army with a long name, number ${String(k)}`);
  const value = ({ a, b }: Place) => (String(a) < String(b) ? 0.3 : 0.7) + 0.01 * String(a).length;
  const labelsOf = (svg: string): string[] =>
    [...svg.matchAll(/<text[^>]*>(an army[^<]*)</g)].map(([, name = '']) => name);

  test.each([3, 5, 12])('of %i armies are written along both edges', async (count) => {
    const names = armies(count);
    const svg = await drawn(await mapOf([axis('a', names), axis('b', names)], value));
    expect(labelsOf(svg)).toHaveLength(2 * count);
    // Names along the horizontal axis are rotated, because they are wider than their tiles.
    expect(svg.match(/<text[^>]*rotate\((270|315|-45|-90)[^>]*>an army/g)).toHaveLength(count);
  });

  test('in a ranking distinguish its cells', async () => {
    const axes = [
      { ...axis('a', [1, 2, 3, 4, 5]), label: 'Swordsmen of the northern marches’s attack' },
      { ...axis('b', upTo(5)), label: 'Pikemen of the southern marches’s attack' },
      axis('c', [7]),
    ];
    const ranks = await mapOf(axes, ({ a, b }) => 0.1 + 0.1 * number(a) + 0.02 * number(b), 'ranks');
    const svg = await drawn(ranks);
    const names = [...svg.matchAll(/<text[^>]*>([^<]*, \d)</g)].map(([, name = '']) => name);
    // A cell close to 50 % may also be at an end of the ranking.
    expect(new Set(names).size).toBeGreaterThanOrEqual(names.length - 2);
    expect(names.length).toBeGreaterThanOrEqual(16);
    expect(names.join()).not.toContain('…');
    expect(svg).toContain('all at c 7');
  });
});

test('missing cells are hatched, and only then the caption mentions it', async () => {
  const axes = [axis('a', upTo(4)), axis('b', upTo(4))];
  const value = ({ a, b }: Place) => 0.6 + 0.05 * number(a) + 0.01 * number(b);
  const whole = await mapOf(axes, value);
  expect(strokesOf(await drawn(whole), GREY)).toEqual([]);
  const holed = await mapOf(axes, (place) => (place['a'] === 3 && place['b'] === 3 ? undefined : value(place)));
  expect(holed.caption).toMatch(/ Hatched: no cell, or not yet simulated\.$/);
  expect(strokesOf(await drawn(holed), GREY).length).toBeGreaterThan(10);
});

test('the caption says that tiles are means over cells if there are too many cells', async () => {
  const map = await mapOf([axis('a', upTo(210)), axis('b', upTo(4))], ({ a }) => 0.6 + 0.001 * number(a));
  expect(map.caption).toBe(
    'There are too many cells to draw: each tile is the mean over neighboring cells; its color is the probability.',
  );
});

test('each column of five panels has one axis below it, and each row one axis next to it', async () => {
  const axes = [axis('a', upTo(7)), axis('b', upTo(7)), axis('c', upTo(5))];
  const svg = await drawn(await mapOf(axes, ({ a, b, c }) => 0.01 * (number(a) + number(b) + number(c)) + 0.4));
  const titles = [...svg.matchAll(/>([abc](?: = \d)?)</g)].map(([, text]) => text);
  expect(titles.filter((text) => text?.startsWith('c'))).toEqual(upTo(5).map((c) => `c = ${String(c)}`));
  expect(titles.filter((text) => text === 'a')).toHaveLength(3);
  expect(titles.filter((text) => text === 'b')).toHaveLength(2);
  expect(svg.match(/<title>/g)).toHaveLength(7 * 7 * 5);
});

describe('many tiles', () => {
  /** Returns the color at the center of each tile: the topmost of several shapes. */
  function painted(svg: string, columns: number, rows: number): string[] {
    const shapes = [...svg.matchAll(/<path transform="translate\(0,0\)" d="(M[^"]*)" fill="(#\w+)"/g)];
    const rectangles = shapes.flatMap(([, d = '', fill = '']) =>
      [...d.matchAll(/M([\d.]+),([\d.]+)H([\d.]+)V([\d.]+)H[\d.]+Z/g)].map((found) => {
        const [left = 0, top = 0, right = 0, bottom = 0] = found.slice(1).map(Number);
        return { left, top, right, bottom, fill };
      }),
    );
    const [width, height] = [
      Math.max(...rectangles.map(({ right }) => right)),
      Math.max(...rectangles.map(({ bottom }) => bottom)),
    ];
    return Array.from({ length: columns * rows }, (_, at) => {
      const x = ((0.5 + (at % columns)) * width) / columns;
      const y = height - ((0.5 + Math.floor(at / columns)) * height) / rows;
      const over = rectangles.filter(({ left, right, top, bottom }) => left < x && x < right && top < y && y < bottom);
      return over.at(-1)?.fill ?? '';
    });
  }

  test.runIf(DEPTH > 1)('are drawn up to 200 x 200, as few shapes in order of their values', async () => {
    const axes = [axis('a', upTo(200)), axis('b', upTo(200))];
    const map = await mapOf(axes, ({ a, b }) => (number(a) + number(b)) / 398);
    expect(map.caption).toMatch(/^Each tile is a cell of the sweep; /);
    const svg = await drawn(map);
    expect(svg.length).toBeLessThan(500_000);
    expect(svg.match(/<title>/g)).toHaveLength(1);
    // The lowest shape is under all others, so that there are no visible gaps between shapes.
    expect(svg).toMatch(/d="M0,0H(\d+)V\1H0Z" fill="#/);
    expect(new Set(svg.match(/ fill="#\w+"/g)).size).toBeGreaterThan(60);
    expect(map.cells?.[1]?.slice(0, 3)).toEqual(['a', '0', '1']);
    expect(map.cells?.[3]?.slice(0, 3)).toEqual(['', '0', '0.3']);
    expect(map.cells?.[3]).toHaveLength(1 + 200 * 200);
  });

  test('have the color of their value, and no color where there is no cell', async () => {
    const [columns, rows] = [60, 50];
    const axes = [axis('a', upTo(columns)), axis('b', upTo(rows))];
    const value = ({ a, b }: Place): number => (((7 * number(a) + 13 * number(b)) % 64) + 0.5) / 64;
    const gap = ({ a, b }: Place): boolean => (number(a) * number(b)) % 17 === 5;
    const map = await mapOf(axes, (place) => (gap(place) ? undefined : value(place)));
    const colours = painted(await drawn(map), columns, rows);
    const places = colours.map((colour, at) => ({ colour, place: { a: at % columns, b: Math.floor(at / columns) } }));
    const byStep = new Map<number, Set<string>>();
    for (const { colour, place } of places) {
      expect(colour === '').toBe(gap(place));
      if (colour !== '') byStep.set(value(place), (byStep.get(value(place)) ?? new Set()).add(colour));
    }
    expect(byStep.size).toBe(64);
    for (const found of byStep.values()) expect(found.size).toBe(1);
    expect(new Set([...byStep.values()].map((found) => [...found][0])).size).toBe(64);
    expect(map.cells?.[3]?.filter((text) => text === '')).toHaveLength(
      1 + places.filter(({ place }) => gap(place)).length,
    );
  });

  test.runIf(DEPTH > 1)(
    'of several panels are at most 40 000 in total, and each panel has its values for tooltips',
    async () => {
      const fits = [axis('a', upTo(110)), axis('b', upTo(110)), axis('c', upTo(3))];
      const map = await mapOf(fits, ({ a }) => number(a) / 110);
      expect(map.caption).toMatch(/^Each tile is a cell/);
      expect(map.cells?.slice(3).map(([title]) => title)).toEqual(['c = 0', 'c = 1', 'c = 2']);
      expect((await drawn(map)).match(/<title>/g)).toHaveLength(3);
      const more = [axis('a', upTo(120)), axis('b', upTo(120)), axis('c', upTo(3))];
      expect((await mapOf(more, ({ a }) => number(a) / 110)).caption).toMatch(/^There are too many cells to draw/);
    },
  );
});
