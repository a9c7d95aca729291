/** Tests of parts in an object store: the requests of S3Parts and its reactions to faults. */
import { describe, expect, test } from 'vitest';
import { InputError, RunError } from '../../src/core/errors.ts';
import { hashSha256, PartConflictError } from '../../src/storage/cluster/part-storage.ts';
import { createS3Key, loadSdk, parseS3Location } from '../../src/storage/cluster/s3-client.ts';
import type { S3Parts } from '../../src/storage/cluster/s3-parts.ts';
import { DEPTH } from '../depth.ts';
import { eachWithS3 } from './s3-place.ts';
import { type Asked, page, type S3Server } from './s3-server.ts';

const PART = 'table/part-00012.parquet';
const KEY = `some/prefix/${PART}`;
const bytes = new TextEncoder().encode('what a part has');

let server: S3Server;
let parts: S3Parts;
let notes: string[];

eachWithS3(
  's3://bucket/some/prefix',
  (aServer, itsParts) => {
    server = aServer;
    parts = itsParts;
    notes = [];
  },
  { onNote: (text) => notes.push(text) },
);

const messageOf = (what: Promise<unknown>): Promise<string> =>
  what.then(
    () => 'nothing',
    (error: unknown) => (error instanceof RunError ? error.message : `no RunError: ${String(error)}`),
  );

/** Injects a fault into the first matching requests. */
function failing(times: number, fault: ReturnType<S3Server['fault']>, which = (_: Asked): boolean => true): void {
  let left = times;
  server.fault = (options) => (which(options) && left-- > 0 ? fault : undefined);
}

describe('an object store with conditional writes', () => {
  test('stores, finds and reads a part under the prefix, with its SHA-256 in the metadata', async () => {
    expect(await parts.find(PART)).toBe(undefined);
    await parts.put(PART, bytes);
    const sha256 = hashSha256(bytes);
    expect(server.objects.get(KEY)?.headers).toEqual({ 'x-amz-meta-sha256': sha256 });
    expect(await parts.find(PART)).toEqual({ bytes: bytes.length, sha256 });
    expect(hashSha256(await parts.read(PART))).toBe(sha256);
    expect(notes).toEqual([]);
  });

  test('receives conditions with every put, and the first object twice to test them', async () => {
    await parts.put(PART, bytes);
    await parts.put('table/part-00013.parquet', bytes);
    const puts = server.log.filter(({ method }) => method === 'PUT');
    expect(puts.map(({ key, conditional }) => [key.slice(-10), conditional])).toEqual([
      ['12.parquet', true],
      ['12.parquet', true],
      ['13.parquet', true],
    ]);
  });

  test('accepts the same bytes again and rejects other bytes as a conflict', async () => {
    await parts.put(PART, bytes);
    await parts.put(PART, bytes);
    const other = new TextEncoder().encode('something else');
    const put = parts.put(PART, other);
    await expect(put).rejects.toThrow(PartConflictError);
    await expect(put).rejects.toThrow(
      `s3://bucket/${KEY} exists with other bytes: SHA-256 ${hashSha256(bytes)}, not ${hashSha256(other)}`,
    );
    expect(server.objects.get(KEY)?.bytes).toEqual(Buffer.from(bytes));
  });

  test('compares existing parts by their bytes and checks the hash in the metadata', async () => {
    server.set(KEY, 'others', { 'x-amz-meta-sha256': hashSha256(bytes) });
    expect(await messageOf(parts.put(PART, bytes))).toBe(
      `s3://bucket/${KEY} cannot be read: its SHA-256 does not match its metadata`,
    );
    server.set(KEY, bytes);
    await parts.put(PART, bytes);
  });

  test('reads an object without a hash in the metadata to compute it', async () => {
    server.set(KEY, bytes, { 'x-amz-meta-sha256': 'none' });
    expect(await parts.find(PART)).toEqual({ bytes: bytes.length, sha256: hashSha256(bytes) });
    expect(server.count('GET')).toBe(1);
  });
});

