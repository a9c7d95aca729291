/** What `queue` prints. */

import { version } from '../core/index.ts';
import { buildId, type QueueState, type ServerState } from '../work/node.ts';
import { percent } from './figure.ts';
import { clean } from './text/clean.ts';
import { duration, grouped, significant } from './text/digits.ts';
import { columns, dotted, type Look } from './text/table.ts';

type Worker = ServerState['workers'][number];

const since = (at: number, now: number): string => duration(Math.max(1, Math.round((now - at) / 1000)));

/** Of its time, how much the threads of a worker have played. */
function busyText({ busy, since: came, threads }: Worker, now: number): string {
  const share = busy / Math.max(1, (now - came) * threads);
  return percent(significant, Math.min(1, share), 2);
}

function queueLines(queues: readonly QueueState[], look: Look): string[] {
  const heads = ['queue', 'system', 'state', 'waiting', 'active', 'failed'];
  const rows = queues.map(({ name, build, paused, waiting, active, failed }) => [
    name,
    build === undefined ? '' : clean(build.system.replace(/ (.{8}).*$/, ' $1')),
    paused ? 'paused' : 'open',
    ...[waiting, active, failed].map(grouped),
  ]);
  return rows.length === 0 ? ['no queue: nobody works or asks'] : columns(headsOf(heads, 3), rows, look);
}

const headsOf = (heads: readonly string[], texts: number) =>
  heads.map((head, h) => ({ head, align: h < texts ? ('left' as const) : ('right' as const) }));

function workerLines({ workers, aside }: ServerState, now: number, look: Look): string[] {
  const heads = ['worker', 'builds', 'parts go to', 'threads', 'here for', 'jobs', 'failed', 'busy'];
  const rows = workers.map((worker) => [
    clean(worker.id) + (aside.includes(worker.id) ? ' (set aside)' : ''),
    worker.builds.map((build) => buildId(build).slice(0, 6)).join(' '),
    worker.store ? 'its store' : 'the queue',
    grouped(worker.threads),
    since(worker.since, now),
    grouped(worker.jobs),
    grouped(worker.failed),
    busyText(worker, now),
  ]);
  return rows.length === 0 ? ['no worker; "warpool worker" starts one'] : columns(headsOf(heads, 3), rows, look);
}

function sessionLines({ sessions }: ServerState, now: number, look: Look): string[] {
  const heads = ['asked by', 'for', 'queue', 'here for', 'jobs done', 'sent again'];
  const rows = sessions.map(({ host, pid, kind, name, queue, since: came, done, again }) => [
    `${clean(host)} ${String(pid)}`,
    `${kind} ${clean(name)}`,
    queue,
    since(came, now),
    grouped(done),
    grouped(again),
  ]);
  return rows.length === 0 ? ['nobody asks'] : columns(headsOf(heads, 3), rows, look);
}

/** @param now in milliseconds since 1970 */
export function queueSheet(state: ServerState, now: number, look: Look): string {
  const title = dotted([look.paint.bold(clean(state.server))], look);
  const gone = state.aside.filter((id) => !state.workers.some((worker) => worker.id === id));
  const blocks = [
    title,
    queueLines(state.queues, look),
    sessionLines(state, now, look),
    workerLines(state, now, look),
    ...(gone.length === 0 ? [] : [gone.map((id) => `${clean(id)} was set aside: it has said what was wrong`)]),
  ];
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}

/** The state of a server, as JSON. */
export function queueJson(state: ServerState) {
  const { queues, ...rest } = state;
  return { warpool: version(), ...rest, queues: queues.map(({ build = null, ...queue }) => ({ ...queue, build })) };
}
