/** Frames of the environment protocol (docs/reference/environment-protocol.md): headers, and parsing of streams. */

/** The version of the protocol. */
export const PROTOCOL = 1;

/** Types of requests; the reply has the type of its request plus `REPLY`. */
export const REQUESTS = {
  hello: 1,
  reset: 2,
  step: 3,
  look: 4,
  suggest: 5,
  rollout: 6,
  snapshot: 7,
  restore: 8,
  rekey: 9,
  close: 10,
} as const;
export type RequestName = keyof typeof REQUESTS;

export const REPLY = 0x80;

/** Type of an error reply, with a message in UTF-8. */
export const ERROR = 0xff;

/** Bits of `flags`, by request. */
export const FLAGS = { reset: { seed: 1, mask: 2 }, look: { all: 1 } } as const;

/** Bytes before a payload: u32 bytes of the payload, u8 type, u8 flags, u16 request number; little-endian. */
export const HEADER_BYTES = 8;

/** Payload size from which the input cannot be a stream of frames. */
export const LENGTH_LIMIT: number = 2 ** 31;

export interface FrameHeader {
  /** Bytes of the payload. */
  readonly length: number;
  readonly type: number;
  readonly flags: number;
  /** Request number from the client, repeated in the reply. 0..65535 */
  readonly id: number;
}

export interface Frame extends FrameHeader {
  /** Undefined if it is too long, and therefore skipped. */
  readonly payload: Uint8Array | undefined;
}

/** Writes a header into the first bytes of `to`. */
export function writeHeader(to: Uint8Array, { length, type, flags, id }: FrameHeader): void {
  const view = new DataView(to.buffer, to.byteOffset, HEADER_BYTES);
  view.setUint32(0, length, true);
  view.setUint8(4, type);
  view.setUint8(5, flags);
  view.setUint16(6, id, true);
}

function readHeader(from: Uint8Array): FrameHeader {
  const view = new DataView(from.buffer, from.byteOffset, HEADER_BYTES);
  return {
    length: view.getUint32(0, true),
    type: view.getUint8(4),
    flags: view.getUint8(5),
    id: view.getUint16(6, true),
  };
}

const EMPTY: Uint8Array = new Uint8Array(0);

/** A whole frame. */
export function encodeFrame(type: number, id: number, payload: Uint8Array = EMPTY, flags = 0): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + payload.length);
  writeHeader(bytes, { length: payload.length, type, flags, id });
  bytes.set(payload, HEADER_BYTES);
  return bytes;
}

/** Collects bytes from chunks until the wanted number is reached. */
class ByteCollector {
  readonly #bytes: Uint8Array;
  #have = 0;

  constructor(size: number) {
    this.#bytes = new Uint8Array(size);
  }

  get hasBytes(): boolean {
    return this.#have > 0;
  }

  /** Adds the missing bytes from a chunk, starting at `at`; returns their number. */
  add(chunk: Uint8Array, at: number): number {
    const piece = chunk.subarray(at, at + this.#bytes.length - this.#have);
    this.#bytes.set(piece, this.#have);
    this.#have += piece.length;
    return piece.length;
  }

  /** Returns the bytes once complete; the collector can then be filled again. */
  complete(): Uint8Array | undefined {
    if (this.#have < this.#bytes.length) return undefined;
    this.#have = 0;
    return this.#bytes;
  }
}

/** Parses a stream into frames, whatever its chunks. Payloads within one chunk are not copied. */
export class FrameReader {
  /** Maximum payload; may be changed between frames. */
  limit: number;
  readonly #head = new ByteCollector(HEADER_BYTES);
  #header: FrameHeader | undefined;
  #gathered: ByteCollector | undefined;
  #skip = 0;
  #chunk = EMPTY;
  #at = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** True if the stream is within a frame. */
  get isInFrame(): boolean {
    return this.#head.hasBytes || this.#header !== undefined || this.#skip > 0;
  }

  /** Yields the frames that a chunk completes. A payload is valid until the next chunk. */
  *read(chunk: Uint8Array): Generator<Frame, void> {
    this.#chunk = chunk;
    this.#at = 0;
    while (this.#at < chunk.length) {
      const frame = this.#next();
      if (frame !== undefined) yield frame;
    }
  }

  /** Continues until a frame is complete or too long, or the chunk ends. */
  #next(): Frame | undefined {
    this.#pass();
    this.#header ??= this.#readHeader();
    const header = this.#header;
    if (header === undefined) return undefined;
    if (header.length > this.limit) {
      this.#header = undefined;
      this.#skip = header.length;
      return { ...header, payload: undefined };
    }
    const payload = this.#readPayload(header.length);
    if (payload === undefined) return undefined;
    this.#header = undefined;
    return { ...header, payload };
  }

  /** Skips the rest of a payload that is too long. */
  #pass(): void {
    const passed = Math.min(this.#skip, this.#chunk.length - this.#at);
    this.#skip -= passed;
    this.#at += passed;
  }

  #readHeader(): FrameHeader | undefined {
    this.#at += this.#head.add(this.#chunk, this.#at);
    const head = this.#head.complete();
    return head === undefined ? undefined : readHeader(head);
  }

  #readPayload(length: number): Uint8Array | undefined {
    const end = this.#at + length;
    if (this.#gathered === undefined && end <= this.#chunk.length) {
      const payload = this.#chunk.subarray(this.#at, end);
      this.#at = end;
      return payload;
    }
    this.#gathered ??= new ByteCollector(length);
    this.#at += this.#gathered.add(this.#chunk, this.#at);
    const payload = this.#gathered.complete();
    if (payload !== undefined) this.#gathered = undefined;
    return payload;
  }
}
