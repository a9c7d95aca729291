/** The heads of records, checked before a kernel takes them: what every state has, whatever the system. */
import { InputError } from '../core/errors.ts';
import type { Read } from '../rules/struct.ts';
import type { Configuration } from './configuration.ts';
import { NONE, RECORD, STATUS } from './layout.ts';

/** Bytes of a head, before the words of the battle. */
export const HEAD_BYTES: number = 4 * RECORD.size;

export type RecordHead = Read<typeof RECORD>;

/** The head of a state. */
export function headOf(state: Uint8Array): RecordHead {
  // Not `slice`: that of a Buffer does not copy.
  return RECORD.read(new Int32Array(Uint8Array.from(state.subarray(0, HEAD_BYTES)).buffer));
}

export function bytesOf(head: RecordHead): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Int32Array.from(RECORD.pack(head)).buffer);
}

/** What no state of these environments has in its head, and what it may be there; undefined if there is nothing. */
function strayIn(
  { variant, point, player, outcome, status, unused }: RecordHead,
  { variants, points }: Configuration,
): [name: string, found: number, least: number, most: number] | undefined {
  const own = variants[variant];
  const bounds: [name: string, found: number, least: number, most: number][] = [
    ['variant', variant, 0, variants.length - 1],
    ['point', point, NONE, points.length - 1],
    ['player', player, 0, Math.max(0, (own?.players.length ?? 1) - 1)],
    ['outcome', outcome, NONE, (own?.outcomes.length ?? 0) - 1],
    ['status', status, STATUS.open, STATUS.truncated],
    ...unused.map((found, k): [string, number, 0, 0] => [`word ${String(RECORD.at.unused + k)}`, found, 0, 0]),
  ];
  return bounds.find(([, found, least, most]) => found < least || found > most);
}

/**
 * Refuses records that no environment of this configuration has made, as far as heads tell it: random bytes and other
 * scenarios' records. The words of a battle behind a head are the system's own and are not checked.
 * @param bytes of each record
 */
export function checkRecords(place: string, records: Uint8Array, bytes: number, configuration: Configuration): void {
  for (let at = 0; at < records.length; at += bytes) {
    const stray = strayIn(headOf(records.subarray(at, at + HEAD_BYTES)), configuration);
    if (stray === undefined) continue;
    const [name, found, least, most] = stray;
    const range = least === most ? String(least) : `${String(least)}..${String(most)}`;
    throw new InputError(`${place}, ${name}`, range, String(found));
  }
}

/** Parts as one. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
