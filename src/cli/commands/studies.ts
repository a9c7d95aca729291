/** Commands that vary a scenario and keep what comes of it. */
import type { Command } from 'commander';
import { catchSignals } from '../interrupt.ts';
import * as option from '../options.ts';
import type { SweepOptions } from '../sweep.ts';
import { examples } from './words.ts';

const SWEEP_NOTES = `
A sweep that was killed or interrupted goes on with --resume, to the same bytes.
--extend gives every cell of a complete sweep more battles and plays only these.
--recompute is for a sweep file that was changed: cells that it kept are not played again.`;

function addSweep(to: Command): void {
  to.command('sweep')
    .summary('play or solve a scenario over a space of parameters')
    .description('Plays or solves every cell of a sweep file and stores the results as Parquet.')
    .argument('<sweep>', 'sweep file in YAML or JSON; - reads standard input')
    .option('-o, --out <folder>', 'where the results go: a new folder, or one with a sweep that goes on')
    .option('--dry-run', 'only tell how many cells there are, and what time and disk they will take')
    .option('--resume', 'go on with an unfinished sweep')
    .option('--extend', 'give each cell as many battles as --battles says')
    .addOption(option.battlesEach())
    .option('--recompute', 'replace the results by those of a changed sweep file')
    .addOption(option.workers())
    .addOption(option.json())
    .option('-q, --quiet', 'no progress')
    .addHelpText(
      'after',
      examples(
        'sweep sweeps/duels.yaml --dry-run',
        'sweep sweeps/duels.yaml --out results',
        'sweep sweeps/duels.yaml --out results --resume',
        'sweep sweeps/walls.yaml --out walls --extend --battles 1e6',
      ),
    )
    .addHelpText('after', SWEEP_NOTES)
    .action(async (file: string, options: SweepOptions) => {
      const signals = catchSignals();
      const { sweep } = await import('../sweep.ts');
      await sweep(file, options, signals);
    });
}

/** Adds them to the program. */
export function addStudies(to: Command): void {
  for (const add of [addSweep]) add(to);
}
