/**
 * The system whose battles are played. The build puts each system's own in the place of this one
 * (scripts/build-kernels.js), so that the loop over environments is written once and calls nothing through a table.
 *
 * assembly/<id>/environment.ts exports, all for the scenario in use, the battle that is bound and the open stream:
 *
 *     bytes(): i32           bytes that the words of a battle take, a multiple of 4
 *     bind(at)               makes the battle whose words lie at an address the one at hand
 *     start()                writes the words of a battle before anything has happened: every one of them, since
 *                            states are compared by their words
 *     advance(): i32         plays on to the next decision that leaves a choice, and returns `Turn.ask(point, player)`,
 *                            or `Turn.end(outcome)`; called again before the decision is taken, it returns the same
 *                            and changes nothing; after the end too
 *     offer()                calls `Offer.add` for each action that the pending decision allows
 *     choose(): i32          the action of the scenario's policy
 *     take(action)           takes an action that is allowed
 *     observe(player)        calls `Sight.set` for each feature; what is hidden from the player stays hidden, and
 *                            nothing from player -1
 *     measure()              leaves the metrics of a battle that is over in the tally's values
 *
 * Actions and features are numbered as src/rules/<id>/rollout.ts lists them. Whatever is not kept in the battle's
 * words is lost between two calls from outside.
 */
export * from '../attrition/environment';
