/** Commands that vary a scenario and keep what comes of it. */
import type { Command } from 'commander';
import type { ExportOptions } from '../export.ts';
import { catchSignals } from '../interrupt.ts';
import type { MergeOptions } from '../merge.ts';
import * as option from '../options.ts';
import type { SweepOptions } from '../sweep.ts';
import type { VerifyOptions } from '../verify.ts';
import { examples } from './words.ts';

const SWEEP_NOTES = `
A sweep that was killed or interrupted goes on with --resume, to the same bytes.
--extend gives every cell of a complete sweep more battles and plays only these.
--recompute is for a sweep file that was changed: cells that it kept are not played again.
Several machines play a sweep together: each one a shard of it, into one folder or one each, and
"warpool merge" completes the store. With --shard auto a Slurm array, an array job of AWS Batch or,
as auto/n, an Indexed Job of Kubernetes says which shard it is (docs/many-machines.md).
With --on the workers of a queue play ("warpool worker"); the same command goes on after any end
(docs/queue.md).`;

function addSweep(to: Command): void {
  to.command('sweep')
    .summary('play or solve a scenario over a space of parameters')
    .description('Plays or solves every cell of a sweep file and stores the results as Parquet.')
    .argument('<sweep>', 'sweep file in YAML or JSON; - reads standard input')
    .addOption(option.set())
    .option('-o, --out <folder>', 'where the results go: a new folder, or one with a sweep that goes on')
    .option('--dry-run', 'only tell how many cells there are, and what time and disk they will take')
    .option('--resume', 'go on with an unfinished sweep')
    .option('--extend', 'give each cell as many battles as --battles says')
    .addOption(option.battlesEach())
    .option('--recompute', 'replace the results by those of a changed sweep file')
    .option('--prepare', 'only make the folder ready for shards')
    .option('--shard <i/n>', 'play only this shard of n, as 2/8; auto: the one that a scheduler tells')
    .option(
      '--store <place>',
      'an object store, s3://bucket/prefix, takes the parts: with --shard in the place of a folder, with --on on their way from workers',
    )
    .addOption(option.workers())
    .addOption(option.on())
    .addOption(option.audit())
    .addOption(option.passwordFile())
    .addOption(option.json())
    .option('-q, --quiet', 'no progress')
    .addHelpText(
      'after',
      examples(
        'sweep examples/duels.yaml --dry-run',
        'sweep examples/duels.yaml --out results',
        'sweep examples/duels.yaml --out results --resume',
        'sweep examples/duels.yaml --out results --extend --battles 1M',
        'sweep examples/duels.yaml --out results --shard 2/8',
      ),
    )
    .addHelpText('after', SWEEP_NOTES)
    .action(async (file: string, options: SweepOptions) => {
      const signals = catchSignals();
      const { sweep } = await import('../sweep.ts');
      await sweep(file, options, signals);
    });
}

const MERGE_NOTES = `
What several folders have is compared by SHA-256. Parts that differ or are damaged are named with their
folder, and nothing is replaced. Exit code 1 as long as anything is missing or in dispute.`;

function addMerge(to: Command): void {
  to.command('merge')
    .summary('complete a sweep that was played in shards')
    .description('Joins the parts of shards, tells what is missing, and completes the store when nothing is.')
    .argument('<folder>', 'the folder that all shards have filled, or a new one')
    .argument('[folders...]', 'what single shards have filled: folders, s3://bucket/prefix; they are not changed')
    .addOption(option.shards())
    .addOption(option.json())
    .option('-q, --quiet', 'no progress')
    .addHelpText(
      'after',
      examples('merge results', 'merge results shard-1 shard-2 shard-3', 'merge results --shards 8'),
    )
    .addHelpText('after', MERGE_NOTES)
    .action(async (folder: string, folders: string[], options: MergeOptions) => {
      const signals = catchSignals();
      const { merge } = await import('../merge.ts');
      await merge(folder, folders, options, signals);
    });
}

const VERIFY_NOTES = `
Hashes, sums, digests and all rows are checked throughout: whatever does not fit the rest is found
for certain. Cells chosen at random are played again by the other engine and solved again: that finds
who altered a cell with all its digests. Exit code 1 if anything is not as it should be.`;

function addVerify(to: Command): void {
  to.command('verify')
    .summary('check the results of a sweep or a kept run, somebody else’s too')
    .description('Checks the results of a sweep, or of run --out, against themselves and against battles played again.')
    .argument('<folder>', 'the results of a sweep, or of run --out')
    .addOption(option.cellsAgain())
    .addOption(option.probability())
    .addOption(option.engineAgain())
    .addOption(option.workers())
    .addOption(option.seedAgain())
    .addOption(option.json())
    .option('-q, --quiet', 'no progress')
    .addHelpText('after', examples('verify results', 'verify results --probability 0.95'))
    .addHelpText('after', VERIFY_NOTES)
    .action(async (folder: string, options: VerifyOptions) => {
      const signals = catchSignals();
      const { verify } = await import('../verify.ts');
      await verify(folder, options, signals);
    });
}

function addExport(to: Command): void {
  to.command('export')
    .summary('write the results of a sweep as CSV')
    .description('Writes a table of the results of a sweep as CSV that spreadsheets, R and pandas open.')
    .argument('<folder>', 'the results of a sweep')
    .argument('<file>', 'the CSV file to write')
    .addOption(option.csvOf())
    .addHelpText('after', examples('export results results.csv', 'export results counts.csv --of histograms'))
    .action(async (folder: string, file: string, options: ExportOptions) => {
      const signals = catchSignals();
      const { exportTable } = await import('../export.ts');
      await exportTable(folder, file, options, signals);
    });
}

/** Adds them to the program. */
export function addStudies(to: Command): void {
  for (const add of [addSweep, addMerge, addVerify, addExport]) add(to);
}
