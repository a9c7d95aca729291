/** `warpool serve-environments` */

import { once } from 'node:events';
import { lstatSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { exitProcess } from '#platform/process-guard';
import { RUN_POSITION } from '../analysis/index.ts';
import { InputError, RunError } from '../core/index.ts';
import { ServedEnvironments, serveClient } from '../environments/node.ts';
import { type OptionSpecs, type ParsedOptions, text } from '../rules/option-spec.ts';
import { type CommandDeclaration, formatExamples, SCENARIO } from './command.ts';
import { SOCKET_MASK } from './command-thread-host.ts';
import {
  createEnvironmentOptions,
  ENVIRONMENT,
  ENVIRONMENT_NAMES,
  envs,
  openWeightedSources,
} from './environment-options.ts';
import { endIfStopped } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import type { RegistryOptions } from './registry.ts';
import { printStatus } from './terminal.ts';

const OPTIONS = {
  envs,
  seed: RUN_POSITION.seed,
  socket: text('path', 'listen on a Unix socket, for any number of clients'),
  ...ENVIRONMENT,
} as const satisfies OptionSpecs;

type ServeEnvironmentsCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions;

/** Maximum bytes of a socket path: the size of its address field, less the terminator. */
const SOCKET_PATH_MAX = process.platform === 'linux' ? 107 : 103;

function checkStreams(files: readonly string[]): void {
  if (files.includes('-')) throw new InputError('<scenario...>', 'files, because standard input carries requests', '-');
  if (process.stdin.isTTY || process.stdout.isTTY) {
    throw new InputError('standard input and output', 'a client program, or --socket', 'a terminal');
  }
}

function checkSocketPath(path: string): void {
  const bytes = Buffer.byteLength(path);
  if (bytes === 0 || bytes > SOCKET_PATH_MAX) {
    throw new InputError('--socket', `a path of 1..${String(SOCKET_PATH_MAX)} bytes`, `${String(bytes)} bytes`);
  }
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isSocket()) throw new InputError('--socket', 'a path with no file', path);
}

/** True if a server listens at the path. */
async function hasListener(path: string): Promise<boolean> {
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
  // Threads use the mask of their process, which sets it.
  const mask = isMainThread ? process.umask(SOCKET_MASK) : undefined;
  try {
    server.listen(path);
  } finally {
    if (mask !== undefined) process.umask(mask);
  }
  await once(server, 'listening');
}

/** Listens at a path; replaces the socket of a server that has ended. */
async function listenAtPath(server: Server, path: string): Promise<void> {
  try {
    await listen(server, path).catch(async (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      if (await hasListener(path)) throw new InputError('--socket', 'a path without a running server', path);
      await rm(path);
      await listen(server, path);
    });
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new RunError(`${path}: cannot listen: ${(error as Error).message}`, { cause: error });
  }
}

/** Serves clients until a signal. */
async function serveSocket(path: string, offer: ServedEnvironments, stop: AbortSignal): Promise<void> {
  checkSocketPath(path);
  const clients = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    clients.add(socket);
    socket.on('close', () => clients.delete(socket)).on('error', () => undefined);
    void serveClient(socket, socket, offer).finally(() => {
      socket.destroySoon();
    });
  });
  await listenAtPath(server, path);
  server.on('error', ({ message }) => {
    printStatus(`warpool: a client could not connect: ${message}`);
  });
  printStatus(`warpool: listening at ${path}; Ctrl-C ends`);
  if (!stop.aborted) await once(stop, 'abort');
  for (const socket of clients) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
}

/** Serves standard input and output until the input ends, or a signal comes. */
async function serveStreams(offer: ServedEnvironments, signals: Signals): Promise<void> {
  const { stop } = signals;
  const aborted = stop.aborted ? undefined : once(stop, 'abort');
  await Promise.race([aborted, serveClient(process.stdin, process.stdout, offer)]);
  // Exits at once: a regular exit waits until the client has read all output.
  if (stop.aborted) exitProcess(signals.getExitCode());
}

/**
 * Serves environments of some scenario files to programs that use docs/reference/environment-protocol.md.
 * @throws InputError for invalid files or options
 * @throws RunError if the server cannot listen at the path
 * @throws CommandExit after a signal
 */
export async function serveEnvironments(
  files: readonly string[],
  options: ServeEnvironmentsCommandOptions,
  signals: Signals,
): Promise<void> {
  const { envs, seed, socket, ...flags } = options;
  if (socket === undefined) checkStreams(files);
  const { weighted } = await openWeightedSources(files, flags);
  const offer = await ServedEnvironments.create(weighted, { ...createEnvironmentOptions(flags), numEnvs: envs, seed });
  if (socket === undefined) await serveStreams(offer, signals);
  else await serveSocket(socket, offer, signals.stop);
  endIfStopped(signals);
}

const SERVE_NOTES = `
Every client has separate environments; the same seed gives each client the same battles.
Standard output contains only replies. The program ends when standard input ends; with --socket, it listens
until it receives a signal. docs/reference/environment-protocol.md describes the frames;
examples/rollout-client.py is a client in Python.`;

export const command: CommandDeclaration = {
  description: 'Serves the environment of scenarios as binary frames, over standard input and output or a Unix socket.',
  parameters: [SCENARIO],
  settings: OPTIONS,
  libraryNames: ENVIRONMENT_NAMES,
  notes: [
    formatExamples(
      'serve-environments scenarios/attrition-direct.yaml --envs 64',
      'serve-environments scenarios/phased-dice-*.yaml --agents all --socket /tmp/warpool.sock',
    ),
    SERVE_NOTES,
  ],
  action: (files: string[], options: ServeEnvironmentsCommandOptions) =>
    serveEnvironments(files, options, catchSignals()),
};
