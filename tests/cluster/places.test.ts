/** Tests of workers with different builds, process tables or disks, all on one machine. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { createStore } from '../../src/storage/store/create-store.ts';
import { called } from '../cli/called.ts';
import { ROOT, warpool } from '../cli/warpool.ts';
import { change, ownFolder } from '../custom-system.ts';
import { DEPTH } from '../depth.ts';
import { bytesOf, filesOf, place, run, sweepFile } from '../store/folders.ts';
import { aServer, HAS_REDIS, PASSWORD, type Server } from './redis.ts';

const TEXT = `axes:
  - path: attacker.hp
    range: [1, 40]
  - path: defender.hp
    range: [1, 40]
battles: 20_000
exact: always`;

const LONG = 200_000;

const env = { WARPOOL_REDIS_PASSWORD: PASSWORD };

/** Whether this machine allows unshare to create namespaces. */
const HAS_SPACES = spawnSync('unshare', ['-pf', '--mount-proc', 'true']).status === 0;
if (!HAS_SPACES) process.stderr.write('unshare is not allowed: tests of namespaces are skipped\n');

interface Child {
  readonly process: ChildProcess;
  readonly printed: () => string;
  readonly ended: Promise<number | null>;
}

function child(command: string, ...args: string[]): Child {
  const started = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
  let printed = '';
  started.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  onTestFinished(() => void started.kill('SIGKILL'));
  return {
    process: started,
    printed: () => printed,
    ended: once(started, 'exit').then(([code]) => code as number | null),
  };
}

const PROGRAM = [process.execPath, join(ROOT, 'bin/warpool.js')] as const;

const program = (...args: string[]): Child => child(PROGRAM[0], PROGRAM[1], ...args);

const worker = ({ url }: Server, ...args: string[]): Child => program('worker', url, '--workers', '1', ...args);

async function until(holds: () => boolean): Promise<void> {
  for (let k = 0; k < 1000 && !holds(); k++) await pause(50);
  expect(holds()).toBe(true);
}

const partsIn = (folder: string, kind: string): number => {
  try {
    return filesOf(folder).filter((file) => file.startsWith(kind) && file.endsWith('.parquet')).length;
  } catch {
    return 0;
  }
};

describe.runIf(HAS_REDIS && DEPTH > 1)('workers of a queue', () => {
  test('only workers with the same module simulate a custom system', { timeout: LONG }, async () => {
    const server = await aServer();
    const [own, other] = [ownFolder(), ownFolder()];
    change(other.path, 'export', '/* another */ export');
    const scenario = join(mkdtempSync(join(tmpdir(), 'warpool-places-')), 'duel.json');
    writeFileSync(scenario, '{ "system": "my-duel" }');
    const requested = ['run', scenario, '--systems', own.path, '--battles', '300_000', '--json', '--quiet'];
    const single = JSON.parse((await called(requested)).stdout) as { digest: string };
    const [without, unlike] = [worker(server), worker(server, '--systems', other.path)];
    const there = warpool([...requested, '--queue', server.url], { env });
    await pause(15_000);
    expect([without.process.exitCode, unlike.process.exitCode]).toEqual([null, null]);
    worker(server, '--systems', own.path);
    const { code, stdout, stderr } = await there;
    expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({ code: 0, digest: single.digest });
    expect(stderr).toContain('no worker of this build is connected to');
    expect(stderr).toMatch(/has another build \(.*my-duel/);
  });

  test('simulate cells of more than 2^24 battles with the bytes of a local sweep', { timeout: LONG }, async () => {
    const server = await aServer();
    const text = 'axes:\n  - path: attacker.hp\n    range: [10, 12]\nbattles: 20_000_000\nexact: never';
    const [file, folder, due] = [sweepFile(text), place(), place()];
    await run(text, due);
    worker(server);
    worker(server);
    const { code } = await warpool(['sweep', file, '--out', folder, '--queue', server.url, '--quiet'], { env });
    expect(code).toBe(0);
    expect(bytesOf(folder)).toEqual(bytesOf(due));
  });

  test('resume a run over the queue after its coordinator was killed', { timeout: LONG }, async () => {
    const server = await aServer();
    const folder = place();
    const scenario = join(ROOT, 'scenarios/attrition-direct.yaml');
    const battles = 3e7;
    const requested = ['run', scenario, '--battles', String(battles), '--json', '--quiet'];
    await createStore(await loadScenario(scenario), folder, { battles, rangeSize: 2 ** 21 });
    const single = JSON.parse((await called(requested)).stdout) as { digest: string };
    worker(server);
    worker(server);
    const there = [...requested, '--out', folder, '--resume', '--queue', server.url];
    const killed = program(...there);
    await until(() => partsIn(folder, 'histograms') >= 2);
    killed.process.kill('SIGKILL');
    await killed.ended;
    const before = partsIn(folder, 'histograms');
    const { code, stdout } = await warpool(there, { env });
    const printed = JSON.parse(stdout) as { digest: string; store: { parts: number } };
    expect({ code, digest: printed.digest }).toEqual({ code: 0, digest: single.digest });
    expect(printed.store.parts).toBeGreaterThan(before);
  });

  test.runIf(HAS_SPACES)('with the same PID share one store', { timeout: LONG }, async () => {
    const server = await aServer();
    const [file, folder, due] = [sweepFile(TEXT), place(), place()];
    await run(TEXT, due);
    expect((await called(['sweep', file, '--out', folder, '--prepare'])).code).toBe(0);
    const apart = ['-pf', '--mount-proc', '--kill-child', ...PROGRAM, 'worker', server.url, '--workers', '1'];
    for (let k = 0; k < 2; k++) child('unshare', ...apart, '--store', folder);
    await pause(4000);
    const { workers } = JSON.parse((await warpool(['queue', server.url, '--json'], { env })).stdout) as {
      workers: { pid: number }[];
    };
    expect(workers.map(({ pid }) => pid)).toEqual([1, 1]);
    const { code } = await warpool(['sweep', file, '--out', folder, '--queue', server.url, '--audit', '0.2'], { env });
    expect(code).toBe(0);
    expect(bytesOf(folder)).toEqual(bytesOf(due));
  });

  test.runIf(HAS_SPACES)(
    'a worker with a full disk ends with an error, and another worker completes the sweep',
    { timeout: LONG },
    async () => {
      const server = await aServer();
      const [file, folder, due] = [sweepFile(TEXT), place(), place()];
      await run(TEXT, due);
      const tiny = mkdtempSync(join(tmpdir(), 'warpool-tiny-'));
      const fill = 'mount -t tmpfs -o size=8k tmpfs "$0" && ! head -c 9000 /dev/zero > "$0"/zeros';
      const mounted = `${fill} && TMPDIR="$0" exec "$@"`;
      const full = child(
        'unshare',
        '-m',
        'sh',
        '-c',
        mounted,
        tiny,
        ...PROGRAM,
        'worker',
        server.url,
        '--workers',
        '1',
      );
      const there = warpool(['sweep', file, '--out', folder, '--queue', server.url], { env });
      expect(await full.ended).toBe(1);
      expect(full.printed()).toContain('3 jobs failed in succession');
      expect(full.printed()).toContain('ENOSPC');
      worker(server);
      expect((await there).code).toBe(0);
      expect(bytesOf(folder)).toEqual(bytesOf(due));
    },
  );
});
