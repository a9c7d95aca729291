/**
 * The system of the simulated battles. The build replaces this module by the one of each system
 * (scripts/build-kernels.js), so that the loop over environments is written once without indirect calls.
 *
 * assembly/<id>/environment.ts exports, all for the scenario in use, the bound battle and the open stream:
 *
 *     bytes(): i32           bytes of the words of a battle, a multiple of 4
 *     bind(at)               uses the battle with the words at an address as the current one
 *     start()                writes all words of a battle before its first event, because states are compared
 *                            by their words
 *     advance(): i32         continues to the next decision with a choice, and returns `Turn.ask(point, player)`,
 *                            or `Turn.end(outcome)`; repeated before the decision is taken, it returns the same
 *                            and changes nothing; after the end, too
 *     offer()                calls `ActionMask.add` for each action that the pending decision allows
 *     choose(): i32          returns the action of the policy of the scenario
 *     take(action)           takes an allowed action
 *     observe(player)        calls `Observation.set` for each feature, without data that is hidden from the player;
 *                            player -1 sees everything
 *     measure()              leaves the metrics of a finished battle in the values of the counts
 *
 * Actions and features are numbered in the order of src/rules/<id>/environment.ts. Data outside of the words of the
 * battle is lost between two calls.
 */
export * from '../attrition/environment';
