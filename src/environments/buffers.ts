/** Buffers of environments in a kernel's memory, as typed arrays that remain valid because the memory never grows. */

import { formatRange, InputError } from '../core/index.ts';
import type { StructOutput } from '../rules/index.ts';
import type { EnvSpec } from './env-spec.ts';
import { BUFFERS, type BufferKind, type BufferName, KINDS, NONE, PLACE, RECORD, STATUS } from './layout.ts';

/** Position of a buffer: rows of environments, one after the other. */
export interface BufferLayout {
  readonly name: BufferName;
  readonly kind: BufferKind;
  /** Numbers in a row. */
  readonly columns: number;
  /** Byte address of the first row, a multiple of 64. */
  readonly address: number;
  /** Bytes from one row to the next. */
  readonly row: number;
}

/** Buffers of N environments with A actions, F features, K agents and M metrics, in rows of environments. */
export interface EnvBuffers {
  /** Next actions, by index. N. Written by the host. */
  readonly act: Int32Array;
  /** Observations of the deciding players. N x F. */
  readonly obs: Float32Array;
  /**
   * 1 for each legal action of the pending decision, also after a truncation; all 1 after the end of the battle. N x A.
   */
  readonly mask: Uint8Array;
  /** Rewards of the agents in the last step. N x K. */
  readonly reward: Float32Array;
  /** 1 if the last step has ended the battle, perhaps by an illegal action. N. */
  readonly terminated: Uint8Array;
  /** 1 if the last step has reached the limit of steps. N. */
  readonly truncated: Uint8Array;
  /** Index of the player of the pending decision, also after a truncation; -4 after the end of the battle. N. */
  readonly player: Int32Array;
  /** Pending decision point, counted from 1, also after a truncation; 0 after the end of the battle. N. */
  readonly phase: Uint8Array;
  /**
   * Last observation of the last finished episode: the next observation of the deciding player after a truncation,
   * everything after the end of a battle. N x F.
   */
  readonly finalObs: Float32Array;
  /** Sums of its rewards. N x K. */
  readonly finalReturn: Float32Array;
  /** Index of the episode. N. */
  readonly episode: Uint32Array;
  /** 1 if the last action was illegal. N. */
  readonly invalid: Uint8Array;
  /** Environments whose episodes the last step has ended, from the start of their slice. N. */
  readonly finished: Int32Array;
  /** Outcome of the last finished episode, by index in its scenario; -1 if its battle did not end. N. */
  readonly outcome: Int32Array;
  /** Metrics of the last finished battle. N x M. */
  readonly metrics: Int32Array;
  /** Index of the scenario of the episode. N. */
  readonly variant: Int32Array;
  /** Number of actions of the last finished episode. N. */
  readonly length: Uint32Array;
  /** Index of its scenario. N. */
  readonly finalVariant: Int32Array;
  /** Written by the host: marks environments for a masked reset. N. */
  readonly resetMask: Uint8Array;
  /** `mask` at the end of the last finished episode: after a truncation, of the pending decision. N x A. */
  readonly finalMask: Uint8Array;
  /** `player` at the end of the last finished episode. N. */
  readonly finalPlayer: Int32Array;
  /** `phase` at the end of that episode. N. */
  readonly finalPhase: Uint8Array;
  /** States: plain bytes that can be copied. N x record bytes. */
  readonly record: Uint8Array;
}

/** Reads the table of buffers at an address. */
export function readBufferLayouts(memory: ArrayBufferLike, address: number): BufferLayout[] {
  const table = new Uint32Array(memory, address, BUFFERS.length * PLACE.size);
  return BUFFERS.map((name, f) => {
    const { kind, ...place } = PLACE.read(table, f * PLACE.size);
    return { name, kind: KINDS[kind] ?? 'u8', ...place };
  });
}

/** Counts never are negative. */
const UNSIGNED: readonly BufferName[] = ['episode', 'length'];

/** Creates views of the buffers of `envs` environments. */
export function createBufferViews(memory: ArrayBufferLike, places: readonly BufferLayout[], envs: number): EnvBuffers {
  // TypeScript has separate types for typed arrays over shared memory.
  const buffer = memory as ArrayBuffer;
  const view = ({ name, kind, columns, address }: BufferLayout) => {
    const length = columns * envs;
    if (kind === 'f32') return new Float32Array(buffer, address, length);
    if (kind === 'u8') return new Uint8Array(buffer, address, length);
    return new (UNSIGNED.includes(name) ? Uint32Array : Int32Array)(buffer, address, length);
  };
  const views: unknown = Object.fromEntries(places.map((place) => [place.name, view(place)]));
  return views as EnvBuffers;
}

// Validation of record heads, which all systems share, before a kernel loads them.

/** Bytes of a head, before the words of the battle. */
export const HEAD_BYTES: number = 4 * RECORD.size;

export type RecordHead = StructOutput<typeof RECORD>;

/** The head of a state. */
export function readRecordHead(state: Uint8Array): RecordHead {
  // Not `slice`, because Buffer.slice does not copy.
  return RECORD.read(new Int32Array(Uint8Array.from(state.subarray(0, HEAD_BYTES)).buffer));
}

export function encodeRecordHead(head: RecordHead): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Int32Array.from(RECORD.pack(head)).buffer);
}

/**
 * Returns the first word of a head that these environments cannot have, with its allowed range; undefined if all are
 * valid.
 */
function findInvalidWord(
  { variant, point, player, outcome, status, unused }: RecordHead,
  { variants, decisionPoints, autoreset }: EnvSpec,
): [name: string, found: number, least: number, most: number] | undefined {
  const own = variants[variant];
  const bounds: [name: string, found: number, least: number, most: number][] = [
    ['variant', variant, 0, variants.length - 1],
    ['point', point, NONE, decisionPoints.length - 1],
    ['player', player, 0, Math.max(0, (own?.players.length ?? 1) - 1)],
    ['outcome', outcome, NONE, (own?.outcomes.length ?? 0) - 1],
    // With same-step autoreset no environment waits after an episode: it would be stepped forever.
    ['status', status, STATUS.open, autoreset === 'same-step' ? STATUS.open : STATUS.truncated],
    ...unused.map((found, k): [string, number, 0, 0] => [`word ${String(RECORD.at.unused + k)}`, found, 0, 0]),
  ];
  return bounds.find(([, found, least, most]) => found < least || found > most);
}

/**
 * Rejects records that no environment of this configuration can have, as far as their heads show: random bytes and
 * records of other scenarios. The words of the battle belong to the system and are not checked.
 * @param bytes of each record
 */
export function checkRecords(place: string, records: Uint8Array, bytes: number, configuration: EnvSpec): void {
  for (let at = 0; at < records.length; at += bytes) {
    const stray = findInvalidWord(readRecordHead(records.subarray(at, at + HEAD_BYTES)), configuration);
    if (stray === undefined) continue;
    const [name, found, least, most] = stray;
    throw new InputError(`${place}, ${name}`, formatRange(least, most), String(found));
  }
}

/** Parts as one. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
