/** Analysis of the results of a sweep for reports. */
import { beforeAll, describe, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { solveSync } from '../../src/analysis/solve.ts';
import { analyzeSweep, type QuantityAnalysis, type SweepAnalysis } from '../../src/report/sweep-analysis/analysis.ts';
import { createAxisClasses } from '../../src/report/sweep-analysis/axis-classes.ts';
import {
  computeGoodnessOfFit,
  createCellDistribution,
  createConvergencePoints,
} from '../../src/report/sweep-analysis/cell-distribution.ts';
import { selectExtremes } from '../../src/report/sweep-analysis/extreme-cells.ts';
import { MAX_LINES, MAX_POINTS } from '../../src/report/sweep-analysis/figure-data.ts';
import { createSweepView, isShown } from '../../src/report/sweep-analysis/view.ts';
import { createSweepReport } from '../../src/report/sweep-report/report.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { type Counts, listValueCounts } from '../../src/stats/counts.ts';
import type { AxisValue, ResultRow, Store, StoreInfo } from '../../src/storage/sweep/rows.ts';
import { DEPTH } from '../depth.ts';
import { axis, DUEL, MADE, outcomeRow, storeOf, sweepStore } from './store.ts';

const GRID = [axis('attacker.hp', [10, 20, 30, 40]), axis('defender.hp', [10, 15, 20])];

async function rowsOf(store: Store): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for await (const row of store.rows()) rows.push(row);
  return rows;
}

function named(found: SweepAnalysis, name: string): QuantityAnalysis {
  const quantity = found.quantities.find((each) => each.quantity.name === name);
  if (quantity === undefined) throw new Error(`no ${name}`);
  return quantity;
}

const facts: StoreInfo = { ...MADE, axes: [axis('a', [0, 1, 2]), axis('b', [0, 1, 2, 3])] };

/** Creates a store with one outcome whose value is a function of the axes. */
function madeStore(value: (a: number, b: number) => number, change: Partial<StoreInfo> = {}, error = 0): Store {
  const rows = [0, 1, 2].flatMap((a) => [0, 1, 2, 3].map((b) => outcomeRow(4 * a + b, { a, b }, value(a, b), error)));
  return storeOf({ ...facts, ...change }, rows);
}

/** Returns the weights of a metric by value. */
const weightsOf = (counts: Counts, metric: number) => new Map(listValueCounts(counts, metric));

const effectsOf = async (store: Store) => named(await analyzeSweep(store), 'attacker').effects;

