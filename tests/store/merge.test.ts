/** Folders that shards have filled, joined: the store is that of one machine, byte by byte. */
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
import { due, half, laws, local, part, SEGMENTS } from './halves.ts';

/** What the next links of files fail with; nothing: they are made. */
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
  // A file of its own: parts that were merged are linked.
  rmSync(path);
  writeFileSync(path, bytes);
}

const told = ({ faults }: MergeResult): string => faults.map(({ where, what }) => `${where}: ${what}`).join('\n');

describe('folders of their own', () => {
  test('give the files of a local sweep, and are left as they are', async () => {
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
    // A store that is complete gives its parts as well.
    const again = place();
    expect(await mergeStores(again, [local])).toMatchObject({ complete: true, copied: 2 * SEGMENTS });
    expect(bytesOf(again)).toEqual(due);
  });

  test('that differ are named, and the store stays unfinished', async () => {
    const [folder, wrong] = [place(), copyOf(odd)];
    // Undamaged, and of the same name: the part of another store of the same cells.
    copyFileSync(join(odd, laws(2)), join(wrong, laws(0)));
    const merged = await mergeStores(folder, [odd, even, wrong]);
    expect(merged).toMatchObject({ complete: false, missing: { segments: [] }, manifest: { complete: false } });
    expect(merged.faults.map(({ where }) => where)).toEqual([join(odd, laws(0))]);
    expect(told(merged)).toContain(`${join(wrong, laws(0))} differs from it: SHA-256 ${due[laws(0)] ?? ''} and`);
    expect(await mergeStores(folder, [odd, even])).toMatchObject({ complete: true });
    expect(bytesOf(folder)).toEqual(due);
    // What is complete stays so, but is not in agreement.
    expect(await mergeStores(folder, [wrong])).toMatchObject({ complete: false, manifest: { complete: true } });
    expect(bytesOf(folder)).toEqual(due);
  });

  test('damaged parts are named and not taken', async () => {
    const [folder, bad] = [place(), copyOf(odd)];
    damage(join(bad, laws(0)));
    rmSync(join(bad, laws(2)));
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
    expect(told(merged)).toBe(
      `${join(bad, laws(0))}: its checksum does not match its contents: it is damaged\n${join(bad, laws(2))}: it is missing`,
    );
    expect(filesOf(folder)).not.toContain(part(0));
    // Sound ones of another folder do as well, and what was found is told all the same.
    const whole = await mergeStores(folder, [bad, odd]);
    expect(whole).toMatchObject({ complete: true });
    expect(whole.faults).toEqual(merged.faults);
    expect(bytesOf(folder)).toEqual(due);
  });

  test('a damaged part of the store itself is named, and not replaced', async () => {
    const folder = copyOf(odd);
    damage(join(folder, part(2)));
    appendFileSync(join(folder, laws(0)), 'x');
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
    expect(merged.faults.map(({ where }) => where)).toEqual([join(folder, laws(0)), join(folder, part(2))]);
    rmSync(join(folder, laws(0)));
    rmSync(join(folder, part(2)));
    expect(await mergeStores(folder, [even, odd])).toMatchObject({ complete: true });
    expect(bytesOf(folder)).toEqual(due);
  });

  test('of another sweep, build or system are refused, and so is what is no store', async () => {
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

  test('a label is no difference, and a link is no part', async () => {
    const [folder, named] = [place(), copyOf(even)];
    const manifest = manifestIn(even);
    putManifest(named, { ...manifest, sweep: { name: 'Other', ...manifest.sweep } });
    rmSync(join(named, part(1)));
    symlinkSync(join(even, part(1)), join(named, part(1)));
    const merged = await mergeStores(folder, [odd, named]);
    expect(merged).toMatchObject({ complete: false, missing: { segments: [[1, 1]] } });
    expect(told(merged)).toBe(`${join(named, part(1))}: it is a link`);
  });

  test('a merge that is stopped goes on', async () => {
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

describe('a file that is put', () => {
  afterEach(() => {
    mocked.links.length = 0;
  });

  test('never takes the place of another, where files have one name only too', async () => {
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

  test('parts are copied where they cannot be linked, and a full disk is told', async () => {
    const folder = place();
    mocked.links.push('XX', 'EXDEV', 'EXDEV');
    await expect(mergeStores(folder, [even])).rejects.toThrow(/cannot be written: XX/);
    mocked.links.push(...Array<string>(4).fill('EXDEV'), ...Array<string>(8).fill('EXDEV'));
    expect(await mergeStores(folder, [even, odd])).toMatchObject({ complete: true });
    expect(statSync(join(folder, part(1))).nlink).toBe(1);
    expect(bytesOf(folder)).toEqual(due);
  });
});
