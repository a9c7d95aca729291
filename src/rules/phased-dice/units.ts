/** The unit table as data, and how a scenario changes it. */

export const CLASSES = ['artillery', 'cavalry', 'infantry', 'air', 'fleet'] as const;
export type UnitClass = (typeof CLASSES)[number];

/** Classes of which the enemy can be told to lose units first, in the order that breaks ties. */
export const GROUND_CLASSES = ['artillery', 'cavalry', 'infantry'] as const;
export type GroundClass = (typeof GROUND_CLASSES)[number];

/** An entry of the table. Dice and hits are as many as the era. */
export interface TableEntry {
  readonly name: string;
  readonly class: UnitClass;
  /** 1 ancient, 2 medieval, 3 gunpowder, 4 modern; of an aircraft, its strength: 1 less than its value. */
  readonly era: number;
  readonly bonus: number;
  /** The source does not print this unit: its figures are ours until it turns up. */
  readonly placeholder?: true;
}

/** A unit type as a battle uses it. */
export interface UnitType {
  readonly name: string;
  readonly class: UnitClass;
  readonly era: number;
  /** Dice that one unit rolls. */
  readonly dice: number;
  /** Hits that one unit takes, all at once or none. */
  readonly hits: number;
  /** Added to the class's combat value. */
  readonly bonus: number;
}

/** What a scenario says of a type; what it leaves out is the table's. */
export interface UnitOverride {
  readonly class?: UnitClass | undefined;
  readonly era?: number | undefined;
  readonly dice?: number | undefined;
  readonly hits?: number | undefined;
  readonly bonus?: number | undefined;
}

/** What the figures are that the source prints after the strength of aircraft, 2 to 5: their values or their strengths. */
export type AirStrength = 'tier' | 'literal';

/** Seed 001, names and figures in its example, its tables of pictures lost. The order breaks ties. */
export const unitTable: readonly TableEntry[] = [
  { name: 'catapult', class: 'artillery', era: 1, bonus: 0 },
  { name: 'trebuchet', class: 'artillery', era: 2, bonus: 0 },
  { name: 'cannon', class: 'artillery', era: 3, bonus: 1 },
  { name: 'howitzer', class: 'artillery', era: 4, bonus: 1, placeholder: true },
  { name: 'chariot', class: 'cavalry', era: 1, bonus: 0, placeholder: true },
  { name: 'knight', class: 'cavalry', era: 2, bonus: 0 },
  { name: 'dragoon', class: 'cavalry', era: 3, bonus: 0 },
  { name: 'tank', class: 'cavalry', era: 4, bonus: 0, placeholder: true },
  { name: 'spearman', class: 'infantry', era: 1, bonus: 0 },
  { name: 'pikeman', class: 'infantry', era: 2, bonus: 0, placeholder: true },
  { name: 'rifleman', class: 'infantry', era: 3, bonus: 0 },
  { name: 'mechanized-infantry', class: 'infantry', era: 4, bonus: 2 },
  { name: 'biplane', class: 'air', era: 1, bonus: 0 },
  { name: 'monoplane', class: 'air', era: 2, bonus: 0 },
  { name: 'jet', class: 'air', era: 3, bonus: 0 },
  { name: 'stealth', class: 'air', era: 4, bonus: 0 },
  { name: 'galley', class: 'fleet', era: 1, bonus: 0, placeholder: true },
  { name: 'caravel', class: 'fleet', era: 2, bonus: 0, placeholder: true },
  { name: 'frigate', class: 'fleet', era: 3, bonus: 0, placeholder: true },
  { name: 'battleship', class: 'fleet', era: 4, bonus: 0, placeholder: true },
];

/** True if the table has a type of that name. */
export function isPrinted(name: string): boolean {
  return unitTable.some((entry) => entry.name === name);
}

/** The type that an entry and what a scenario says of it make; undefined if class or era is missing. */
function typeOf(name: string, entry: TableEntry | undefined, override: UnitOverride): UnitType | undefined {
  const unitClass = override.class ?? entry?.class;
  const era = override.era ?? entry?.era;
  if (unitClass === undefined || era === undefined) return undefined;
  return {
    name,
    class: unitClass,
    era,
    dice: override.dice ?? era,
    hits: override.hits ?? era,
    bonus: override.bonus ?? entry?.bonus ?? 0,
  };
}

/** The table as it reads by an option. */
function tableOf(air: AirStrength): readonly TableEntry[] {
  if (air === 'tier') return unitTable;
  return unitTable.map((entry) => (entry.class === 'air' ? { ...entry, era: entry.era + 1 } : entry));
}

/**
 * All unit types of a scenario by name, in the order that breaks ties: the table's, then added ones in
 * the order of the file. Added types without class or era are left out.
 */
export function unitTypesOf(
  overrides: Readonly<Record<string, UnitOverride>>,
  air: AirStrength,
): ReadonlyMap<string, UnitType> {
  const given = new Map(Object.entries(overrides));
  const entries = new Map<string, TableEntry | undefined>(tableOf(air).map((entry) => [entry.name, entry]));
  for (const name of given.keys()) if (!entries.has(name)) entries.set(name, undefined);
  const types = new Map<string, UnitType>();
  for (const [name, entry] of entries) {
    const type = typeOf(name, entry, given.get(name) ?? {});
    if (type !== undefined) types.set(name, type);
  }
  return types;
}
