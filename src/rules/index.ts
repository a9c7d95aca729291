/** Interface of this module. */

export {
  type BoundScenario,
  bindScenario,
  createContradictionError,
  formatContradiction,
  getBoundScenario,
  isBound,
  type PortableScenario,
  playSeededBattle,
  toPortable,
} from './bound-scenario.ts';
export type { BattleState } from './custom/battle.ts';
export {
  formatFew,
  formatValue,
  listDifferences,
  serializeValue,
  serializeWithoutRound,
  unwrapState,
} from './custom/format-state.ts';
export type { Duel, DuelScenario, DuelUnit } from './duel.ts';
export { ALWAYS, checkAcrossFields, countField, maxRounds, reject } from './fields.ts';
export { GAME_IDS, GAMES, type GameInfo } from './games.ts';
export { formatLineColumn, hashModule, hashModuleText, identifyModule } from './identity.ts';
export {
  addGames,
  addGamesOf,
  addModules,
  addSystems,
  collectSystems,
  isPackageGame,
  loadModules,
  loadSystems,
  receiveScenario,
} from './load-systems.ts';
export {
  differenceOption,
  fractionUpTo,
  percentOption,
  probabilityOption,
  resolveDifference,
} from './number-options.ts';
export {
  type BattleEnd,
  createBattleEnd,
  encodeKey,
  findOutcome,
  getRoundLimitOutcome,
  KeyBudget,
  playBattle,
  type StepWrapper,
  traceBattle,
} from './play-battle.ts';
export {
  checkPolicyFile,
  type PlayerPolicySource,
  POLICY_FORMAT,
  type PolicyFile,
  type PolicyState,
  type PolicyTable,
} from './policy-file.ts';
export { DECISION_FEATURE } from './policy-model.ts';
export { type SystemModule, SystemRegistry } from './registry.ts';
export {
  callIsolated,
  createRulesErrorHandler,
  describeRulesError,
  describeThrownAt,
  getErrorMessage,
  getStack,
  isAmbientAccess,
} from './rules-guard.ts';
export { checkBySchema, checkScenario, findLocation, formatPosition } from './scenario/check-scenario.ts';
export { costsField, readCosts, roundCosts, scenarioCosts, sumCostsBySide } from './scenario/costs.ts';
export {
  type Declaration,
  findDeclarations,
  type GroupDeclaration,
  generateSmallest,
  generateValue,
  getChildDeclaration,
  getDeclaration,
  getOnlyWord,
  type ListDeclaration,
  listAlternatives,
  listDeclaredValues,
  listWords,
  type NumberDeclaration,
  type SimpleDeclaration,
  selectLikeliest,
  UNKNOWN_DECLARATION,
  type ValueChooser,
} from './scenario/declaration.ts';
export { DEPTH_LIMIT, parseYaml, readDocument } from './scenario/document.ts';
export { checkFileKind, type DocumentSource, detectFileKind, type FileKind } from './scenario/document-source.ts';
export {
  applyChangesOfFiles,
  collectInputErrors,
  createScenarioJsonSchema,
  createValueSource,
  getSourceName,
  type JsonSchema,
  loadScenario,
  loadSource,
  parseScenario,
  type ReadOptions,
  readScenario,
  readText,
  resolveRegistry,
  systemJsonSchema,
  updateScenario,
  validateScenario,
} from './scenario/index.ts';
export { labelField } from './scenario/label-field.ts';
export { createFieldSchemas, createFilledFieldSchemas } from './scenario/option-fields.ts';
export {
  formatPath,
  formatPlace,
  getValueAt,
  isMapping,
  NAME_EXPECTED,
  PATH_EXPECTED,
  type Path,
  PROTO,
  parsePath,
  setField,
  splitPath,
} from './scenario/problem.ts';
export { setFields } from './scenario/set-fields.ts';
export { getNumericField, listNumericFields, listTableFields, type NumericField } from './scenario/update-scenario.ts';
export { createSystemSpec, type ScenarioSpec } from './scenario-spec.ts';
export { registerSystem, SHIPPED_REGISTRY, type SystemsLike, shippedSystems, toRegistry } from './shipped-registry.ts';
export { i32, record, row, type StructOutput, u32 } from './struct.ts';
export {
  type Decision,
  type DecisionOption,
  type DuelRules,
  type Feature,
  formatRuleSource,
  isSystem,
  type KernelSystem,
  type Key,
  type Metric,
  type MetricLabels,
  type Model,
  type Price,
  type Rule,
  type Scenario,
  type State,
  type System,
} from './system.ts';
