/** Where fields of environments lie that the rules play: as in a kernel, but for records, of which there are the heads alone. */
import { createHash } from 'node:crypto';
import { InputError } from '../errors.ts';
import { scenarioHash } from '../stats/digest.ts';
import { opened } from '../systems/opened.ts';
import type { Configuration } from './configuration.ts';
import { FIELDS, type FieldName, type Kind, type Place } from './fields.ts';
import { checkRoom, type Room } from './kernel.ts';
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

/** Where fields lie, one after the other, where they end, and where the seed lies behind them. */
export function laidOut(configuration: Configuration, envs: number): { places: Place[]; end: number; seedAt: number } {
  const shapes = shapesOf(configuration);
  let end = 0;
  const places = FIELDS.map((name): Place => {
    const [kind, columns] = shapes[name];
    const [address, row] = [aligned(end), BYTES[kind] * columns];
    end = address + row * envs;
    return { name, kind, columns, address, row };
  });
  return { places, end, seedAt: aligned(end) };
}

/** Bytes of the memory for fields and seed. @throws InputError if there are too many environments */
export function memoryBytes(configuration: Configuration, room: Omit<Room, 'threads'>): number {
  checkRoom({ ...room, threads: 1 });
  const bytes = laidOut(configuration, room.envs).seedAt + BigUint64Array.BYTES_PER_ELEMENT;
  if (bytes > 2 ** 31) throw new InputError('envs', 'as many as 2 GiB hold', String(room.envs));
  return bytes;
}

/** What tells environments of other scenarios, or that were made otherwise. */
export function fingerprintOf({ system, variants, features, ...rest }: Configuration, envs: number): bigint {
  const { agents, asked, actions, autoreset, maxSteps } = rest;
  const parts = variants.map(({ scenario, weight, byOutcome, byMetric }) => ({
    ...{ scenario: scenarioHash(scenario), module: opened(scenario).module?.hash, weight, byOutcome, byMetric },
  }));
  const made = { system: system.id, parts, features, agents, asked, actions, autoreset, maxSteps, envs };
  return createHash('sha256').update(JSON.stringify(made)).digest().readBigUInt64LE();
}
