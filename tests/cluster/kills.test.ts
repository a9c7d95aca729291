/** Processes and servers that die or stand still at any moment, one after the other: the store has the bytes of a local one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../cli/warpool.ts';
import { DEPTH } from '../depth.ts';
import { bytesOf, filesOf, place, run, sweepFile } from '../store/folders.ts';
import { aServer, HAS_REDIS, PASSWORD, type Server } from './redis.ts';

const TEXT = `axes:
  - path: attacker.hp
    range: [1, 40]
  - path: defender.hp
    range: [1, 40]
  - name: skill
    path: [attacker.attack, attacker.defense]
    values: [-1, 0, 1]
battles: 2000
exact: always`;

/** Milliseconds for a test: each kill of a worker keeps its jobs for up to 20 s. */
const LONG = 400_000;

let due: Record<string, string> = {};

/** Ends all processes: the tests wait most of the time, so that all are under way at once. */
const ends: (() => unknown)[] = [];

const newServer = (): Promise<Server> => aServer((end) => void ends.push(end));

function child(...args: string[]): ChildProcess {
  const env = { ...process.env, WARPOOL_REDIS_PASSWORD: PASSWORD };
  const started = spawn(process.execPath, [join(ROOT, 'bin/warpool.js'), ...args], { env, stdio: 'ignore' });
  ends.push(() => started.kill('SIGKILL'));
  return started;
}

const worker = ({ url }: Server): ChildProcess => child('worker', url, '--workers', '1');

async function ended(process: ChildProcess): Promise<number | null> {
  if (process.exitCode === null && process.signalCode === null) await once(process, 'exit');
  return process.exitCode;
}

const partsIn = (folder: string): number => filesOf(folder).filter((file) => file.startsWith('table')).length;

/** Waits until so many segments are there, or a process is over. */
async function until(folder: string, parts: number, process: ChildProcess): Promise<void> {
  while (process.exitCode === null && process.signalCode === null) {
    try {
      if (partsIn(folder) >= parts) return;
    } catch {
      // There is no folder yet.
    }
    await pause(50);
  }
}

describe.runIf(HAS_REDIS && DEPTH > 1).concurrent('whatever dies', () => {
  beforeAll(async () => {
    const folder = place();
    await run(TEXT, folder, { workers: 2 });
    due = bytesOf(folder);
  }, LONG);

  afterAll(() => Promise.all(ends.map((end) => end())));

  test('ten workers, at any moment', { timeout: LONG }, async () => {
    const server = await newServer();
    const [file, folder] = [sweepFile(TEXT), place()];
    let current = worker(server);
    const coordinator = child('sweep', file, '--out', folder, '--queue', server.url, '--quiet');
    let kills = 0;
    while (kills < 10 && coordinator.exitCode === null) {
      await pause(200 + Math.random() * 1000);
      const next = worker(server);
      current.kill('SIGKILL');
      kills++;
      current = next;
    }
    expect(await ended(coordinator)).toBe(0);
    expect(kills).toBe(10);
    expect(bytesOf(folder)).toEqual(due);
  });

  test('the server, twice', { timeout: LONG }, async () => {
    const server = await newServer();
    const [file, folder] = [sweepFile(TEXT), place()];
    worker(server);
    worker(server);
    const coordinator = child('sweep', file, '--out', folder, '--queue', server.url, '--quiet');
    for (const parts of [5, 20]) {
      await until(folder, parts, coordinator);
      await server.kill();
      await pause(1500);
      await server.start();
    }
    expect(await ended(coordinator)).toBe(0);
    expect(bytesOf(folder)).toEqual(due);
  });

  test('the server, with all that it had', { timeout: LONG }, async () => {
    const server = await newServer();
    const [file, folder] = [sweepFile(TEXT), place()];
    worker(server);
    const coordinator = child('sweep', file, '--out', folder, '--queue', server.url, '--quiet');
    await until(folder, 10, coordinator);
    await server.kill();
    server.forget();
    await server.start();
    expect(await ended(coordinator)).toBe(0);
    expect(bytesOf(folder)).toEqual(due);
  });

  test('the coordinator, twice; run the same command again to continue', { timeout: LONG }, async () => {
    const server = await newServer();
    const [file, folder] = [sweepFile(TEXT), place()];
    worker(server);
    for (const parts of [5, 15]) {
      const coordinator = child('sweep', file, '--out', folder, '--queue', server.url, '--quiet');
      await until(folder, parts, coordinator);
      coordinator.kill('SIGKILL');
      await ended(coordinator);
    }
    expect(partsIn(folder)).toBeGreaterThanOrEqual(15);
    const last = child('sweep', file, '--out', folder, '--queue', server.url, '--quiet');
    expect(await ended(last)).toBe(0);
    expect(bytesOf(folder)).toEqual(due);
  });

  test('a worker that stands still for longer than its lock', { timeout: LONG }, async () => {
    const server = await newServer();
    const [file, folder] = [sweepFile(TEXT), place()];
    const slow = worker(server);
    const coordinator = child('sweep', file, '--out', folder, '--queue', server.url, '--quiet');
    await until(folder, 3, coordinator);
    slow.kill('SIGSTOP');
    worker(server);
    await pause(25_000);
    slow.kill('SIGCONT');
    expect(await ended(coordinator)).toBe(0);
    expect(bytesOf(folder)).toEqual(due);
  });

  test('a network that is gone for ten seconds', { timeout: LONG }, async () => {
    const server = await newServer();
    const [file, folder] = [sweepFile(TEXT), place()];
    worker(server);
    const coordinator = child('sweep', file, '--out', folder, '--queue', server.url, '--quiet');
    await until(folder, 5, coordinator);
    // A server that stands still answers as little as one that cannot be reached.
    server.stand('SIGSTOP');
    await pause(10_000);
    server.stand('SIGCONT');
    expect(await ended(coordinator)).toBe(0);
    expect(bytesOf(folder)).toEqual(due);
  });

  // Runs by itself: tasks in progress must end in time after the queue is paused.
  test('a queue that is paused, cancelled, and finished locally', { timeout: LONG, concurrent: false }, async () => {
    const server = await newServer();
    const [file, folder] = [sweepFile(TEXT), place()];
    worker(server);
    const coordinator = child('sweep', file, '--out', folder, '--queue', server.url, '--quiet');
    await until(folder, 5, coordinator);
    expect(await ended(child('queue', server.url, 'pause'))).toBe(0);
    await pause(5000);
    const before = partsIn(folder);
    await pause(3000);
    expect(partsIn(folder)).toBe(before);
    expect(coordinator.exitCode).toBeNull();
    expect(await ended(child('queue', server.url, 'cancel'))).toBe(0);
    expect(await ended(coordinator)).toBe(1);
    expect(await ended(child('sweep', file, '--out', folder, '--resume', '--quiet'))).toBe(0);
    expect(bytesOf(folder)).toEqual(due);
  });
});
