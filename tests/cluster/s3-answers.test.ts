/** What a store answers, in words that help: as of RADOS Gateway, whose errors have a code and no message. */
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

test('a bucket that is not there is told from a part that is not', async () => {
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
])('%s without a message', async (code, told) => {
  server.fault = () => ({ status: 403, code, silent: true });
  expect(await readFrom('s3://bucket/x')).toBe(`RunError: s3://bucket/x/${PART} cannot be read: ${told}`);
});

test('HEAD has no reason at all', async () => {
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
])('%s', (message, told) => {
  expect(createS3Error('s3://bucket', 'listed', new Error(message)).message).toMatch(told);
});
