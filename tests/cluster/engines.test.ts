/**
 * Tests of shards run by real schedulers, killed, in containers, and on full disks. The store equals a local one byte
 * by byte.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runSweep } from '../../src/storage/store/run-sweep.ts';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';
import { file, ROOT } from '../cli/warpool.ts';
import { DEPTH } from '../depth.ts';
import { bytesOf } from '../store/folders.ts';

const WARPOOL = `${process.execPath} ${join(ROOT, 'bin/warpool.js')}`;
const base = mkdtempSync(join(tmpdir(), 'warpool-cluster-'));
let places = 0;
const place = (): string => join(base, String(places++));

/** A sweep of 64 cells in 16 segments, a few seconds of work for one thread. */
const PLAN = file(
  'cluster.yaml',
  `scenario: { system: attrition, mode: direct, attacker: { attack: 1, defense: 1, hp: 9 }, defender: { attack: 1, defense: 1, hp: 8 } }
axes: [{ path: attacker.hp, range: [20, 83] }]
battles: 1000000
exact: never
`,
);

/** Runs a shell script and ignores its output and exit code. */
async function quietly(script: string): Promise<void> {
  const child = spawn('sh', ['-c', script], { stdio: 'ignore' });
  await new Promise((resolve) => void child.on('close', resolve));
}

/** Runs a shell script, and kills it at the end of the test if it still runs. */
function sh(script: string, variables: Readonly<Record<string, string>> = {}) {
  const child = spawn('sh', ['-c', script], {
    cwd: ROOT,
    env: { ...process.env, WARPOOL, PLAN, ...variables },
    detached: true,
  });
  const end = (): void => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // The process has ended.
    }
  };
  onTestFinished(end);
  const closed = new Promise<number | null>((resolve) => void child.on('close', resolve));
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  return { end, done: Promise.all([closed, stdout, stderr]).then(([code, out, err]) => ({ code, out, err })) };
}

const run = async (script: string, variables = {}) => await sh(script, variables).done;
const can = async (script: string): Promise<boolean> => (await run(script).catch(() => ({ code: 1 }))).code === 0;

/** Returns whether the tests can run, and prints why they are skipped. */
function needs(what: string, isThere: boolean): boolean {
  if (!isThere && DEPTH > 1) process.stderr.write(`SKIPPED: shards by ${what}, which is not here\n`);
  return isThere && DEPTH > 1;
}

const onPath = (...programs: string[]): boolean =>
  programs.every((name) =>
    `${process.env['PATH'] ?? ''}:/usr/sbin`.split(':').some((at) => existsSync(join(at, name))),
  );

const due: Record<string, string> = {};

beforeAll(async () => {
  if (DEPTH === 1) return;
  const local = place();
  await runSweep(await loadSweep(PLAN), { out: local });
  Object.assign(due, bytesOf(local));
}, 300_000);

const parts = (folder: string): number => {
  const table = join(folder, 'table');
  return existsSync(table) ? readdirSync(table).filter((name) => name.startsWith('part-')).length : 0;
};

