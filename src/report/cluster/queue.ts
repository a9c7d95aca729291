/** Output of `queue`. */

import { version } from '../../core/index.ts';
import { computeBuildId, type QueueState, type ServerState } from '../../storage/node.ts';
import { formatPercent } from '../sheet/estimated-value.ts';
import { formatDuration, formatGrouped, formatSignificant } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { formatTable, joinFacts, type TerminalStyle } from '../text/table.ts';

type QueueWorker = ServerState['workers'][number];

const formatAge = (at: number, now: number): string => formatDuration(Math.max(1, Math.round((now - at) / 1000)));

/** Formats the share of its time that the threads of a worker spent on jobs. */
function formatUtilization({ busy, since: came, threads }: QueueWorker, now: number): string {
  const share = busy / Math.max(1, (now - came) * threads);
  return formatPercent(formatSignificant, Math.min(1, share), 2);
}

function formatQueues(queues: readonly QueueState[], look: TerminalStyle): string[] {
  const heads = ['queue', 'system', 'state', 'waiting', 'active', 'failed'];
  const rows = queues.map(({ name, build, paused, waiting, active, failed }) => [
    name,
    build === undefined ? '' : sanitizeLine(build.system.replace(/ (.{8}).*$/, ' $1')),
    paused ? 'paused' : 'open',
    ...[waiting, active, failed].map(formatGrouped),
  ]);
  return rows.length === 0 ? ['no queues'] : formatTable(createHeadings(heads, 3), rows, look);
}

const createHeadings = (heads: readonly string[], texts: number) =>
  heads.map((head, h) => ({ head, align: h < texts ? ('left' as const) : ('right' as const) }));

function formatWorkers({ workers, aside }: ServerState, now: number, look: TerminalStyle): string[] {
  const heads = ['worker', 'builds', 'parts go to', 'threads', 'connected', 'jobs', 'failed', 'busy'];
  const rows = workers.map((worker) => [
    sanitizeLine(worker.id) + (aside.includes(worker.id) ? ' (quarantined)' : ''),
    worker.builds.map((build) => computeBuildId(build).slice(0, 6)).join(' '),
    worker.store ? 'store' : 'queue',
    formatGrouped(worker.threads),
    formatAge(worker.since, now),
    formatGrouped(worker.jobs),
    formatGrouped(worker.failed),
    formatUtilization(worker, now),
  ]);
  return rows.length === 0
    ? ['no workers; start one with "warpool worker"']
    : formatTable(createHeadings(heads, 3), rows, look);
}

function formatSessions({ sessions }: ServerState, now: number, look: TerminalStyle): string[] {
  const heads = ['coordinator', 'for', 'queue', 'connected', 'jobs done', 'sent again'];
  const rows = sessions.map(({ host, pid, kind, name, queue, since: came, done, again }) => [
    `${sanitizeLine(host)} ${String(pid)}`,
    `${kind} ${sanitizeLine(name)}`,
    queue,
    formatAge(came, now),
    formatGrouped(done),
    formatGrouped(again),
  ]);
  return rows.length === 0 ? ['no coordinators'] : formatTable(createHeadings(heads, 3), rows, look);
}

/** @param now in milliseconds since 1970 */
export function formatQueueSheet(state: ServerState, now: number, look: TerminalStyle): string {
  const title = joinFacts([look.paint.bold(sanitizeLine(state.server))], look);
  const gone = state.aside.filter((id) => !state.workers.some((worker) => worker.id === id));
  const blocks = [
    title,
    formatQueues(state.queues, look),
    formatSessions(state, now, look),
    formatWorkers(state, now, look),
    ...(gone.length === 0 ? [] : [gone.map((id) => `${sanitizeLine(id)} is quarantined: it returned a wrong result`)]),
  ];
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}

/** Creates the JSON of the state of a server. */
export function createQueueJson(state: ServerState) {
  const { server, workers, sessions, aside, queues } = state;
  return {
    warpool: version(),
    server,
    workers: workers.map(({ busy, ...worker }) => ({ ...worker, busyMs: busy })),
    sessions: sessions.map(({ again, ...session }) => ({ ...session, retries: again })),
    quarantined: aside,
    queues: queues.map(({ build = null, ...queue }) => ({ ...queue, build })),
  };
}
