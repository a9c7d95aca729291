/** One run, range by range, in a folder: it gives what `simulate` gives, however often it was killed. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { type SimulationResult, simulate } from '../../src/studies/simulate.ts';
import { prepareRun, simulateInto } from '../../src/work/tallies/into.ts';
import { cutAt, RANGES_MAX, RUNS, rangeSizeOf, rangesIn } from '../../src/work/tallies/manifest.ts';
import { RunStore, readTally, writeTally } from '../../src/work/tallies/store.ts';
import { some } from '../depth.ts';
import { ASKED, DUEL, forge, HERE, into, mortal, place, share } from './folders.ts';

const { rangeSize: _size, ...PLAIN } = ASKED;
const single = await simulate(DUEL, PLAIN);

const SIDE = (DUEL as unknown as { attacker: object }).attacker;
const PART = 'tallies/part-00002-2033-3033.parquet';

/** What does not depend on time and threads. */
function lasting({ elapsedSeconds: _time, workers: _threads, player: _player, ...rest }: SimulationResult): object {
  return JSON.parse(JSON.stringify({ ...rest, tally: [...rest.tally.outcomes] })) as object;
}

const partsIn = (folder: string): string[] => readdirSync(join(folder, 'tallies')).sort();

describe('a run into a folder', () => {
  test('gives what simulate gives, and says so in run.json', async () => {
    const folder = place();
    const { result, manifest, parts, before } = await into(folder);
    expect(lasting(result)).toEqual(lasting(single));
    expect({ parts, before }).toEqual({ parts: 5, before: 0 });
    expect(manifest).toMatchObject({ complete: true, from: 33, to: 4533, end: 4533, digest: single.digest });
    expect(await RUNS.read(folder)).toEqual(manifest);
    expect(partsIn(folder)[4]).toBe('part-00004-4033-4533.parquet');
    expect(existsSync(join(folder, 'lock'))).toBe(false);
  });

  test('a range says its digest, which is that of a run of its battles', async () => {
    const folder = place();
    const store = new RunStore(folder, (await into(folder)).manifest);
    const range = { from: 2033, to: 3033 };
    const own = await simulate(DUEL, { seed: 7, from: 2033, battles: 1000 });
    expect((await store.read(range)).outcomes).toEqual(own.tally.outcomes);
    expect(readFileSync(join(folder, PART), 'latin1')).toContain(`"digest":"${own.digest}"`);
  });

  test('killed again and again, it goes on to the same bytes', async () => {
    const [folder, whole] = [place(), place()];
    await expect(into(folder, { pool: mortal(1) })).rejects.toThrow('killed');
    expect(partsIn(folder)).toHaveLength(1);
    await expect(into(folder)).rejects.toThrow('an unfinished run; option resume continues it');
    const second = mortal(2);
    await expect(into(folder, { pool: second, mode: 'resume' })).rejects.toThrow('killed');
    expect({ played: second.played, parts: partsIn(folder).length }).toEqual({ played: 3, parts: 3 });
    const { result, before } = await into(folder, { mode: 'resume' });
    expect({ digest: result.digest, before }).toEqual({ digest: single.digest, before: 3000 });
    await into(whole);
    for (const file of ['run.json', ...partsIn(whole).map((name) => join('tallies', name))])
      expect(readFileSync(join(folder, file)), file).toEqual(readFileSync(join(whole, file)));
  });

  test('tells progress of what is not there yet', async () => {
    const folder = place();
    await expect(into(folder, { pool: mortal(3) })).rejects.toThrow('killed');
    const told: { done: number; asked: number }[] = [];
    await into(folder, { mode: 'resume', onProgress: (progress) => told.push(progress) });
    expect(told.at(-1)).toEqual({ done: 1500, asked: 1500 });
  });

  test('a signal leaves whole ranges, and the result is that of the battles that were played', async () => {
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

  test('all that is there is read, not played', async () => {
    const folder = place();
    await into(folder);
    for (const mode of ['new', 'resume'] as const) {
      const { result, before } = await into(folder, { mode, pool: mortal(0) });
      expect({ digest: result.digest, before }).toEqual({ digest: single.digest, before: 4500 });
    }
  });

  test('by the rules as written, and drawn from the law', async () => {
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
  )('ends where simulate ends with a precision of %s', async (_of, rangeSize, precision) => {
    const folder = place();
    const asked = { seed: 3, ...precision };
    const due = await simulate(DUEL, asked);
    const options = { ...asked, rangeSize, pool: HERE };
    await expect(simulateInto(folder, DUEL, { ...options, pool: mortal(2) })).rejects.toThrow('killed');
    const { result, manifest } = await simulateInto(folder, DUEL, { ...options, mode: 'resume' });
    expect(lasting(result)).toEqual(lasting(due));
    expect(manifest).toMatchObject({ complete: true, end: due.to, digest: due.digest });
    const again = await simulateInto(folder, DUEL, { ...options, mode: 'resume', pool: mortal(0) });
    expect(again.result.stopping).toEqual(due.stopping);
  });
});

describe('a folder is refused', () => {
  test('if it has another run, and what differs is told', async () => {
    const folder = place();
    await into(folder);
    const other = validateScenario({ ...DUEL, attacker: { ...SIDE, hp: 10 } });
    await expect(simulateInto(folder, other, { ...ASKED, pool: HERE, mode: 'resume' })).rejects.toThrow(
      /expected the run that it was made for, found another one:\n {2}scenario\.attacker\.hp: 9 in the store, 10 asked for/,
    );
    await expect(into(folder, { seed: 8 })).rejects.toThrow('seed: "7" in the store, "8" asked for');
    await expect(into(folder, { battles: 4501 })).rejects.toThrow('battles: 4500 in the store, 4501 asked for');
    await expect(into(folder, { rangeSize: 999 })).rejects.toThrow('rangeSize: 1000 in the store, 999 asked for');
    await expect(into(folder, { engine: 'sampled' })).rejects.toThrow('sampled: false in the store, true asked for');
    // The same battles by another player are the same run; so is one that does not say how it is cut.
    expect((await into(folder, { engine: 'reference' })).before).toBe(4500);
    expect((await simulateInto(folder, DUEL, { ...PLAIN, pool: HERE })).before).toBe(4500);
  });

  test('if something else is in it, or there is nothing to go on with', async () => {
    const folder = place();
    await expect(into(folder, { mode: 'resume' })).rejects.toThrow('expected a run to go on with, found no run.json');
    writeFileSync(join(folder, 'notes.txt'), '');
    await expect(into(folder)).rejects.toThrow('expected a new or an empty folder, found notes.txt in it');
    const parts = place();
    await into(parts);
    rmSync(join(parts, 'run.json'));
    await expect(into(parts)).rejects.toThrow('part-00000-33-1033.parquet without a run.json in it');
  });

  test.each<[string, (run: Record<string, unknown>) => object, RegExp]>([
    ['another format', (run) => ({ ...run, format: 2 }), /expected format 1, found 2, of another version/],
    ['another ruleset', (run) => ({ ...run, ruleset: '1' }), /expected ruleset "?4"?, found ruleset "1"/],
    ['another seed', (run) => ({ ...run, seed: '99999999999999999999' }), /seed: expected an integer 0\.\./],
    ['another end', (run) => ({ ...run, to: 4532 }), /to: expected 4533, as the rest of it has it, found 4532/],
    [
      'another scenario',
      (run) => ({ ...run, scenario: { ...DUEL, attacker: { ...SIDE, hp: 10 } } }),
      /scenarioHash: expected/,
    ],
    ['no ranges', (run) => ({ ...run, rangeSize: 0 }), /rangeSize: expected at most 10000 ranges, found 0/],
    [
      'a part left out',
      (run) => ({ ...run, parts: (run['parts'] as []).slice(1) }),
      /expected the part from battle 33/,
    ],
    ['no digest', ({ digest: _, ...run }) => run, /digest: expected a value, for the run is complete/],
    ['an unknown field', (run) => ({ ...run, note: 1 }), /note/],
  ])('if its run.json was forged: %s', async (_name, change, message) => {
    const folder = place();
    await into(folder);
    forge(folder, change);
    await expect(into(folder, { mode: 'resume' })).rejects.toThrow(message);
  });

  test('if its run.json is damaged', async () => {
    const folder = place();
    await into(folder);
    const path = join(folder, 'run.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"from": 33', '"from": 34'));
    await expect(RUNS.find(folder)).rejects.toThrow('run.json cannot be read: its seal is not that of its contents');
  });
});

describe('a tally is refused', () => {
  /** An unfinished run, of which nothing lists the bytes. */
  async function unfinished(): Promise<string> {
    const folder = place();
    await share(folder, 1, 1);
    return folder;
  }

  const store = async (folder: string): Promise<RunStore> => new RunStore(folder, await RUNS.read(folder));

  test('if a byte of it was changed', async () => {
    const folder = await unfinished();
    const bytes = readFileSync(join(folder, PART));
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(join(folder, PART), bytes);
    await expect(into(folder, { mode: 'resume' })).rejects.toThrow(`${PART} cannot be read: `);
  });

  test('if it counts a battle more, one otherwise, or one of an outcome that has none', async () => {
    const folder = await unfinished();
    const { shape, played, read } = await store(folder).then((own) => ({
      shape: own.shape,
      played: own.played({ from: 2033, to: 3033 }),
      read: () => own.read({ from: 2033, to: 3033 }),
    }));
    const write = async (change: (tally: Awaited<ReturnType<typeof read>>) => void): Promise<void> => {
      const tally = await readTally(
        folder,
        'tallies/part-00003-3033-4033.parquet',
        undefined,
        { ...played, from: 3033, to: 4033 },
        shape,
      );
      change(tally);
      await writeTally(folder, PART, played, shape, tally);
    };
    await write((tally) => {
      tally.outcomes[0] = (tally.outcomes[0] ?? 0) + 1;
    });
    await expect(read()).rejects.toThrow('it counts 1001 battles, not 1000');
    await write(({ outcomes }) => {
      [outcomes[0], outcomes[1]] = [(outcomes[0] ?? 0) + 1, (outcomes[1] ?? 0) - 1];
    });
    await expect(read()).rejects.toThrow(/^.* of .* counts \d+ battles, not \d+$/s);
    await write(({ metrics: [first] }) => {
      if (first !== undefined) first.low += 100_000;
    });
    await expect(read()).rejects.toThrow('can not be');
  });

  test('if its digest is not that of its counts, with a seal that fits', async () => {
    const folder = await unfinished();
    const text = readFileSync(join(folder, PART), 'latin1').replace(
      /"digest":"[0-9a-f]{64}/,
      `"digest":"${'f'.repeat(64)}`,
    );
    const open = text.replace(/"seal":"[0-9a-f]{64}/, `"seal":"${'0'.repeat(64)}`);
    const seal = createHash('sha256').update(open, 'latin1').digest('hex');
    writeFileSync(join(folder, PART), open.replace(/"seal":"0{64}/, `"seal":"${seal}`), 'latin1');
    const own = await store(folder);
    await expect(own.read({ from: 2033, to: 3033 })).rejects.toThrow('its digest is not that of its counts');
  });

  test('if it is of other battles: range, seed, scenario', async () => {
    const folder = await unfinished();
    const own = await store(folder);
    const [range, other] = [
      { from: 2033, to: 3033 },
      { from: 3033, to: 4033 },
    ];
    const tally = await own.read(other);
    const write = (change: object): Promise<void> =>
      writeTally(folder, PART, { ...own.played(range), ...change }, own.shape, tally);
    await write(other);
    await expect(own.read(range)).rejects.toThrow('its from is 3033, not 2033');
    await write({ seed: 8n });
    await expect(own.read(range)).rejects.toThrow('its seed is "8", not "7"');
    await write({ scenarioHash: 'f'.repeat(64) });
    await expect(own.read(range)).rejects.toThrow(/its scenarioHash is "f+", not /);
    await write({ drawn: true });
    await expect(own.read(range)).rejects.toThrow('its drawn is true, not nothing');
    await write({ systemHash: 'f'.repeat(64) });
    await expect(own.read(range)).rejects.toThrow(/its systemHash is "f+", not nothing/);
  });

  test('if a complete run lists other bytes, or the file is gone', async () => {
    const folder = place();
    await into(folder);
    const own = await store(folder);
    const [range, other] = [
      { from: 2033, to: 3033 },
      { from: 3033, to: 4033 },
    ];
    await writeTally(folder, PART, own.played(range), own.shape, await own.read(other));
    await expect(own.read(range)).rejects.toThrow(/its SHA-256 is not that of the manifest|it has \d+ bytes/);
    rmSync(join(folder, PART));
    await expect(own.read(range)).rejects.toThrow(`${PART} cannot be read: it is missing`);
  });
});

describe('ranges', () => {
  test('follow from the run: seconds of battles, and never too many', () => {
    expect(rangeSizeOf(DUEL, 1e11)).toBe(2 ** 28);
    for (const to of [1, 1e6, 1e9, 1e11, 1e12, 2 ** 53]) {
      const run = { from: 0, to, rangeSize: rangeSizeOf(DUEL, to) };
      expect(rangesIn(run)).toBeLessThanOrEqual(RANGES_MAX);
      expect(rangesIn(run)).toBeGreaterThanOrEqual(1);
    }
  });

  test('cut any battles of a run where ranges end', () => {
    const run = { from: 5, to: 100, rangeSize: 10 };
    expect([...cutAt(run, { from: 12, to: 30 })]).toEqual([
      { from: 12, to: 15 },
      { from: 15, to: 25 },
      { from: 25, to: 30 },
    ]);
    expect([...cutAt(run, run)]).toHaveLength(rangesIn(run));
  });

  test('10^11 battles are planned without a battle', async () => {
    const folder = place();
    const { parts, manifest } = await prepareRun(folder, DUEL, { battles: 1e11, seed: 7 });
    expect({ parts, to: manifest.to }).toEqual({ parts: 373, to: 1e11 });
    expect(statSync(join(folder, 'run.json')).size).toBeLessThan(4000);
    expect(await prepareRun(folder, DUEL, { battles: 1e11, seed: 7 })).toEqual({ folder, parts, manifest });
  });
});