describe('main effects of a complete grid', () => {
  test('share the variance of two additive axes in proportion to the squares', async () => {
    // Var(a) = 2/3, Var(2b) = 5: shares 2/17 and 15/17.
    const { axes, rest, noise } = await effectsOf(madeStore((a, b) => 0.1 + 0.05 * (a + 2 * b)));
    expect(axes[0]?.share).toBeCloseTo(2 / 17, 12);
    expect(axes[1]?.share).toBeCloseTo(15 / 17, 12);
    expect(rest).toBeCloseTo(0, 12);
    expect(noise).toBe(0);
  });

  test('are zero for a pure interaction, which remains as the rest', async () => {
    const { axes, rest } = await effectsOf(madeStore((a, b) => 0.5 + 0.1 * (a - 1) * (b - 1.5)));
    expect(axes.map(({ share }) => share)).toEqual([expect.closeTo(0, 12), expect.closeTo(0, 12)]);
    expect(rest).toBeCloseTo(1, 12);
  });

  test('include noise: the mean squared standard error divided by the variance', async () => {
    const { noise, rest } = await effectsOf(madeStore((a) => 0.1 * a, {}, 0.01));
    expect(noise).toBeCloseTo((0.01 ** 2 * 3) / (2 * 0.1 ** 2), 10);
    expect(rest).toBe(0);
  });

  test('have the means of cells by class', async () => {
    const { axes } = await effectsOf(madeStore((a, b) => 0.1 * a + 0.01 * b));
    expect(axes[0]?.classes).toEqual([
      { label: '0', cells: 4, mean: expect.closeTo(0.015, 12) as number, error: 0 },
      { label: '1', cells: 4, mean: expect.closeTo(0.115, 12) as number, error: 0 },
      { label: '2', cells: 4, mean: expect.closeTo(0.215, 12) as number, error: 0 },
    ]);
  });

  test('are undefined if cells do not vary', async () => {
    const { axes, noise, rest } = await effectsOf(madeStore(() => 0.3));
    expect(axes.map(({ share }) => share)).toEqual([undefined, undefined]);
    expect([noise, rest]).toEqual([undefined, undefined]);
  });

  test('have no rest and are corrected for chance if the grid is incomplete', async () => {
    const { axes, rest } = await effectsOf(madeStore((a, b) => ((7 * a + 5 * b) % 11) / 11, { complete: false }));
    expect(rest).toBeUndefined();
    const values = [0, 1, 2].map((a) => [0, 1, 2, 3].map((b) => ((7 * a + 5 * b) % 11) / 11));
    const mean = (of: readonly number[]): number => of.reduce((sum, x) => sum + x, 0) / of.length;
    const all = values.flat();
    const squares = all.reduce((sum, x) => sum + (x - mean(all)) ** 2, 0);
    const inside = values.flatMap((row) => row.map((x) => (x - mean(row)) ** 2)).reduce((sum, x) => sum + x, 0);
    expect(axes[0]?.share).toBeCloseTo(Math.max(0, 1 - inside / (12 - 3) / (squares / (12 - 1))), 12);
    // Cells of a class also differ in the other axis, so the standard error of their mean is the same as for a random
    // sample of cells.
    const [row = []] = values;
    const spread = row.reduce((sum, x) => sum + (x - mean(row)) ** 2, 0) / (row.length - 1);
    expect(axes[0]?.classes[0]?.error).toBeCloseTo(Math.sqrt(spread / row.length), 12);
  });
});

