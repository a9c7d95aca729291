/** Places in object stores: `s3://bucket/prefix`. */
import { InputError } from '../../core/errors.ts';
import { describeFound } from '../../rules/scenario/problem.ts';
import { checkPartName } from './names.ts';

const SCHEME = 's3://';

/** A bucket, and what the keys of its objects begin with. */
export interface S3Place {
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
export function isS3(url: string): boolean {
  return url.toLowerCase().startsWith(SCHEME);
}

/**
 * @param place what the address was given as, for messages
 * @throws InputError if it is none
 */
export function s3Place(url: string, place = '--store'): S3Place {
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
export function keyOf({ prefix }: S3Place, file: string): string {
  checkPartName(file);
  return prefix + file;
}
