/** Interface of this module. */

export type { Chance, Dice, DicePool, DiceSet, Distribution, EventData, Faces, RandomDraws } from './chance/chance.ts';
export {
  ALIAS_SLOTS,
  computeExcessDistribution,
  computeExcessProbabilities,
  computeFacesDistribution,
  computeHitsDistribution,
  computeMarkedDistribution,
  computeSumDistribution,
  computeSumProbabilities,
  computeWeightThresholds,
  createDiceSetKey,
  DICE_SET_MAX,
  type DifferenceTable,
  ESCAPE,
  type FiniteDistribution,
  findQuantile,
  getDiceSetTable,
  getDifferenceTable,
  getHitsThresholds,
  getSumThresholds,
  POOL_CHUNK,
  toFiniteDistribution,
} from './chance/dice-tables.ts';
export {
  BAG_MAX,
  BoundedCache,
  getCachedDistribution,
  getSortedDice,
  isEqual,
  mixHash,
  type SortedDice,
  type SortedDiceDistribution,
  sampleMarked,
} from './chance/distribution-cache.ts';
export { checkDraw, EnumeratedChance, enumerateBranches } from './chance/enumerated-chance.ts';
export { ForwardingChance } from './chance/forwarding-chance.ts';
export { RecordedChance, type ReplayEvent } from './chance/recorded-chance.ts';
export { ESCAPES, RuleCountingChance, SampledChance, type WordStream } from './chance/sampled-chance.ts';
export { type ScriptEntry, ScriptedChance } from './chance/scripted-chance.ts';
export {
  computeBattleKey,
  computeKeyInRun,
  computeRunKey,
  computeStudyKey,
  MAX_BATTLES,
  parseCount,
  parseSeed,
  type SeedLike,
  Stream,
} from './chance/stream.ts';
export { createStreamLayout, StreamLayout, type Stride, UNBOUNDED } from './chance/stream-layout.ts';
export { describeFound, isPlainObject, quote } from './describe-found.ts';
export { asyncDispose, dispose } from './dispose.ts';
export { exp, GOLDEN_SECTION, ln } from './elementary.ts';
export {
  AbortError,
  BudgetError,
  createConflictError,
  createNondeterminismError,
  createRequirementError,
  type ErrorCode,
  type ErrorData,
  InputError,
  OutputClosedError,
  packError,
  RulesError,
  RunError,
  unpackError,
} from './errors.ts';
export { createIdentifiers } from './identifiers.ts';
export {
  BEST_RESPONSE_BUDGET,
  GAME_STEPS_MAX,
  LAYERS,
  WORKERS_MAX,
} from './limits.ts';
export {
  computeRowValues,
  findRowRange,
  GAP_ROUNDING,
  GAP_TOLERANCE,
  isUniqueSolution,
  type MatrixGame,
  type MatrixSolution,
  solveMatrixGame,
  swapPlayers,
} from './matrix-game.ts';
export {
  type Amount,
  describeNumeral,
  findAmount,
  formatGrouped,
  formatRange,
  groupDigits,
  type NumberUnit,
  parseAmount,
  parseWholeNumber,
} from './numerals.ts';
export {
  checkKind,
  checkList,
  checkText,
  computeEditDistance,
  createOptionsCheck,
  type OptionChecks,
  pickNamedOptions,
  suggestName,
} from './option-checks.ts';
export { type FilePosition, type Path, readPath, splitPlace } from './path.ts';
export {
  hasProgressListener,
  type ProgressNote,
  reportNote,
  reportProgress,
  reportSteps,
  setProgressListener,
  throttleProgress,
  type WorkProgress,
} from './progress.ts';
export { version } from './version.ts';
