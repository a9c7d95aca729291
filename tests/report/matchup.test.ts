/** HTML report of matchups: labels of all armies, and tables of results. */
import { describe, expect, test } from 'vitest';
import { analyzeMatchups, type PayoffMatrix } from '../../src/analysis/index.ts';
import { renderSvg } from '../../src/report/figures/render.ts';
import { renderMatchupPage } from '../../src/report/html/commands/matchup.ts';
import { listMatchupSections } from '../../src/report/matchup/analysis-sections.ts';
import { createMatrix, drawMatrix, ROCK_PAPER_SCISSORS } from '../matchup/matrices.ts';

const ORIGIN = { version: '0.2.0', name: 'test', command: 'warpool matchup test.yaml', renderSvg };

const renderMatrix = async (matrix: PayoffMatrix): Promise<string> =>
  await renderMatchupPage(matrix, analyzeMatchups(matrix), ORIGIN);

const countTexts = (page: string, text: string): number => page.split(`>${text}</text>`).length - 1;

/** Returns the positions along an axis of labels that are in groups of the same transformation. */
function listPositions(page: string, names: readonly string[]): number[][] {
  const labels = [
    ...page.matchAll(
      /<text[^>]*transform="translate\(([\d.-]+),([\d.-]+)\)(?: rotate\([^)]*\))?[^>]*>([^<]+)<\/text>/g,
    ),
  ];
  const own = labels.filter(([, , , text = '']) => names.includes(text));
  const rotated = own.filter(([all]) => all.includes('rotate'));
  return [rotated.map(([, x]) => Number(x)), own.filter((each) => !rotated.includes(each)).map(([, , y]) => Number(y))];
}

describe('heat map of 30 armies with long names', async () => {
  const matrix = drawMatrix(30, 3, 0.05);
  const names = matrix.rows.map((army) => `infantry, artillery and cavalry of ${army}`);
  const page = await renderMatrix({ ...matrix, rows: names, columns: names });

  test('has the whole name of each army at both edges of both maps', () => {
    for (const name of names) expect(countTexts(page, name), name).toBe(4);
  });

  test('leaves at least 9 pixels, the size of the text, between labels', () => {
    for (const positions of listPositions(page, names)) {
      const sorted = [...new Set(positions)].toSorted((a, b) => a - b);
      expect(sorted).toHaveLength(30);
      for (const [at, position] of sorted.entries())
        if (at > 0) expect(position - (sorted[at - 1] ?? 0)).toBeGreaterThanOrEqual(9);
    }
  });

  test('names both armies, the payoff and its interval at each tile', () => {
    expect(page).toMatch(/>opponent infantry[^<]* army 7, army infantry[^<]* army 3\npayoff: -?0\.\d+ \(95 %: -?\d/);
    expect(page).toMatch(
      />defender infantry[^<]* army 7, attacker infantry[^<]* army 3\npayoff: -?0\.\d+ \(95 %: -?\d/,
    );
  });
});

test('names that are equal after truncation begin with their position in the order', async () => {
  const long = 'a name that is much longer than the space that a label has next to the tiles, number';
  const names = ['1', '2', '3'].map((digit) => `${long} ${digit}`);
  const page = await renderMatrix({ ...createMatrix(ROCK_PAPER_SCISSORS), rows: names, columns: names });
  const labels = [...page.matchAll(/>(\d) a name that[^<]*…<\/text>/g)].map(([, position]) => position);
  expect(labels.toSorted()).toEqual(['1', '2', '3'].flatMap((position) => [position, position, position, position]));
});

test('heat maps of more than 50 armies store the values of their tiles for tooltips', async () => {
  const page = await renderMatrix(drawMatrix(60, 4));
  expect(page).toContain('<template>');
  expect(page.length).toBeLessThan(2_000_000);
});

test('names are escaped', async () => {
  const names = ['<script>alert(1)</script>', 'a & "b"'];
  const page = await renderMatrix({ ...drawMatrix(2, 1), rows: names, columns: names });
  expect(page).not.toContain('<script>alert');
  expect(page).toContain('&lt;script&gt;');
});

const getTable = (analysis: ReturnType<typeof analyzeMatchups>, id: string) =>
  listMatchupSections(analysis, 5)
    .find((section) => section.id === id)
    ?.blocks.map((block) => (block.kind === 'table' ? block.rows : block.kind === 'note' ? block.text : block.kind));

test('rock, paper, scissors has its cycle, its equilibrium mix and its shares', () => {
  const analysis = analyzeMatchups(createMatrix(ROCK_PAPER_SCISSORS));
  expect(getTable(analysis, 'cycles')).toEqual([
    'Found 1 cycle of three armies.',
    [['army 0', 'army 2', 'army 1', '1, 1, 1', '1']],
    '0 % of the squared payoffs are transitive, 100 % cyclic.',
  ]);
  expect(getTable(analysis, 'mix')).toEqual([
    ['army 0', 'army 1', 'army 2'].map((army) => [army, '33.3 %', 'unique', '100 %', '0']),
  ]);
  expect(getTable(analysis, 'ranking')?.[0]).toEqual(
    ['army 0', 'army 1', 'army 2'].map((army) => ['1', army, '0', '33.3 %', '33.3 %']),
  );
  expect(getTable(analysis, 'dominance')).toEqual(['No army is dominated.']);
});

test('tables are truncated, and show intervals and ranks of simulated cells', () => {
  const analysis = analyzeMatchups(drawMatrix(9, 2, 0.1));
  const [rows, omitted] = getTable(analysis, 'ranking') ?? [];
  expect(rows).toHaveLength(5);
  expect(omitted).toBe('left-out');
  expect(rows?.[0]?.[3]).toMatch(/^-?\d\S* \.\. \d/);
  expect(rows?.[0]?.[4]).toMatch(/^1(\.\.\d)?$/);
  expect(getTable(analysis, 'open')?.[0]).toMatch(/^The intervals of \d+ cells leave results open/);
});

test('two different rosters have no sections of a symmetric game', async () => {
  const matrix = createMatrix([[0.5, -0.5]], 0, ['x', 'y']);
  const ids = listMatchupSections(analyzeMatchups(matrix), 5).map(({ id }) => id);
  expect(ids).toEqual([
    ...['attackers', 'defenders', 'roles'],
    ...['dominated-attackers', 'dominated-defenders', 'elimination'],
  ]);
  const page = await renderMatrix(matrix);
  expect(page).toContain('Both are sorted by their mean payoff.');
});
