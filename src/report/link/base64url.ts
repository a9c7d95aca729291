/** Base64url encoding (RFC 4648, section 5), without padding. */
import { InputError } from '../../core/index.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const VALUES: ReadonlyMap<string, number> = new Map(Array.from(LETTERS, (letter, value) => [letter, value]));

export function toBase64url(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    const bits = (a << 16) | (b << 8) | c;
    const letters = [18, 12, 6, 0].map((shift) => LETTERS[(bits >>> shift) & 63] ?? '');
    parts.push(letters.slice(0, Math.min(3, bytes.length - at) + 1).join(''));
  }
  return parts.join('');
}

/** Unused low bits of the last letter, by the length of the last group. */
const UNUSED_BITS: Readonly<Record<number, number>> = { 0: 0, 2: 15, 3: 3 };

/** @throws InputError for invalid characters, lengths and last letters */
export function fromBase64url(text: string, place: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let at = 0;
  for (let k = 0; k < text.length; k++) {
    const value = VALUES.get(text.charAt(k));
    if (value === undefined)
      throw new InputError(
        place,
        'letters, digits, - and _',
        `${JSON.stringify(text.charAt(k))} at character ${String(k + 1)}`,
      );
    bits = ((bits << 6) | value) & 0xffffff;
    if (k % 4 > 0) bytes[at++] = bits >>> (6 - 2 * (k % 4));
  }
  const spare = UNUSED_BITS[text.length % 4];
  if (spare === undefined || (bits & spare) !== 0)
    throw new InputError(place, 'complete bytes', 'a partial byte: the link is incomplete');
  return bytes;
}
