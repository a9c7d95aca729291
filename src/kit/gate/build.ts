/** Builds of warpool, this one and others: folders with all that the gate measures, or tarballs of `npm pack`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { InputError, RunError } from '../../core/errors.ts';
import { shipped } from './benchmark.ts';

export interface Build {
  readonly version: string;
  /** What the gate's processes run. */
  readonly sampler: string;
  /** What opens kernels: all of the program that is measured. */
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

/** @param path what the user has given */
async function buildIn(root: string, path: string): Promise<Build> {
  const version = await versionIn(root, path);
  for (const part of Object.values(PARTS)) {
    const found = await stat(join(root, part)).catch(() => undefined);
    if (found?.isFile() === true) continue;
    throw new InputError(path, EXPECTED, `warpool ${version} without ${part}: not built, or older than this gate`);
  }
  return { version, sampler: join(root, PARTS.sampler), player: join(root, PARTS.player) };
}

export function ownBuild(): Promise<Build> {
  const root = resolve(dirname(shipped('#gate/yardstick.wasm')), '../../..');
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
 * Does something with another build; what a tarball holds is gone afterwards.
 * @throws InputError if there is none
 */
export async function withBuild<T>(path: string, act: (build: Build) => Promise<T>): Promise<T> {
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
