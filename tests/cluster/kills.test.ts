/** Tests that kill or suspend processes and servers during a sweep. The store must equal a local one byte by byte. */
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

/** Timeout of a test in milliseconds: the jobs of a killed worker stay locked for up to 20 s. */
const LONG = 400_000;

let due: Record<string, string> = {};

/** Functions that end the processes of all tests. The tests mostly wait, so they run concurrently. */
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

/** Waits until the folder contains the given number of segments, or the process ends. */
async function until(folder: string, parts: number, process: ChildProcess): Promise<void> {
  while (process.exitCode === null && process.signalCode === null) {
    try {
      if (partsIn(folder) >= parts) return;
    } catch {
      // The folder does not exist yet.
    }
    await pause(50);
  }
}

describe.runIf(HAS_REDIS && DEPTH > 1).concurrent('a sweep over a queue has the bytes of a local store', () => {
  beforeAll(async () => {
    const folder = place();
    await run(TEXT, folder, { workers: 2 });
    due = bytesOf(folder);
  }, LONG);

  afterAll(() => Promise.all(ends.map((end) => end())));

  test('when ten workers are killed at random times', { timeout: LONG }, async () => {
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

  test('when the server is killed twice', { timeout: LONG }, async () => {
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

  test('when the server loses all its data', { timeout: LONG }, async () => {
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

  test('when the coordinator is killed twice and the same command runs again', { timeout: LONG }, async () => {
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

  test('when a worker is suspended for longer than its lock', { timeout: LONG }, async () => {
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

  test('when the network is interrupted for ten seconds', { timeout: LONG }, async () => {
    const server = await newServer();
    const [file, folder] = [sweepFile(TEXT), place()];
    worker(server);
    const coordinator = child('sweep', file, '--out', folder, '--queue', server.url, '--quiet');
    await until(folder, 5, coordinator);
    // A suspended server behaves like one that cannot be reached.
    server.stand('SIGSTOP');
    await pause(10_000);
    server.stand('SIGCONT');
    expect(await ended(coordinator)).toBe(0);
    expect(bytesOf(folder)).toEqual(due);
  });

  // Not concurrent: tasks in progress must end in time after the queue is paused.
  test('when the queue is paused and canceled, and the sweep is completed locally', {
    timeout: LONG,
    concurrent: false,
  }, async () => {
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
