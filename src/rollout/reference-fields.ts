/** Where fields of environments lie that the rules play: as in a kernel, but for records, of which there are the heads alone. */
import { ALIGNMENT } from '../kernel/layout.ts';
import type { Configuration } from './configuration.ts';
import type { Place } from './fields.ts';
import { type Columns, FIELDS, SHAPES } from './layout.ts';
import { HEAD_BYTES } from './records.ts';

const BYTES = { i32: 4, f32: 4, u8: 1 } as const;

const aligned = (at: number): number => Math.ceil(at / ALIGNMENT) * ALIGNMENT;

/** Where fields lie, one after the other, and where they end. */
export function laidOut(configuration: Configuration, envs: number): { places: Place[]; end: number } {
  const { actions, features, agents, metrics } = configuration;
  const lengths: Readonly<Record<Columns, number>> = {
    ...{ one: 1, features: features.length, actions: actions.length, agents: agents.length },
    ...{ metrics, record: HEAD_BYTES },
  };
  let end = 0;
  const places = FIELDS.map((name): Place => {
    const [kind, length] = SHAPES[name];
    const columns = lengths[length];
    const [address, row] = [aligned(end), BYTES[kind] * columns];
    end = address + row * envs;
    return { name, kind, columns, address, row };
  });
  return { places, end };
}