describe('an object store without conditional writes', () => {
  test.each(['unknown', 'ignored'] as const)(
    'with conditions %s is reported once, and each part is checked before and after the put',
    async (conditions) => {
      server.conditions = conditions;
      await parts.put(PART, bytes);
      await parts.put('table/part-00013.parquet', bytes);
      expect(notes).toEqual([
        expect.stringMatching(/^s3:\/\/bucket\/some\/prefix: this store has no conditional writes/),
      ]);
      expect(server.objects.size).toBe(2);
      expect(server.log.at(-1)).toMatchObject({ method: 'GET', key: 'some/prefix/table/part-00013.parquet' });
      await expect(parts.put(PART, new Uint8Array(3))).rejects.toThrow(PartConflictError);
      expect(server.objects.get(KEY)?.bytes.length).toBe(bytes.length);
    },
  );

  test('reports a conflict if another writer stores the part in the meantime', async () => {
    server.conditions = 'unknown';
    server.fault = ({ method }) => {
      if (method === 'GET') server.set(KEY, 'others');
      return undefined;
    };
    await expect(parts.put(PART, bytes)).rejects.toThrow(PartConflictError);
  });
});

describe('faults of requests', () => {
  test.each([
    ['500', { status: 500, code: 'InternalError' }],
    ['no answer', 'no answer' as const],
  ])('%s, twice: requests are sent again', async (_, fault) => {
    failing(2, fault);
    await parts.put(PART, bytes);
    failing(2, fault);
    expect((await parts.read(PART)).length).toBe(bytes.length);
    failing(2, fault);
    expect([...(await parts.list()).files]).toEqual([[PART, bytes.length]]);
  });

  test('503 SlowDown: the request is sent again', async () => {
    server.set(KEY, bytes);
    failing(1, { status: 503, code: 'SlowDown' });
    expect((await parts.read(PART)).length).toBe(bytes.length);
    expect(server.count('GET')).toBe(2);
  });

  test('a lost response to a put: the part is stored once', async () => {
    failing(1, 'lost answer', ({ method }) => method === 'PUT');
    await parts.put(PART, bytes);
    expect(server.objects.size).toBe(1);
  });

  test('409 ConditionalRequestConflict: the put is sent again', async () => {
    failing(1, { status: 409, code: 'ConditionalRequestConflict' }, ({ method }) => method === 'PUT');
    await parts.put(PART, bytes);
    expect(server.objects.size).toBe(1);
  });

  test.runIf(DEPTH > 1)('an interrupted object is requested again, at most four times in total', async () => {
    server.set(KEY, bytes);
    failing(2, 'half');
    expect((await parts.read(PART)).length).toBe(bytes.length);
    failing(100, 'half');
    expect(await messageOf(parts.read(PART))).toMatch(/cannot be read: (aborted|the connection was lost)/);
    expect(server.count('GET')).toBe(7);
  });

  test.each([
    [{ status: 500, code: 'InternalError' }, /cannot be read: 500 .*InternalError/],
    [{ status: 403, code: 'AccessDenied' }, /cannot be read: 403 .*s3:GetObject, s3:PutObject, s3:ListBucket\)$/],
    [{ status: 403, code: 'SignatureDoesNotMatch' }, /the secret key does not match the access key/],
    [{ status: 404, code: 'NoSuchKey' }, /is missing$/],
    [{ status: 404, code: 'NoSuchBucket' }, /cannot be read: 404 .*NoSuchBucket$/],
  ])('a persistent error is reported: %j', async (fault, message) => {
    failing(100, fault);
    expect(await messageOf(parts.read(PART))).toMatch(message);
  });

  test('an object that is too large is not read', async () => {
    server.objects.set(KEY, { bytes, headers: {}, announced: 2 ** 40 });
    expect(await messageOf(parts.read(PART))).toBe(
      `s3://bucket/${KEY} cannot be read: it has more than 536870912 bytes`,
    );
    expect(server.count('GET')).toBe(1);
  });
});

