/** Choices that the other player does not observe before its next decision, by the features of a scenario. */

import { InputError } from '../../core/index.ts';
import type { Scenario, State } from '../../rules/index.ts';
import { createScenarioSpec } from '../env-spec.ts';
import { buildScenarioGame } from './find-equilibrium.ts';
import { PRIVATE_INFORMATION } from './joint-graph.ts';
import type { InformationSet, Stage } from './stage.ts';

/** Visibility of the choices of a player at a decision point. */
export interface ChoiceVisibility {
  readonly player: string;
  readonly point: string;
  /** The player who may not observe the choices. */
  readonly other: string;
  /** Number of decisions with hidden choices, and of all. */
  hidden: number;
  total: number;
  /** Decision points at which the other player does not know a choice. */
  readonly until: Set<string>;
}

/** Lists the information sets of a player in which it does not know a choice of the other player. */
function listUnknowing(stage: Stage<State>, { choices }: InformationSet<State>): InformationSet<State>[] {
  const parents = new Map(stage.sets.flatMap((set) => set.choices.map((choice) => [choice, set.parent] as const)));
  const findOption = (choice: number): number => {
    if (choice === 0) return -1;
    return choices.includes(choice) ? choice : findOption(parents.get(choice) ?? 0);
  };
  return stage.sets.filter(
    ({ reach }) =>
      new Set(Array.from(reach, ([choice]) => findOption(choice)).filter((option) => option >= 0)).size > 1,
  );
}

/**
 * Lists the choices of two players and whether they are hidden, or features that a player does not know.
 * @param budget maximum number of steps
 * @throws InputError, BudgetError as `findEquilibrium`, except for private information
 */
export function findHiddenChoices(scenario: Scenario, budget: number): readonly ChoiceVisibility[] | string {
  // The rewards do not matter; these have the sum 0.
  const reward = Object.fromEntries(
    createScenarioSpec(scenario)
      .players.slice(0, 1)
      .map((player) => [player, {}]),
  );
  const found = new Map<string, ChoiceVisibility>();
  try {
    const { graph, players } = buildScenarioGame(scenario, { reward, budget });
    if (players.length < 2) return [];
    for (const stage of graph.questions.values()) {
      for (const set of stage.sets) {
        const [player = '', other = ''] = set.index === 0 ? players : players.toReversed();
        const name = `${player} ${set.point}`;
        const choices = found.get(name) ?? { player, point: set.point, other, hidden: 0, total: 0, until: new Set() };
        found.set(name, choices);
        const unknowing = listUnknowing(stage, set);
        choices.total++;
        choices.hidden += Number(unknowing.length > 0);
        for (const { point } of unknowing) choices.until.add(point);
      }
    }
  } catch (error) {
    if (error instanceof InputError && error.expected === PRIVATE_INFORMATION) return error.found;
    throw error;
  }
  return [...found.values()];
}
