/** A run that is stored in a folder, range by range: it has the result of `simulate`, however often it was killed. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SimulationResult } from '../../src/analysis/simulate.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { createStore } from '../../src/storage/store/create-store.ts';
import { SWEEP_FOLDERS } from '../../src/storage/store/manifest.ts';
import { mergeStores } from '../../src/storage/store/merge-stores.ts';
import { type StoredSimulationResult, simulate } from '../../src/storage/store/simulate.ts';
import { verifyStore } from '../../src/storage/store/verify-store.ts';
import { countRanges, cutAt, RANGES_MAX, rangeSizeOf } from '../../src/storage/sweep/ranges.ts';
import { some } from '../depth.ts';
import { ASKED, DUEL, forge, HERE, into, mortal, place, share, storeOf } from './folders.ts';

const { rangeSize: _size, ...PLAIN } = ASKED;
const single = await simulate(DUEL, PLAIN);

const SIDE = (DUEL as unknown as { attacker: object }).attacker;
const PART = 'histograms/part-00000-2033-3033.parquet';

/** Returns the fields that do not depend on time and threads. */
function lasting({ elapsedSeconds: _time, workers: _threads, engineUsed: _player, ...rest }: SimulationResult): object {
  const { store: _store, ...lasts } = rest as Partial<StoredSimulationResult> & SimulationResult;
  return JSON.parse(JSON.stringify({ ...lasts, counts: [...rest.counts.outcomes] })) as object;
}

const partsIn = (folder: string): string[] => readdirSync(join(folder, 'histograms')).sort();

describe('simulate with out', () => {
  test('has the same result as without out, and its digest in the manifest', async () => {
    const folder = place();
    const { result, manifest, parts, battlesBefore: before, from, to, digest } = await into(folder);
    expect(lasting(result)).toEqual(lasting(single));
    const ends = { elapsedSeconds: 0, workers: 0, engineUsed: '', engineReason: '' };
    expect({ ...result.toJSON(), ...ends }).toEqual({ ...single.toJSON(), ...ends });
    expect({ parts, before }).toEqual({ parts: 5, before: 0 });
    expect({ complete: manifest.complete, from, to, digest }).toEqual({
      complete: true,
      from: 33,
      to: 4533,
      digest: single.digest,
    });
    expect(await SWEEP_FOLDERS.read(folder)).toEqual(manifest);
    expect(manifest.parts?.[4]?.file).toBe('histograms/part-00000-4033-4533.parquet');
    expect(partsIn(folder)).toHaveLength(5);
    expect(existsSync(join(folder, 'lock'))).toBe(false);
  });

  test('stores the digest of each range, which equals the digest of a run of its battles', async () => {
    const folder = place();
    const store = await into(folder).then(() => storeOf(folder));
    const range = { from: 2033, to: 3033 };
    const own = await simulate(DUEL, { seed: 7, from: 2033, battles: 1000 });
    expect((await store.read(range)).outcomes).toEqual(own.counts.outcomes);
    expect(readFileSync(join(folder, PART), 'latin1')).toContain(`"digest":"${own.digest}"`);
  });

  test('resumes after several kills with the same bytes', async () => {
    const [folder, whole] = [place(), place()];
    await expect(into(folder, { pool: mortal(1) })).rejects.toThrow('killed');
    expect(partsIn(folder)).toHaveLength(1);
    await expect(into(folder)).rejects.toThrow('an unfinished run; option resume continues it');
    const second = mortal(2);
    await expect(into(folder, { pool: second, resume: true })).rejects.toThrow('killed');
    expect({ simulated: second.simulated, parts: partsIn(folder).length }).toEqual({ simulated: 3, parts: 3 });
    const { result, battlesBefore: before } = await into(folder, { resume: true });
    expect({ digest: result.digest, before }).toEqual({ digest: single.digest, before: 3000 });
    await into(whole);
    for (const file of [
      'manifest.json',
      'table/part-00000.parquet',
      ...partsIn(whole).map((name) => join('histograms', name)),
    ])
      expect(readFileSync(join(folder, file)), file).toEqual(readFileSync(join(whole, file)));
  });

  test('reports only missing battles as progress', async () => {
    const folder = place();
    await expect(into(folder, { pool: mortal(3) })).rejects.toThrow('killed');
    const reported: { done: number; total: number }[] = [];
    await into(folder, { resume: true, onProgress: (progress) => reported.push(progress) });
    expect(reported.at(-1)).toEqual({ done: 1500, total: 1500 });
  });

  test('stops after a signal, with complete ranges and the result of the simulated battles', async () => {
    const [folder, stop] = [place(), new AbortController()];
    let ranges = 0;
    const pool = {
      async play(...[run, options]: Parameters<typeof HERE.play>) {
        if (++ranges === 3) stop.abort();
        return await HERE.play(run, options);
      },
    };
    const { result, manifest } = await into(folder, { pool, signal: stop.signal });
    expect(result).toMatchObject({ complete: false, from: 33 });
    expect({ complete: manifest.complete, parts: partsIn(folder).length }).toEqual({ complete: false, parts: 2 });
    const prefix = await simulate(DUEL, { ...PLAIN, battles: result.to - 33 });
    expect(result.digest).toBe(prefix.digest);
  });

  test('reads existing ranges and simulates none of them', async () => {
    const folder = place();
    await into(folder);
    for (const resume of [false, true]) {
      const { result, battlesBefore: before } = await into(folder, { resume, pool: mortal(0) });
      expect({ digest: result.digest, before }).toEqual({ digest: single.digest, before: 4500 });
    }
  });

  test('supports the engines reference and sampled', async () => {
    const reference = await into(place(), { engine: 'reference', battles: 1500 });
    expect(reference.result.digest).toBe((await simulate(DUEL, { ...PLAIN, battles: 1500 })).digest);
    const sampled = await into(place(), { engine: 'sampled' });
    expect(sampled.result.digest).toBe((await simulate(DUEL, { ...PLAIN, engine: 'sampled' })).digest);
    expect(sampled.result.digest).not.toBe(single.digest);
  });

  test.each(
    some([
      ['outcomes', 1500, { precision: 0.02 }],
      ['the mean of a metric', 2 ** 14, { precision: '1%', precisionOf: 'rounds' }],
      ['a mean, bounded', 400, { precision: 0.5, precisionOf: 'rounds', bounded: true }],
      ['a precision that is not reached', 1500, { precision: 0.001, battles: 5000 }],
    ] as const),
  )('stops at the same battle as without out, with a precision target: %s', async (_of, rangeSize, precision) => {
    const folder = place();
    const asked = { seed: 3, ...precision };
    const due = await simulate(DUEL, asked);
    const options = { ...asked, rangeSize, pool: HERE };
    await expect(simulate(DUEL, { out: folder, ...options, pool: mortal(2) })).rejects.toThrow('killed');
    const result = await simulate(DUEL, { out: folder, ...options, resume: true });
    const { manifest, digest } = result.store;
    expect(lasting(result)).toEqual(lasting(due));
    expect({ complete: manifest.complete, digest }).toEqual({ complete: true, digest: due.digest });
    expect(manifest.parts?.at(-2)?.file).toContain(`-${String(due.to)}.parquet`);
    const again = await simulate(DUEL, { out: folder, ...options, resume: true, pool: mortal(0) });
    expect(again.stopping).toEqual(due.stopping);
  });
});

