/** What can be changed of environments that are there. */
import { InputError } from '../errors.ts';
import { type Autoreset, type Configuration, configurationOf, type Reward } from './configuration.ts';

/** What can be changed of a configuration that is in use; what is not named stays as it is. */
export interface Changes {
  readonly reward?: Reward | undefined;
  readonly autoreset?: Autoreset | undefined;
  readonly maxSteps?: number | undefined;
  /** One for each scenario, in their order. */
  readonly weights?: readonly number[] | undefined;
}

/** The configuration with changes. @throws InputError if they do not fit it */
export function changed(configuration: Configuration, changes: Changes): Configuration {
  const { variants, agents, reward, autoreset, maxSteps } = configuration;
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
    },
  );
}
