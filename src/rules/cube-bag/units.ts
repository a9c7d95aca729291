/** Unit and structure tables as data, and changes of units by a scenario. */

export const CLASSES = ['infantry', 'cavalry', 'siege', 'vessel'] as const;
export type BagUnitClass = (typeof CLASSES)[number];

/** Kind of combat of a unit; `none` is never active. */
export const KINDS = ['none', 'melee', 'ranged', 'projectile'] as const;
export type UnitKind = (typeof KINDS)[number];

/** Targets of strength bonuses. */
export const AGAINST = [...CLASSES, 'structures'] as const;
export type Against = (typeof AGAINST)[number];

export interface BagUnitType {
  readonly name: string;
  readonly class: BagUnitClass;
  readonly kind: UnitKind;
  /** Least and greatest distance at which it is active; empty for a kind that never is. */
  readonly range: readonly number[];
  /** Damage that destroys one unit; less has no effect. */
  readonly hp: number;
  /** Cubes of one unit. */
  readonly strength: number;
  /** Cubes that an army gets against an enemy with the class, or with structures. */
  readonly bonus: Readonly<Partial<Record<Against, number | undefined>>>;
  /** An army with such a unit active has courage 1 higher against structures. */
  readonly courageVsStructures: boolean;
}

/** A type of the table. */
interface PrintedType extends BagUnitType {
  /** Figures in the rule text; all others are completed from outside it. */
  readonly stated: readonly (keyof BagUnitType)[];
}

/** Fields of a type in a scenario; omitted ones are those of the table. */
export type BagUnitOverride = { readonly [F in keyof Omit<BagUnitType, 'name'>]?: BagUnitType[F] | undefined };

export type UnitSet = 'seed' | 'old';

const plain = { hp: 1, strength: 1, bonus: {}, courageVsStructures: false, stated: [] };

/**
 * The unit table of the rule text is a lost picture: its figures are completed from outside, such that the first
 * example has its 10 cubes, except those that the text states elsewhere. The order breaks ties.
 */
export const unitTable: readonly PrintedType[] = [
  { ...plain, name: 'peasant', class: 'infantry', kind: 'none', range: [] },
  { ...plain, name: 'spearman', class: 'infantry', kind: 'melee', range: [1, 1], bonus: { cavalry: 3 } },
  { ...plain, name: 'swordsman', class: 'infantry', kind: 'melee', range: [1, 1], bonus: { infantry: 1 } },
  { ...plain, name: 'archer', class: 'infantry', kind: 'ranged', range: [1, 2] },
  { ...plain, name: 'cavalryman', class: 'cavalry', kind: 'melee', range: [1, 1], bonus: { infantry: 2, siege: 2 } },
  {
    ...plain,
    name: 'catapult',
    class: 'siege',
    kind: 'projectile',
    range: [1, 2],
    bonus: { vessel: 2, structures: 2 },
    courageVsStructures: true,
    stated: ['courageVsStructures'],
  },
  {
    ...plain,
    name: 'trebuchet',
    class: 'siege',
    kind: 'projectile',
    range: [2, 3],
    bonus: { structures: 4 },
    courageVsStructures: true,
    stated: ['courageVsStructures'],
  },
  { ...plain, name: 'galley', class: 'vessel', kind: 'ranged', range: [1, 2], hp: 2 },
];

/**
 * Overrides of `unitSet: old`, the table of another edition: the first example has 9 cubes, or 10 with an action cube.
 */
const OLD_OVERRIDES: Readonly<Record<string, BagUnitOverride>> = { cavalryman: { bonus: { infantry: 1, siege: 2 } } };

const WORDS: Partial<Record<keyof BagUnitType, string>> = {
  courageVsStructures: 'the courage against structures',
};

/**
 * Describes the source of the figures of a type: `completed from outside the rule text, except for the courage against
 * structures`.
 */
export function describeOrigin({ stated }: Pick<PrintedType, 'stated'>): string {
  const words = stated.map((figure) => WORDS[figure] ?? figure);
  return ['completed from outside the rule text', ...(words.length > 0 ? [`except for ${words.join(', ')}`] : [])].join(
    ', ',
  );
}

