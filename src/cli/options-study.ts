/** Options of the studies that vary a scenario. */
import { Option } from 'commander';
import * as number from './options-number.ts';
import { count } from './options-number.ts';
import { choice } from './options-words.ts';

export const METHODS = ['step', 'morris', 'sobol'] as const;

export const method = (): Option => choice('method', 'single steps, Morris’s screening or Sobol’s indices', METHODS);

export const fields = (): Option =>
  new Option(
    '--fields <list>',
    'step: fields, joined by commas: attacker,defender.hp,unitTypes.knight.bonus=0',
  ).argParser((value: string) => value.split(',').map((path) => path.trim()));

export const steps = (): Option => new Option('--step <path=size...>', 'step: how far certain fields move');

export const percent = (): Option =>
  number.percent('percent', 'step: how far fields move that are not whole numbers, in % (default: 10)', 1000);

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
