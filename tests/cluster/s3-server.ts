/** An object store in this process: four requests of S3 as documented, with faults that tests inject. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Stored {
  readonly bytes: Uint8Array;
  /** Headers `x-amz-meta-*`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Content length in bytes that the server announces. Defaults to the actual length. */
  readonly announced?: number;
}

export interface Asked {
  readonly method: string;
  readonly key: string;
  readonly listing: boolean;
  readonly conditional: boolean;
}

export interface Refusal {
  readonly status: number;
  readonly code: string;
  /** Omits the message, as Ceph does. */
  readonly silent?: boolean;
}

/**
 * A fault of a request: an error response, a connection that closes before the response, one that closes within the
 * bytes of an object, or one that closes after the request was carried out. Without a fault, undefined.
 */
export type Fault = Refusal | 'no answer' | 'half' | 'lost answer';

const hex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const xml = (text: string): string => `<?xml version="1.0" encoding="UTF-8"?>\n${text}`;

export class S3Server implements AsyncDisposable {
  readonly objects = new Map<string, Stored>();
  /** All requests in order. */
  readonly log: Asked[] = [];
  /** Returns the fault of a request. */
  fault: (requested: Asked) => Fault | undefined = () => undefined;
  /** Returns a promise to wait for before the server responds. */
  hold: (requested: Asked) => Promise<void> | undefined = () => undefined;
  /** Whether conditions are obeyed, rejected with 501, or ignored. */
  conditions: 'kept' | 'unknown' | 'ignored' = 'kept';
  /** Number of objects on a page of a listing. */
  pageSize = 1000;
  /** Replaces the pages of listings. */
  listing: ((token: string | undefined) => string) | undefined;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  async start(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /** Stores an object regardless of conditions. */
  set(key: string, content: Uint8Array | string, printed: Readonly<Record<string, string>> = {}): void {
    this.objects.set(key, { bytes: Buffer.from(content), headers: printed });
  }

  count(method: string): number {
    return this.log.filter((requested) => requested.method === method).length;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://store');
    const { method = '', headers } = request;
    const [, bucket = '', key = ''] = /^\/([^/]+)\/?(.*)$/.exec(decodeURIComponent(pathname)) ?? [];
    const requested = { method, key, listing: searchParams.has('list-type'), conditional: 'if-none-match' in headers };
    this.log.push(requested);
    await this.hold(requested);
    const fault = this.fault(requested);
    const wrong = typeof fault === 'object' ? fault : this.#wrong(request, body, bucket);
    if (fault === 'no answer') request.socket.destroy();
    else if (wrong !== undefined) reject(response, wrong, method);
    else if (method === 'PUT') this.#put(request, response, key, body, fault === 'lost answer');
    else if (requested.listing) response.end(xml(this.#page(searchParams)));
    else this.#get(response, key, method, fault === 'half');
  }

  /** Returns the error of a request without a signature, with the hash of another body, or to another bucket. */
  #wrong({ headers }: IncomingMessage, body: Uint8Array, bucket: string): Refusal | undefined {
    const { authorization = '' } = headers;
    if (
      !/^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/\S+\/s3\/aws4_request, ?SignedHeaders=\S+, ?Signature=[0-9a-f]{64}$/.test(
        authorization,
      )
    )
      return { status: 403, code: 'AccessDenied' };
    if (headers['x-amz-content-sha256'] !== hex(body)) return { status: 400, code: 'XAmzContentSHA256Mismatch' };
    return bucket === 'bucket' ? undefined : { status: 404, code: 'NoSuchBucket' };
  }

  #put(
    { headers, socket }: IncomingMessage,
    response: ServerResponse,
    key: string,
    body: Uint8Array,
    lost: boolean,
  ): void {
    const conditional = headers['if-none-match'] === '*';
    const there = this.conditions === 'kept' && this.objects.has(key);
    if (conditional && (there || this.conditions === 'unknown')) {
      const rejection = there ? { status: 412, code: 'PreconditionFailed' } : { status: 501, code: 'NotImplemented' };
      reject(response, rejection, 'PUT');
      return;
    }
    const printed = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-'));
    this.objects.set(key, {
      bytes: body,
      headers: Object.fromEntries(printed.map(([name, value]) => [name, String(value)])),
    });
    if (lost) socket.destroy();
    else response.setHeader('etag', '"0"').end();
  }

  #get(response: ServerResponse, key: string, method: string, half: boolean): void {
    const found = this.objects.get(key);
    if (found === undefined) {
      reject(response, { status: 404, code: 'NoSuchKey' }, method);
      return;
    }
    const { bytes, headers: printed, announced = bytes.length } = found;
    for (const [name, value] of Object.entries(printed)) response.setHeader(name, value);
    response.setHeader('content-length', announced);
    if (method === 'HEAD') response.end();
    else if (half) response.write(bytes.subarray(0, bytes.length >> 1), () => void response.destroy());
    else if (announced !== bytes.length) response.write(bytes);
    else response.end(bytes);
  }

  #page(query: URLSearchParams): string {
    const token = query.get('continuation-token') ?? undefined;
    if (this.listing !== undefined) return this.listing(token);
    const all = [...this.objects].filter(([key]) => key.startsWith(query.get('prefix') ?? '')).sort();
    const from = Number(token ?? 0);
    const shown = all.slice(from, from + this.pageSize);
    const next = from + shown.length;
    return page(
      shown.map(([key, { bytes }]) => [key, bytes.length]),
      next < all.length ? String(next) : undefined,
    );
  }
}

/** Formats a page of a listing, with keys encoded as for `encoding-type=url`. */
export function page(objects: readonly (readonly [key: string, bytes: number])[], next?: string): string {
  const encoded = (key: string): string => encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%20', '+');
  const contents = objects.map(
    ([key, bytes]) => `<Contents><Key>${encoded(key)}</Key><Size>${String(bytes)}</Size></Contents>`,
  );
  const more = next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`;
  const truncated = `<IsTruncated>${String(next !== undefined)}</IsTruncated>`;
  return `<ListBucketResult><EncodingType>url</EncodingType>${truncated}${more}${contents.join('')}</ListBucketResult>`;
}

function reject(response: ServerResponse, { status, code, silent }: Refusal, method: string): void {
  response.statusCode = status;
  const message = silent === true ? '' : `<Message>refused: ${code}</Message>`;
  const text = xml(`<Error><Code>${code}</Code>${message}</Error>`);
  response.end(method === 'HEAD' ? undefined : text);
}
