/** What other modules may use of core. */

export type { Chance, Dice, DicePool, Door, Faces, Facts, Law, Lot } from './chance/door.ts';
export { branches, checkDraw, Enumerated } from './chance/enumerated.ts';
export {
  type DifferenceTable,
  type Distribution,
  differenceTable,
  distributionOf,
  ESCAPE,
  excessLaw,
  excessProbabilities,
  facesLaw,
  facesTable,
  hitsLaw,
  hitsTable,
  LOT_DICE,
  lotKey,
  markedLaw,
  POOL_CHUNK,
  quantile,
  SLOTS,
  sumLaw,
  sumProbabilities,
  sumTable,
  weightThresholds,
} from './chance/laws.ts';
export {
  type Amount,
  foundNumeral,
  groupDigits,
  grouped,
  type NumberUnit,
  parseAmount,
  rangeText,
  readAmount,
  readWhole,
} from './chance/numerals.ts';
export { ENDLESS, Places, places, type Stride } from './chance/places.ts';
export { Recorded, type StoryEvent } from './chance/recorded.ts';
export { Counting, ESCAPES, Sampled, type Words } from './chance/sampled.ts';
export { type ScriptEntry, Scripted } from './chance/scripted.ts';
export {
  battleKey,
  keyInRun,
  MAX_BATTLES,
  parseCount,
  parseSeed,
  runKey,
  type SeedLike,
  Stream,
  studyKey,
} from './chance/stream.ts';
export {
  BAG_MAX,
  Bounded,
  type Hand,
  type HandsLaw,
  handsOf,
  isEqual,
  markedAmong,
  mixed,
  takenOf,
} from './chance/taken.ts';
export { asyncDispose, dispose } from './dispose.ts';
export {
  AbortError,
  BudgetError,
  type ErrorCode,
  type ErrorData,
  InputError,
  packError,
  ReaderGone,
  RulesError,
  RunError,
  unpackError,
  unsteady,
} from './errors.ts';
export { describeFound, isPlain, quoted } from './found.ts';
export { LAYERS, OPTIMAL_STEPS, OPTIMAL_STEPS_MAX, PAYOFF_BUDGET, PAYOFF_BUDGET_MAX, WORKERS_MAX } from './limits.ts';
export { checkKind, checkList, checkText, didYouMean, distance, type Names, optionsOf, pickedNames } from './names.ts';
export { type FilePosition, type Path, placeParts, readPath } from './path.ts';
export { version } from './version.ts';
export { hearWork, isHeard, rarely, tellNote, tellSteps, tellWork, type WorkNote, type WorkProgress } from './work.ts';
