/** Builds of warpool: folders with all files that the gate measures, or tarballs of `npm pack`. */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { InputError, RunError } from '../../src/core/errors.ts';
import { type Layer, thisMachine } from './baseline.ts';
import { shipped } from './benchmark.ts';
import type { Described } from './counters.ts';
import type { GateReport } from './gate.ts';
import { decide, type GateFinding, judgeRatio, ratioLimit } from './judge.ts';
import type { PlayerEntry } from './player.ts';
import { describedBy, pairRatios } from './process.ts';
import { measureRounds, type Pair } from './sample.ts';

interface Build {
  readonly version: string;
  /** Program of the processes of the gate. */
  readonly sampler: string;
  /** Module that opens kernels: the measured part of the program. */
  readonly player: string;
}

const EXPECTED = 'a build of warpool: its folder with dist/, or a tarball of npm pack';

const PARTS = { sampler: 'dist/threads/sampler.js', player: 'dist/gate/player.js' } as const;

const manifest = z.object({ name: z.literal('warpool'), version: z.string() });

async function versionIn(root: string, path: string): Promise<string> {
  try {
    return manifest.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))).version;
  } catch {
    throw new InputError(path, EXPECTED, 'no package.json of warpool');
  }
}

/** @param path path of the command line */
async function buildIn(root: string, path: string): Promise<Build> {
  const version = await versionIn(root, path);
  for (const part of Object.values(PARTS)) {
    const found = await stat(join(root, part)).catch(() => undefined);
    if (found?.isFile() === true) continue;
    throw new InputError(path, EXPECTED, `warpool ${version} without ${part}: not built, or older than this gate`);
  }
  return { version, sampler: join(root, PARTS.sampler), player: join(root, PARTS.player) };
}

function ownBuild(): Promise<Build> {
  const root = resolve(dirname(shipped('#gate/yardstick.wasm')), '../..');
  return buildIn(root, root);
}

