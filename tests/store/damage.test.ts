/** Damage to a store by a power failure: every kind is repaired, or reported with instructions for the repair. */
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createHistogramPartName, createTablePartName } from '../../src/storage/store/manifest.ts';
import { mergeStores } from '../../src/storage/store/merge-stores.ts';
import type { SweepMode } from '../../src/storage/store/run-sweep.ts';
import { DEPTH, SEED } from '../depth.ts';
import { type Asked, bytesOf, copyOf, manifestIn, place, putManifest, run, unfinished } from './folders.ts';

const TEXT = 'axes: [{ path: attacker.hp, range: [1, 20] }, { path: defender.hp, range: [1, 15] }]\nbattles: 100';

/** A complete store, an extended one, and the store of another sweep of the same shape. */
const [complete, extended, other] = [place(), place(), place()];
await run(TEXT, complete);
await run(TEXT, extended);
await run(TEXT, extended, { mode: 'extend', battles: 150 });
await run(`${TEXT}\nseed: 9`, other);

const flip =
  (at: (bytes: number) => number) =>
  (path: string): void => {
    const bytes = readFileSync(path);
    const place = at(bytes.length);
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  };

/** Returns the path of the same file of segment 0, which exists for all files. */
const ofFirst = (path: string): string => path.replace('part-00002', 'part-00000');

const DAMAGE: Readonly<Record<string, (path: string, folder: string) => void>> = {
  missing: (path) => {
    rmSync(path);
  },
  empty: (path) => {
    truncateSync(path, 0);
  },
  'cut to half': (path) => {
    truncateSync(path, readFileSync(path).length >> 1);
  },
  'zeros at its end': (path) => {
    writeFileSync(path, readFileSync(path).fill(0, readFileSync(path).length - 500));
  },
  'zeros alone': (path) => {
    writeFileSync(path, readFileSync(path).fill(0));
  },
  'one byte more': (path) => {
    appendFileSync(path, 'x');
  },
  'a bit of its data': flip(() => 1000),
  'a bit of its middle': flip((bytes) => bytes >> 1),
  'a bit of its end': flip((bytes) => bytes - 20),
  'content of another segment': (path) => {
    copyFileSync(ofFirst(path), path);
  },
  'content of another sweep': (path, folder) => {
    copyFileSync(path.replace(folder, other), path);
  },
  'a link': (path) => {
    renameSync(path, `${path.replace('/part', '/.part')}-moved`);
    symlinkSync(`${path.replace('/part', '/.part')}-moved`, path);
  },
};

/** Initial state of a store, and the store that is expected after its repair. */
interface State {
  readonly store: () => string;
  readonly due: string;
  readonly options: Asked;
  /** Files of counts that may be damaged. */
  readonly counts: readonly string[];
}

function half(of: string): string {
  const folder = copyOf(of);
  putManifest(folder, {
    ...unfinished(manifestIn(folder)),
    ...(manifestIn(folder).extended.length > 0 && { parts: [] }),
  });
  rmSync(join(folder, createTablePartName(1)));
  return folder;
}

const first = createHistogramPartName(2, 0, 100);
const STATES: Readonly<Record<string, State>> = {
  incomplete: { store: () => half(complete), due: complete, options: { mode: 'resume' }, counts: [first] },
  'incomplete, recomputed': {
    store: () => half(complete),
    due: complete,
    options: { mode: 'recompute' },
    counts: [first],
  },
  complete: { store: () => copyOf(complete), due: complete, options: { mode: 'resume' }, counts: [first] },
  'complete, to be extended': {
    store: () => copyOf(complete),
    due: extended,
    options: { mode: 'extend', battles: 150 },
    counts: [first],
  },
  extended: {
    store: () => copyOf(extended),
    due: extended,
    options: { mode: 'resume', battles: 150 },
    counts: [first, createHistogramPartName(2, 100, 150)],
  },
  'extended, incomplete': {
    store: () => half(extended),
    due: extended,
    options: { mode: 'extend', battles: 150 },
    counts: [first, createHistogramPartName(2, 100, 150)],
  },
};

const CASES = Object.entries(STATES).flatMap(([state, { counts }]) =>
  [createTablePartName(2), ...counts].flatMap((file) =>
    Object.keys(DAMAGE)
      // The other sweep was not extended.
      .filter((kind) => kind !== 'content of another sweep' || file !== createHistogramPartName(2, 100, 150))
      .map((kind) => [state, file, kind] as const),
  ),
);

describe('damaged parts are repaired', () => {
  // At depth 1, every 29th case, which includes all kinds and states.
  test.each(CASES.filter((_, c) => (DEPTH > 1 ? c % 3 === SEED % 3 : c % 29 === 0)))(
    '%s: %s: %s',
    async (state, file, kind) => {
      const { store, due, options: asked } = STATES[state] ?? { store: place, due: '', options: {} };
      const folder = store();
      DAMAGE[kind]?.(join(folder, file), folder);
      const result = await run(TEXT, folder, asked);
      expect(result.complete).toBe(true);
      for (const name of ['.part-00002-0-100.parquet-moved', '.part-00002-100-150.parquet-moved'])
        rmSync(join(folder, 'histograms', name), { force: true });
      rmSync(join(folder, 'table', '.part-00002.parquet-moved'), { force: true });
      expect(bytesOf(folder)).toEqual(bytesOf(due));
      if (kind !== 'missing' || state === 'complete') expect(result.repaired).toContain(file);
    },
  );

  test('if there are several, and mergeStores lists them', async () => {
    const folder = half(complete);
    truncateSync(join(folder, first), 0);
    flip(() => 1000)(join(folder, createHistogramPartName(0, 0, 100)));
    const merged = await mergeStores(folder, []);
    expect(merged.faults.map(({ where }) => where)).toEqual([
      expect.stringContaining(createHistogramPartName(0, 0, 100)),
      expect.stringContaining(first),
    ]);
    // mergeStores recommends the sweep with --resume.
    const { repaired: mended, before } = await run(TEXT, folder, { mode: 'resume' });
    expect([mended.length, before]).toEqual([4, 0]);
    expect(bytesOf(folder)).toEqual(bytesOf(complete));
  });
});

describe('damage that cannot be repaired', () => {
  const failing = (folder: string, mode: SweepMode = 'resume') => run(TEXT, folder, { mode }).catch(String);

  test('is reported with the path if a folder is in place of a part', async () => {
    for (const store of [half(complete), copyOf(complete)]) {
      rmSync(join(store, first));
      mkdirSync(join(store, first));
      expect(await failing(store)).toContain(`${join(store, first)} cannot be written`);
    }
  });

  test('is reported with instructions if the manifest is truncated', async () => {
    const folder = half(complete);
    truncateSync(join(folder, 'manifest.json'), 100);
    expect(await failing(folder)).toMatch(
      /manifest.json .*: it is not JSON.*; create the same store in another folder and copy the file from it/,
    );
  });
});
