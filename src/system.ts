/**
 * warpool/system: custom battle systems.
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
export type { Chance, Dice, DicePool as Pool, DiceSet, EventData, Faces } from './core/chance/chance.ts';
export * from './core/distributions/index.ts';
export { RulesError } from './core/errors.ts';
export { type Battle, type BattleMetric, type BattleState, defineBattle, type Phase } from './rules/custom/battle.ts';
export {
  type CommonFields,
  defineSystem,
  type Reject,
  type RuleDefinition,
  type ScenarioOf,
  type SystemDefinition,
} from './rules/custom/define.ts';
export type { RoundContext, Streams } from './rules/custom/round-context.ts';
export { combatantName, diceNotation, flag, integer, oneOf, parseDice, reject } from './rules/fields.ts';
export type {
  Decision,
  DeclaredFeature,
  EnvironmentDefinition,
  Example,
  Metric,
  Model,
  Rule,
  Scenario,
  State,
  System,
  Weights,
} from './rules/system.ts';
