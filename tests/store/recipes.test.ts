/** Recipes of docs/how-to/sweep.md with real results, if the program for them is installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { solveSync } from '../../src/analysis/solve.ts';
import { exportCsv, openStore } from '../../src/storage/store/open-store.ts';
import { runSweep } from '../../src/storage/store/run-sweep.ts';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';
import { DEPTH } from '../depth.ts';

const folder = mkdtempSync(join(tmpdir(), 'warpool-recipes-'));
const guide = readFileSync('docs/how-to/sweep.md', 'utf8');

function recipes(language: string): string[] {
  return [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) => code);
}

const works = (command: string, ...args: readonly string[]): boolean => spawnSync(command, args).status === 0;

const python = (code: string): string => execFileSync('python3', ['-c', code], { cwd: folder, encoding: 'utf8' });

const hasDuckdb = works('python3', '-c', 'import duckdb, pandas');
const hasPandas = works('python3', '-c', 'import pandas, pyarrow');
const hasR = works('Rscript', '--version');
for (const [name, there] of [
  ['DuckDB', hasDuckdb],
  ['pandas with pyarrow', hasPandas],
  ['R', hasR],
] as const)
  if (!there) process.stderr.write(`SKIPPED: the recipes for ${name}, which is not installed here\n`);

beforeAll(async () => {
  await runSweep(await loadSweep('examples/duels.yaml'), { out: join(folder, 'duels') });
  await exportCsv(await openStore(join(folder, 'duels')), join(folder, 'duels.csv'), { of: 'table' });
}, 120_000);

/** Computes the mean probability that 1 hit point wins against 1, over the five levels of skill. */
async function meanOfFirst(): Promise<number> {
  const sweep = await loadSweep('examples/duels.yaml');
  const cells = [0, 1, 2, 3, 4].map((point) => sweep.cell(point)?.scenario);
  const wins = cells.map((scenario) => (scenario && solveSync(scenario).summary.outcomes[0]?.p) ?? 0);
  return wins.reduce((sum, p) => sum + p, 0) / 5;
}

/** Only at depth 2 and above, because the other programs take some seconds. */
describe.runIf(DEPTH > 1)('recipes of the manual', () => {
  test.skipIf(!hasDuckdb)('return balanced cells, a distribution and column types in DuckDB', () => {
    const [even = '', exactDistribution = ''] = recipes('sql');
    const rows = python(`import duckdb\nfor row in duckdb.sql("""${even}""").fetchall(): print(*row)`)
      .trim()
      .split('\n');
    expect(rows).toHaveLength(10);
    for (const row of rows) expect(Math.abs(Number(row.split(' ')[3]) - 0.5)).toBeLessThan(0.01);
    const values = python(`import duckdb\nfor row in duckdb.sql("""${exactDistribution}""").fetchall(): print(*row)`)
      .trim()
      .split('\n');
    const sum = values.reduce((total, row) => total + Number(row.split(' ')[2]), 0);
    expect(sum).toBeCloseTo(1, 12);
    const types = python(
      `import duckdb\nfor row in duckdb.sql("describe select * from 'duels/table/*.parquet'").fetchall(): print(row[0], row[1])`,
    );
    for (const type of [
      'cell INTEGER',
      'attacker.hp INTEGER',
      'battles BIGINT',
      'exact DOUBLE',
      'seed UBIGINT',
      'digest VARCHAR',
    ])
      expect(types).toContain(`${type}\n`);
  });

  test.skipIf(!hasPandas)('return exact probabilities in pandas', async () => {
    const [code = ''] = recipes('python');
    const [, first = ''] = /^1 +([\d.]+)/m.exec(python(code)) ?? [];
    expect(Number(first)).toBeCloseTo(await meanOfFirst(), 3);
    expect(
      python("import pandas as pd\nprint(len(pd.read_csv('duels.csv')), list(pd.read_csv('duels.csv').columns)[0])"),
    ).toBe('56000 cell\n');
  });

  test.skipIf(!hasR)('return exact probabilities in R', async () => {
    const [code = ''] = recipes('r');
    const reported = execFileSync('Rscript', ['-e', code], { cwd: folder, encoding: 'utf8' });
    const [, first = ''] = /^ +1 ([\d.]+)/m.exec(reported) ?? [];
    expect(Number(first)).toBeCloseTo(await meanOfFirst(), 3);
  });
});
