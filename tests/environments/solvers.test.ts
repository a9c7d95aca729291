/** Values of the games that `warpool equilibrium --export` writes, in the independent solvers OpenSpiel and nashpy. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportGame } from '../../src/environments/equilibrium/export-game.ts';
import { findEquilibriumSync } from '../../src/environments/equilibrium/find-equilibrium.ts';
import { GAMES } from './exported-games.ts';

const python = (...args: readonly string[]) => spawnSync('python3', args, { encoding: 'utf8' });

const hasSolvers = python('-c', 'import cvxpy, ecos, nashpy, pyspiel').status === 0;
if (!hasSolvers)
  process.stderr.write(
    'SKIPPED: no solver evaluates exported games, for a package is missing. Run: pip install open_spiel nashpy cvxpy ecos\n',
  );

interface SolverResult {
  readonly utility: string;
  readonly openSpiel: readonly [first: number, second: number];
  readonly nashpy: number;
}

test.runIf(hasSolvers)('OpenSpiel and nashpy agree about exported games', { timeout: 120_000 }, async () => {
  const root = mkdtempSync(join(tmpdir(), 'warpool-games-'));
  const games = await Promise.all(
    GAMES.map(async ([name, load, options], k) => {
      const scenario = await load();
      const file = join(root, `${String(k)}.efg`);
      writeFileSync(file, exportGame(scenario, options).text);
      return { name, file, value: findEquilibriumSync(scenario, options).value };
    }),
  );
  const { stdout, stderr } = python('tests/environments/solvers.py', ...games.map(({ file }) => file));
  expect(stderr).toBe('');
  const results = JSON.parse(stdout) as SolverResult[];
  expect(results).toHaveLength(games.length);
  for (const [k, { utility, openSpiel, nashpy }] of results.entries()) {
    const { name, value } = games[k] ?? { name: '', value: Number.NaN };
    expect(utility, name).toBe('Utility.ZERO_SUM');
    for (const found of [...openSpiel, nashpy]) expect(Math.abs(found - value), name).toBeLessThan(1e-6);
  }
});
