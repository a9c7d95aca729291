/** Checks that `optimal` knows no more than agents can: that states which it tells apart can be seen apart. */

import { configurationOf } from '../agents/configuration.ts';
import { contestOf, gameOf } from '../agents/optimal/game.ts';
import { secretOf } from '../agents/optimal/optimal.ts';
import { tableOf, valuesOf } from '../agents/optimal/values.ts';
import { BudgetError, InputError } from '../core/errors.ts';
import { type Check, type CheckedScenario, type CheckFound, unchecked } from './finding.ts';

function lookForSecrets({ open, effort }: CheckedScenario, player: string): CheckFound[] {
  const [variant] = configurationOf([{ scenario: open.scenario }], { agents: [player] }).variants;
  if (variant === undefined) return [];
  const contest = contestOf(variant, player, variant.spec.points);
  const game = gameOf(contest, effort.ways);
  const values = valuesOf(game, tableOf(game), contest.model.maxRounds, effort.ways);
  const secret = secretOf(contest, { game, values }, player, effort.ways);
  return secret === undefined ? [] : [secret];
}

export const secrets: Check = {
  id: 'secrets',
  title: 'best play uses nothing that agents cannot see',
  run(subject) {
    const { system, scenario } = subject.open;
    if (system.rollout === undefined || system.decisions.length === 0) return [];
    try {
      return system
        .rollout(scenario)
        .players.flatMap((player) => lookForSecrets(subject, player))
        .slice(0, 1);
    } catch (error) {
      if (error instanceof BudgetError) return [unchecked('too many states for best play')];
      if (error instanceof InputError) return [unchecked(error.message)];
      throw error;
    }
  },
};
