/** Tests of commands with an object store in the place of folders. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { called } from '../cli/called.ts';
import { DEPTH } from '../depth.ts';
import { bytesOf, place, run, sweepFile } from '../store/folders.ts';
import { S3Server } from './s3-server.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/warpool.js', import.meta.url));
const TEXT = 'axes: [{ path: attacker.hp, range: [1, 6] }]\nbattles: 200\nexact: never';
const URL_OF = 's3://bucket/prefix';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program in a child process, since this process serves its requests. */
async function warpool(endpoint: string, ...args: string[]): Promise<Ended> {
  const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'us-east-1' };
  const env = { ...process.env, ...keys, AWS_ENDPOINT_URL: endpoint, AWS_MAX_ATTEMPTS: '2', NO_COLOR: '1' };
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [PROGRAM, ...args], { env })) };
  } catch (error) {
    return error as Ended;
  }
}

test('--store requires --shard or --queue, and excludes --out', async () => {
  const file = sweepFile(TEXT);
  const rejected = await Promise.all([
    called(['sweep', file, '--store', URL_OF]),
    called(['sweep', file, '--shard', '1/1', '--store', URL_OF, '--out', place()]),
    called(['sweep', file, '--shard', '1/1', '--store', 'folder']),
    called(['merge', place(), 's3://Bucket']),
  ]);
  expect(rejected.map(({ code, stderr }) => [code, stderr.trim()])).toEqual([
    [2, '--store requires --shard or --queue'],
    [2, '--store cannot be combined with --out'],
    [2, '--store: expected s3://bucket or s3://bucket/prefix, found "folder"'],
    [2, 'folders: expected the name of a bucket: 3 to 63 of a-z, 0-9, dot, hyphen, found "Bucket"'],
  ]);
});

test.runIf(DEPTH > 1)('a shard in an object store is merged into the bytes of a local sweep', async () => {
  await using server = new S3Server();
  const endpoint = await server.start();
  const file = sweepFile(TEXT);
  const shard = await warpool(
    endpoint,
    'sweep',
    file,
    '--shard',
    '1/1',
    '--store',
    URL_OF,
    '--quiet',
    '--workers',
    '1',
  );
  expect(shard).toMatchObject({ code: 0 });
  expect(shard.stdout).toMatch(/shard 1\/1 · 6 of 6 cells[\s\S]*warpool merge <folder> s3:\/\/bucket\/prefix/);
  const folder = place();
  const merged = await warpool(endpoint, 'merge', folder, URL_OF, '--json', '--quiet');
  expect(JSON.parse(merged.stdout)).toMatchObject({ complete: true, copied: 2, folder });
  const due = place();
  await run(TEXT, due);
  expect(bytesOf(folder)).toEqual(bytesOf(due));
  server.fault = () => ({ status: 403, code: 'AccessDenied' });
  const denied = await warpool(endpoint, 'merge', place(), URL_OF, '--quiet');
  expect([denied.code, denied.stderr]).toEqual([1, expect.stringContaining('required permissions: s3:GetObject')]);
});
