/**
 * Tests of the messages for errors of an object store, also for errors without a message, as RADOS Gateway sends them.
 */
import { expect, test } from 'vitest';
import { createS3Error } from '../../src/storage/cluster/s3-client.ts';
import { openS3Parts } from '../../src/storage/cluster/s3-parts.ts';
import { eachWithS3 } from './s3-place.ts';
import type { S3Server } from './s3-server.ts';

const PART = 'table/part-00012.parquet';

let server: S3Server;

eachWithS3('s3://bucket/x', (aServer) => {
  server = aServer;
});

const readFrom = async (url: string): Promise<string> => {
  using parts = await openS3Parts(url);
  return await parts.read(PART).then(() => 'read', String);
};

test('a missing bucket and a missing part have different errors', async () => {
  expect(await readFrom('s3://bucket/x')).toBe(`RunError: s3://bucket/x/${PART} is missing`);
  expect(await readFrom('s3://another/x')).toMatch(
    /^RunError: s3:\/\/another\/\S+ cannot be read: 404 .*NoSuchBucket$/,
  );
});

const RIGHTS = 'required permissions: s3:GetObject, s3:PutObject, s3:ListBucket';

test.each([
  ['AccessDenied', `403 AccessDenied (${RIGHTS})`],
  ['InvalidAccessKeyId', '403 InvalidAccessKeyId (the store does not know this AWS_ACCESS_KEY_ID)'],
  [
    'SignatureDoesNotMatch',
    '403 SignatureDoesNotMatch (the secret key does not match the access key, or a clock is wrong)',
  ],
])('%s without a message is explained', async (code, reported) => {
  server.fault = () => ({ status: 403, code, silent: true });
  expect(await readFrom('s3://bucket/x')).toBe(`RunError: s3://bucket/x/${PART} cannot be read: ${reported}`);
});

test('an error of a HEAD request lists the required permissions', async () => {
  server.fault = () => ({ status: 403, code: 'AccessDenied' });
  using parts = await openS3Parts('s3://bucket/x');
  await expect(parts.find(PART)).rejects.toThrow(`cannot be looked up: 403 (${RIGHTS})`);
});

test.each([
  ['unable to verify the first certificate', /\(set NODE_EXTRA_CA_CERTS to the file/],
  [
    'write EPROTO 80:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:',
    /\(the endpoint is https:\/\/, but/,
  ],
])('%s is explained', (message, reported) => {
  expect(createS3Error('s3://bucket', 'listed', new Error(message)).message).toMatch(reported);
});