/** Describes the figures of a type of the table: `infantry, melee, range 1, bonus 3 against cavalry`. */
export function describeUnitType({ class: unitClass, kind, range, hp, bonus }: BagUnitType): string {
  const [least, most] = range;
  const counted = Object.entries(bonus).map(([against, cubes]) => `${String(cubes)} against ${against}`);
  return [
    unitClass,
    kind === 'none' ? 'always inactive' : kind,
    ...(least === undefined ? [] : [`range ${String(least)}${most === least ? '' : `-${String(most)}`}`]),
    ...(hp === 1 ? [] : [`${String(hp)} hit points`]),
    ...(counted.length === 0 ? [] : [`bonus ${counted.join(', ')}`]),
  ].join(', ');
}

/** Hit points of structures in the default order of removal. Those of wall and palisade are not in the rule text. */
const STRUCTURES = { building: 1, city: 3, castle: 4, wall: 2, palisade: 1 } as const;
export const STRUCTURE_TYPES = Object.keys(STRUCTURES) as (keyof typeof STRUCTURES)[];

/** Fields of a type of structures in a scenario. */
export interface StructureOverride {
  /** Damage that destroys one. */
  readonly hp: number;
}

/** Default order of removal of units; added types follow, then structures. */
export const REMOVAL: readonly string[] = [
  'trebuchet',
  'catapult',
  'cavalryman',
  'galley',
  'archer',
  'swordsman',
  'spearman',
  'peasant',
];

/** Units that the word `military` excludes. */
export const PEASANT = 'peasant';

/** Returns true if the table of units has a type of that name. */
export function isPrinted(name: string): boolean {
  return unitTable.some((entry) => entry.name === name);
}

function completeUnitType(name: string, fields: BagUnitOverride): BagUnitType | undefined {
  const { class: unitClass, kind, range = [], hp = 1, strength = 1, bonus = {}, courageVsStructures = false } = fields;
  if (unitClass === undefined || kind === undefined) return undefined;
  return { name, class: unitClass, kind, range, hp, strength, bonus, courageVsStructures };
}

type UnitOverrides = Readonly<Record<string, BagUnitOverride>>;
type UnitTypes = ReadonlyMap<string, BagUnitType>;

/** By unit set and overrides: variants of a scenario share them. */
const unitTypes = { seed: new WeakMap<UnitOverrides, UnitTypes>(), old: new WeakMap<UnitOverrides, UnitTypes>() };

/**
 * Creates all unit types of a scenario by name, in the order that breaks ties: those of the table, then added ones in
 * the order of the file. Added types without class or kind are omitted.
 */
export function createUnitTypes(overrides: UnitOverrides, unitSet: UnitSet): UnitTypes {
  const known = unitSet === 'old' ? unitTypes.old : unitTypes.seed;
  const types = known.get(overrides) ?? computeUnitTypes(overrides, unitSet);
  // Fields of a file that is checked may be invalid.
  if (typeof overrides === 'object') known.set(overrides, types);
  return types;
}

function computeUnitTypes(overrides: UnitOverrides, unitSet: UnitSet): UnitTypes {
  const fields = new Map<string, BagUnitOverride>(unitTable.map((entry) => [entry.name, entry]));
  const changes = [...(unitSet === 'old' ? Object.entries(OLD_OVERRIDES) : []), ...Object.entries(overrides)];
  for (const [name, change] of changes) {
    const removeUndefined = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    fields.set(name, { ...fields.get(name), ...removeUndefined });
  }
  const types = new Map<string, BagUnitType>();
  for (const [name, entry] of fields) {
    const type = completeUnitType(name, entry);
    if (type !== undefined) types.set(name, type);
  }
  return types;
}

/**
 * Creates the hit points of all types of structures of a scenario, in the default order of removal: added ones last, as
 * in the file.
 */
export function createStructureHp(overrides: Readonly<Record<string, StructureOverride>>): ReadonlyMap<string, number> {
  const said = Object.entries(overrides).map(([name, { hp }]): [string, number] => [name, hp]);
  return new Map([...Object.entries(STRUCTURES), ...said]);
}

/** Fields of a scenario that define types of objects. */
export interface ObjectTables {
  readonly unitSet: UnitSet;
  readonly unitTypes: Readonly<Record<string, BagUnitOverride>>;
  readonly structureTypes: Readonly<Record<string, StructureOverride>>;
}

/** All types of objects of a scenario. */
export interface ObjectTypes {
  readonly units: ReadonlyMap<string, BagUnitType>;
  /** Hit points by type. */
  readonly structures: ReadonlyMap<string, number>;
}

export function createObjectTypes({ unitTypes, unitSet, structureTypes }: ObjectTables): ObjectTypes {
  return { units: createUnitTypes(unitTypes, unitSet), structures: createStructureHp(structureTypes) };
}
