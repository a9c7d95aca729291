/**
 * Object store for parts. It uses only what all S3-compatible stores support: PutObject, with If-None-Match if
 * available, HeadObject, GetObject, ListObjectsV2.
 */

import { setTimeout as pause } from 'node:timers/promises';
import type { GetObjectCommandOutput, ListObjectsV2CommandOutput, S3Client } from '@aws-sdk/client-s3';
import { dispose, RunError } from '../../core/index.ts';
import { PART_MAX } from '../folder/files.ts';
import type { EncodedPart } from '../store/sweep-store.ts';
import {
  hashSha256,
  isPartName,
  PartConflictError,
  PartMissingError,
  type PartStorage,
  putOneByOne,
} from './part-storage.ts';
import {
  createS3Error,
  createS3Key,
  loadSdk,
  openClient,
  parseS3Location,
  readS3Response,
  type S3Location,
  type Sdk,
} from './s3-client.ts';

/** Maximum attempts of requests that the client itself does not retry. */
const TRIES = 4;

/** Milliseconds before the second attempt; doubled before each further one. */
const RETRY_MS = 100;

/** Maximum objects below a prefix. */
const OBJECTS_MAX = 250_000;

/** Empty pages in succession after which a listing counts as endless. */
const EMPTY_MAX = 100;

/** Maximum number of reported objects that are not parts. */
const STRAYS_SHOWN = 8;

export interface S3Options {
  /** Name of the address in messages; default: `--store`. */
  readonly place?: string | undefined;
  /** Called once if the store lacks conditional writes. */
  readonly onNote?: ((text: string) => void) | undefined;
  /** Imports @aws-sdk/client-s3. */
  readonly load?: (() => Promise<Sdk>) | undefined;
}

/** Error name for a missing bucket. */
const NO_BUCKET = 'NoSuchBucket';

/** Objects below a prefix. */
export interface S3Listing {
  /** Sizes in bytes, by name, of objects with the names of parts. */
  readonly files: ReadonlyMap<string, number>;
  /** Some of the other names. */
  readonly strays: readonly string[];
}

interface PutRequest {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/** Result of a conditional put: `unknown` if the store does not support conditions. */
type PutOutcome = 'put' | 'there' | 'unknown';

const NO_CONDITIONS_NOTE =
  'this store has no conditional writes: each part is looked up, written and read back; if two workers write the same part at once, the later wins';

/** Reads the bytes of an object. @throws RunError if there are too many, other errors if the connection is lost */
async function readBody({ Body, ContentLength }: GetObjectCommandOutput, url: string, limit: number) {
  const most = Math.min(ContentLength ?? limit, limit);
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving this loop early closes the connection.
  for await (const chunk of (Body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > most || Number(ContentLength) > most)
      throw new RunError(`${url} cannot be read: it has more than ${String(most)} bytes`);
    chunks.push(chunk);
  }
  if (ContentLength !== undefined && length < ContentLength) throw new Error('the connection was lost');
  return Buffer.concat(chunks, length);
}

/** Returns the SHA-256 that the writer of an object has declared. */
function readDeclaredHash(metadata: Record<string, string> | undefined): string | undefined {
  const said = metadata?.['sha256'];
  return said !== undefined && /^[0-9a-f]{64}$/.test(said) ? said : undefined;
}

/** Decodes a URL-encoded key; returns other keys unchanged. */
function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return key;
  }
}

export class S3Parts implements PartStorage, Disposable {
  readonly place: S3Location;
  readonly #sdk: Sdk;
  readonly #client: S3Client;
  readonly #onNote: (text: string) => void;
  /** True if the store honors conditions; undefined until it is known. */
  #keeps: boolean | undefined;

  constructor(place: S3Location, sdk: Sdk, client: S3Client, onNote: (text: string) => void) {
    this.place = place;
    this.#sdk = sdk;
    this.#client = client;
    this.#onNote = onNote;
  }

