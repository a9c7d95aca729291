/** Where fields of environments lie that the rules play: as in a kernel, but for records, of which there are the heads alone. */
import { sha256 } from '#platform/hash';
import { scenarioHash } from '../answers/digest.ts';
import { InputError } from '../core/errors.ts';
import { ALIGNMENT } from '../engines/kernel/layout.ts';
import { opened } from '../rules/opened.ts';
import type { Configuration } from './configuration.ts';
import type { FieldPlace } from './fields.ts';
import { checkRoom, type Room } from './kernel.ts';
import { type Columns, FIELDS, SHAPES } from './layout.ts';
import { HEAD_BYTES } from './records.ts';

const BYTES = { i32: 4, f32: 4, u8: 1 } as const;

const aligned = (at: number): number => Math.ceil(at / ALIGNMENT) * ALIGNMENT;

/** Where fields lie, one after the other, where they end, and where the seed lies behind them. */
export function laidOut(
  configuration: Configuration,
  envs: number,
): { places: FieldPlace[]; end: number; seedAt: number } {
  const { actions, features, agents, metrics } = configuration;
  const lengths: Readonly<Record<Columns, number>> = {
    ...{ one: 1, features: features.length, actions: actions.length, agents: agents.length },
    ...{ metrics, record: HEAD_BYTES },
  };
  let end = 0;
  const places = FIELDS.map((name): FieldPlace => {
    const [kind, length] = SHAPES[name];
    const columns = lengths[length];
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
  return sha256().update(JSON.stringify(made)).word();
}
