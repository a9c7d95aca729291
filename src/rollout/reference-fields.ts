/** Where fields of environments lie that the rules play: as in a kernel, but for records, of which there are the heads alone. */
import type { Configuration } from './configuration.ts';
import { FIELDS, type FieldName, type Kind, type Place } from './fields.ts';
import { HEAD_BYTES } from './records.ts';

/** Bytes to a multiple of which fields are laid, as in a kernel. */
const ALIGNMENT = 64;

const BYTES = { i32: 4, f32: 4, u8: 1 } as const;

const aligned = (at: number): number => Math.ceil(at / ALIGNMENT) * ALIGNMENT;

/** Kinds of fields and numbers in a row of each. */
function shapesOf({ actions, features, agents, metrics }: Configuration): Record<FieldName, readonly [Kind, number]> {
  const [word, byte] = [['i32', 1] as const, ['u8', 1] as const];
  return {
    ...{ act: word, obs: ['f32', features.length], mask: ['u8', actions.length], reward: ['f32', agents.length] },
    ...{ terminated: byte, truncated: byte, player: word, phase: byte },
    ...{ finalObs: ['f32', features.length], finalReturn: ['f32', agents.length] },
    ...{ episode: word, invalid: byte, finished: word, outcome: word, metrics: ['i32', metrics] },
    ...{ variant: word, length: word, finalVariant: word, resetMask: byte, record: ['u8', HEAD_BYTES] },
  };
}

/** Where fields lie, one after the other, and where they end. */
export function laidOut(configuration: Configuration, envs: number): { places: Place[]; end: number } {
  const shapes = shapesOf(configuration);
  let end = 0;
  const places = FIELDS.map((name): Place => {
    const [kind, columns] = shapes[name];
    const [address, row] = [aligned(end), BYTES[kind] * columns];
    end = address + row * envs;
    return { name, kind, columns, address, row };
  });
  return { places, end };
}
