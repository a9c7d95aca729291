import type { Side } from '../system.ts';
import { createStructureHp, type StructureOverride } from './units.ts';

// Structures of a side: their hit points, and groups that fall in a fixed order.

/** A structure with its hit points. */
import { type AppliedRule, PLAYERS, type StructureEntry } from './army.ts';
export type Building = StructureEntry & { readonly hp: number };

/** Lists structures in the order of the file; `hp` is 0 for an unknown type. */
export function listBuildings(
  structureTypes: Readonly<Record<string, StructureOverride>>,
  structures: readonly StructureEntry[],
): Building[] {
  const types = createStructureHp(structureTypes);
  return structures.map((structure) => ({ ...structure, hp: structure.hp ?? types.get(structure.type) ?? 0 }));
}

/** Structures of one type, on one hex and with the same hit points: those with more marks fall first. */
export type BuildingGroup = readonly Building[];

/** Groups the structures of a side by type, in their order. */
export function groupBuildings(buildings: readonly Building[], types: Iterable<string>): BuildingGroup[] {
  const byType = [...types].flatMap((name) => buildings.filter(({ type }) => type === name));
  const lots = new Map<string, BuildingGroup>();
  for (const building of byType) {
    const { type, hex = '', hp } = building;
    const key = `${type} ${String(hp)} ${hex}`;
    lots.set(key, [...(lots.get(key) ?? []), building]);
  }
  return [...lots.values()];
}

/** Formats the hex of a structure as a suffix; empty for the target hex. */
export const formatHex = (hex: string | undefined): string => (hex === undefined ? '' : ` on ${hex}`);

/** Lists the rules of structures on other hexes, and of hit points that differ from the table. */
export function listBuildingRules(side: Side, lots: readonly BuildingGroup[]): AppliedRule[] {
  const printed = createStructureHp({});
  const player = PLAYERS[side];
  return lots.flatMap((lot): AppliedRule[] => {
    const [{ type: name, hex, hp } = { type: '', hex: undefined, hp: 0 }] = lot;
    const placed = { rule: 'structures.hex', facts: { side: player, count: lot.length, name, hex: hex ?? '' } };
    const own = { rule: 'structures.hp', facts: { side: player, name, hp, where: formatHex(hex) } };
    return [...(hex === undefined ? [] : [placed]), ...(hp === printed.get(name) ? [] : [own])];
  });
}
