/** The heads of records, checked before a kernel takes them: what every state has, whatever the system. */
import { InputError } from '../errors.ts';
import type { Configuration } from './configuration.ts';

/** Words of a head in assembly/rollout/record.ts, from 0 on. */
export const WORDS = {
  keyLow: 0,
  keyHigh: 1,
  episode: 2,
  steps: 3,
  variant: 4,
  point: 5,
  player: 6,
  outcome: 7,
  status: 8,
} as const;

/** What becomes of an environment: its battle goes on; is over, or lost by an illegal action; is cut short. */
export const STATUS = { open: 0, done: 1, truncated: 2 } as const;

/** Bytes of a head, before the words of the battle. */
export const HEAD_BYTES = 48;

/** The words of the head of a state. */
export function headOf(state: Uint8Array): Int32Array {
  // Not `slice`: that of a Buffer does not copy.
  return new Int32Array(Uint8Array.from(state.subarray(0, HEAD_BYTES)).buffer);
}

/** Words that are not used, 9..11, are 0. */
const UNUSED = [9, 10, 11] as const;

/** The word that no state of these environments has, and what it may be; undefined if there is none. */
function strayWord(
  head: DataView,
  { variants, points }: Configuration,
): [word: number, least: number, most: number] | undefined {
  const own = variants[head.getInt32(4 * WORDS.variant, true)];
  const bounds: [word: number, least: number, most: number][] = [
    [WORDS.variant, 0, variants.length - 1],
    [WORDS.point, -1, points.length - 1],
    [WORDS.player, 0, Math.max(0, (own?.players.length ?? 1) - 1)],
    [WORDS.outcome, -1, (own?.outcomes.length ?? 0) - 1],
    [WORDS.status, 0, STATUS.truncated],
    ...UNUSED.map((word): [number, number, number] => [word, 0, 0]),
  ];
  return bounds.find(([word, least, most]) => {
    const found = head.getInt32(4 * word, true);
    return found < least || found > most;
  });
}

/**
 * Refuses records that no environment of this configuration has made, as far as heads tell it: random bytes and other
 * scenarios' records. The words of a battle behind a head are the system's own and are not checked.
 * @param bytes of each record
 */
export function checkRecords(place: string, records: Uint8Array, bytes: number, configuration: Configuration): void {
  for (let at = 0; at < records.length; at += bytes) {
    const head = new DataView(records.buffer, records.byteOffset + at, bytes);
    const stray = strayWord(head, configuration);
    if (stray === undefined) continue;
    const [word, least, most] = stray;
    const name = Object.entries(WORDS).find(([, index]) => index === word)?.[0] ?? `word ${String(word)}`;
    const range = least === most ? String(least) : `${String(least)}..${String(most)}`;
    throw new InputError(`${place}, ${name}`, range, String(head.getInt32(4 * word, true)));
  }
}
