/** What other modules may use of agents. */

export { answer } from './answers.ts';
export {
  type Configuration,
  configurationOf,
  type EnvironmentOptions,
  type Reward,
  type Weighted,
} from './configuration.ts';
export { manifestOf } from './manifest.ts';
export { type Worth, worthsBeside } from './optimal/beside.ts';
export { contestOf, gameOf } from './optimal/game.ts';
export {
  type Correction,
  type Optimum,
  optimalSync,
  optimumOf,
  type SolvedGame,
  secretOf,
  solved,
} from './optimal/optimal.ts';
export { tableOf, valuesOf } from './optimal/values.ts';
export { EPISODES, type PlayedEpisodes, type PlayedVariant, runEpisodes } from './play.ts';
export { type EnvironmentSpec, specOf } from './spec.ts';
export { VectorEnv } from './vector-env.ts';
