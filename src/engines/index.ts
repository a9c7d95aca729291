/** Interface of this module. */

export { compileAutomaton } from './automaton/compile.ts';
export { encodeAutomaton } from './automaton/encode-automaton.ts';
export { NodeGraph, type NodeRef } from './automaton/node-graph.ts';
export { TracingChance } from './automaton/tracing-chance.ts';
export { createBudget, createSideBudget, type ExactBudget, FULL_BUDGET, STEPS_MAX } from './exact/budget.ts';
export { buildGraph, type Graph, type GraphNode, unrollRounds } from './exact/chain.ts';
export { type ChainSize, ESTIMATE_BUDGET_MIN, estimateChainSize } from './exact/chain-size.ts';
export { type ExplorationProgress, formatSize } from './exact/cost-text.ts';
export { computeDuelValues } from './exact/duel-values.ts';
export { EstimateSchedule, estimateRemainingSize } from './exact/remaining-size.ts';
export {
  type ExactDistribution,
  type ExactFinalState,
  estimateRounds,
  isNearLimit,
  solveFinalStates,
  solveModel,
} from './kernel/chain-solver.ts';
export { FinalStateKernel } from './kernel/final-state-kernel.ts';
export { instantiate, type WasmMemory, type WasmModule } from './kernel/instance.ts';
export { computeKernelHash, loadKernel, SystemKernel } from './kernel/kernel.ts';
export { solveInKernel } from './kernel/kernel-solver.ts';
export { ALIGNMENT, NEGLIGIBLE } from './kernel/layout.ts';
export {
  type RunExecutor,
  type RunLegsOptions,
  runBattles,
  runLegs,
  scheduleAnalyses,
} from './pool/adaptive-runner.ts';
export { chooseEngine } from './pool/choose-engine.ts';
export { checkDistribution, crossCheckDistribution } from './pool/cross-check.ts';
export { findRoundCounter } from './pool/engine-reasons.ts';
export { executeCommand, type Job, type JobResult, runJob, type SimulatorCommand } from './pool/job.ts';
export { compareResultsFrom } from './pool/key-aliasing.ts';
export {
  type AnswerFunctions,
  type AnswerReply,
  type AnswerTask,
  offload,
  PROGRESS_OPTIONS,
  type ProgressOptions,
  performAnswer,
} from './pool/offload.ts';
export { createDifferenceShape } from './pool/paired-simulator.ts';
export {
  type BattleReading,
  checkRun,
  checkStart,
  ENGINES,
  type Engine,
  type EngineForm,
  findEngineForm,
  type PairedSetup,
  type PreparedRun,
  type Progress,
  type ReadingDifference,
  type RunRequest,
  type RunRequestOptions,
  type RunResult,
  type ScenarioSetup,
  type SimulatorSetup,
} from './pool/run.ts';
export { LOCAL_EXECUTOR, runInCallingThread, scheduleRun } from './pool/run-scheduler.ts';
export { openKernel, openSimulator } from './pool/simulator.ts';
export { ThreadPool } from './pool/thread-pool.ts';
export { ThreadLease } from './pool/worker-threads.ts';
