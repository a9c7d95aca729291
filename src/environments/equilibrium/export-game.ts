/** Games of two players as files for other solvers. */

import { createOptionsCheck } from '../../core/index.ts';
import type { Scenario } from '../../rules/index.ts';
import { list, word } from '../../rules/option-spec.ts';
import { formatConcurrentGame } from './concurrent-game.ts';
import { formatExtensiveForm } from './extensive-form.ts';
import { buildScenarioGame, type EquilibriumSyncOptions } from './find-equilibrium.ts';

/** Formats of games: the extensive form of Gambit and OpenSpiel, and the language of PRISM-games. */
export const GAME_FORMATS = ['efg', 'prism'] as const;

/** Format of a game. */
export type GameFormat = (typeof GAME_FORMATS)[number];

/** Options of `exportGame`. */
export interface ExportGameOptions extends Omit<EquilibriumSyncOptions, 'policies' | 'policyTable'> {
  /** `efg`: game tree for Gambit and OpenSpiel. `prism`: concurrent stochastic game for PRISM-games. Default: `efg`. */
  readonly format?: GameFormat | undefined;
}

const checkOptions = createOptionsCheck<ExportGameOptions>('exportGame', {
  ...{ format: word('format of the game', GAME_FORMATS), reward: true },
  ...{ decisions: list('decision points'), budget: true },
});

/** Game as text. */
export interface ExportedGame {
  readonly format: GameFormat;
  readonly text: string;
  /** Nodes of the tree, or positions of the concurrent game. */
  readonly size: number;
  /** For `prism`: property whose value, plus the offset, is the value of the game. */
  readonly property?: string;
  /** Value of the game minus the value in the file: 0, or negative because rewards of PRISM-games are at least 0. */
  readonly offset: number;
}

/**
 * Writes the game that `findEquilibrium` solves in the format of another solver.
 * @throws InputError, RulesError, BudgetError as `findEquilibrium`
 * @throws BudgetError if a tree has more than 100 000 nodes, or a game for PRISM-games more than 100 000 positions or
 * 1 000 000 transitions
 */
export function exportGame(scenario: Scenario, options: ExportGameOptions = {}): ExportedGame {
  checkOptions(options);
  const { format = 'efg', ...requested } = options;
  const game = buildScenarioGame(scenario, requested);
  const title = [scenario.system, scenario.name ?? ''].join(' ').trim();
  if (format === 'prism') return { format, ...formatConcurrentGame(game, title) };
  return { format, ...formatExtensiveForm(game, title), offset: 0 };
}
