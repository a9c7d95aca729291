/** Game of two players that is written to a file: names, strategies, payoffs, and the end of battles. */

import { BETWEEN_ROUNDS, IN_ROUND, OVER, START } from '../best-response/graph-builder.ts';
import type { ScenarioGame } from './find-equilibrium.ts';
import type { PlayerIndex } from './stage.ts';

/** Name of the missing player of a game against chance. */
const NOBODY = 'nobody';

/** Returns the names of both players. */
export const listPlayerNames = ({ players: [first, second = NOBODY] }: ScenarioGame): readonly [string, string] => [
  first,
  second,
];

/** Makes names distinct. */
function makeDistinct(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return names.map((name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} (${String(count)})`;
  });
}

/** Names the strategies of a player in the stage of a position: its actions. Without a decision there is one. */
export function nameStrategies({ graph, variant }: ScenarioGame, node: number, player: PlayerIndex): string[] {
  const stage = graph.questions.get(node);
  if (stage === undefined) return ['none'];
  const actions = new Map<number, string>();
  for (const { point, options, choices } of stage.sets)
    for (const [o, option] of options.entries()) actions.set(choices[o] ?? 0, variant.spec.actionName(point, option));
  const { strategies } = stage.players[player];
  return makeDistinct(strategies.map((own) => own.flatMap((choice) => actions.get(choice) ?? []).join(' ') || 'none'));
}

/** True if a battle that moves to a position starts a round. */
export const startsRound = ({ graph: { kinds } }: ScenarioGame, from: number, to: number): boolean =>
  kinds[from] === BETWEEN_ROUNDS || (from === START && kinds[to] === IN_ROUND);

/** True if battles end in a position: they are over, or called off because of the round limit. */
export const isEnd = ({ graph, variant }: ScenarioGame, node: number, rounds: number): boolean =>
  graph.kinds[node] === OVER || (graph.kinds[node] === BETWEEN_ROUNDS && rounds >= variant.model.maxRounds);
