/** Options of the studies that vary a scenario. */
import { Option } from 'commander';
import { InputError } from '../errors.ts';
import { choice, count } from './options.ts';

export const METHODS = ['step', 'morris', 'sobol'] as const;

export const method = (): Option => choice('method', 'single steps, Morris’s screening or Sobol’s indices', METHODS);

export const fields = (): Option =>
  new Option(
    '--fields <list>',
    'step: fields, joined by commas: attacker,defender.hp,unitTypes.knight.bonus=0',
  ).argParser((value: string) => value.split(',').map((path) => path.trim()));

export const steps = (): Option => new Option('--step <path=size...>', 'step: how far certain fields move');

export const percent = (): Option => {
  const about = 'step: how far fields move that are no whole numbers, in % of their value (default: 10)';
  return new Option('--percent <x>', about).argParser((value: string) => {
    const number = /^[0-9]*\.?[0-9]+$/.test(value) ? Number(value) : 0;
    if (number > 0 && number <= 1000) return number;
    throw new InputError('--percent', 'a number above 0, at most 1000', `"${value}"`);
  });
};

export const space = (): Option =>
  new Option('--space <path=range...>', 'morris, sobol: the range of each field: attacker.hp=10..40');

export const trajectories = (): Option =>
  count('trajectories', 'morris: how many walks through the space (default: 20)', 2, 1_000_000);

export const levels = (): Option =>
  count('levels', 'morris: levels of fields that are no whole numbers, even (default: 4)', 2, 1_000_000);

export const points = (): Option =>
  count('points', 'sobol: base points, best a power of two (default: 256)', 8, 2 ** 20);

export const figure = (): Option => new Option('--figure <file>', 'also write a picture: .svg or .png (300 dpi)');

export const battlesOfCell = (): Option =>
  count('battles', 'battles of a cell without an exact answer (default: step 50000, others 2000)', 2, 10_000_000);

export const exactness = (): Option =>
  choice('exact', 'exact answers in the place of battles, by default where they are cheap', [
    'auto',
    'always',
    'never',
  ]);
