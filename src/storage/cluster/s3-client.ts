/**
 * Places in object stores, `s3://bucket/prefix`, and their client: @aws-sdk/client-s3, which is loaded where one is asked
 * for. Its errors are told in our words.
 */

import type { S3Client } from '@aws-sdk/client-s3';
import { describeFound, InputError, RunError } from '../../core/index.ts';

import { checkPartName } from './part-storage.ts';

const SCHEME = 's3://';

/** A bucket, and what the keys of its objects begin with. */
export interface S3Location {
  readonly bucket: string;
  /** Empty, or words with a slash behind each. */
  readonly prefix: string;
  /** For messages. */
  readonly url: string;
}

/** Bytes of a prefix: a key has at most 1024, and names of parts are shorter than what is left. */
const PREFIX_MAX = 800;

/** Names of buckets that all stores take: 3 to 63 small letters, digits, dots and hyphens, and no address. */
function isBucket(name: string): boolean {
  const plain = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name);
  return plain && !name.includes('..') && !/^\d+\.\d+\.\d+\.\d+$/.test(name);
}

/** A word of a prefix, of letters that mean themselves in keys, addresses and signatures. */
const isWord = (word: string): boolean => /^[\w.-]+$/.test(word) && word !== '.' && word !== '..';

/** True of what is meant as a place in an object store, well written or not. */
export function isS3Url(url: string): boolean {
  return url.toLowerCase().startsWith(SCHEME);
}

/**
 * @param place what the address was given as, for messages
 * @throws InputError if it is none
 */
export function parseS3Location(url: string, place = '--store'): S3Location {
  const expected = 's3://bucket or s3://bucket/prefix';
  if (!url.startsWith(SCHEME)) throw new InputError(place, expected, describeFound(url));
  const [bucket = '', ...rest] = url.slice(SCHEME.length).replace(/\/$/, '').split('/');
  // What stands before an @ may be a secret: it is not repeated.
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

/** The key of a part. @throws InputError for what cannot be the name of a part */
export function createS3Key({ prefix }: S3Location, file: string): string {
  checkPartName(file);
  return prefix + file;
}

export type Sdk = typeof import('@aws-sdk/client-s3');

const PACKAGE = '@aws-sdk/client-s3';

/** How often a request is sent before it counts as failed, unless AWS_MAX_ATTEMPTS says otherwise: half a minute. */
const TRIES = 10;

/** Milliseconds that a connection, an answer, the next bytes may take. */
const CONNECT_MS = 10_000;
const ANSWER_MS = 120_000;
const IDLE_MS = 60_000;

/** Characters of a store's message that are told. */
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
  // Which version of Node it will need stands in docs/how-to/queue.md, not before the output of every command.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error)) throw error;
    const expected = `the package ${PACKAGE} next to warpool: npm install ${PACKAGE}`;
    throw new InputError(url, expected, 'none');
  }
}

/** Whether the bucket stands in the path of an address instead of in the name of its host. */
function usesPathStyle(bucket: string): boolean {
  const { AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_S3, WARPOOL_S3_PATH_STYLE } = process.env;
  if (WARPOOL_S3_PATH_STYLE) return WARPOOL_S3_PATH_STYLE !== '0' && WARPOOL_S3_PATH_STYLE !== 'false';
  // Certificates for all hosts of a name are for one more word, not for two.
  return Boolean(AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL) || bucket.includes('.');
}

/** A client whose endpoint, region and credentials come from where those of all such clients do: the environment, ~/.aws. */
export function openClient(sdk: Sdk, { bucket }: S3Location): S3Client {
  return new sdk.S3Client({
    forcePathStyle: usesPathStyle(bucket),
    ...(!process.env['AWS_MAX_ATTEMPTS'] && { maxAttempts: TRIES }),
    // Not all stores know the checksums beside those of signatures, which cover every body that is sent.
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

/** What a store has answered. */
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

/** What the client calls an answer whose reason is in none of its words, as of HEAD. */
const isNameless = (text: string): boolean => /^(Unknown(Error)?)?$/.test(text);

/** What could not be done with what is there, and why. */
export function createS3Error(url: string, what: string, error: unknown): Error {
  if (error instanceof RunError) return error;
  const { status, name, message } = readS3Response(error);
  const why = [message, name].find((text) => !isNameless(text)) ?? '';
  const [, advice] = ADVICE.find(([like]) => like.test(`${name} ${message}`)) ?? [];
  const denied = status === 403 ? 'required permissions: s3:GetObject, s3:PutObject, s3:ListBucket' : undefined;
  const told = [status === 0 ? '' : String(status), why.slice(0, MESSAGE_MAX)].filter(Boolean).join(' ');
  const help = advice ?? denied;
  return new RunError(`${url} cannot be ${what}: ${told}${help === undefined ? '' : ` (${help})`}`, { cause: error });
}
