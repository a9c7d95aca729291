/**
 * warpool/system: battle systems of one's own.
 *
 * ```ts
 * import { d, defineSystem, integer } from 'warpool/system';
 *
 * export default defineSystem({
 *   id: 'coin-duel',
 *   title: 'Coin duel',
 *   about: 'Both sides roll a die each round; the lower one loses a life.',
 *   fields: { lives: integer(1, 20, 'Lives of each side.').default(3) },
 *   battle: ({ lives }) => ({ ... }),
 * });
 * ```
 *
 * @module warpool/system
 */
export { z } from 'zod';
export type { Dice, DicePool as Pool, Door, Faces, Facts, Lot } from './core/chance/door.ts';
export { RulesError } from './core/errors.ts';
export * from './core/laws/index.ts';
export { combatantName, diceNotation, flag, integer, oneOf, parseDice, refuse } from './rules/fields.ts';
export { type Battle, type BattleMetric, type BattleState, defineBattle, type Phase } from './rules/own/battle.ts';
export {
  type CommonFields,
  defineSystem,
  type Refuse,
  type RuleDefinition,
  type ScenarioOf,
  type SystemDefinition,
} from './rules/own/define.ts';
export type { RoundDoor, Slots } from './rules/own/door.ts';
export type {
  Decision,
  DeclaredFeature,
  Example,
  Metric,
  Model,
  Rollout,
  Rule,
  Scenario,
  State,
  System,
  Weights,
} from './rules/system.ts';
