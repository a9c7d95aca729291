/** Fields of environments in a kernel's memory, as typed arrays that stay valid: memory never grows behind them. */

import { FIELDS, type FieldKind, type FieldName, KINDS, PLACE } from './layout.ts';

/** Where a field lies: rows of environments, one after the other. */
export interface FieldPlace {
  readonly name: FieldName;
  readonly kind: FieldKind;
  /** Numbers in a row. */
  readonly columns: number;
  /** Byte address of the first row, a multiple of 64. */
  readonly address: number;
  /** Bytes from one row to the next. */
  readonly row: number;
}

/** Fields of N environments with A actions, F features, K agents and M metrics, rows one after the other. */
export interface Fields {
  /** What each does next: the number of an action. N. Written by the host. */
  readonly act: Int32Array;
  /** What the deciding player sees. N x F. */
  readonly obs: Float32Array;
  /** 1 for each legal action; all 1 when the battle is over. N x A. */
  readonly mask: Uint8Array;
  /** What each agent has earned by the last step. N x K. */
  readonly reward: Float32Array;
  /** 1 if the last step has ended the episode: the battle is over, or an illegal action has lost it. N. */
  readonly terminated: Uint8Array;
  /** 1 if the last step has reached the limit of steps. N. */
  readonly truncated: Uint8Array;
  /** Index of the player who decides, or -4 when the battle is over. N. */
  readonly player: Int32Array;
  /** Number of the pending decision point from 1 on, or 0 when the battle is over. N. */
  readonly phase: Uint8Array;
  /**
   * The last observation of the episode that ended last: after a truncation what the deciding player would have seen next,
   * after the end of a battle everything. N x F.
   */
  readonly finalObs: Float32Array;
  /** The sums of its rewards. N x K. */
  readonly finalReturn: Float32Array;
  /** Number of the episode from 0 on. N. */
  readonly episode: Uint32Array;
  /** 1 if the last action was illegal. N. */
  readonly invalid: Uint8Array;
  /** Environments whose episodes the last step has ended, from the first of its slice on. N. */
  readonly finished: Int32Array;
  /** Outcome of the episode that ended last, by its index in its scenario; -1 if no battle ended it. N. */
  readonly outcome: Int32Array;
  /** Metrics of the battle that ended last. N x M. */
  readonly metrics: Int32Array;
  /** Index of the scenario of the episode. N. */
  readonly variant: Int32Array;
  /** Actions of the episode that ended last. N. */
  readonly length: Uint32Array;
  /** Index of its scenario. N. */
  readonly finalVariant: Int32Array;
  /** Written by the host: which environments a masked reset starts over. N. */
  readonly resetMask: Uint8Array;
  /** States: plain bytes that can be copied out and in. N x record bytes. */
  readonly record: Uint8Array;
}

/** Reads the table of fields at an address. */
export function placesAt(memory: ArrayBufferLike, address: number): FieldPlace[] {
  const table = new Uint32Array(memory, address, FIELDS.length * PLACE.size);
  return FIELDS.map((name, f) => {
    const { kind, ...place } = PLACE.read(table, f * PLACE.size);
    return { name, kind: KINDS[kind] ?? 'u8', ...place };
  });
}

/** Counts never are negative. */
const UNSIGNED: readonly FieldName[] = ['episode', 'length'];

/** Views of the fields of `envs` environments. */
export function viewsOf(memory: ArrayBufferLike, places: readonly FieldPlace[], envs: number): Fields {
  // Typed arrays over shared memory are typed apart, though they are read and written alike.
  const buffer = memory as ArrayBuffer;
  const view = ({ name, kind, columns, address }: FieldPlace) => {
    const length = columns * envs;
    if (kind === 'f32') return new Float32Array(buffer, address, length);
    if (kind === 'u8') return new Uint8Array(buffer, address, length);
    return new (UNSIGNED.includes(name) ? Uint32Array : Int32Array)(buffer, address, length);
  };
  const views: unknown = Object.fromEntries(places.map((place) => [place.name, view(place)]));
  return views as Fields;
}
