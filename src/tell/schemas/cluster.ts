/** What `queue` prints as JSON. */
import { z } from 'zod';
import * as part from './parts.ts';

const { about, count, flag, number, orNull, text } = part;

const build = z.strictObject({
  ruleset: text('The version of the rules.'),
  kernels: text('SHA-256 of all kernels.'),
  writer: text('SHA-256 of a table that its Parquet writer has written.'),
  node: text('The major version of Node.'),
  arch: text('The architecture.'),
  system: text('shipped, or the name and the hash of a system of your own.'),
});

const since = number('When it came, in milliseconds since 1970.');
const host = text('The name of its machine.');
const pid = count('Its process.');

const worker = z.strictObject({
  id: text('Its name.'),
  host,
  pid,
  threads: count('Its threads.'),
  builds: z.array(build),
  store: flag('True if it puts parts into a store that is shared, false if they go through the queue.'),
  since,
  jobs: count('Jobs that it has done.'),
  failed: count('Jobs that failed for reasons of its machine.'),
  busy: number('Milliseconds that its threads have played.'),
});

const session = z.strictObject({
  id: text('Its name: the beginning is that of its work.'),
  kind: z.enum(['sweep', 'run']),
  name: text('Of the sweep or scenario.'),
  host,
  pid,
  queue: text('The queue of its build.'),
  since,
  done: count('Jobs that came back.'),
  again: count('Jobs that were sent more than once.'),
});

/** `queue` */
export const queue = z.strictObject({
  warpool: part.origin.warpool,
  server: text('Host and port.'),
  workers: z.array(worker),
  sessions: about(z.array(session), 'Who asks.'),
  aside: about(z.array(z.string()), 'Workers that were set aside in the last days.'),
  queues: z.array(
    z.strictObject({
      name: text('Its name.'),
      paused: flag('True if workers take no jobs.'),
      waiting: count('Jobs that nobody plays yet.'),
      active: count('Jobs that are played.'),
      failed: count('Jobs that failed and were not taken away.'),
      build: orNull(build, 'Of those who work at it; null if nobody does.'),
    }),
  ),
});
