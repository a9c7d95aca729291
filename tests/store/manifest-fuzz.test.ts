/**
 * Manifests with one change: every field removed, changed, and of another type, and single bits. The checksum detects
 * accidental damage. If the checksum is valid, a comparison with the sweep detects a change. If the hashes are valid
 * too, a comparison with the parts detects it. Seeds are fixed, so the changes are the same in every run.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { InputError, RunError } from '../../src/core/errors.ts';
import { hashScenario } from '../../src/stats/digest.ts';
import { formatManifest, type StoreManifest } from '../../src/storage/store/manifest.ts';
import { exportCsv, openStore } from '../../src/storage/store/open-store.ts';
import { verifyStore } from '../../src/storage/store/verify-store.ts';
import { getSegmentSize } from '../../src/storage/sweep/segments.ts';
import { computeSweepHash, openSweep } from '../../src/storage/sweep/sweep.ts';
import { DEPTH } from '../depth.ts';
import { copyOf, manifestIn, place, run } from './folders.ts';

/** Check that detects a change: the reader of the manifest with its class of error, the verification, or none. */
type Finder = 'seal' | 'version' | 'form' | 'contents' | 'verification' | 'nobody';

const TEXTS = {
  played: 'axes: [{ path: attacker.hp, range: [1, 6] }]\nbattles: 200\nexact: always',
  extended: 'name: three steps\naxes: [{ path: attacker.hp, range: [1, 4] }]\nbattles: 100\nexact: never',
  solved:
    'axes: [{ name: side, cases: { weak: { attacker.hp: 2 }, strong: { attacker.hp: 8 } } }]\nbattles: 0\nexact: always',
  precise:
    'axes: [{ path: attacker.hp, values: [3, 4] }]\nprecision: 0.05\nexact: never\nwhere: attacker.hp > 3\nstreams: independent',
} as const;

const stores = new Map<string, string>();
beforeAll(async () => {
  for (const [name, text] of Object.entries(TEXTS)) {
    const folder = place();
    await run(text, folder, { workers: 1 });
    if (name === 'extended') await run(text, folder, { mode: 'extend', battles: 250, workers: 1 });
    stores.set(name, folder);
  }
});

const textIn = (folder: string): string => readFileSync(join(folder, 'manifest.json'), 'utf8');

/** Returns the check that detects a change. Throws any error that is not documented. */
async function finderIn(folder: string, content: string | Uint8Array): Promise<Finder> {
  writeFileSync(join(folder, 'manifest.json'), content);
  try {
    await openStore(folder);
  } catch (error) {
    if (!(error instanceof InputError || error instanceof RunError)) throw error;
    expect(error.message).toContain('manifest.json');
    if (error instanceof InputError) return 'version';
    if (error.message.includes('its checksum does not')) return 'seal';
    return /, to match the rest,|part|written anew/.test(error.message) ? 'contents' : 'form';
  }
  const { faults } = await verifyStore(folder, { cells: 0 });
  return faults.length > 0 ? 'verification' : 'nobody';
}

type Steps = readonly (string | number)[];

function stepsIn(value: unknown, at: Steps = []): Steps[] {
  if (typeof value !== 'object' || value === null) return [at];
  const entries = Object.entries(value).flatMap(([name, inner]) =>
    stepsIn(inner, [...at, Array.isArray(value) ? Number(name) : name]),
  );
  return at.length === 0 ? entries : [at, ...entries];
}

const REMOVED = Symbol('removed');

/** Returns a copy with another value at a path. */
function changed(value: unknown, [step, ...rest]: Steps, other: unknown): unknown {
  if (step === undefined) return other;
  if (Array.isArray(value)) {
    if (rest.length === 0 && other === REMOVED) return value.filter((_, i) => i !== step);
    return value.map((inner: unknown, i) => (i === step ? changed(inner, rest, other) : inner));
  }
  const mapping = value as Readonly<Record<string, unknown>>;
  if (rest.length === 0 && other === REMOVED)
    return Object.fromEntries(Object.entries(mapping).filter(([name]) => name !== step));
  return { ...mapping, [step]: changed(mapping[step], rest, other) };
}

function at(value: unknown, steps: Steps): unknown {
  return steps.reduce((here, step) => (here as Record<string | number, unknown>)[step], value);
}

/** Returns other values of the same type. */
function neighbours(value: unknown): unknown[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  if (typeof value === 'number') return [value + 1, Math.max(0, value - 1), 5e15, -1, 1.5, 2 ** 53];
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'string')
    return [`${value}0`, value.slice(1), value.replace(/.$/, (c) => (c === '0' ? '1' : '0'))];
  if (Array.isArray(value))
    return [list.slice(1), list.slice(0, -1), [...list, ...list.slice(0, 1)], list.toReversed()];
  return [{ ...(value as object), more: 1 }];
}

const STRANGERS: readonly unknown[] = [null, true, 7, 'zzz', '', [], [[]], {}, { a: 1 }];

interface Change {
  readonly path: string;
  readonly manifest: unknown;
}

/** Returns changes of every field: removed, changed and of another type. At depth 1, only an eighth of them. */
function changesOf(manifest: unknown): Change[] {
  const before = JSON.stringify(manifest);
  return stepsIn(manifest)
    .flatMap((steps) => {
      const others = [REMOVED, ...neighbours(at(manifest, steps)), ...STRANGERS];
      return others.map((other) => ({ path: steps.join('.'), manifest: changed(manifest, steps, other) }));
    })
    .filter((change, k) => k % 8 < DEPTH && JSON.stringify(change.manifest) !== before);
}

