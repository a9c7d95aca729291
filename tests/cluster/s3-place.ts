/** Creates an object store for each test of a file, and sets the environment variables of its clients. */
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { openS3Parts, type S3Options, type S3Parts } from '../../src/storage/cluster/s3-parts.ts';
import { S3Server } from './s3-server.ts';

/** Creates a server and parts at `url` before each test, and passes them to `take`. */
export function eachWithS3(
  url: string,
  take: (server: S3Server, parts: S3Parts) => void,
  options: S3Options = {},
): void {
  let server: S3Server;
  let parts: S3Parts;
  beforeAll(() => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    vi.stubEnv('AWS_REGION', 'us-east-1');
    vi.stubEnv('AWS_MAX_ATTEMPTS', '3');
  });
  afterAll(() => {
    vi.unstubAllEnvs();
  });
  beforeEach(async () => {
    server = new S3Server();
    vi.stubEnv('AWS_ENDPOINT_URL', await server.start());
    parts = await openS3Parts(url, options);
    take(server, parts);
  });
  afterEach(async () => {
    parts[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
  });
}