async function unpack(path: string, folder: string): Promise<void> {
  const tar = spawn('tar', ['-xzf', path, '-C', folder], { stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  tar.stderr.on('data', (part: Buffer) => {
    text += part.toString();
  });
  const [code] = (await once(tar, 'close').catch((error: unknown) => {
    throw new RunError(`tar cannot be started: ${String(error)}`);
  })) as [number | null];
  if (code !== 0) throw new InputError(path, EXPECTED, text.trim().split('\n')[0] ?? 'no such archive');
}

/**
 * Calls a function with another build. The content of a tarball is removed afterwards.
 * @throws InputError if there is no build
 */
async function withBuild<T>(path: string, act: (build: Build) => Promise<T>): Promise<T> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new InputError(path, EXPECTED, 'no such file or folder');
  if (found.isDirectory()) return await act(await buildIn(resolve(path), path));
  const folder = await mkdtemp(join(tmpdir(), 'warpool-build-'));
  try {
    await unpack(resolve(path), folder);
    return await act(await buildIn(join(folder, 'package'), path));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// Comparison of this build with another one on the same machine. One process simulates the same battles with both, in
// alternating samples. No stored values are involved, so the verdict is valid on any machine.

export interface AgainstOptions {
  /** Allowed slowdown of a battle, relative to the other build. */
  readonly budget?: number | undefined;
  /** Receives progress messages. */
  readonly say?: ((text: string) => void) | undefined;
}

/** Half of the slowdown of 2 % that the comparison must detect. */
const BUDGET = 0.01;

/** Other build. */
const EQUAL = { ratio: 1, ratioMost: Number.POSITIVE_INFINITY };

interface Both extends Pair {
  readonly digests: readonly [mine: string, theirs: string];
}

/** Common entries of both builds, and the names of entries that only one has. */
function matched(mine: readonly Described[], theirs: readonly Described[]): { both: Both[]; single: string[] } {
  const others = new Map(theirs.map((each) => [each.entry.name, each]));
  const both: Both[] = [];
  const single: string[] = [];
  for (const { entry, digest } of mine) {
    const other = others.get(entry.name);
    others.delete(entry.name);
    if (other === undefined) single.push(entry.name);
    else both.push({ name: entry.name, mine: entry, theirs: other.entry, digests: [digest, other.digest] });
  }
  return { both, single: [...single, ...others.keys()] };
}

/** Bytes that determine the speed of an entry: its kernel, the data that it reads, and the program that opens it. */
async function identityOf({ path, shape, made }: PlayerEntry, { player }: Build): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([shape, made]));
  for (const file of [path, player]) {
    hash.update(
      createHash('sha256')
        .update(await readFile(file))
        .digest(),
    );
  }
  return hash.digest('hex');
}

async function differing(pairs: readonly Both[], mine: Build, theirs: Build): Promise<Both[]> {
  const found: Both[] = [];
  for (const pair of pairs) {
    if ((await identityOf(pair.mine, mine)) !== (await identityOf(pair.theirs, theirs))) found.push(pair);
  }
  return found;
}

function judgeDigest({ name, digests: [value, baseline] }: Both): GateFinding {
  const status = value === baseline ? 'ok' : 'broken';
  return { layer: 'counters', benchmark: name, what: 'digest', unit: '', value, baseline, status };
}

async function judgeTimes(pairs: readonly Pair[], players: Parameters<typeof pairRatios>[1], budget: number) {
  const budgets = { ratio: budget, beyond: 0 };
  const limit = ratioLimit(EQUAL, budgets);
  const rounds = await measureRounds(
    pairs,
    (left, round) => pairRatios(left, players, round % 2 > 0),
    (_, so) => decide(so, limit) === 'undecided',
  );
  return pairs.map(({ name }) => judgeRatio(name, 'of the other build', rounds.get(name) ?? [], EQUAL, budgets));
}

const list = (some: readonly { readonly name: string }[]): string => some.map(({ name }) => name).join(', ');

function notesOf(single: readonly string[], other: readonly Both[], equal: readonly Both[], all: boolean): string[] {
  return [
    ...(single.length > 0 ? [`only in one of the builds: ${single.join(', ')}`] : []),
    ...(other.length > 0 ? [`different results, so times are not comparable: ${list(other)}`] : []),
    ...(all ? ['no measured files differ: kernels, their input and the program that opens them'] : []),
    ...(!all && equal.length > 0 ? [`not measured, because nothing differs: ${list(equal)}`] : []),
  ];
}

/**
 * @param path other build: its folder, or a tarball of npm pack
 * @throws InputError if it is no build that can be compared
 * @throws RunError if a process of the gate fails
 */
export function against(path: string, { budget = BUDGET, say }: AgainstOptions): Promise<GateReport> {
  return withBuild(path, async (theirs): Promise<GateReport> => {
    const mine = await ownBuild();
    const seconds: Partial<Record<Layer, number>> = {};
    const began = performance.now();
    say?.('counters: fixed runs of both builds');
    const { both, single } = matched(await describedBy(mine.sampler), await describedBy(theirs.sampler));
    const same = both.filter(({ digests: [one, other] }) => one === other);
    const measured = await differing(same, mine, theirs);
    const findings = both.map(judgeDigest);
    const compared = performance.now();
    seconds.counters = (compared - began) / 1000;
    if (measured.length > 0) {
      say?.('ratio: kernels of both builds in turns');
      const players = { mine: mine.player, theirs: theirs.player };
      findings.push(...(await judgeTimes(measured, players, budget)));
      seconds.ratio = (performance.now() - compared) / 1000;
    }
    const other = both.filter((pair) => !same.includes(pair));
    const equal = same.filter((pair) => !measured.includes(pair));
    const notes = notesOf(single, other, equal, equal.length === both.length && single.length === 0);
    const held = findings.every(({ status }) => status !== 'broken');
    return {
      machine: thisMachine(),
      against: `${path} (${theirs.version})`,
      sameMachine: true,
      findings,
      notes,
      seconds,
      passed: held,
    };
  });
}