function counted(finders: readonly Finder[]): Partial<Record<Finder, number>> {
  const counts: Partial<Record<Finder, number>> = {};
  for (const finder of finders) counts[finder] = (counts[finder] ?? 0) + 1;
  return counts;
}

/** Generates a deterministic sequence of numbers (Lehmer, 1951). */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; state = (state * 48_271) % 2_147_483_647) yield state;
}

/** Fields that nothing else determines: labels, and the version, which only other kernels would contradict. */
const UNBOUND = /^(sweep\.name|sweep\.scenario\.name|warpool)$/;

describe.each(DEPTH === 1 ? Object.keys(TEXTS).slice(0, 1) : Object.keys(TEXTS))('manifest of a sweep: %s', (name) => {
  const folder = (): string => copyOf(stores.get(name) ?? '');

  test('without a change has no fault', async () => {
    const store = folder();
    expect(await finderIn(store, textIn(store))).toBe('nobody');
  });

  test('with an accidental change is always rejected by its checksum or version', async () => {
    const store = folder();
    const found = { ...manifestIn(store), seal: (JSON.parse(textIn(store)) as { seal: string }).seal };
    const changes = changesOf(found);
    expect(changes.length).toBeGreaterThan(50 * DEPTH);
    const finders: Finder[] = [];
    for (const { manifest } of changes)
      finders.push(await finderIn(store, `${JSON.stringify(manifest, undefined, 2)}\n`));
    const { seal = 0, version = 0 } = counted(finders);
    expect(counted(finders)).toEqual({ seal, version });
    expect(version).toBeLessThan(40);
    if (process.env['FUZZ_TABLE']) process.stderr.write(`${name} accident ${JSON.stringify(counted(finders))}\n`);
  });

  test('with a change and a valid checksum is rejected by comparison with the sweep', {
    timeout: 120_000,
  }, async () => {
    const store = folder();
    const unfound: string[] = [];
    const finders: Finder[] = [];
    for (const { path, manifest } of changesOf(manifestIn(store))) {
      const finder = await finderIn(store, formatManifest(manifest as StoreManifest));
      finders.push(finder);
      if (finder === 'nobody') unfound.push(path);
    }
    expect([...new Set(unfound)].filter((path) => !UNBOUND.test(path))).toEqual([]);
    expect(finders.filter((finder) => finder === 'form').length).toBeGreaterThan(13 * DEPTH);
    expect(finders).toContain('contents');
    if (process.env['FUZZ_TABLE']) process.stderr.write(`${name} resealed ${JSON.stringify(counted(finders))}\n`);
  });

  test('with a change and valid hashes is rejected by comparison with the parts', { timeout: 120_000 }, async () => {
    const store = folder();
    const finders: Finder[] = [];
    const unfound: string[] = [];
    for (const { path, manifest } of changesOf(manifestIn(store))) {
      if (!path.startsWith('sweep.')) continue;
      const renewed = rehashed(manifest as StoreManifest);
      if (renewed === undefined) continue;
      const finder = await finderIn(store, formatManifest(renewed));
      finders.push(finder);
      if (finder === 'nobody') unfound.push(path);
    }
    expect(unfound.filter((path) => !UNBOUND.test(path))).toEqual([]);
    expect(finders).toContain('verification');
    if (process.env['FUZZ_TABLE']) process.stderr.write(`${name} rehashed ${JSON.stringify(counted(finders))}\n`);
  });

  test('with one changed bit is always rejected', { timeout: 120_000 }, async () => {
    const store = folder();
    const bytes = readFileSync(join(store, 'manifest.json'));
    const finders: Finder[] = [];
    const random = numbers(20);
    for (let flip = 0; flip < 300; flip++) {
      const [byte, bit] = [random.next().value % bytes.length, random.next().value % 8];
      const other = Uint8Array.from(bytes);
      other[byte] = (other[byte] ?? 0) ^ (1 << bit);
      finders.push(await finderIn(store, other));
    }
    expect(counted(finders)['nobody']).toBeUndefined();
    expect(counted(finders)['verification']).toBeUndefined();
    if (process.env['FUZZ_TABLE']) process.stderr.write(`${name} bits ${JSON.stringify(counted(finders))}\n`);
  });
});

/** Updates the hashes that follow from the sweep of a manifest. Returns undefined if the sweep is invalid. */
function rehashed(manifest: StoreManifest): StoreManifest | undefined {
  try {
    const { sweep: spec } = manifest;
    const first = manifest.extended[0];
    const sweep = openSweep(first === undefined ? spec : { ...spec, battles: first }, '');
    const hashes = { scenarioHash: hashScenario(spec.scenario), sweepHash: computeSweepHash(spec) };
    return { ...manifest, ...hashes, segmentSize: getSegmentSize(sweep) };
  } catch {
    return undefined;
  }
}

test('openStore and verifyStore report a damaged manifest', async () => {
  const folder = copyOf(stores.get('played') ?? '');
  const store = await openStore(folder);
  writeFileSync(join(folder, 'manifest.json'), textIn(folder).replace('"battles": 200', '"battles": 201'));
  await expect(openStore(folder)).rejects.toThrow('its checksum does not match its contents');
  const verified = await verifyStore(folder);
  expect(verified.faults).toEqual([
    {
      where: 'manifest.json',
      what: 'its checksum does not match its contents: it was damaged or changed',
    },
  ]);
  // A store that was open before is still readable, because the parts are unchanged.
  expect(await exportCsv(store, `${folder}.csv`, { of: 'table' })).toBe(42);
});
