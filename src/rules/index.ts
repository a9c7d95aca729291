/** What other modules may use of rules. */

export { chance, difference, differenceOf, partUpTo, percent } from './amount.ts';
export {
  type Around,
  type BattleResult,
  endingAt,
  KeyRoom,
  keyOf,
  lastOutcome,
  playBattle,
  verdict,
  watch,
} from './battle.ts';
export { ALWAYS, across, countField, maxRounds, refuse } from './fields.ts';
export { GAME_IDS, GAMES, type KnownGame } from './games.ts';
export { apart, isForeign, messageOf, stackOf, tellRules, thrownAt, toldRules } from './guard.ts';
export { identityOf, lineAt, moduleHash, textHash } from './identity.ts';
export { registryOf, SHIPPED, type SystemsLike, systems } from './known-systems.ts';
export {
  addModules,
  addSystems,
  isGameOf,
  loadSame,
  loadSystems,
  received,
  systemsIn,
  withGames,
  withGamesOf,
} from './load.ts';
export {
  doubt,
  doubtText,
  isOpened,
  type Opened,
  opened,
  openScenario,
  type Portable,
  playSeeded,
  portable,
} from './opened.ts';
export { authored, differences, few, roundlessText, shown, textOf } from './own/states.ts';
export { Registry, type SystemModule } from './registry.ts';
export { type NumericField, numericField, numericFields, tabledFields } from './scenario/change.ts';
export { check, checkWith, spotAt } from './scenario/check.ts';
export { costsField, pointsBy, pointsOf, readCosts, roundedPoints } from './scenario/costs.ts';
export {
  alternatives,
  type Choices,
  type Declared,
  declaredAt,
  declaredIn,
  type Group,
  type List,
  likeliest,
  made,
  type Numeric,
  onlyWord,
  placesIn,
  type Simple,
  smallest,
  UNTOLD,
  within,
  wordsOf,
} from './scenario/declared.ts';
export { DEPTH_LIMIT, parsedDocument, readDocument } from './scenario/document.ts';
export {
  applyChanges,
  type JsonSchema,
  jsonSchema,
  loadScenario,
  loadSource,
  parseScenario,
  placeOf,
  type ReadOptions,
  readScenario,
  readText,
  registryIn,
  scenarioJsonSchema,
  together,
  validateScenario,
} from './scenario/index.ts';
export {
  A_PATH,
  isMapping,
  OTHER_NAME,
  type Path,
  PROTO,
  parsePath,
  pathOf,
  placeName,
  stepsOf,
  valueAt,
  withField,
} from './scenario/problem.ts';
export { fieldsOf, filledFieldsOf } from './scenario/settings.ts';
export { checkKind, type DocumentSource, type FileKind, kindOf } from './scenario/source.ts';
export { withFields } from './scenario/variants.ts';
export { fieldWords } from './scenario/words.ts';
export { i32, type Read, record, row, u32 } from './struct.ts';
export {
  type Arsenal,
  type CardGames,
  type Counts,
  type Decision,
  type DeclaredFeature,
  type Feature,
  isSystem,
  type KernelSystem,
  type KernelWords,
  type Key,
  type Metric,
  type Model,
  type Option,
  PAYOFFS,
  type Payoff,
  type Price,
  type Rollout,
  type Rule,
  type Scenario,
  type Side,
  type State,
  type System,
  sourceOf,
  type Weights,
  worthOf,
} from './system.ts';
