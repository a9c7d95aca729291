/** Reads the values of options; what they refuse is an InputError with the option as its place. */

import { Argument, Option } from 'commander';
import { MAX_BATTLES, parseCount, parseSeed } from '../core/chance/stream.ts';
import { InputError } from '../core/errors.ts';
import {
  BATTLES,
  BATTLES_TOGETHER,
  OPTIMAL_STEPS,
  OPTIMAL_STEPS_MAX,
  PAYOFF_BUDGET,
  PAYOFF_BUDGET_MAX,
  WORKERS_MAX,
} from '../core/limits.ts';
import { STEPS_MAX } from '../engines/exact/budget.ts';
import { ENGINES } from '../engines/pool/run.ts';
import { LAYERS } from '../kit/gate/baseline.ts';
import { PAYOFFS } from '../rules/strength-cards/payoff.ts';
import { SHARDS_MAX } from '../work/folder/shard.ts';
import { chanceOf, count, partAbove0, width } from './options-number.ts';
import { choice, repeatable, withWords, word } from './options-words.ts';

/** Ports of TCP have 16 bits. */
const PORT_MAX = 65_535;

export const battles = (): Option =>
  count('battles', 'how many battles to play: 1000000, 1e6, 1M or 1,000,000', 1, MAX_BATTLES).default(BATTLES, '1e6');

export const battlesOrMost = (): Option => {
  const about = 'how many battles to play (default: 1e6); with --precision the most (default: what it can need)';
  return count('battles', about, 1, MAX_BATTLES);
};

export const precision = (): Option =>
  new Option(
    '--precision <x>',
    'play until 95 % intervals are this narrow: 0.001 or 0.1pp: ±0.1 points; 10%: ±10 % of each value',
  );

export const precisionOf = (): Option =>
  new Option('--precision-of <name>', 'outcomes, or the metric whose mean --precision is about, in its unit');

export const precisionFloor = (): Option =>
  partAbove0(
    'precision-floor',
    'with --precision in %: values below this are known to that part of this (default: 0.001)',
  );

export const boundedDifferences = (): Option =>
  new Option('--bounded', 'intervals of differences that hold for every law in the declared ranges');

export const bounded = (): Option =>
  new Option('--bounded', 'intervals of means that hold for every law in the declared range of the metric');

/** Battles that each of several scenarios plays. */
export const battlesTogether = (): Option => battles().default(BATTLES_TOGETHER, String(BATTLES_TOGETHER));

/** Battles that each cell of a sweep is to have. */
export const battlesEach = (): Option =>
  count('battles', 'how many battles each cell is to have in all, with --extend', 1, MAX_BATTLES);

/** Of how many shards a sweep was. */
export const shards = (): Option =>
  count('shards', 'how many shards there were: also tell which of them are to be played again', 1, SHARDS_MAX);

/** Cells that `verify` plays again. */
export const cellsAgain = (): Option =>
  count(
    'cells',
    'cells to play and solve again, chosen at random (default: 10), or parts of a kept run (default: 1)',
    0,
    1e9,
  );

/** Which cells are played again. */
export const seedAgain = (): Option =>
  new Option('--seed <n>', 'choose the same cells again as a verification that reported this seed').argParser(
    (value: string) => parseSeed(value, '--seed'),
  );

/** With which probability an altered cell is found. */
export const probability = (): Option => {
  const about = 'play so many cells again that one cell, altered with all its digests, is found with this probability';
  return chanceOf('probability', about);
};

/** Who plays again. */
export const engineAgain = (): Option =>
  word('engine', 'who plays again: the rules as written (default), or the kernel (default for a kept run)', [
    'reference',
    'kernel',
  ]);

export const csvOf = (): Option =>
  choice('of', 'rows of cells, or the counts and laws behind them', ['table', 'histograms']);

export const of = (): Option =>
  new Option('--of <name>', 'outcome or metric to compare (default: the first outcome that is no stalemate)');

export const best = (): Option =>
  word('best', 'find the scenario with the best figure and drop those that are shown to be worse', [
    'highest',
    'lowest',
  ]);

export const indifference = (): Option =>
  width('indifference', 'with --best: end once those left differ by less; of probabilities 0.01 or 1pp', false);

export const seed = (): Option =>
  new Option('--seed <n>', 'seed of the run, 0..2^64-1; the same seed gives the same battles')
    .argParser((value: string) => parseSeed(value, '--seed'))
    .default(1n, '1');

export const from = (): Option => count('from', 'index of the first battle', 0, MAX_BATTLES - 1).default(0);

export const battle = (): Option => count('battle', 'index of the battle in its run', 0, MAX_BATTLES - 1).default(0);

export const workers = (): Option => count('workers', 'threads (default: as many as there are cores)', 1, WORKERS_MAX);

export const engine = (): Option =>
  choice(
    'engine',
    'whoever is fastest (kernel); the rules, compiled; the rules as written; draws from the exact law',
    ENGINES,
  );

export const exact = (about = 'the exact answer beside the estimates, by default where it is cheap'): Option =>
  choice('exact', about, ['auto', 'always', 'never']);

/** Steps that an exact answer may take. */
export const exactBudget = (about = 'steps that the exact answer may take (default: 4000000, some seconds)'): Option =>
  count('budget', about, 1, STEPS_MAX, 'steps');

