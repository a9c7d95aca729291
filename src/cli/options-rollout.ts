/** Options of the commands that open environments for agents. */
import { Option } from 'commander';
import { parseAmount } from '../core/chance/numerals.ts';
import { set } from './options.ts';
import { count } from './options-number.ts';
import { choice } from './options-words.ts';
import type { Setting } from './source.ts';

/** How scenarios become an environment. */
export interface EnvironmentFlags extends Setting {
  readonly agents?: readonly string[];
  readonly reward: string;
  readonly autoreset: 'same-step' | 'next-step' | 'disabled';
  readonly maxSteps?: number;
  readonly points?: readonly string[];
  readonly weights?: readonly number[];
}

const listed = (value: string): string[] => value.split(',').map((each) => each.trim());

function numbers(value: string): number[] {
  const expected = 'numbers of 0 or more, joined by commas';
  return listed(value).map((each) => parseAmount(each, '--weights', expected, (weight) => weight >= 0).value);
}

const agents = (): Option =>
  new Option('--agents <list>', 'players who decide, joined by commas, or all (default: the first)').argParser(listed);

const reward = (): Option =>
  new Option('--reward <name>', 'what agents earn: win, or another reward of the system').default('win');

const autoreset = (): Option =>
  choice('autoreset', 'when the next battle begins', ['same-step', 'next-step', 'disabled']);

const maxSteps = (): Option =>
  count('max-steps', 'actions after which an episode is truncated (default: none)', 1, 2 ** 31 - 1);

const points = (): Option =>
  new Option('--points <list>', 'decision points at which agents decide, joined by commas (default: all)').argParser(
    listed,
  );

const weights = (): Option =>
  new Option('--weights <list>', 'how often each scenario is drawn, joined by commas (default: alike)').argParser(
    numbers,
  );

export const envs = (): Option => count('envs', 'how many environments', 1, 2 ** 21).default(1024);

export const episodes = (): Option =>
  count('episodes', 'how many battles each environment plays', 1, 2 ** 32 - 1).default(1);

export const policy = (): Option => choice('policy', 'who decides', ['scenario', 'uniform']);

/** All but the number of environments. */
export const environment = (): Option[] => [set(), agents(), reward(), points(), autoreset(), maxSteps(), weights()];
