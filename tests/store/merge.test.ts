/** Merged stores of shards: the result equals the store of one machine, byte by byte. */
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { RunError } from '../../src/core/errors.ts';
import { writeDurablyIfAbsent } from '../../src/core/files/durable.ts';
import { type MergeResult, mergeStores } from '../../src/storage/store/merge-stores.ts';
import { bytesOf, copyOf, filesOf, manifestIn, place, putManifest, run } from './folders.ts';
import { due, getDistributionFile, half, local, part, SEGMENTS } from './halves.ts';

/** Error codes of the next links of files. If empty, links are created. */
const mocked = vi.hoisted(() => ({ links: [] as string[] }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const link: typeof real.link = async (from, to) => {
    const code = mocked.links.shift();
    if (code !== undefined) throw Object.assign(new Error(code), { code, syscall: 'link' });
    await real.link(from, to);
  };
  return { ...real, link };
});

const [odd, even] = [half(1), half(2)];

/** Changes a byte in the middle of a file. */
function damage(path: string): void {
  const bytes = readFileSync(path);
  const at = Math.floor(bytes.length / 3);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  // Merged parts are hard links, so the damaged file must be a new one.
  rmSync(path);
  writeFileSync(path, bytes);
}

const shown = ({ faults }: MergeResult): string => faults.map(({ where, what }) => `${where}: ${what}`).join('\n');

describe('mergeStores', () => {
  test('creates the files of a local sweep, and does not change its sources', async () => {
    const folder = place();
    const before = [bytesOf(odd), bytesOf(even)];
    const half = await mergeStores(folder, [even]);
    expect(half).toMatchObject({
      complete: false,
      copied: 4,
      missing: {
        segments: [
          [0, 0],
          [2, 2],
        ],
        shards: undefined,
      },
    });
    expect(statSync(join(folder, part(1))).ino).toBe(statSync(join(even, part(1))).ino);
    expect(await mergeStores(folder, [odd, even])).toMatchObject({ complete: true, copied: 4, faults: [] });
    expect(bytesOf(folder)).toEqual(due);
    expect([bytesOf(odd), bytesOf(even)]).toEqual(before);
    // A complete store can also be a source.
    const again = place();
    expect(await mergeStores(again, [local])).toMatchObject({ complete: true, copied: 2 * SEGMENTS });
    expect(bytesOf(again)).toEqual(due);
  });

  test('names parts that differ, and leaves the store incomplete', async () => {
    const [folder, wrong] = [place(), copyOf(odd)];
    // Undamaged, and with the same name, like a part of another store of the same cells.
    copyFileSync(join(odd, getDistributionFile(2)), join(wrong, getDistributionFile(0)));
    const merged = await mergeStores(folder, [odd, even, wrong]);
    expect(merged).toMatchObject({ complete: false, missing: { segments: [] }, manifest: { complete: false } });
    expect(merged.faults.map(({ where }) => where)).toEqual([join(odd, getDistributionFile(0))]);
    expect(shown(merged)).toContain(
      `${join(wrong, getDistributionFile(0))} differs from it: SHA-256 ${due[getDistributionFile(0)] ?? ''} and`,
    );
    expect(await mergeStores(folder, [odd, even])).toMatchObject({ complete: true });
    expect(bytesOf(folder)).toEqual(due);
    // The store stays complete, but the merge is reported as incomplete.
    expect(await mergeStores(folder, [wrong])).toMatchObject({ complete: false, manifest: { complete: true } });
    expect(bytesOf(folder)).toEqual(due);
  });

  test('names damaged parts and does not copy them', async () => {
    const [folder, bad] = [place(), copyOf(odd)];
    damage(join(bad, getDistributionFile(0)));
    rmSync(join(bad, getDistributionFile(2)));
    const merged = await mergeStores(folder, [bad, even]);
    expect(merged).toMatchObject({
      complete: false,
      missing: {
        segments: [
          [0, 0],
          [2, 2],
        ],
      },
    });
    expect(shown(merged)).toBe(
      `${join(bad, getDistributionFile(0))}: its checksum does not match its contents: it is damaged\n${join(bad, getDistributionFile(2))}: it is missing`,
    );
    expect(filesOf(folder)).not.toContain(part(0));
    // Undamaged parts of another folder are sufficient, but faults are still reported.
    const whole = await mergeStores(folder, [bad, odd]);
    expect(whole).toMatchObject({ complete: true });
    expect(whole.faults).toEqual(merged.faults);
    expect(bytesOf(folder)).toEqual(due);
  });

  test('names damaged parts of the store itself, and does not replace them', async () => {
    const folder = copyOf(odd);
    damage(join(folder, part(2)));
    appendFileSync(join(folder, getDistributionFile(0)), 'x');
    const merged = await mergeStores(folder, [even, odd]);
    expect(merged).toMatchObject({
      complete: false,
      missing: {
        segments: [
          [0, 0],
          [2, 2],
        ],
      },
    });
    expect(merged.faults.map(({ where }) => where)).toEqual([
      join(folder, getDistributionFile(0)),
      join(folder, part(2)),
    ]);
    rmSync(join(folder, getDistributionFile(0)));
    rmSync(join(folder, part(2)));
    expect(await mergeStores(folder, [even, odd])).toMatchObject({ complete: true });
    expect(bytesOf(folder)).toEqual(due);
  });

  test('rejects stores of another sweep, kernel or version, and folders without a store', async () => {
    const others = place();
    await run('axes: [{ path: attacker.hp, range: [1, 2] }]\nbattles: 0\nexact: always', others);
    const folder = copyOf(odd);
    await expect(mergeStores(folder, [others])).rejects.toThrow(/sweep\.axes: expected .*, as in .*, found/);
    const build = copyOf(even);
    putManifest(build, {
      ...manifestIn(even),
      kernels: { ...manifestIn(even).kernels, attrition: '0'.repeat(64), automaton: '0'.repeat(64) },
    });
    await expect(mergeStores(folder, [build])).rejects.toThrow(/kernels\.attrition: expected .*, as in/);
    await expect(mergeStores(place(), [build])).rejects.toThrow('expected the kernel "attrition" of this build');
    putManifest(build, { ...manifestIn(even), warpool: '9.9.9' });
    await expect(mergeStores(folder, [build])).rejects.toThrow('warpool: expected');
    await expect(mergeStores(folder, [join(folder, '.')])).rejects.toThrow('expected a folder that is listed once');
    await expect(mergeStores(place())).rejects.toThrow('expected a folder written by warpool sweep or run --out');
    await expect(mergeStores(place(), [place()])).rejects.toThrow(
      'expected a folder written by warpool sweep or run --out',
    );
    await expect(mergeStores(folder, [], { shards: 0 })).rejects.toThrow('shards: expected 1..1000000');
    expect(bytesOf(folder)).toEqual(bytesOf(odd));
  });

  test('accepts another label, but no link in place of a part', async () => {
    const [folder, named] = [place(), copyOf(even)];
    const manifest = manifestIn(even);
    putManifest(named, { ...manifest, sweep: { name: 'Other', ...manifest.sweep } });
    rmSync(join(named, part(1)));
    symlinkSync(join(even, part(1)), join(named, part(1)));
    const merged = await mergeStores(folder, [odd, named]);
    expect(merged).toMatchObject({ complete: false, missing: { segments: [[1, 1]] } });
    expect(shown(merged)).toBe(`${join(named, part(1))}: it is a link`);
  });

  test('resumes after an abort', async () => {
    const [folder, stop] = [place(), new AbortController()];
    const onProgress = ({ done }: { done: number }): void => {
      if (done === 1) stop.abort();
    };
    expect(await mergeStores(folder, [odd, even], { signal: stop.signal, onProgress })).toMatchObject({
      complete: false,
      copied: 2,
    });
    expect(await mergeStores(folder, [odd, even])).toMatchObject({ complete: true });
    expect(bytesOf(folder)).toEqual(due);
  });
});

