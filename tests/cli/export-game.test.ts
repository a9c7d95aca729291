/** Option --export of `warpool equilibrium`, run in this process. */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { evaluateConcurrentGame, evaluateTree, readTree } from '../environments/game-files.ts';
import { catchWriting, written } from './written.ts';

beforeEach(catchWriting);

afterEach(() => {
  vi.restoreAllMocks();
});

const BLUFF = ['scenarios/strength-cards-bluff.yaml', '--reward', 'hp', '--json', '--export'];

const equilibrium = async (...args: readonly string[]): Promise<unknown> =>
  (await createProgram(['equilibrium'])).parseAsync(['node', 'warpool', 'equilibrium', ...args]);

test('writes the game and prints the command of its solver', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'warpool-game-'));
  const tree = join(folder, "it's.efg");
  await equilibrium(...BLUFF, tree);
  const { value } = JSON.parse(written.out) as { value: number };
  expect(evaluateTree(readTree(readFileSync(tree, 'utf8')).root)).toBeCloseTo(value, 12);
  expect(written.err).toBe(`${tree}: 58 nodes\ngambit-lp '${folder}/it'\\''s.efg'\n`);

  catchWriting();
  const game = join(folder, 'new', 'game.PRISM');
  await equilibrium(...BLUFF, game);
  expect(evaluateConcurrentGame(readFileSync(game, 'utf8')).value).toBeCloseTo(value + 0.25, 12);
  expect(written.err).toBe(
    `${game}: 57 positions\nprism ${game} -pf '<<attacker>>R{"payoff"}max=? [ F "over" ]'; subtract 0.25 from the result\n`,
  );
});

test('rejects other file formats and games that are too large', async () => {
  await expect(equilibrium(...BLUFF, 'game.txt')).rejects.toThrow(
    '--export: expected a file that ends in .efg or .prism, found "game.txt"',
  );
  const file = join(mkdtempSync(join(tmpdir(), 'warpool-game-')), 'game.efg');
  await expect(equilibrium('scenarios/phased-dice-fleet.yaml', '--export', file)).rejects.toThrow(
    /^a game tree of at most 100 000 nodes can be written: .*\nwithout "--export", the equilibrium may need less/,
  );
  expect(existsSync(file)).toBe(false);
});
