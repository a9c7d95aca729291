/** What other modules may use of studies. */

export { askedOf, BATTLES, LENGTH, lengthOf, PLACE, RUN, type RunAsked, stretchOf } from './asked.ts';
export { BALANCE, type Balance, balance } from './balance/balance.ts';
export type { Vary } from './balance/gauge.ts';
export {
  type Along,
  ascending,
  type ExaminedRows,
  type GaugedSetting,
  type Near,
  type Searched,
} from './balance/index.ts';
export { type Best, COMPARE, type Comparison, compare, type Pairing, type Standing } from './comparing/compare.ts';
export { DIFF, diffRules, type RulesDifference } from './comparing/diff-rules.ts';
export { ConditionReader, type Term } from './condition.ts';
export { COVERAGE, coverageSync, type RuleCoverage } from './coverage.ts';
export { answerPatiently } from './decide.ts';
export { type Design, latinHypercube, randomDesign, streamFor } from './designs/design.ts';
export { sobolDesign } from './designs/sobol.ts';
export { EXECUTION, type Execution, executionOf, THREADS } from './execution.ts';
export { JUDGE } from './expectations/judge.ts';
export { type BattleCondition, FIND, find, parseWhere, type Search } from './find.ts';
export { checkAgreement, disagreement, lookAt, openPlay } from './look.ts';
export type { PlannedValue, RunPlan } from './plan.ts';
export { BESIDE_BUDGET, BUDGET, EXACT, EXACTNESS, type Exactness } from './questions.ts';
export { type Ending, endingOf, REPLAY, type Replay, replay } from './replay.ts';
export { STUDY } from './sensitivity/cells.ts';
export type {
  MorrisField,
  MorrisSensitivity,
  Sensitivity,
  SobolField,
  SobolSensitivity,
  StepEffect,
  StepField,
  StepSensitivity,
} from './sensitivity/index.ts';
export { MORRIS, morrisSensitivity } from './sensitivity/morris.ts';
export { SOBOL, sobolSensitivity } from './sensitivity/sobol.ts';
export { STEP, stepSensitivity } from './sensitivity/step.ts';
export { type MovedByOne, type SideMoved, type WhatIf, whatIf } from './sensitivity/what-if.ts';
export {
  type Engine,
  type Progress,
  type SimulateOptions,
  type SimulationResult,
  type Stopping,
  simulate,
} from './simulate.ts';
export { type ExactResult, solveSync, solveWithin } from './solve.ts';
export { type CardSide, type CardsSolution, solveCardsSync, type TokenGame, type TokenSide } from './solve-cards.ts';
