/** Commands for work over many machines. */
import type { Command } from 'commander';
import { catchSignals } from '../interrupt.ts';
import * as option from '../options.ts';
import type { QueueOptions } from '../queue.ts';
import type { WorkerOptions } from '../worker.ts';
import { examples } from './words.ts';

const SERVER = 'server of the queue: redis://[user@]host[:port], rediss:// with TLS';

const WORKER_NOTES = `
Ctrl-C finishes the jobs under way. Exit code 1 if several jobs failed one after the other,
or a coordinator found a wrong result and set the worker aside.`;

function addWorker(to: Command): void {
  to.command('worker')
    .summary('play for others: take jobs from a queue')
    .description('Plays the jobs of sweeps and runs that were started with --on, until it is stopped.')
    .argument('<url>', SERVER)
    .option(
      '--store <place>',
      'parts go there: the folder of the sweep (its --out), where all machines see it, or an object store that it has as its --store, s3://bucket/prefix',
    )
    .addOption(option.workers())
    .addOption(option.idle())
    .addOption(option.passwordFile())
    .option('-q, --quiet', 'say only what goes wrong')
    .addHelpText(
      'after',
      examples('worker redis://head.example.org', 'worker rediss://warpool@head.example.org:6380 --idle 600'),
    )
    .addHelpText('after', WORKER_NOTES)
    .action(async (url: string, options: WorkerOptions) => {
      const signals = catchSignals();
      const { worker } = await import('../worker.ts');
      await worker(url, options, signals);
    });
}

const QUEUE_NOTES = `
pause lets workers finish the jobs under way and take no more; resume lets them go on.
cancel ends all sweeps and runs of the queue as Ctrl-C would; what they have stays.`;

function addQueue(to: Command): void {
  to.command('queue')
    .summary('look at a queue, pause or cancel it')
    .description('Shows who works at a queue and who asks, and what waits; pauses it, lets it go on, or cancels all.')
    .argument('<url>', SERVER)
    .addArgument(option.queueAction())
    .addOption(option.passwordFile())
    .addOption(option.json())
    .addHelpText('after', examples('queue redis://head.example.org', 'queue redis://head.example.org pause'))
    .addHelpText('after', QUEUE_NOTES)
    .action(async (url: string, action: QueueOptions['action'], options: QueueOptions) => {
      const { queue } = await import('../queue.ts');
      await queue(url, { ...options, action });
    });
}

/** Adds them to the program. */
export function addCluster(to: Command): void {
  for (const add of [addWorker, addQueue]) add(to);
}
