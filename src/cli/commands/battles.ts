/** Commands that play or solve one scenario. */
import type { Command } from 'commander';
import type { ExactOptions } from '../exact.ts';
import type { FindOptions } from '../find.ts';
import { catchSignals } from '../interrupt.ts';
import * as option from '../options.ts';
import type { TellOptions } from '../replay.ts';
import type { RunOptions } from '../run.ts';
import type { SolveCardsOptions } from '../solve-cards.ts';
import { examples, SCENARIO } from './words.ts';

const RUN_NOTES = `
z is how many standard errors an estimate is off the exact value: beyond 4 it is
marked with !; in brackets it means little, because what is counted is too rare.
unseen is by how much values that came in no battle may move a mean, by its declared range;
the interval counts it.
With --precision the run is looked at after fixed numbers of battles, and its last intervals
hold although it ended where they were narrow (docs/statistics.md). 0.001 and 0.1pp are half-widths,
10% is a part of each probability, or of the mean. If --battles comes first,
the table is followed by "precision not reached", on standard error too, and the exit code is
still 0: in scripts read "reached" under "stopping" of --json.
With --out a run that is killed loses at most the range under way (docs/huge-runs.md).
With --on the workers of a queue play ("warpool worker"; docs/queue.md).
Ctrl-C ends the run and shows what was played; a second Ctrl-C quits at once.`;
const FIND_NOTES = `
A condition compares outcome (or winner) and metrics with values: = != < <= > >=,
combined by && || ! and parentheses; names with blanks stand in quotes.
Exit code 1 if no battle was found.`;
const CARDS_NOTES = `
Both sides choose a card at once, see both cards, and choose air tokens at once.
A policy gives away what an enemy that knows it wins over the value of the game, by its
best card and its best tokens. Where several mixtures are equally good, one is shown.`;

function addRun(to: Command): void {
  to.command('run')
    .summary('play many battles and count how they end (Monte Carlo)')
    .description(
      'Plays many battles of a scenario (Monte Carlo) and tells how they end, with 95 % confidence intervals.',
    )
    .argument('<scenario>', SCENARIO)
    .addOption(option.set())
    .addOption(option.battlesOrMost())
    .addOption(option.precision())
    .addOption(option.precisionOf())
    .addOption(option.precisionFloor())
    .addOption(option.bounded())
    .addOption(option.seed())
    .addOption(option.from())
    .addOption(option.workers())
    .addOption(option.on())
    .addOption(option.audit())
    .addOption(option.passwordFile())
    .addOption(option.engine())
    .addOption(option.exact())
    .addOption(option.besideBudget())
    .addOption(option.histograms())
    .addOption(option.coverage())
    .addOption(option.page())
    .option('-o, --out <folder>', 'keep the run in this folder, a file of counts for each range of battles')
    .option('--resume', 'with --out: go on with a run that was killed, interrupted, prepared or played in shards')
    .option('--prepare', 'with --out: only make the folder ready, for shards')
    .option('--shard <i/n>', 'with --out: play share i of n; auto or auto/n asks Slurm, Kubernetes or AWS Batch')
    .addOption(option.json())
    .option('-q, --quiet', 'no progress bar')
    .addHelpText(
      'after',
      examples(
        'run scenarios/attrition-direct.yaml',
        'run scenarios/attrition-mass.yaml --battles 100M --seed 7 --workers 4',
        'run scenarios/phased-dice-ground.yaml --precision 0.001',
        'run scenarios/phased-dice-great-wall.yaml --precision 10%',
        'run scenarios/attrition-direct.yaml --precision 0.01 --precision-of rounds --battles 1e8',
        'run scenarios/phased-dice-ground.yaml --page duel.html',
        'run scenarios/attrition-direct.yaml --battles 1e11 --seed 7 --out run',
        'run scenarios/attrition-direct.yaml --battles 1e11 --seed 7 --out run --shard 1/4',
        'run scenarios/attrition-direct.yaml --set attacker.hp=20 --json > result.json',
      ),
    )
    .addHelpText('after', RUN_NOTES)
    .action(async (file: string, options: RunOptions) => {
      const signals = catchSignals();
      const { run } = await import('../run.ts');
      await run(file, options, signals);
    });
}

function addExact(to: Command): void {
  to.command('exact')
    .summary('solve a scenario exactly')
    .description('Computes the probability of every outcome and the law of every metric, without playing.')
    .argument('<scenario>', SCENARIO)
    .addOption(option.set())
    .addOption(option.exactBudget())
    .addOption(option.histograms())
    .option('--prism <folder>', 'write the chain for the model checkers PRISM and Storm into a new folder')
    .addOption(option.json())
    .addHelpText(
      'after',
      examples(
        'exact scenarios/attrition-direct.yaml',
        'exact scenarios/attrition-hunters.yaml --set combatants.0.hp=30 --budget 1e7',
        'exact scenarios/attrition-direct.yaml --set attacker.hp=20 --json',
        'exact scenarios/phased-dice-broadside.yaml --prism broadside',
      ),
    )
    .action(async (file: string, options: ExactOptions) => (await import('../exact.ts')).exact(file, options));
}

function addSolveCards(to: Command): void {
  to.command('solve-cards')
    .summary('find the best mixture of cards and air tokens')
    .description(
      'Solves the secret choice of a card, and of air tokens when both cards are seen, as a game; for scenarios of ' +
        'strength-cards.',
    )
    .argument('<scenario>', SCENARIO)
    .addOption(option.set())
    .addOption(option.payoff())
    .addOption(option.payoffBudget())
    .option('--pairs', 'show the air tokens of all pairs of cards')
    .addOption(option.json())
    .addHelpText(
      'after',
      examples(
        'solve-cards scenarios/strength-cards-bluff.yaml --payoff hp-difference',
        'solve-cards scenarios/strength-cards-island.yaml --payoff hp-difference --pairs',
      ),
    )
    .addHelpText('after', CARDS_NOTES)
    .action(async (file: string, options: SolveCardsOptions) => {
      const { solveCards } = await import('../solve-cards.ts');
      await solveCards(file, options);
    });
}

function addReplay(to: Command): void {
  to.command('replay')
    .summary('tell one battle step by step')
    .description('Plays one battle of a run again and tells it: every roll, decision and loss.')
    .argument('<scenario>', SCENARIO)
    .addOption(option.set())
    .addOption(option.seed())
    .addOption(option.battle())
    .addOption(option.json())
    .addHelpText('after', examples('replay scenarios/phased-dice-ground.yaml --seed 1 --battle 42'))
    .action(async (file: string, options: TellOptions) => (await import('../replay.ts')).tell(file, options));
}

function addFind(to: Command): void {
  to.command('find')
    .summary('find battles by how they ended')
    .description('Looks through the battles of a run for those that ended in a certain way, and tells their indices.')
    .argument('<scenario>', SCENARIO)
    .addOption(option.set())
    .addOption(option.where())
    .addOption(option.limit())
    .addOption(option.battles())
    .addOption(option.seed())
    .addOption(option.from())
    .addOption(option.json())
    .addHelpText('after', FIND_NOTES)
    .addHelpText('after', examples('find scenarios/attrition-direct.yaml --where "winner=defender && rounds>12"'))
    .action(async (file: string, options: FindOptions) => {
      const signals = catchSignals();
      const { find } = await import('../find.ts');
      await find(file, options, signals);
    });
}

/** Adds them to the program. */
export function addBattles(to: Command): void {
  for (const add of [addRun, addExact, addSolveCards, addReplay, addFind]) add(to);
}
