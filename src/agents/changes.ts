/** What can be changed of environments that are there. */
import { InputError } from '../core/errors.ts';
import { optionsOf } from '../core/names.ts';
import { type Configuration, configurationOf } from './configuration.ts';
import type { Autoreset } from './layout.ts';
import type { Reward } from './rewards.ts';

/** What can be changed of a configuration that is in use; what is not named stays as it is. */
export interface Changes {
  readonly reward?: Reward | undefined;
  readonly autoreset?: Autoreset | undefined;
  readonly maxSteps?: number | undefined;
  /** All of those at which agents are asked from then on. */
  readonly points?: readonly string[] | undefined;
  /** One for each scenario, in their order. */
  readonly weights?: readonly number[] | undefined;
}

const checkChanges = optionsOf<Changes>('configure', {
  reward: true,
  autoreset: true,
  maxSteps: true,
  points: true,
  weights: true,
});

/** The configuration with changes. @throws InputError if they do not fit it */
export function changed(configuration: Configuration, changes: Changes): Configuration {
  checkChanges(changes);
  const { variants, agents, asked, reward, autoreset, maxSteps } = configuration;
  const weights = changes.weights ?? variants.map(({ weight }) => weight);
  if (weights.length !== variants.length) {
    throw new InputError('weights', `${String(variants.length)} numbers`, String(weights.length));
  }
  return configurationOf(
    variants.map(({ scenario }, v) => ({ scenario, weight: weights[v] ?? 0 })),
    {
      agents,
      reward: changes.reward ?? reward,
      autoreset: changes.autoreset ?? autoreset,
      maxSteps: changes.maxSteps ?? maxSteps,
      points: changes.points ?? asked,
    },
  );
}