/** The same where exact answers stand beside battles, or in their place. */
export const besideBudget = (): Option =>
  exactBudget(
    'steps that an exact answer, or exploring for --engine automaton, may take (default: what is cheap; asked for, 4000000)',
  );

/** Payoffs that `solve-cards` may work out. */
export const payoffBudget = (): Option =>
  count(
    'budget',
    `payoffs that may be worked out (default: ${String(PAYOFF_BUDGET)})`,
    1,
    PAYOFF_BUDGET_MAX,
    'payoffs',
  );

/** Steps that `optimal` may take. */
export const optimalBudget = (): Option => {
  const about = `steps that may be taken (default: ${String(OPTIMAL_STEPS)}, a minute or two and a gigabyte of memory)`;
  return count('budget', about, 1, OPTIMAL_STEPS_MAX, 'steps');
};

export const histograms = (): Option =>
  choice('histograms', 'histograms, by default of the metrics that tell most', ['auto', 'all', 'none']);

export const limit = (): Option => count('limit', 'how many battles to find', 1, 1_000_000).default(5);

export const where = (): Option =>
  repeatable<string[]>(
    new Option('--where <condition>', 'which battles: "winner=defender && rounds>12"; repeatable: all must hold'),
    (value, before = []) => [...before, value],
  ).makeOptionMandatory();

/** A field that is set before anything else is done. Of two values of one field the last counts. */
export const set = (): Option =>
  repeatable<string[]>(
    new Option('--set <path=value>', 'set a field of the scenario first, such as attacker.hp=20; repeatable'),
    (value, before = []) => {
      const path = value.slice(0, value.indexOf('=') + 1);
      return [...before.filter((other) => path === '' || !other.startsWith(path)), value];
    },
  );

/** Files with systems of one's own. */
export const systems = (): Option =>
  repeatable<string[]>(
    new Option(
      '--systems <file>',
      'also load battle systems from this module or installed package, which is code; repeatable',
    ),
    (value, before = []) => [...before, value],
  );

export const noConfig = (): Option =>
  new Option('--no-config', 'ignore warpool.config.js of this folder and those above');

/** How long one call of rules of one's own may take. */
export const ruleLimit = (): Option =>
  count(
    'rule-limit',
    'end when one call of rules of your own takes longer (default: 30; 0: as long as it likes)',
    0,
    1_000_000,
    'seconds',
  );

/** Fields in which the other reading differs. */
export const changes = (): Option =>
  new Option('--set <path=value...>', 'fields to change, with the values they get').makeOptionMandatory();

/** Battles of the reference model, which is slow, that are looked at unless said otherwise. */
const COVERED = 10_000;

export const coverage = (): Option => {
  const about = `how often each rule applied in the first n battles (default: ${String(COVERED)})`;
  const option = new Option('--coverage [n]', about);
  return option.argParser((value: string) => parseCount(value, '--coverage', 1, MAX_BATTLES)).preset(String(COVERED));
};

export const page = (): Option =>
  new Option('--page <file>', 'also write a page with pictures: one .html file that opens offline');

export const port = (): Option => count('port', 'where to listen, 1..65535 (default: a free port)', 1, PORT_MAX);

export const json = (): Option => new Option('--json', 'one JSON object instead of tables');

export const payoff = (): Option =>
  choice('payoff', 'what the attacker wants: victory, hit points over the enemy’s, the area', PAYOFFS);

/** The server of a queue, in the place of threads of this machine. */
export const on = (): Option =>
  new Option('--on <url>', 'have the workers of a queue play: redis://[user@]host[:port], rediss:// with TLS');

export const audit = (): Option =>
  chanceOf('audit', 'with --on: the share that is played again by another worker (default: 0.02)');

export const idle = (): Option => count('idle', 'end after so many seconds without a job', 1, 1_000_000, 'seconds');

export const queueAction = (): Argument =>
  new Argument('[action]', 'what to do with the queue').choices(['show', 'pause', 'resume', 'cancel']).default('show');

export const passwordFile = (): Option =>
  new Option('--password-file <file>', 'the password of the server, instead of WARPOOL_REDIS_PASSWORD');

export const layers = (): Option =>
  withWords(
    new Option('--layers <list>', `layers to look at, joined by commas: ${LAYERS.join(', ')}`)
      .argParser((value: string) =>
        value.split(',').map((word) => {
          const layer = LAYERS.find((known) => known === word);
          if (layer === undefined) throw new InputError('--layers', `some of ${LAYERS.join(', ')}`, `"${word}"`);
          return layer;
        }),
      )
      .default(LAYERS, 'all'),
    LAYERS,
  );

/** What only a baseline has cannot be asked of another build. */
export const against = (): Option =>
  new Option('--against <build>', 'compare with another build: its folder, or a tarball of npm pack').conflicts([
    'gate',
    'layers',
    'baseline',
    'kernels',
    'update',
    'history',
  ]);

export const budget = (): Option =>
  new Option(
    '--budget <percent>',
    'by how much a ratio may be worse (default: as the baseline says, 1 with --against)',
  ).argParser((value: string) => parseCount(value.replace(/\s*%$/, ''), '--budget', 0, 1000));
