/** Checks that `optimal` knows no more than agents can: that states which it tells apart can be seen apart. */
import { BudgetError, InputError } from '../errors.ts';
import { configurationOf } from '../rollout/configuration.ts';
import { contestOf } from '../rollout/optimal/contest.ts';
import { gameOf } from '../rollout/optimal/game.ts';
import { secretOf } from '../rollout/optimal/secrets.ts';
import { tableOf } from '../rollout/optimal/table.ts';
import { valuesOf } from '../rollout/optimal/values.ts';
import { type Check, type Found, type Subject, unchecked } from './finding.ts';

function lookAt({ open, effort }: Subject, player: string): Found[] {
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
        .players.flatMap((player) => lookAt(subject, player))
        .slice(0, 1);
    } catch (error) {
      if (error instanceof BudgetError) return [unchecked('too many states for best play')];
      if (error instanceof InputError) return [unchecked(error.message)];
      throw error;
    }
  },
};
