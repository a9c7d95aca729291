/** Public exports of the environments module. */

export { computeAnswer } from './answer-functions.ts';
export {
  type BestResponse,
  createBestResponse,
  findBestResponseSync,
  type PolicyCorrection,
  type ScenarioSolution,
  solveScenarioGame,
} from './best-response/best-response.ts';
export { DecisionChance, type OpenDecision } from './best-response/decision-chance.ts';
export { evaluateDecisions, type OptionValue } from './best-response/decision-values.ts';
export { buildGameGraph, createGameDefinition } from './best-response/game-graph.ts';
export { createGameTable } from './best-response/game-table.ts';
export { computeGameValues } from './best-response/game-values.ts';
export { findHiddenInformation } from './best-response/hidden-information.ts';
export {
  createEnvSpec,
  createScenarioSpec,
  type EnvironmentOptions,
  type EnvSpec,
  type Reward,
  type WeightedScenario,
} from './env-spec.ts';
export { EPISODES, type EpisodesResult, runEpisodes, type VariantResult } from './episodes.ts';
export { type ExportedGame, exportGame, GAME_FORMATS, type GameFormat } from './equilibrium/export-game.ts';
export {
  type Equilibrium,
  type EquilibriumDecision,
  findEquilibriumSync,
  type PlayerPolicy,
  type PolicyLoss,
} from './equilibrium/find-equilibrium.ts';
export { findHiddenChoices } from './equilibrium/hidden-choices.ts';
export { createManifest } from './manifest.ts';
export { replayEpisode } from './replay-episode.ts';
export { type Grade, gradeLoadedTask, selectTaskPlayer } from './suite/grade-policy.ts';
export { getTask, listTasks, loadTask, type SuiteTask } from './suite/suite-tasks.ts';
export { VectorEnv } from './vector-env.ts';