describe.runIf(DEPTH > 1)('shards of a sweep', () => {
  test('have the bytes of a local store after repeated kills', async () => {
    const folder = place();
    const shard = (index: number): string =>
      `exec $WARPOOL sweep $PLAN --out ${folder} --shard ${String(index)}/2 --workers 1 --quiet`;
    let kills = 0;
    for (let before = -1; parts(folder) < 8; before = parts(folder)) {
      const player = sh(shard(1));
      const over = player.done.then(() => true);
      const later = async (): Promise<boolean> => {
        while (parts(folder) <= Math.max(before, 0)) await setTimeout(5);
        await setTimeout(7 * kills);
        return false;
      };
      if (!(await Promise.race([over, later()]))) kills++;
      player.end();
      await player.done;
    }
    expect(kills).toBeGreaterThan(2);
    expect((await run(shard(1))).code).toBe(0);
    expect((await run(`$WARPOOL merge ${folder} --shards 2`)).out).toContain('shards to run again: 2');
    expect((await run(shard(2))).code).toBe(0);
    expect((await run(`$WARPOOL merge ${folder} --quiet`)).code).toBe(0);
    expect(bytesOf(folder)).toEqual(due);
  }, 300_000);

  test('run with GNU parallel', async ({ skip }) => {
    if (!needs('GNU parallel', onPath('parallel'))) skip();
    const folder = place();
    const { code, out, err } = await run(`examples/cluster/gnu-parallel.sh $PLAN ${folder} 4`);
    expect({ code, err: err.includes('rror') }).toEqual({ code: 0, err: false });
    expect(out).toContain('64 of 64 cells');
    expect(bytesOf(folder)).toEqual(due);
  }, 300_000);

  test('run with the same PID and the same shard in two PID namespaces', async ({ skip }) => {
    const apart = 'unshare --user --map-root-user --pid --fork';
    if (!needs('unshare', await can(`${apart} true`))) skip();
    const folder = place();
    const shard = `${apart} $WARPOOL sweep $PLAN --out ${folder} --shard 1/1 --workers 1 --quiet`;
    const both = await Promise.all([run(shard), run(shard)]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect((await run(`$WARPOOL merge ${folder} --quiet`)).code).toBe(0);
    expect(bytesOf(folder)).toEqual(due);
  }, 300_000);

  test('resume after a full disk gets more space, and are copied by merge', async ({ skip }) => {
    const apart = 'unshare --user --map-root-user --mount';
    const disk = join(base, 'disk');
    if (!needs('unshare and tmpfs', await can(`mkdir -p ${disk} && ${apart} mount -t tmpfs x ${disk}`))) skip();
    const folder = place();
    const shard = `$WARPOOL sweep $PLAN --out ${disk}/store --shard 1/1 --workers 1 --quiet`;
    const script = `mount -t tmpfs -o size=64k x ${disk}
      ${shard}; echo "code $?"
      mount -o remount,size=64m ${disk} && ${shard} && $WARPOOL merge ${folder} ${disk}/store --quiet`;
    const { code, out, err } = await run(`${apart} sh -c '${script}'`);
    expect(err).toMatch(/cannot be written: ENOSPC/);
    expect(out).toContain('code 1');
    expect(code).toBe(0);
    expect(bytesOf(folder)).toEqual(due);
  }, 300_000);
});

/** The daemons of Slurm on one node, without systemd. */
const SLURM = `set -eu
D=$1
HOST=$(hostname -s)
mkdir -p $D/state $D/spool
mkdir -m 700 $D/munge
dd if=/dev/urandom bs=1024 count=1 of=$D/munge/key status=none
chmod 400 $D/munge/key
munged --force --key-file=$D/munge/key --socket=$D/munge/socket --pid-file=$D/munge/pid --log-file=$D/munge/log --seed-file=$D/munge/seed
cat > $D/slurm.conf <<END
ClusterName=warpool
SlurmctldHost=$HOST(127.0.0.1)
SlurmctldPort=$2
SlurmdPort=$3
AuthType=auth/munge
AuthInfo=socket=$D/munge/socket
SlurmUser=root
StateSaveLocation=$D/state
SlurmdSpoolDir=$D/spool
SlurmctldPidFile=$D/slurmctld.pid
SlurmdPidFile=$D/slurmd.pid
SlurmctldLogFile=$D/slurmctld.log
SlurmdLogFile=$D/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=$HOST NodeAddr=127.0.0.1 CPUs=4 RealMemory=16000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$D/slurm.conf
slurmctld -c
slurmd
for _ in $(seq 100); do sinfo -h -o %T | grep -q idle && break; sleep 0.2; done
`;

const hasSlurm = onPath('slurmctld', 'slurmd', 'munged') && process.getuid?.() === 0;

describe.runIf(needs('Slurm, whose daemons root starts', hasSlurm))('Slurm', () => {
  test('runs an array of four tasks, one of which is missing at first', async () => {
    const cluster = mkdtempSync('/var/tmp/warpool-slurm-');
    const variables = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin`, SLURM_CONF: join(cluster, 'slurm.conf') };
    const port = 20_000 + (process.pid % 20_000);
    onTestFinished(async () => {
      await quietly(
        `for f in ${cluster}/*.pid ${cluster}/munge/pid; do kill $(cat $f); done; sleep 1; rm -rf ${cluster}`,
      );
    });
    const started = await run(
      SLURM.replace('D=$1', `D=${cluster}`)
        .replace('$2', String(port))
        .replace('$3', String(port + 1)),
      variables,
    );
    expect(started).toMatchObject({ code: 0 });
    const folder = place();
    const batch = `--cpus-per-task=1 --mem=100 --time=5 --wait --output=${cluster}/task-%a.log examples/cluster/slurm-array.sh $PLAN ${folder}`;
    await run(`$WARPOOL sweep $PLAN --out ${folder} --prepare`);
    // One task is missing from the array, as if its node had died.
    const first = await run(`sbatch --array=1-3 --export=ALL,SHARDS=4 ${batch}`, variables);
    expect(first).toMatchObject({ code: 0 });
    const missing = await run(`$WARPOOL merge ${folder} --shards 4`);
    expect(missing.code).toBe(1);
    expect(missing.out).toContain('shards to run again: 4');
    // All four tasks, of which three find complete cells.
    expect(await run(`sbatch --array=1-4 ${batch}`, variables)).toMatchObject({ code: 0 });
    expect((await run(`$WARPOOL merge ${folder} --quiet`)).code).toBe(0);
    expect(bytesOf(folder)).toEqual(due);
  }, 300_000);
});
