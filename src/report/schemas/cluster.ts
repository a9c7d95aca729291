/** JSON of `queue`. */
import { z } from 'zod';
import * as part from './common.ts';

const { about, count, flag, number, orNull, text } = part;

const build = z.strictObject({
  ruleset: text('Version of the rules.'),
  kernels: text('SHA-256 of all kernels.'),
  writer: text('SHA-256 of a test table, to compare the Parquet writers of builds.'),
  node: text('Major version of Node.js.'),
  arch: text('Processor architecture.'),
  system: text('"shipped", or the name and hash of a custom system.'),
});

const since = number('Start time in milliseconds since 1970.');
const host = text('Host name.');
const pid = count('Process id.');

const worker = z.strictObject({
  id: text('Id of the worker.'),
  host,
  pid,
  threads: count('Number of threads.'),
  builds: z.array(build),
  store: flag('True if the worker writes parts to a shared store; false if it sends them through the queue.'),
  since,
  jobs: count('Number of completed jobs.'),
  failed: count('Number of jobs that failed because of an error on its machine.'),
  busyMs: number('Time that its threads spent on jobs, in milliseconds.'),
});

const session = z.strictObject({
  id: text('Id of the session. It begins with the name of its sweep or run.'),
  kind: z.enum(['sweep', 'run']),
  name: text('Name of the sweep or scenario.'),
  host,
  pid,
  queue: text('Name of the queue of its build.'),
  since,
  done: count('Number of jobs with a result.'),
  retries: count('Number of jobs that were sent more than once.'),
});

/** `queue` */
export const queue = z.strictObject({
  warpool: part.origin.warpool,
  server: text('Host and port of the server.'),
  workers: z.array(worker),
  sessions: about(z.array(session), 'Sessions: the commands that add jobs.'),
  quarantined: about(z.array(z.string()), 'Ids of workers that were quarantined in the last days.'),
  queues: z.array(
    z.strictObject({
      name: text('Name of the queue.'),
      paused: flag('True if the queue is paused: workers start no new jobs.'),
      waiting: count('Number of waiting jobs.'),
      active: count('Number of running jobs.'),
      failed: count('Number of failed jobs that are still in the queue.'),
      build: orNull(build, 'Build of its workers. Null if it has no workers.'),
    }),
  ),
});