describe('without hard links', () => {
  afterEach(() => {
    mocked.links.length = 0;
  });

  test('writeDurablyIfAbsent never replaces a file', async () => {
    const folder = place();
    mkdirSync(folder);
    const path = join(folder, 'a');
    mocked.links.push('ENOTSUP');
    expect(await writeDurablyIfAbsent(path, 'first')).toBe(true);
    mocked.links.push('EPERM');
    expect(await writeDurablyIfAbsent(path, 'second')).toBe(false);
    expect(await writeDurablyIfAbsent(path, 'third')).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('first');
    expect(filesOf(folder)).toEqual(['a']);
    mocked.links.push('ENOSPC');
    await expect(writeDurablyIfAbsent(join(folder, 'b'), 'x')).rejects.toThrow(RunError);
    expect(filesOf(folder)).toEqual(['a']);
  });

  test('mergeStores copies parts, and reports other errors', async () => {
    const folder = place();
    mocked.links.push('XX', 'EXDEV', 'EXDEV');
    await expect(mergeStores(folder, [even])).rejects.toThrow(/cannot be written: XX/);
    mocked.links.push(...Array<string>(4).fill('EXDEV'), ...Array<string>(8).fill('EXDEV'));
    expect(await mergeStores(folder, [even, odd])).toMatchObject({ complete: true });
    expect(statSync(join(folder, part(1))).nlink).toBe(1);
    expect(bytesOf(folder)).toEqual(due);
  });
});
