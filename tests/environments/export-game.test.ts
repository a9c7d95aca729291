/** Exported games: independent readers of the file formats compute the same value. */
import { describe, expect, test } from 'vitest';
import { exportGame } from '../../src/environments/equilibrium/export-game.ts';
import { findEquilibriumSync } from '../../src/environments/equilibrium/find-equilibrium.ts';
import { loadScenario } from '../../src/index.ts';
import type { Phase } from '../../src/rules/custom/battle.ts';
import { defineSystem } from '../../src/rules/custom/define.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { GAMES } from './exported-games.ts';
import { checkInformationSets, evaluateConcurrentGame, evaluateTree, readTree } from './game-files.ts';
import { createTinyGame, createTinyScenario } from './tiny-games.ts';

function expectEqualValues(scenario: Scenario, options = {}): { readonly tree: string; readonly game: string } {
  const { value } = findEquilibriumSync(scenario, options);
  const tree = exportGame(scenario, options);
  const { root, nodes } = readTree(tree.text);
  expect(tree).toMatchObject({ format: 'efg', size: nodes, offset: 0 });
  checkInformationSets(root);
  expect(evaluateTree(root)).toBeCloseTo(value, 11);
  const game = exportGame(scenario, { ...options, format: 'prism' });
  expect(evaluateConcurrentGame(game.text).value + game.offset).toBeCloseTo(value, 11);
  return { tree: tree.text, game: game.text };
}

describe('an exported game', () => {
  test.each(GAMES)('%s: has the value of the equilibrium in both formats', async (_, load, options, size) => {
    const scenario = await load();
    expectEqualValues(scenario, options);
    expect(exportGame(scenario, options).size).toBe(size);
  });

  test('random games have the value of the equilibrium', () => {
    const games = Array.from({ length: 60 }, (_, k) => createTinyGame(k + 1)).filter(
      ({ rounds, slots }) => rounds < 3 && slots.length < 4,
    );
    expect(games.length).toBeGreaterThan(10);
    for (const game of games) expectEqualValues(createTinyScenario(game));
  });
});

interface PickState {
  readonly made: readonly string[];
}

/** Creates a game with one choice of each player; options that begin with "same" share an action. */
function createPicks(players: readonly string[], options: readonly string[]): Scenario {
  const choose =
    (player: string): Phase<PickState> =>
    ({ made }, chance) => ({ made: [...made, chance.decide('pick', player, options, () => options[0] ?? '')] });
  const system = defineSystem({
    id: 'picks',
    title: 'Picks',
    about: 'One choice of each player.',
    fields: {},
    decisions: [{ point: 'pick', who: 'both', about: 'A choice.', policies: ['first'] }],
    battle: () => ({
      outcomes: ['equal', 'different'],
      start: (): PickState => ({ made: [] }),
      round: players.map(choose),
      outcome: ({ made }) => {
        if (made.length < players.length) return undefined;
        return made.every((each) => each === made[0]) && made[0] !== 'x y' ? 'equal' : 'different';
      },
    }),
    environment: () => ({
      players,
      actions: { pick: options.filter((option) => option !== 'same 2') },
      action: (_, option) => (String(option).startsWith('same') ? 'same' : `pick:${String(option)}`),
      features: [{ name: 'ready', high: 1, of: () => 1 }],
      reward: (outcome, player) => ((outcome === 'equal') === (player === players[0]) ? 1 : -1),
    }),
  });
  return validateScenario({ system: 'picks', name: 'say "x"\\', maxRounds: 1 }, { systems: [system] });
}

describe('names in files', () => {
  test('are quoted labels in trees, and identifiers without keywords in PRISM-games files', () => {
    const { tree, game } = expectEqualValues(createPicks(['module', '2nd'], ['x y', 'x-y', 'F']));
    expect(tree.split('\n')[0]).toBe('EFG 2 R "picks say x" { "module" "2nd" }');
    expect(tree).toContain('{ "pick:x y" "pick:x-y" "pick:F" }');
    expect(game).toContain(
      '// picks say "x"\\\n// Value for module_2: <<module_2>>R{"payoff"}max=? [ F "over" ] - 1\n',
    );
    expect(evaluateConcurrentGame(game).players).toEqual(['module_2', '_2nd']);
    expect(game).toContain('[module_2_pick_x_y] position=1 & rounds<1 -> true;');
    expect(game).toContain('[module_2_pick_x_y_2,_2nd_pick_F] position=1 & rounds<1 -> 1 : (position');
  });

  test('are distinct if options share an action', () => {
    const { tree, game } = expectEqualValues(createPicks(['red', 'blue'], ['same 1', 'same 2', 'x y']));
    expect(tree).toContain('{ "same" "same (2)" "pick:x y" }');
    expect(game).toContain('[red_same,blue_same_2_]');
  });

  test('a game of one player has a second player without choices', () => {
    const { tree, game } = expectEqualValues(createPicks(['red'], ['a', 'x y']));
    expect(readTree(tree).names).toEqual(['red', 'nobody']);
    expect(game).toContain('[nobody_none] position=1 & rounds<1 -> true;');
  });
});

describe('limits', () => {
  test('a tree with too many nodes is rejected; the same game can be written for PRISM-games', async () => {
    const scenario = await loadScenario('scenarios/phased-dice-fleet.yaml');
    expect(() => exportGame(scenario)).toThrow(
      /^a game tree of at most 100 000 nodes can be written: more were found, because each sequence of draws and choices /,
    );
    const { size, offset, property } = exportGame(scenario, { format: 'prism' });
    expect({ size, offset, property }).toEqual({
      size: expect.any(Number) as number,
      offset: -1,
      property: '<<attacker>>R{"payoff"}max=? [ F "over" ]',
    });
  });

  test('a game beyond the budget and an unknown format are rejected', async () => {
    const scenario = await loadScenario('scenarios/phased-dice-fleet.yaml');
    expect(() => exportGame(scenario, { format: 'prism', budget: 100 })).toThrow('more than the budget of 100 steps');
    expect(() => exportGame(scenario, { format: 'nfg' as never })).toThrow(
      'format: expected one of efg, prism, found "nfg"',
    );
  });
});