describe('analyzeSweep for real cells', () => {
  let store: Store;
  let found: SweepAnalysis;
  beforeAll(async () => {
    store = await sweepStore({ scenario: DUEL, axes: GRID, battles: 2000 });
    found = await analyzeSweep(store);
  });

  test('counts cells and battles once, and lists outcomes first', () => {
    expect(found.cells).toBe(12);
    expect(found.battles).toBe(24_000);
    expect(found.solved).toBe(12);
    expect(found.quantities.map(({ quantity }) => quantity.kind)).toEqual([
      ...Array<string>(4).fill('outcome'),
      ...Array<string>(3).fill('metric'),
    ]);
  });

  test('ranks cells in the same order as sorting', async () => {
    const rows = (await rowsOf(store)).filter(({ name }) => name === 'attacker');
    const sorted = rows.toSorted((a, b) => (b.exact ?? 0) - (a.exact ?? 0)).map(({ cell }) => cell);
    const { figureData: gathered } = await createSweepReport(store);
    const { highest, lowest } = selectExtremes(gathered.ends.get('outcome attacker') ?? { top: [], bottom: [] }, 4);
    const cells = (levels: typeof highest) => levels.map(({ readings }) => readings[0]?.cell);
    expect([...cells(highest), ...cells(lowest)]).toEqual([...sorted.slice(0, 4), ...sorted.slice(-4)]);
    expect(named(found, 'attacker').greatest.readings[0]?.cell).toBe(sorted[0]);
    expect(named(found, 'attacker').least.readings[0]?.cell).toBe(sorted.at(-1));
  });

  test('returns the widest half-width, and none if all values are exact', async () => {
    const rows = await rowsOf(store);
    const widest = Math.max(
      ...rows.filter(({ name }) => name === 'rounds').map(({ low, high }) => ((high ?? 0) - (low ?? 0)) / 2),
    );
    expect(named(found, 'rounds').halfWidth).toBeUndefined();
    expect(named(found, 'rounds').effects.noise).toBe(0);
    const simulation = rows.map((row) => ({ ...row, exact: null, z: null }));
    expect(named(await analyzeSweep(storeOf(store.info, simulation)), 'rounds').halfWidth).toBe(widest);
  });

  test('counts z-scores or classifies them as rare, and finds the most extreme one', async () => {
    const scored = (await rowsOf(store)).filter(({ z }) => z !== null && z !== 0);
    const { count, rare, greatest, bins } = found.scores;
    expect(count + rare).toBe(scored.length);
    expect(bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(count);
    expect(Math.abs(greatest?.z ?? 0)).toBe(Math.max(...scored.map(({ z }) => Math.abs(z ?? 0))));
    // Probability of a false alarm by the Bonferroni bound: 5 %. This seed raises none.
    expect(Math.abs(greatest?.z ?? 9)).toBeLessThan(found.scores.expected);
  });

  test('reports an implausible z-score as the most extreme one', async () => {
    const rows = await rowsOf(store);
    const broken = rows.map((row) => (row.cell === 5 && row.name === 'rounds' ? { ...row, z: -6.5 } : row));
    const { scores } = await analyzeSweep(storeOf(store.info, broken));
    expect(scores.greatest).toEqual({ z: -6.5, cell: 5, name: 'rounds' });
    expect(6.5).toBeGreaterThan(scores.expected);
    expect(scores.bins[0]?.count).toBe(1);
  });

  test('stores distributions with all battles of a cell', async () => {
    const rows = await store.histogram(7);
    for (const { quantity } of found.quantities) {
      const exactDistribution = createCellDistribution(rows, quantity);
      expect(exactDistribution?.battles, quantity.name).toBe(2000);
      expect(exactDistribution?.bins.reduce((sum, { share = 0 }) => sum + share, 0)).toBeCloseTo(1, 12);
      expect(exactDistribution?.bins.reduce((sum, { exact = 0 }) => sum + exact, 0)).toBeGreaterThan(0.999);
    }
  });

  test('returns the same figures for the same store', async () => {
    expect(await analyzeSweep(store)).toEqual(found);
  });
});

describe('distributions', () => {
  test('computeGoodnessOfFit joins neighbors until the expected count of each class is at least five', () => {
    const exactDistribution = new Map([
      [0, 0.5],
      [1, 0.47],
      [2, 0.02],
      [3, 0.01],
    ]);
    const counts = new Map([
      [0, 60],
      [1, 36],
      [2, 3],
      [3, 1],
    ]);
    // Classes {0} and {1, 2, 3} of 100 battles.
    expect(computeGoodnessOfFit(counts, exactDistribution, 100)).toEqual({
      statistic: expect.closeTo(100 / 50 + 100 / 50, 10) as number,
      degrees: 1,
      limit: expect.closeTo(3.8415, 3) as number,
    });
  });

  test('valid runs exceed the limit in about 5 % of the cases', async () => {
    const scenario = validateScenario(DUEL);
    const exactDistribution = weightsOf(solveSync(scenario).distribution, 1);
    let beyond = 0;
    for (let seed = 1; seed <= 400; seed++) {
      const { counts } = await simulate(scenario, { battles: 2000, seed, workers: 1 });
      const fit = computeGoodnessOfFit(weightsOf(counts, 1), exactDistribution, 2000);
      if (fit === undefined || fit.statistic > fit.limit) beyond += 1;
    }
    // Binomial distribution with n = 400, p = 0.05. Probability of a false alarm 2e-4; these seeds raise none.
    expect(beyond).toBeGreaterThanOrEqual(7);
    expect(beyond).toBeLessThanOrEqual(37);
  });

  test('many values are joined into bins of a round width', () => {
    const rows = Array.from({ length: 201 }, (_, value) => ({
      cell: 0,
      kind: 'metric' as const,
      name: 'hp.attacker',
      outcome: 'attacker',
      value,
      from: 0,
      to: 402,
      count: 2,
      probability: null,
    }));
    const exactDistribution = createCellDistribution(rows, { kind: 'metric', name: 'hp.attacker' });
    expect(exactDistribution?.width).toBe(5);
    expect(exactDistribution?.bins).toHaveLength(41);
    expect(exactDistribution?.bins[1]).toEqual({ label: '5..9', from: 5, to: 9, share: 10 / 402 });
  });

  test('createConvergencePoints returns cumulative counts over the parts of a run', async () => {
    const store = await sweepStore({ scenario: DUEL, axes: [axis('attacker.hp', [20])], battles: 1000, parts: 4 });
    const rows = await store.histogram(0);
    const looks = createConvergencePoints(rows, 'attacker');
    expect(looks.map(({ battles }) => battles)).toEqual([250, 500, 750, 1000]);
    const [row] = (await rowsOf(store)).filter(({ name }) => name === 'attacker');
    expect((looks.at(-1)?.count ?? 0) / 1000).toBe(row?.estimate);
    expect(
      createConvergencePoints(
        await (await sweepStore({ scenario: DUEL, axes: GRID.slice(0, 1), battles: 100 })).histogram(0),
        'attacker',
      ),
    ).toEqual([]);
  });
});

describe('createAxisClasses', () => {
  test('returns one class for each of few values, in ascending order', () => {
    const classes = createAxisClasses(axis('a', [3, 1, 2]), 40);
    expect(classes.labels).toEqual(['1', '2', '3']);
    expect([1, 2, 3, 4].map((value) => classes.of(value))).toEqual([0, 1, 2, undefined]);
  });

  test('joins many values', () => {
    const classes = createAxisClasses(
      axis(
        'a',
        Array.from({ length: 100 }, (_, k) => k),
      ),
      40,
    );
    expect(classes.grouped).toBe(true);
    expect(classes.labels).toHaveLength(34);
    expect(classes.labels[0]).toBe('0..2');
    expect(classes.of(3)).toBe(1);
  });

  test('keeps the order of words', () => {
    expect(createAxisClasses(axis('a', ['weak', 'able', true, null]), 40).labels).toEqual([
      'weak',
      'able',
      'true',
      'none',
    ]);
  });

  test('divides a range evenly, with its end in the last class', () => {
    const classes = createAxisClasses({ name: 'a', paths: ['a'], range: [0, 16] }, 40);
    expect(classes.labels).toHaveLength(16);
    expect([0, 1, 15.9, 16, 17].map((value) => classes.of(value))).toEqual([0, 1, 15, 15, undefined]);
  });

  test('returns a class for each integer or for runs of integers', () => {
    const whole = (low: number, high: number) =>
      createAxisClasses({ name: 'a', paths: ['a'], range: [low, high], whole: true }, 40);
    expect(whole(0, 5).labels).toEqual(['0', '1', '2', '3', '4', '5']);
    expect(whole(20, 40).labels.slice(0, 2)).toEqual(['20..21', '22..23']);
    expect(whole(20, 40).of(23)).toBe(1);
    expect(whole(0, 1e9).labels).toHaveLength(16);
  });
});

describe('createSweepView', () => {
  const long = axis('long', [1, 2, 3, 4, 5]);
  const longer = axis('longer', [1, 2, 3, 4, 5, 6, 7]);
  const two = axis('two', ['yes', 'no']);
  const many = { ...facts, axes: [two, long, axis('four', [1, 2, 3, 4]), longer, axis('one', [9])] };

  test('selects the longest axes, the next one for panels, and a fixed value of the others', () => {
    const view = createSweepView(many, {}, []);
    expect([view.x?.axis, view.y?.axis, view.panels?.axis]).toEqual(['longer', 'long', 'four']);
    expect([...view.fixed]).toEqual([[two, 'yes']]);
  });

  test('accepts requested axes and fixed values', () => {
    const view = createSweepView(many, { x: 'two', fix: new Map([['longer', '3']]) }, []);
    expect([view.x?.axis, view.y?.axis, view.panels?.axis]).toEqual(['two', 'long', 'four']);
    expect([...view.fixed]).toEqual([[longer, 3]]);
    expect(isShown(view, { two: 'no', longer: 3 })).toBe(true);
    expect(isShown(view, { two: 'no', longer: 4 })).toBe(false);
  });

  test('of sampled points selects the axes with the greatest effects', () => {
    const drawn = ['a', 'b', 'c'].map((name) => ({ name, paths: [name], range: [0, 1] as const }));
    const view = createSweepView({ ...facts, design: 'sobol', axes: drawn }, {}, ['c', 'a', 'b']);
    expect([view.x?.axis, view.y?.axis, view.panels]).toEqual(['c', 'a', undefined]);
    expect(view.scattered).toBe(true);
  });

  test.each<[wish: Parameters<typeof createSweepView>[1], message: string]>([
    [{ x: 'wide' }, '--x: expected an axis of the sweep: two, long, four, longer, one, found "wide"'],
    [{ x: 'two', y: 'two' }, '--y two cannot be combined with --x two'],
    [{ fix: new Map([['two', 'perhaps']]) }, '--fix two: expected one of its values: yes, no, found "perhaps"'],
    [{ x: 'two', fix: new Map([['two', 'yes']]) }, '--fix two cannot be combined with --x two'],
  ])('rejects %j', (target, message) => {
    expect(() => createSweepView(many, target, [])).toThrow(message);
  });
});

describe('createSweepReport', () => {
  test.runIf(DEPTH > 1)(
    'reads large stores in bounded memory: tiles, points, lines and ranks are limited',
    async () => {
      const values: AxisValue[] = Array.from({ length: 300 }, (_, k) => k);
      const rows = function* (): Iterable<ResultRow> {
        for (let cell = 0; cell < 90_000; cell++)
          yield outcomeRow(cell, { a: cell % 300, b: Math.floor(cell / 300) }, (cell % 97) / 97, 0.01);
      };
      const large = { ...facts, axes: [axis('a', values), axis('b', values)], points: 90_000 };
      const { survey: found, figureData: gathered } = await createSweepReport({
        ...storeOf(large, []),
        parts: () => storeOf(large, rows()).parts(),
      });
      const tiles = gathered.tiles.get('outcome attacker') ?? [];
      expect(found.cells).toBe(90_000);
      expect(tiles.reduce((sum, { cells }) => sum + cells, 0)).toBe(90_000);
      expect(tiles).toHaveLength(150 * 150);
      const sum = tiles.reduce((all, { cells, value }) => all + cells * value, 0);
      expect(sum / 90_000).toBeCloseTo(found.quantities[0]?.mean ?? 0, 12);
      expect(tiles.every(({ reading }) => reading === undefined)).toBe(true);
      expect(gathered.lines).toHaveLength(MAX_LINES);
      const drawn = {
        ...large,
        design: 'random',
        axes: ['a', 'b'].map((name) => ({ name, paths: [name], range: [0, 299] as const })),
      };
      const scattered = await createSweepReport({ ...storeOf(drawn, []), parts: () => storeOf(drawn, rows()).parts() });
      expect(scattered.figureData.points.get('outcome attacker')).toHaveLength(MAX_POINTS);
      expect(scattered.figures[0]?.caption).toContain('The first 2 000 of 90 000 cells are drawn.');
    },
  );

  test('rejects unknown outcomes, metrics and cells', async () => {
    const store = await sweepStore({ scenario: DUEL, axes: GRID.slice(0, 1), battles: 100 });
    await expect(createSweepReport(store, { of: ['winner'] })).rejects.toThrow(
      '--of: expected an outcome or metric: attacker, defender, mutual, stalemate, rounds, hp.attacker, hp.defender, found "winner"',
    );
    await expect(createSweepReport(store, { cell: 77 })).rejects.toThrow(
      '--cell: expected a complete cell of the sweep, 0..3, found 77',
    );
  });

  test('shows exact values if nothing was simulated', async () => {
    const store = await sweepStore({ scenario: DUEL, axes: GRID, battles: 0 });
    const { survey: found, figures: pictures } = await createSweepReport(store);
    const { greatest, halfWidth } = named(found, 'attacker');
    expect(halfWidth).toBeUndefined();
    expect(greatest.readings[0]?.interval).toBeUndefined();
    expect(greatest.to).toBe((await rowsOf(store)).find((row) => row.cell === 9 && row.name === 'attacker')?.exact);
    expect(pictures.map(({ kind }) => kind)).toContain('law');
    expect(pictures.map(({ kind }) => kind)).not.toContain('scores');
  });
});
