/** Tests of addresses, builds, ranges and parts in folders, which need no server. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { addGames } from '../../src/rules/load-systems.ts';
import { SystemRegistry } from '../../src/rules/registry.ts';
import { type Counts, getBattleCount } from '../../src/stats/counts.ts';
import { computeBuildId, createBuild, createBuilds, listBuildDifferences } from '../../src/storage/cluster/build.ts';
import { jobSchema, resultSchema } from '../../src/storage/cluster/job.ts';
import { MissingWorkersNotice } from '../../src/storage/cluster/job-dispatcher.ts';
import { FolderParts, hashSha256, PartConflictError } from '../../src/storage/cluster/part-storage.ts';
import { createRedisAddress, RedisConnection } from '../../src/storage/cluster/redis-connection.ts';
import { RangeQueue } from '../../src/storage/cluster/remote-run.ts';
import { WorkerAudit } from '../../src/storage/cluster/remote-work.ts';
import { place } from '../store/folders.ts';

describe('Redis addresses', () => {
  test('contain host, port, database, user, password and TLS options', () => {
    const plain = createRedisAddress('redis://head', 'secret', '--queue');
    expect(plain).toMatchObject({ host: 'head', port: 6379, db: 0, password: 'secret' });
    expect(plain).not.toHaveProperty('tls');
    expect(plain).not.toHaveProperty('username');
    const full = createRedisAddress('rediss://la%40b@[::1]:7000/3', undefined, '--queue');
    expect(full).toMatchObject({ host: '::1', port: 7000, db: 3, username: 'la@b' });
    expect(full.tls).toEqual({});
    const certificate = { cert: 'c', key: 'k' };
    const named = createRedisAddress('rediss://head', undefined, '--queue', certificate);
    expect(named.tls).toEqual({ servername: 'head', ...certificate });
    expect(createRedisAddress('redis://head', undefined, '--queue', certificate)).not.toHaveProperty('tls');
    expect(full).not.toHaveProperty('password');
  });

  test.each([
    ['head:6379', '--queue: expected redis://'],
    ['nothing', '--queue: expected a URL such as redis://host:6379, found "nothing"'],
    [
      'http://head',
      '--queue: expected redis://[user@]host[:port][/database], or rediss:// for TLS, found "http://head"',
    ],
    ['redis://', '--queue: expected redis://'],
    ['redis://head/x', 'found the path /x'],
    ['redis://head/0?tls=1', '--queue: expected redis://'],
    ['redis://user:pw@head', 'WARPOOL_REDIS_PASSWORD or --password-file, found one in the URL'],
  ])('%s is rejected', (url, message) => {
    expect(() => createRedisAddress(url, undefined, '--queue')).toThrow(message);
    try {
      createRedisAddress(url, undefined, '--queue');
    } catch (error) {
      expect(String(error)).not.toContain(':pw');
    }
  });

  test('without a server are reported with the connection error', async () => {
    await expect(RedisConnection.open('redis://127.0.0.1:1')).rejects.toThrow(
      '127.0.0.1:1 cannot be used as a queue: connect ECONN',
    );
  });
});

describe('builds', () => {
  const module = { url: 'file:///own.js', hash: 'a'.repeat(64) };
  const [first] = SHIPPED_REGISTRY.all;
  const own = first === undefined ? [] : [{ ...first, id: 'own' }];
  const registry = new SystemRegistry([...SHIPPED_REGISTRY.all, ...own], new Map([['own', module]]));

  test('createBuilds returns one build for shipped systems, one for all games, one per custom system', async () => {
    const [shipped, games, mine] = await createBuilds(registry);
    expect(shipped).toEqual(await createBuild('attrition', registry));
    expect(mine).toEqual(await createBuild('own', registry));
    expect(mine?.system).toBe(`own ${module.hash}`);
    expect(await createBuilds(SHIPPED_REGISTRY)).toEqual([shipped, games]);
    expect(new Set([shipped, games, mine].map((build) => build && computeBuildId(build))).size).toBe(3);
    const simulated = await addGames(SHIPPED_REGISTRY, ['conquest-dice', 'block-dice']);
    for (const id of ['conquest-dice', 'block-dice']) expect(await createBuild(id, simulated)).toEqual(games);
    expect(await createBuilds(simulated)).toEqual([shipped, games]);
  });

  test('a custom system with the name of a game has a separate build', async () => {
    const like = first === undefined ? [] : [{ ...first, id: 'conquest-dice' }];
    const mine = new SystemRegistry([...SHIPPED_REGISTRY.all, ...like], new Map([['conquest-dice', module]]));
    expect((await createBuild('conquest-dice', mine)).system).toBe(`conquest-dice ${module.hash}`);
    expect((await createBuilds(mine)).length).toBe(3);
  });

  test.each(['ruleset', 'kernels', 'writer', 'node', 'arch', 'system'] as const)(
    'a different %s is a different build',
    async (key) => {
      const needed = await createBuild('attrition', SHIPPED_REGISTRY);
      const found = { ...needed, [key]: 'b'.repeat(64) };
      expect(computeBuildId(found)).not.toBe(computeBuildId(needed));
      expect(listBuildDifferences(needed, found)).toEqual([expect.stringMatching(/: bbbbbbbb, here /)]);
      expect(listBuildDifferences(needed, needed)).toEqual([]);
    },
  );
});

test('MissingWorkersNotice reports that no worker has this build, and how other builds differ', async () => {
  const needed = await createBuild('attrition', SHIPPED_REGISTRY);
  const notes: string[] = [];
  const lonely = new MissingWorkersNotice('head:6379', needed, (text) => void notes.push(text));
  const base = { host: 'two', pid: 1, threads: 1, store: false, since: 0, jobs: 0, failed: 0, busy: 0 };
  const other = { ...base, id: 'two-1-0a', builds: [{ ...needed, node: '99' }] };
  const now = performance.now();
  lonely.update(false, [other], now);
  expect(notes).toEqual([]);
  lonely.update(false, [other], now + 10_000);
  lonely.update(false, [other], now + 12_000);
  expect(notes).toEqual([
    'no worker of this build is connected to head:6379; start workers with "warpool worker"',
    `worker two-1-0a has another build (Node.js major version: 99, here ${needed.node}); its results might differ`,
  ]);
  lonely.update(true, [other], now + 100_000);
  lonely.update(false, [other], now + 103_000);
  expect(notes.length).toBe(2);
});

describe('RangeQueue', () => {
  const shape = { outcomes: ['won'], metrics: [] };
  const counts = (battles: number): Counts => ({ outcomes: new Float64Array([battles]), metrics: [] });

  function taken(ranges: RangeQueue, threads = 2): { from: number; to: number } {
    const range = ranges.nextRange(threads);
    if (range === undefined) throw new Error('none is left');
    return range;
  }

  test('covers a run without a gap after ranges are put back or undone', () => {
    const ranges = new RangeQueue({ from: 5, to: 30_000_000 }, 'kernel');
    const lost = taken(ranges);
    ranges.putBack(lost);
    for (let range = ranges.nextRange(2), k = 0; range !== undefined; range = ranges.nextRange(2), k++) {
      ranges.count(range, counts(range.to - range.from), k % 2 === 0 ? 'liar' : 'honest');
      ranges.recordTime(range, 100);
      if (k === 6) for (const back of ranges.undo('liar')) ranges.putBack(back);
    }
    expect(ranges.battles).toBe(30_000_000 - 5);
    const { from, to, counts: sum } = ranges.sum(shape);
    expect([from, to, getBattleCount(sum)]).toEqual([5, 30_000_000, 30_000_000 - 5]);
  });

  test('sums the counts up to the first gap', () => {
    const ranges = new RangeQueue({ from: 0, to: 10_000_000 }, 'kernel');
    const [first, second, third] = [taken(ranges), taken(ranges), taken(ranges)];
    ranges.count(first, counts(first.to), 'a');
    ranges.count(third, counts(third.to - third.from), 'a');
    expect(ranges.sum(shape).to).toBe(first.to);
    ranges.count(second, counts(second.to - second.from), 'a');
    expect(ranges.sum(shape).to).toBe(third.to);
  });

  test('keeps confirmed and replaced ranges on undo, and counts no range twice', () => {
    const ranges = new RangeQueue({ from: 0, to: 3 * 2 ** 20 }, 'kernel');
    const [first, second, third] = [taken(ranges), taken(ranges), taken(ranges)];
    for (const range of [first, second, third]) ranges.count(range, counts(range.to - range.from), 'liar');
    ranges.confirm(first);
    for (const back of ranges.undo('liar')) ranges.putBack(back);
    ranges.replace(second, counts(second.to - second.from));
    ranges.count(second, counts(second.to - second.from), 'late');
    expect(ranges.nextRange(2)).toEqual(third);
    expect(ranges.nextRange(2)).toBeUndefined();
    expect(ranges.battles).toBe(2 ** 21);
  });

  test('sizes ranges by the measured time of earlier ranges', () => {
    const ranges = new RangeQueue({ from: 0, to: 10 ** 12 }, 'kernel');
    const first = taken(ranges);
    expect(first.to - first.from).toBe(2 ** 20);
    ranges.count(first, counts(2 ** 20), 'a');
    ranges.recordTime(first, 100);
    const second = taken(ranges);
    expect(second.to - second.from).toBe(Math.round((2000 * 2 ** 20) / 100));
  });
});

describe('FolderParts', () => {
  test('accepts the same part twice and rejects other bytes as a conflict', async () => {
    const folder = place();
    mkdirSync(join(folder, 'table'), { recursive: true });
    const parts = new FolderParts(folder);
    const [file, bytes] = ['table/part-00003.parquet', new Uint8Array([1, 2, 3])];
    expect(await parts.find(file)).toBeUndefined();
    await parts.put(file, bytes);
    await parts.put(file, bytes);
    expect(await parts.find(file)).toEqual({ bytes: 3, sha256: hashSha256(bytes) });
    await expect(parts.put(file, new Uint8Array([4]))).rejects.toBeInstanceOf(PartConflictError);
    expect([...(await parts.read(file))]).toEqual([1, 2, 3]);
  });

  test.each(['manifest.json', '../secret', 'table/../../x', '/etc/passwd', 'table/part-3.parquet'])(
    'rejects %s, which is not the name of a part',
    async (file) => {
      writeFileSync(join(place().replace(/store-\d+$/, ''), 'secret'), 'x');
      await expect(new FolderParts(place()).read(file)).rejects.toThrow('is not the name of a part');
    },
  );
});

describe('schemas of jobs and results', () => {
  test.each([
    [jobSchema, { kind: 'cells', plan: '../x', segments: [1], deliver: 'any' }],
    [jobSchema, { kind: 'cells', plan: 'a'.repeat(64), segments: [-1], deliver: 'any' }],
    [jobSchema, { kind: 'cells', plan: 'a'.repeat(64), segments: [1], deliver: 'any', code: 'x' }],
    [resultSchema, { kind: 'cells', worker: '../x', ms: 1, segments: [] }],
    [resultSchema, { kind: 'battles', worker: 'a', ms: 1, player: 'kernel', outcomes: [-1], metrics: [] }],
    [resultSchema, { kind: 'battles', worker: 'a', ms: 1, player: 'kernel', outcomes: [0.5], metrics: [] }],
  ])('reject invalid value %#', (schema, value) => {
    expect(schema.safeParse(value).success).toBe(false);
  });
});

describe('WorkerAudit', () => {
  const facts = { pid: 1, threads: 1, builds: [], store: false, since: 0, jobs: 0, failed: 0, busy: 0 };
  const workers = [
    { ...facts, id: 'a', host: 'one' },
    { ...facts, id: 'b', host: 'one' },
    { ...facts, id: 'c', host: 'two' },
  ];

  test('chooses a worker of another machine if possible, never an excluded one, sometimes the coordinator', async () => {
    const redis = { set: () => Promise.resolve('OK') };
    const trust = new WorkerAudit({ redis } as never, 0, undefined);
    // The coordinator repeats one job in four. The probability that 400 draws lack either kind is below 1e-49.
    const others = (): Set<string | undefined> =>
      new Set(Array.from({ length: 400 }, () => trust.chooseOtherWorker({ workers }, 'a')));
    expect(others()).toEqual(new Set(['c', undefined]));
    await trust.quarantine('c', 'it lied');
    expect(others()).toEqual(new Set(['b', undefined]));
    await trust.quarantine('b', 'it lied');
    expect(others()).toEqual(new Set([undefined]));
    expect(trust.quarantined).toEqual(['c', 'b']);
  });

  test('selects none, all, or about half of the jobs', () => {
    const share = (audit: number): number => {
      const trust = new WorkerAudit(undefined as never, audit, undefined);
      return Array.from({ length: 2000 }, () => trust.isSelected()).filter(Boolean).length / 2000;
    };
    expect(share(0)).toBe(0);
    expect(share(1)).toBe(1);
    // 2000 draws with probability 0.5 are outside of this range once in 10^10 times.
    expect(Math.abs(share(0.5) - 0.5)).toBeLessThan(0.075);
  });
});