test.each([{ resume: true }, { rangeSize: 1000 }, { shard: { index: 1, of: 2 } }])(
  'simulate without out rejects %o',
  async (options) => {
    const [name = ''] = Object.keys(options);
    await expect(simulate(DUEL, { ...PLAIN, ...options } as object)).rejects.toThrow(`${name} requires out`);
  },
);

describe('a folder is rejected', () => {
  test('if it has another run, with a list of the differences', async () => {
    const folder = place();
    await into(folder);
    const other = validateScenario({ ...DUEL, attacker: { ...SIDE, hp: 10 } });
    await expect(simulate(other, { out: folder, ...ASKED, pool: HERE, resume: true })).rejects.toThrow(
      /expected the run of this folder, found another one:\n {2}scenario\.attacker\.hp: 9 in the store, 10 requested/,
    );
    await expect(into(folder, { seed: 8 })).rejects.toThrow('seed: "7" in the store, "8" requested');
    await expect(into(folder, { battles: 4501 })).rejects.toThrow('battles: 4500 in the store, 4501 requested');
    await expect(into(folder, { rangeSize: 999 })).rejects.toThrow('rangeSize: 1000 in the store, 999 requested');
    await expect(into(folder, { engine: 'sampled' })).rejects.toThrow(
      'engine: nothing in the store, "sampled" requested',
    );
    // The same battles by another engine are the same run. A run without a range size is the same run, too.
    expect((await into(folder, { engine: 'reference' })).battlesBefore).toBe(4500);
    expect((await simulate(DUEL, { out: folder, ...PLAIN, pool: HERE })).store.battlesBefore).toBe(4500);
  });

  test('if it has a run of an earlier version, with this version', async () => {
    const folder = place();
    mkdirSync(folder);
    writeFileSync(join(folder, 'run.json'), JSON.stringify({ format: 1, warpool: '0.2.0' }));
    const asked = [into, mergeStores, verifyStore, (at: string) => createStore(DUEL, at, ASKED)];
    for (const ask of asked)
      await expect(ask(folder)).rejects.toThrow(
        /run\.json: expected .*, found a run of warpool 0\.2\.0, which can read it/,
      );
  });

  test('if it has other files, or no run to resume', async () => {
    const folder = place();
    await expect(into(folder, { resume: true })).rejects.toThrow('expected a run to resume, found no manifest.json');
    writeFileSync(join(folder, 'notes.txt'), '');
    await expect(into(folder)).rejects.toThrow('expected a new or an empty folder, found notes.txt in it');
    const parts = place();
    await into(parts);
    rmSync(join(parts, 'manifest.json'));
    await expect(into(parts)).rejects.toThrow('part-00000-1033-2033.parquet without a manifest.json in it');
  });

  const spec = (run: Record<string, unknown>, change: object): object => ({
    ...run,
    sweep: { ...(run['sweep'] as object), ...change },
  });

  test.each<[string, (run: Record<string, unknown>) => object, RegExp]>([
    ['another format', (run) => ({ ...run, format: 1 }), /expected format 2, found 1, of another version/],
    ['another ruleset', (run) => ({ ...run, ruleset: '1' }), /expected ruleset "?4"?, found ruleset "1"/],
    ['another seed', (run) => spec(run, { seed: '99999999999999999999' }), /seed: expected an integer 0\.\./],
    ['another end', (run) => spec(run, { battles: 4499 }), /sweepHash: expected/],
    ['no end', (run) => spec(run, { battles: undefined }), /sweepHash: expected/],
    ['an axis', (run) => spec(run, { axes: [{ path: 'attacker.hp', values: [9, 10] }] }), /segmentSize|sweepHash|axes/],
    [
      'another scenario',
      (run) => spec(run, { scenario: { ...DUEL, attacker: { ...SIDE, hp: 10 } } }),
      /scenarioHash: expected/,
    ],
    ['no ranges', (run) => spec(run, { rangeSize: 0 }), /rangeSize: expected .*, found 0/],
    [
      'a part left out',
      (run) => ({ ...run, parts: (run['parts'] as []).slice(1) }),
      /expected the part from battle 33/,
    ],
    ['no digest', ({ digest: _, ...run }) => run, /digest: expected a value, because the run is complete/],
    ['an unknown field', (run) => ({ ...run, note: 1 }), /note/],
  ])('if its manifest was forged: %s', async (_name, change, message) => {
    const folder = place();
    await into(folder);
    forge(folder, change);
    await expect(into(folder, { resume: true })).rejects.toThrow(message);
  });

  test('if its manifest is damaged', async () => {
    const folder = place();
    await into(folder);
    const path = join(folder, 'manifest.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"from": 33', '"from": 34'));
    await expect(SWEEP_FOLDERS.find(folder)).rejects.toThrow(
      'manifest.json cannot be read: its checksum does not match its contents',
    );
  });
});