  /** Returns the URL of a part, for messages. */
  urlOf(file: string): string {
    return `s3://${this.place.bucket}/${createS3Key(this.place, file)}`;
  }

  /**
   * Returns size and hash of a part from its metadata; without metadata, reads the part.
   * @throws RunError if the request fails
   */
  async find(file: string): Promise<{ readonly bytes: number; readonly sha256: string } | undefined> {
    try {
      const { ContentLength: bytes, Metadata } = await this.#client.send(
        new this.#sdk.HeadObjectCommand(this.#getUrl(file)),
      );
      const said = readDeclaredHash(Metadata);
      if (said !== undefined && bytes !== undefined) return { bytes, sha256: said };
    } catch (error) {
      if (readS3Response(error).status === 404) return undefined;
      throw createS3Error(this.urlOf(file), 'looked up', error);
    }
    const bytes = await this.read(file);
    return { bytes: bytes.length, sha256: hashSha256(bytes) };
  }

  /**
   * Reads a complete part, and retries after a lost connection.
   * @param most maximum bytes
   * @throws PartMissing if it does not exist; RunError if it is too large, or its SHA-256 does not match its metadata
   */
  async read(file: string, most = PART_MAX): Promise<Uint8Array> {
    const url = this.urlOf(file);
    for (let tries = 1; ; tries++) {
      try {
        return await this.#readOnce(file, url, most);
      } catch (error) {
        const { status, name } = readS3Response(error);
        if (status === 404 && name !== NO_BUCKET) throw new PartMissingError(`${url} is missing`, { cause: error });
        // The client has already retried requests that got a response.
        if (error instanceof RunError || status !== 0 || tries === TRIES) throw createS3Error(url, 'read', error);
        await pause(RETRY_MS * 2 ** (tries - 1));
      }
    }
  }

  /** @throws PartConflict if it exists with other bytes; RunError if it cannot be written */
  async put(file: string, bytes: Uint8Array): Promise<void> {
    const url = this.urlOf(file);
    if (bytes.length > PART_MAX)
      throw new RunError(`${url} would have ${String(bytes.length)} bytes; at most ${String(PART_MAX)} are allowed`);
    const sha256 = hashSha256(bytes);
    const object = { key: createS3Key(this.place, file), bytes, sha256 };
    try {
      // A store that ignores conditions would overwrite existing objects, so look first until it has proved otherwise.
      if (this.#keeps !== true && (await this.find(file)) !== undefined) await this.#compare(file, sha256);
      else if (this.#keeps === false) await this.#putUnconditionally(file, object);
      else if ((await this.#putNew(object)) === 'there') await this.#compare(file, sha256);
    } catch (error) {
      throw createS3Error(url, 'written', error);
    }
  }

  putAll(segments: readonly (readonly EncodedPart[])[]): Promise<ReadonlyMap<string, unknown>> {
    return putOneByOne(this, segments);
  }

  /** @throws RunError if the request fails, or the listing is too large or endless */
  async list(): Promise<S3Listing> {
    const files = new Map<string, number>();
    const strays: string[] = [];
    for await (const { Key = '', Size = 0 } of this.#listObjects()) {
      const key = decodeKey(Key);
      const file = key.startsWith(this.place.prefix) ? key.slice(this.place.prefix.length) : '';
      if (isPartName(file)) files.set(file, Size);
      else if (strays.length < STRAYS_SHOWN) strays.push(key.slice(0, 200));
    }
    return { files, strays };
  }

  [dispose](): void {
    this.#client.destroy();
  }

  #getUrl(file: string) {
    return { Bucket: this.place.bucket, Key: createS3Key(this.place, file) };
  }

  async *#listObjects() {
    const { url } = this.place;
    let token: string | undefined;
    let [objects, empty] = [0, 0];
    do {
      const { Contents = [], NextContinuationToken, IsTruncated } = await this.#page(token);
      objects += Contents.length;
      empty = Contents.length === 0 ? empty + 1 : 0;
      if (objects > OBJECTS_MAX)
        throw new RunError(`${url} has more than ${String(OBJECTS_MAX)} objects: use a separate prefix`);
      yield* Contents;
      if (IsTruncated !== true) return;
      token = NextContinuationToken;
    } while (token && empty < EMPTY_MAX);
    throw new RunError(
      `${url} cannot be listed: ${token ? 'too many empty pages' : 'a page has no continuation token'}`,
    );
  }

  async #page(token: string | undefined): Promise<ListObjectsV2CommandOutput> {
    const { bucket, prefix, url } = this.place;
    const input = { Bucket: bucket, Prefix: prefix, EncodingType: 'url' as const, ContinuationToken: token };
    try {
      return await this.#client.send(new this.#sdk.ListObjectsV2Command(input));
    } catch (error) {
      throw createS3Error(url, 'listed', error);
    }
  }

  async #readOnce(file: string, url: string, most: number): Promise<Uint8Array> {
    const answer = await this.#client.send(new this.#sdk.GetObjectCommand(this.#getUrl(file)));
    const bytes = await readBody(answer, url, most);
    const said = readDeclaredHash(answer.Metadata);
    if (said === undefined || said === hashSha256(bytes)) return bytes;
    throw new RunError(`${url} cannot be read: its SHA-256 does not match its metadata`);
  }

  async #compare(file: string, sha256: string): Promise<void> {
    const there = hashSha256(await this.read(file));
    if (there === sha256) return;
    throw new PartConflictError(`${this.urlOf(file)} exists with other bytes: SHA-256 ${there}, not ${sha256}`);
  }

  /** Writes an object unless it exists; writes the first one twice, to test whether the store honors the condition. */
  async #putNew(object: PutRequest): Promise<PutOutcome> {
    const result = await this.#putIf(object);
    if (this.#keeps === true || result === 'there') {
      this.#keeps = true;
      return result;
    }
    this.#keeps = result === 'put' && (await this.#putIf(object)) === 'there';
    if (this.#keeps) return 'put';
    this.#onNote(`${this.place.url}: ${NO_CONDITIONS_NOTE}`);
    if (result === 'unknown') await this.#send(object);
    return 'there';
  }

  async #putIf(object: PutRequest): Promise<PutOutcome> {
    for (let tries = 1; ; tries++) {
      try {
        await this.#send(object, '*');
        return 'put';
      } catch (error) {
        const { status, name } = readS3Response(error);
        if (status === 412) return 'there';
        if (status === 501 || name === 'NotImplemented') return 'unknown';
        // Another writer is writing the same object.
        if (status !== 409 || tries === TRIES) throw error;
        await pause(RETRY_MS * 2 ** (tries - 1));
      }
    }
  }

  async #putUnconditionally(file: string, object: PutRequest): Promise<void> {
    await this.#send(object);
    await this.#compare(file, object.sha256);
  }

  async #send({ key, bytes, sha256 }: PutRequest, condition?: '*'): Promise<void> {
    const object = { Bucket: this.place.bucket, Key: key, Body: bytes, ContentLength: bytes.length };
    const input = { ...object, Metadata: { sha256 }, ContentType: 'application/octet-stream' };
    await this.#client.send(new this.#sdk.PutObjectCommand({ ...input, ...(condition && { IfNoneMatch: condition }) }));
  }
}

/**
 * Opens a location in an object store, without a request.
 * @param url `s3://bucket/prefix`
 * @throws InputError for an invalid address, or if the package @aws-sdk/client-s3 is not installed
 */
export async function openS3Parts(url: string, options: S3Options = {}): Promise<S3Parts> {
  const { place: name, onNote = () => undefined, load } = options;
  const place = parseS3Location(url, name);
  const sdk = await loadSdk(url, load);
  return new S3Parts(place, sdk, openClient(sdk, place), onNote);
}
