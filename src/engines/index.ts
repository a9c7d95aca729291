/** What other modules may use of engines. */

export { compile } from './automaton/compile.ts';
export { encodeAutomaton } from './automaton/encode.ts';
export { Lookouts, sizeAhead } from './exact/ahead.ts';
export { budgetOf, type ExactBudget, FULL_BUDGET, STEPS_MAX, sideBudget } from './exact/budget.ts';
export { type Graph, type GraphNode, graphOf, unrolled } from './exact/chain.ts';
export { type ChainSize, estimateSize, PLANNED } from './exact/plan.ts';
export { type Pace, tellSize } from './exact/price.ts';
export { type ExactEnding, type ExactLaw, endingsOf, nearsLimit, roundsDue, solveModel } from './kernel/chain.ts';
export { EndingsKernel } from './kernel/endings.ts';
export { instantiate, type Memory, type Module } from './kernel/instance.ts';
export { Kernel, kernelHash, loadKernel } from './kernel/kernel.ts';
export { ALIGNMENT, NEGLIGIBLE } from './kernel/layout.ts';
export { solveInKernel } from './kernel/solver.ts';
export { conduct, HERE, playHere } from './pool/conduct.ts';
export { type Job, type JobResult, type Order, obey, playJob } from './pool/job.ts';
export {
  type AnswerFunctions,
  type AnswerReply,
  type AnswerTask,
  offload,
  performAnswer,
  WATCH,
  type WatchOptions,
} from './pool/offload.ts';
export { fixedLooks, type LegsOptions, type Players, playLegs, playOwn } from './pool/own.ts';
export { openKernel, openPlayer } from './pool/player.ts';
export { Lease, Pool } from './pool/pool.ts';
export { checkLaw, proveLaw } from './pool/proof.ts';
export {
  type BattleReading,
  checkRun,
  checkStart,
  ENGINES,
  type Engine,
  type Form,
  formOf,
  type PlayOptions,
  type PreparedRun,
  type Progress,
  type ReadingPair,
  type Run,
  type RunResult,
  type Setup,
  type SoloSetup,
  type TogetherSetup,
} from './pool/run.ts';
export { endsDiffer } from './pool/same-key.ts';
export { prepare } from './pool/setup.ts';
export { gapShape } from './pool/together.ts';
export { roundCounter } from './pool/why.ts';
