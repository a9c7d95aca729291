/** Frames come out of a stream as they went in, however it is cut into chunks. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeFrame, type Frame, FrameReader, HEADER_BYTES } from '../../src/environments/protocol/frames.ts';
import { DEPTH } from '../depth.ts';
import { joined } from './protocol-client.ts';

const byte = fc.integer({ min: 0, max: 255 });

const sent = fc.record({
  type: byte,
  flags: byte,
  id: fc.integer({ min: 0, max: 65_535 }),
  payload: fc.uint8Array({ maxLength: 60 }),
});

/** Reads chunks, and keeps copies of all frames. */
function readAll(reader: FrameReader, chunks: readonly Uint8Array[]): Frame[] {
  return chunks.flatMap((chunk) =>
    [...reader.read(chunk)].map((frame) => ({ ...frame, payload: frame.payload && new Uint8Array(frame.payload) })),
  );
}

/** Cuts bytes at some places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, i) => bytes.slice(at[i], end));
}

describe('frames', () => {
  test('a header is eight bytes, little-endian', () => {
    expect([...encodeFrame(0x12, 0x3456, Uint8Array.of(7, 8), 0x9a)]).toEqual([
      2, 0, 0, 0, 0x12, 0x9a, 0x56, 0x34, 7, 8,
    ]);
  });

  test.runIf(DEPTH > 1)('come out of any chunks; what is over the limit is skipped', () => {
    fc.assert(
      fc.property(
        fc.array(sent, { maxLength: 8 }),
        fc.array(fc.nat(1000), { maxLength: 30 }),
        fc.integer({ min: 0, max: 60 }),
        (frames, places, limit) => {
          const bytes = joined(...frames.map(({ type, id, payload, flags }) => encodeFrame(type, id, payload, flags)));
          const reader = new FrameReader(limit);
          const found = readAll(reader, cut(bytes, places));
          expect(found).toEqual(
            frames.map(({ payload, ...rest }) => ({
              ...rest,
              length: payload.length,
              payload: payload.length > limit ? undefined : payload,
            })),
          );
          expect(reader.isInFrame).toBe(false);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('a stream that ends within a frame is told from one that ends between two', () => {
    const bytes = encodeFrame(1, 1, new Uint8Array(20));
    for (const limit of [20, 19]) {
      for (let end = 0; end <= bytes.length; end++) {
        const reader = new FrameReader(limit);
        readAll(reader, [bytes.slice(0, end)]);
        expect(reader.isInFrame, `${String(end)} bytes`).toBe(end > 0 && end < bytes.length);
      }
    }
  });

  test('payloads within a chunk are views of it', () => {
    const bytes = encodeFrame(1, 1, Uint8Array.of(5));
    const [frame] = [...new FrameReader(10).read(bytes)];
    bytes[HEADER_BYTES] = 6;
    expect(frame?.payload).toEqual(Uint8Array.of(6));
  });

  test('the limit may change between the frames of a chunk', () => {
    const reader = new FrameReader(2);
    const chunk = Buffer.concat([encodeFrame(1, 1, new Uint8Array(2)), encodeFrame(1, 2, new Uint8Array(9))]);
    const found: (number | undefined)[] = [];
    for (const { payload } of reader.read(chunk)) {
      found.push(payload?.length);
      reader.limit = 9;
    }
    expect(found).toEqual([2, 9]);
  });
});