describe('listings', () => {
  test('are read page by page, and invalid names are returned as strays', async () => {
    server.pageSize = 2;
    const names = Array.from({ length: 7 }, (_, k) => `table/part-0000${String(k)}.parquet`);
    for (const name of names) server.set(`some/prefix/${name}`, bytes);
    for (const name of ['notes.txt', 'a b&<c>', 'deep/er/part-00000.parquet', 'table/../x.parquet'])
      server.set(`some/prefix/${name}`, bytes);
    server.set('elsewhere/table/part-00009.parquet', bytes);
    const { files, strays } = await parts.list();
    expect([...files.keys()].sort()).toEqual(['notes.txt', ...names]);
    expect([...strays].sort()).toEqual([
      'some/prefix/a b&<c>',
      'some/prefix/deep/er/part-00000.parquet',
      'some/prefix/table/../x.parquet',
    ]);
    expect(server.count('GET')).toBe(6);
  });

  test('return keys outside of the prefix as strays', async () => {
    const keys = [
      `../../${PART}`,
      `/${PART}`,
      `some/prefix/../${PART}`,
      `some/prefix/${PART}\0`,
      `other/prefix/${PART}`,
    ];
    server.listing = () => page(keys.map((key) => [key, 1]));
    const { files, strays } = await parts.list();
    expect([...files]).toEqual([]);
    expect(strays).toEqual(keys);
  });

  test.runIf(DEPTH > 1)('without an end or with invalid content are rejected', async () => {
    server.listing = (token = '0') => page([], String(Number(token) + 1));
    expect(await messageOf(parts.list())).toMatch(/cannot be listed: too many empty pages$/);
    server.listing = () => page([]).replace('false', 'true');
    expect(await messageOf(parts.list())).toMatch(/a page has no continuation token/);
    server.listing = () => 'no listing';
    expect(await messageOf(parts.list())).toMatch(/^s3:\/\/bucket\/some\/prefix cannot be listed: /);
  });
});

describe('locations and keys', () => {
  test.each([
    ['s3://bucket', '', 's3://bucket'],
    ['s3://my.bucket-1/', '', 's3://my.bucket-1'],
    ['s3://bucket/a/b_c.d-e/', 'a/b_c.d-e/', 's3://bucket/a/b_c.d-e'],
  ])('%s is a location', (url, prefix, shown) => {
    expect(parseS3Location(url)).toMatchObject({ prefix, url: shown });
  });

  test.each([
    ['folder', /expected s3:\/\/bucket or s3:\/\/bucket\/prefix/],
    ['s3://', /the name of a bucket/],
    ['s3://Bucket', /the name of a bucket/],
    ['s3://a_bucket', /the name of a bucket/],
    ['s3://bu', /the name of a bucket/],
    ['s3://bucket..x', /the name of a bucket/],
    ['s3://10.0.0.1/x', /the name of a bucket/],
    ['s3://bucket?x=1', /the name of a bucket/],
    ['s3://bucket/a//b', /a prefix of words/],
    ['s3://bucket/../other', /a prefix of words/],
    ['s3://bucket/a b', /a prefix of words/],
    ['s3://bucket/a%2Fb', /a prefix of words/],
    [`s3://bucket/${'a'.repeat(801)}`, /a prefix of words/],
  ])('%s is rejected', (url, message) => {
    expect(() => parseS3Location(url)).toThrow(InputError);
    expect(() => parseS3Location(url)).toThrow(message);
  });

  test('credentials in a location are rejected and not repeated in the message', () => {
    expect(() => parseS3Location('s3://key:secret@bucket/x')).toThrow(
      '--store: expected s3://bucket or s3://bucket/prefix, without credentials, found an @ in it',
    );
  });

  test.each([
    '../x.parquet',
    'table/../x.parquet',
    '/etc/passwd',
    'table/',
    'a/b/c.parquet',
    'TABLE/x.parquet',
    '.hidden',
    'x',
    '',
    'a\0.b',
    'con.',
  ])('%j is rejected as the name of a part', async (name) => {
    expect(() => createS3Key(parseS3Location('s3://bucket'), name)).toThrow(InputError);
    await expect(parts.put(name, bytes)).rejects.toThrow(InputError);
    await expect(parts.read(name)).rejects.toThrow(InputError);
    expect(server.log).toEqual([]);
  });

  test('loadSdk names the package to install if it is missing', async () => {
    const missing = Object.assign(new Error("Cannot find package '@aws-sdk/client-s3'"), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    await expect(loadSdk('s3://bucket', () => Promise.reject(missing))).rejects.toThrow(
      's3://bucket: expected the package @aws-sdk/client-s3 next to warpool: npm install @aws-sdk/client-s3, found none',
    );
    const other = new Error('another fault of the package');
    await expect(loadSdk('s3://bucket', () => Promise.reject(other))).rejects.toBe(other);
  });
});
