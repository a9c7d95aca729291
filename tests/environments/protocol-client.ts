/** A client of the rollout protocol, over any two streams. */
import { PassThrough, type Readable, type Writable } from 'node:stream';
import {
  ERROR,
  encodeFrame,
  type Frame,
  FrameReader,
  REPLY,
  REQUESTS,
  type RequestName,
} from '../../src/environments/protocol/frames.ts';

/** A field as HELLO tells of it. */
interface Told {
  readonly name: string;
  readonly kind: 'i32' | 'u32' | 'f32' | 'u8';
  readonly columns: number;
  readonly offset: number;
}

export interface Manifest {
  readonly envs: number;
  readonly fields: readonly Told[];
  readonly last: readonly Told[];
  readonly [key: string]: unknown;
}

/** What a reply shows, by field; columns of episodes that are over behind `last.`. */
export type Seen = Record<string, readonly number[]>;

const ARRAYS = { i32: Int32Array, u32: Uint32Array, f32: Float32Array, u8: Uint8Array };

export const u32 = (...values: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(values).buffer);
export const u64 = (value: bigint): Uint8Array => new Uint8Array(BigUint64Array.of(value).buffer);
export const i32 = (values: ArrayLike<number>): Uint8Array => new Uint8Array(Int32Array.from(values).buffer);
export const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
export const said = (frame: Frame): string => new TextDecoder().decode(frame.payload);

/** Reads what a payload shows after the layout of a manifest. */
function seenIn(payload: Uint8Array, { envs, fields, last }: Manifest): Seen {
  const bytes = new Uint8Array(payload);
  const seen: Record<string, readonly number[]> = {};
  const column = ({ kind, columns }: Told, at: number, rows: number) => {
    const numbers = [...new ARRAYS[kind](bytes.buffer, at, columns * rows)];
    return [numbers, at + Math.ceil((columns * rows * ARRAYS[kind].BYTES_PER_ELEMENT) / 8) * 8] as const;
  };
  const over = new DataView(bytes.buffer).getUint32(0, true);
  let end = 8;
  for (const field of fields) [seen[field.name], end] = column(field, field.offset, envs);
  for (const field of over > 0 ? last : []) [seen[`last.${field.name}`], end] = column(field, end, over);
  if (end !== bytes.length) throw new Error(`${String(bytes.length - end)} bytes too many`);
  return seen;
}

export class Client {
  readonly #output: Writable;
  readonly #frames: AsyncIterator<Frame, void>;
  #id = 0;
  manifest: Manifest = { envs: 0, fields: [], last: [] };

  constructor(input: Readable, output: Writable) {
    this.#output = output;
    this.#frames = framesOf(input);
    output.on('error', () => undefined);
  }

  /** Sends bytes as they are. */
  raw(bytes: Uint8Array): void {
    this.#output.write(bytes);
  }

  /** Sends a request without waiting for its reply. */
  send(name: RequestName, payload?: Uint8Array, flags?: number): void {
    this.raw(encodeFrame(REQUESTS[name], ++this.#id, payload, flags));
  }

  /** The next reply, or undefined at the end. */
  async next(): Promise<Frame | undefined> {
    const result = await this.#frames.next();
    return result.done === true ? undefined : result.value;
  }

  /** The payload of the reply to a request. */
  async ask(name: RequestName, payload?: Uint8Array, flags?: number): Promise<Uint8Array> {
    this.send(name, payload, flags);
    const frame = await this.next();
    if (frame?.type !== (REQUESTS[name] | REPLY) || frame.id !== this.#id) {
      throw new Error(frame?.type === ERROR ? said(frame) : `no reply to ${name}`);
    }
    return frame.payload ?? new Uint8Array();
  }

  async hello(options: object = {}): Promise<Manifest> {
    const told = await this.ask('hello', new TextEncoder().encode(JSON.stringify({ protocol: 1, ...options })));
    this.manifest = JSON.parse(new TextDecoder().decode(told)) as Manifest;
    return this.manifest;
  }

  /** What a reply to RESET, STEP or LOOK shows. */
  async see(name: RequestName, payload?: Uint8Array, flags?: number): Promise<Seen> {
    return seenIn(await this.ask(name, payload, flags), this.manifest);
  }

  end(): void {
    this.#output.end();
  }
}

async function* framesOf(input: Readable): AsyncGenerator<Frame, void> {
  const frames = new FrameReader(2 ** 31);
  try {
    for await (const chunk of input as AsyncIterable<Uint8Array>) {
      for (const frame of frames.read(chunk))
        yield { ...frame, payload: frame.payload && new Uint8Array(frame.payload) };
    }
  } catch {
    // The other side is gone.
  }
}

/** A stream that has taken a chunk only after a while, as a socket with a slow reader, and passes on what it is then. */
export function slow(): PassThrough {
  return new PassThrough({
    transform(chunk: Uint8Array, _, done) {
      setTimeout(() => {
        done(null, Buffer.from(chunk));
      }, 1);
    },
  });
}