describe('counts of a range are rejected', () => {
  /** Creates an unfinished run, whose manifest does not list the hashes of parts. */
  async function unfinished(): Promise<string> {
    const folder = place();
    await share(folder, 1, 1);
    return folder;
  }

  test('if a byte of the file was changed', async () => {
    const folder = await unfinished();
    const bytes = readFileSync(join(folder, PART));
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(join(folder, PART), bytes);
    await expect(into(folder, { resume: true })).rejects.toThrow(`${PART} cannot be read: `);
  });

  test('if they have an additional battle, another outcome, or an impossible value', async () => {
    const folder = await unfinished();
    const store = await storeOf(folder);
    const read = () => store.read({ from: 2033, to: 3033 });
    const write = async (change: (counts: Awaited<ReturnType<typeof read>>) => void): Promise<void> => {
      const counts = await store.read({ from: 3033, to: 4033 });
      change(counts);
      await store.write({ from: 2033, to: 3033 }, counts);
    };
    await write((counts) => {
      counts.outcomes[0] = (counts.outcomes[0] ?? 0) + 1;
    });
    await expect(read()).rejects.toThrow('it has counts of 1001 battles, not 1000');
    await write(({ outcomes }) => {
      [outcomes[0], outcomes[1]] = [(outcomes[0] ?? 0) + 1, (outcomes[1] ?? 0) - 1];
    });
    await expect(read()).rejects.toThrow(/the values of .* with .* sum to \d+, not to \d+$/s);
    await write(({ metrics: [first] }) => {
      if (first !== undefined) first.low += 100_000;
    });
    await expect(read()).rejects.toThrow('is impossible');
  });

  test('if their digest does not match, even with a valid checksum', async () => {
    const folder = await unfinished();
    const text = readFileSync(join(folder, PART), 'latin1').replace(
      /"digest":"[0-9a-f]{64}/,
      `"digest":"${'f'.repeat(64)}`,
    );
    const open = text.replace(/"seal":"[0-9a-f]{64}/, `"seal":"${'0'.repeat(64)}`);
    const seal = createHash('sha256').update(open, 'latin1').digest('hex');
    writeFileSync(join(folder, PART), open.replace(/"seal":"0{64}/, `"seal":"${seal}`), 'latin1');
    const own = await storeOf(folder);
    await expect(own.read({ from: 2033, to: 3033 })).rejects.toThrow('its digest does not match its counts');
  });

  test('if they are of another range, seed, engine or scenario', async () => {
    const folder = await unfinished();
    const own = await storeOf(folder);
    const [range, other] = [
      { from: 2033, to: 3033 },
      { from: 3033, to: 4033 },
    ];
    const read = () => own.read(range);
    await own.write(other, await own.read(other));
    cpSync(join(folder, 'histograms/part-00000-3033-4033.parquet'), join(folder, PART));
    await expect(read()).rejects.toThrow(/it has .*"from":3033.*, not .*"from":2033/);
    for (const change of [{ seed: 8 }, { engine: 'sampled' }, { from: 0, battles: 4533 }] as const) {
      const another = place();
      await share(another, 1, 1, change);
      const file = readdirSync(join(another, 'histograms'))[2] ?? '';
      cpSync(join(another, 'histograms', file), join(folder, PART));
      await expect(read(), JSON.stringify(change)).rejects.toThrow('it belongs to another sweep');
    }
    const hard = place();
    const scenario = validateScenario({ ...DUEL, attacker: { ...SIDE, hp: 10 } });
    await simulate(scenario, { out: hard, ...ASKED, pool: HERE, shard: { index: 1, of: 1 } });
    cpSync(join(hard, PART), join(folder, PART));
    await expect(read()).rejects.toThrow('it belongs to another sweep');
  });

  test('if a complete run lists other bytes, or the file is missing', async () => {
    const folder = place();
    await into(folder);
    const own = await storeOf(folder);
    const [range, other] = [
      { from: 2033, to: 3033 },
      { from: 3033, to: 4033 },
    ];
    await own.write(range, await own.read(other));
    await expect(own.read(range)).rejects.toThrow(/its SHA-256 differs from the manifest|it has \d+ bytes/);
    rmSync(join(folder, PART));
    await expect(own.read(range)).rejects.toThrow(`${PART} cannot be read: it is missing`);
  });
});

describe('ranges', () => {
  test('of a run are limited in number', () => {
    expect(rangeSizeOf(DUEL, 1e11)).toBe(2 ** 28);
    for (const to of [1, 1e6, 1e9, 1e11, 1e12, 2 ** 53]) {
      const run = { from: 0, to, rangeSize: rangeSizeOf(DUEL, to) };
      expect(countRanges(run)).toBeLessThanOrEqual(RANGES_MAX);
      expect(countRanges(run)).toBeGreaterThanOrEqual(1);
    }
  });

  test('split an interval of battles at their ends', () => {
    const run = { from: 5, to: 100, rangeSize: 10 };
    expect([...cutAt(run, { from: 12, to: 30 })]).toEqual([
      { from: 12, to: 15 },
      { from: 15, to: 25 },
      { from: 25, to: 30 },
    ]);
    expect([...cutAt(run, run)]).toHaveLength(countRanges(run));
  });

  test('of 10^11 battles are planned without simulation', async () => {
    const folder = place();
    const prepared = await createStore(DUEL, folder, { battles: 1e11, seed: 7 });
    expect(prepared).toMatchObject({ parts: 373, from: 0, to: 1e11 });
    expect(statSync(join(folder, 'manifest.json')).size).toBeLessThan(4000);
    expect(await createStore(DUEL, folder, { battles: 1e11, seed: 7 })).toEqual(prepared);
  });
});
