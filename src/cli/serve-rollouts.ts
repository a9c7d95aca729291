/** `warpool serve-rollouts` */

import { once } from 'node:events';
import { lstatSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { exit } from '#platform/guard';
import { Offer, serveClient } from '../agents/node.ts';
import { InputError, RunError } from '../core/index.ts';
import { type Given, type Settings, text } from '../rules/setting.ts';
import { PLACE } from '../studies/index.ts';
import { PRIVATE } from './apart.ts';
import { type DeclaredCommand, examples, SCENARIO } from './command.ts';
import { ENVIRONMENT, ENVIRONMENT_NAMES, environmentOptions, envs, openSources } from './environment.ts';
import { endIfStopped } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import type { Known } from './registry.ts';
import { say } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  envs,
  seed: PLACE.seed,
  socket: text('path', 'listen at a Unix socket, for any number of clients'),
  ...ENVIRONMENT,
} as const satisfies Settings;

type ServeOptions = Given<typeof ASKED> & Known;

/** Bytes of the path of a socket: what the address of one holds, less its end. */
const PATH_MAX = process.platform === 'linux' ? 107 : 103;

function checkStreams(files: readonly string[]): void {
  if (files.includes('-')) throw new InputError('<scenario...>', 'files, for standard input has the requests', '-');
  if (process.stdin.isTTY || process.stdout.isTTY) {
    throw new InputError('standard input and output', 'a program that speaks the protocol, or --socket', 'a terminal');
  }
}

function checkPath(path: string): void {
  const bytes = Buffer.byteLength(path);
  if (bytes === 0 || bytes > PATH_MAX) {
    throw new InputError('--socket', `a path of 1..${String(PATH_MAX)} bytes`, `${String(bytes)} bytes`);
  }
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isSocket()) throw new InputError('--socket', 'a path without a file', path);
}

/** Whether somebody listens at a path. */
async function isServed(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function listen(server: Server, path: string): Promise<void> {
  // A thread has the mask of its process, which sets it.
  const mask = isMainThread ? process.umask(PRIVATE) : undefined;
  try {
    server.listen(path);
  } finally {
    if (mask !== undefined) process.umask(mask);
  }
  await once(server, 'listening');
}

/** Listens at a path; a socket that a server has left behind is replaced. */
async function listenAt(server: Server, path: string): Promise<void> {
  try {
    await listen(server, path).catch(async (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      if (await isServed(path)) throw new InputError('--socket', 'a path at which no server listens', path);
      await rm(path);
      await listen(server, path);
    });
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new RunError(`${path}: cannot listen: ${(error as Error).message}`, { cause: error });
  }
}

/** Serves clients until a signal comes. */
async function serveSocket(path: string, offer: Offer, stop: AbortSignal): Promise<void> {
  checkPath(path);
  const clients = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    clients.add(socket);
    socket.on('close', () => clients.delete(socket)).on('error', () => undefined);
    void serveClient(socket, socket, offer).finally(() => {
      socket.destroySoon();
    });
  });
  await listenAt(server, path);
  server.on('error', ({ message }) => {
    say(`warpool: a client could not connect: ${message}`);
  });
  say(`warpool: listening at ${path}; Ctrl-C ends`);
  if (!stop.aborted) await once(stop, 'abort');
  for (const socket of clients) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
}

/** Serves the program at the other side of standard input and output until it has said all, or a signal comes. */
async function serveStreams(offer: Offer, signals: Signals): Promise<void> {
  const { stop } = signals;
  const aborted = stop.aborted ? undefined : once(stop, 'abort');
  await Promise.race([aborted, serveClient(process.stdin, process.stdout, offer)]);
  // At once: a program that ends in order waits for its output, which a client may never read.
  if (stop.aborted) exit(signals.code());
}

/**
 * Serves environments of some scenario files to programs that speak docs/reference/environment-protocol.md.
 * @throws InputError on whatever is wrong with files or options
 * @throws RunError if nothing can listen at the path
 * @throws Ended by a signal
 */
export async function serveRollouts(files: readonly string[], options: ServeOptions, signals: Signals): Promise<void> {
  const { envs, seed, socket, ...flags } = options;
  if (socket === undefined) checkStreams(files);
  const { weighted } = await openSources(files, flags);
  const offer = await Offer.make(weighted, { ...environmentOptions(flags), numEnvs: envs, seed });
  if (socket === undefined) await serveStreams(offer, signals);
  else await serveSocket(socket, offer, signals.stop);
  endIfStopped(signals);
}

const SERVE_NOTES = `
Every client has environments of its own: the same seed gives each the same battles.
Standard output has replies and nothing else. The end of standard input ends the program;
at a socket it listens until a signal comes. docs/reference/environment-protocol.md describes the frames,
examples/rollout-client.py is a client in Python.`;

export const command: DeclaredCommand = {
  description:
    'Serves the environment of scenarios by frames of bytes, over standard input and output or a Unix socket.',
  takes: [SCENARIO],
  asked: ASKED,
  names: ENVIRONMENT_NAMES,
  after: [
    examples(
      'serve-rollouts scenarios/attrition-direct.yaml --envs 64',
      'serve-rollouts scenarios/phased-dice-*.yaml --agents all --socket /tmp/warpool.sock',
    ),
    SERVE_NOTES,
  ],
  action: (files: string[], options: ServeOptions) => serveRollouts(files, options, catchSignals()),
};
