/**
 * Locations in object stores, `s3://bucket/prefix`, and their client: @aws-sdk/client-s3, which is loaded on demand.
 * Its errors get messages with advice.
 */

import type { S3Client } from '@aws-sdk/client-s3';
import { describeFound, InputError, RunError } from '../../core/index.ts';

import { checkPartName } from './part-storage.ts';

const SCHEME = 's3://';

/** Bucket and common prefix of keys. */
export interface S3Location {
  readonly bucket: string;
  /** Empty, or words that each end with a slash. */
  readonly prefix: string;
  /** For messages. */
  readonly url: string;
}

/** Maximum bytes of a prefix: a key has at most 1024, and names of parts fit into the rest. */
const PREFIX_MAX = 800;

/**
 * True for bucket names that all stores accept: 3 to 63 lower-case letters, digits, dots and hyphens, and not an IP
 * address.
 */
function isBucket(name: string): boolean {
  const plain = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name);
  return plain && !name.includes('..') && !/^\d+\.\d+\.\d+\.\d+$/.test(name);
}

/** True for a word of characters that need no escape in keys, URLs and signatures. */
const isWord = (word: string): boolean => /^[\w.-]+$/.test(word) && word !== '.' && word !== '..';

/** True if the text is meant as a location in an object store, even if it is invalid. */
export function isS3Url(url: string): boolean {
  return url.toLowerCase().startsWith(SCHEME);
}

/**
 * @param place name of the address in messages
 * @throws InputError if it is invalid
 */
export function parseS3Location(url: string, place = '--store'): S3Location {
  const expected = 's3://bucket or s3://bucket/prefix';
  if (!url.startsWith(SCHEME)) throw new InputError(place, expected, describeFound(url));
  const [bucket = '', ...rest] = url.slice(SCHEME.length).replace(/\/$/, '').split('/');
  // The text before an @ may be a secret: it is not repeated.
  if (url.includes('@')) throw new InputError(place, `${expected}, without credentials`, 'an @ in it');
  if (!isBucket(bucket)) {
    const name = 'the name of a bucket: 3 to 63 of a-z, 0-9, dot, hyphen';
    throw new InputError(place, name, describeFound(bucket));
  }
  const prefix = rest.map((word) => `${word}/`).join('');
  if (!rest.every(isWord) || prefix.length > PREFIX_MAX) {
    const words = `a prefix of words of A-Z, a-z, 0-9, dot, hyphen and _, at most ${String(PREFIX_MAX)} characters`;
    throw new InputError(place, words, describeFound(rest.join('/')));
  }
  return { bucket, prefix, url: `${SCHEME}${bucket}/${prefix}`.replace(/\/$/, '') };
}

/** Returns the key of a part. @throws InputError if no part can have this name */
export function createS3Key({ prefix }: S3Location, file: string): string {
  checkPartName(file);
  return prefix + file;
}

export type Sdk = typeof import('@aws-sdk/client-s3');

const PACKAGE = '@aws-sdk/client-s3';

/** Attempts of a request, unless AWS_MAX_ATTEMPTS is set: about half a minute. */
const TRIES = 10;

/** Timeouts in milliseconds: for a connection, a response, and the next bytes. */
const CONNECT_MS = 10_000;
const ANSWER_MS = 120_000;
const IDLE_MS = 60_000;

/** Maximum characters of a store's message. */
const MESSAGE_MAX = 200;

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const absent = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  return absent && String(error).includes(PACKAGE);
}

/**
 * @param load imports the package
 * @throws InputError if it is not installed
 */
export async function loadSdk(url: string, load = (): Promise<Sdk> => import('@aws-sdk/client-s3')): Promise<Sdk> {
  // docs/how-to/queue.md has the required Node version; the warning would precede the output of every command.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error)) throw error;
    const expected = `the package ${PACKAGE} next to warpool: npm install ${PACKAGE}`;
    throw new InputError(url, expected, 'none');
  }
}

/** True if the bucket is in the path of the URL rather than in the host name. */
function usesPathStyle(bucket: string): boolean {
  const { AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_S3, WARPOOL_S3_PATH_STYLE } = process.env;
  if (WARPOOL_S3_PATH_STYLE) return WARPOOL_S3_PATH_STYLE !== '0' && WARPOOL_S3_PATH_STYLE !== 'false';
  // Wildcard certificates cover one more label of the host name, not two.
  return Boolean(AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL) || bucket.includes('.');
}

/** Creates a client with endpoint, region and credentials from the usual sources: the environment and ~/.aws. */
export function openClient(sdk: Sdk, { bucket }: S3Location): S3Client {
  return new sdk.S3Client({
    forcePathStyle: usesPathStyle(bucket),
    ...(!process.env['AWS_MAX_ATTEMPTS'] && { maxAttempts: TRIES }),
    // Not all stores support checksums other than those of signatures, which cover every body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
      socketTimeout: IDLE_MS,
    },
  });
}

/** Response of a store. */
interface S3Response {
  /** 0 if it has not. */
  readonly status: number;
  readonly name: string;
  readonly message: string;
}

export function readS3Response(error: unknown): S3Response {
  if (!(error instanceof Error)) return { status: 0, name: '', message: String(error) };
  const { httpStatusCode = 0 } = ('$metadata' in error ? error.$metadata : {}) as { httpStatusCode?: number };
  return { status: httpStatusCode, name: error.name, message: error.message };
}

const ADVICE: readonly (readonly [like: RegExp, advice: string])[] = [
  [/region is missing/i, 'set AWS_REGION; self-hosted stores accept any region, such as us-east-1'],
  [/could not load credentials|credential.*is missing/i, 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE'],
  [/InvalidAccessKeyId/, 'the store does not know this AWS_ACCESS_KEY_ID'],
  [/self-signed|unable to (verify|get)/i, 'set NODE_EXTRA_CA_CERTS to the file with the certificate of its authority'],
  [/wrong version number/, 'the endpoint is https://, but the store uses http'],
  [/signature/i, 'the secret key does not match the access key, or a clock is wrong'],
];

/** True for the placeholder message of the client for errors without a message, such as those of HEAD. */
const isNameless = (text: string): boolean => /^(Unknown(Error)?)?$/.test(text);

/** Creates an error for a failed request, with advice. @param what past participle: `read` */
export function createS3Error(url: string, what: string, error: unknown): Error {
  if (error instanceof RunError) return error;
  const { status, name, message } = readS3Response(error);
  const why = [message, name].find((text) => !isNameless(text)) ?? '';
  const [, advice] = ADVICE.find(([like]) => like.test(`${name} ${message}`)) ?? [];
  const denied = status === 403 ? 'required permissions: s3:GetObject, s3:PutObject, s3:ListBucket' : undefined;
  const reported = [status === 0 ? '' : String(status), why.slice(0, MESSAGE_MAX)].filter(Boolean).join(' ');
  const help = advice ?? denied;
  return new RunError(`${url} cannot be ${what}: ${reported}${help === undefined ? '' : ` (${help})`}`, {
    cause: error,
  });
}
