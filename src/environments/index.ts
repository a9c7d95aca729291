/** Public exports of the environments module. */

export { computeAnswer } from './answer-functions.ts';
export {
  type BestResponse,
  createBestResponse,
  findBestResponseSync,
  findHiddenInformation,
  type PolicyCorrection,
  type ScenarioSolution,
  solveScenarioGame,
} from './best-response/best-response.ts';
export { evaluateDecisions, type OptionValue } from './best-response/decision-values.ts';
export { buildGameGraph, createGameDefinition } from './best-response/game-graph.ts';
export { computeGameValues, createGameTable } from './best-response/game-values.ts';
export {
  createEnvSpec,
  type EnvironmentOptions,
  type EnvSpec,
  type Reward,
  type WeightedScenario,
} from './env-spec.ts';
export { EPISODES, type EpisodesResult, runEpisodes, type VariantResult } from './episodes.ts';
export { createManifest } from './manifest.ts';
export { createScenarioSpec, type ScenarioSpec } from './scenario-spec.ts';
export { VectorEnv } from './vector-env.ts';
