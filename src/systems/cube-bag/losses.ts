/** Places damage on the objects of one side, as the side that dealt it chooses. */
import type { Door } from '../../chance/door.ts';
import { ENEMY, PLAYERS, type Side, type Structure, type Troop } from './army.ts';
import { priorityGroup, removalOrder } from './policies.ts';
import { STRUCTURE_TYPES, STRUCTURES, type UnitType } from './units.ts';

/** What can be destroyed: all units of a type, or one structure. */
export interface Target {
  readonly name: string;
  /** Its place among the types of its side: units, then structures. */
  readonly slot: number;
  readonly isUnit: boolean;
  /** Damage that fells one of the units, or the structure; 0 if it falls for nothing. */
  readonly need: number;
  /** Damage from earlier; 0 for units. */
  readonly marks: number;
}

/** The objects of a side in groups, each group in the order in which the enemy removes them. */
export interface Objects {
  readonly side: Side;
  /** Names of all types by slot. */
  readonly names: readonly string[];
  readonly groups: readonly (readonly Target[])[];
  /** The destruction priority binds, or would if the enemy had no siege tower. */
  readonly rule: 'priority' | 'priority.tower' | undefined;
}

export interface Orders {
  /** The enemy's policy. */
  readonly removal: readonly string[];
  readonly siegeTower: boolean;
  readonly priority: readonly (readonly string[])[];
  readonly types: ReadonlyMap<string, UnitType>;
}

/** Types of structures that a side has, in the default order of removal. */
function structureTypesOf(structures: readonly Structure[]): string[] {
  return STRUCTURE_TYPES.filter((type) => structures.some((structure) => structure.type === type));
}

export function objectsOf(
  side: Side,
  troops: readonly Troop[],
  structures: readonly Structure[],
  { removal, siegeTower, priority, types }: Orders,
): Objects {
  const names = [...troops.map(({ name }) => name), ...structureTypesOf(structures)];
  const units = troops.map(({ name, hp }, slot): Target => ({ name, slot, isUnit: true, need: hp, marks: 0 }));
  const built = structures.map(({ type, marks }): Target => {
    return { name: type, slot: names.lastIndexOf(type), isUnit: false, need: STRUCTURES[type] - marks, marks };
  });
  const order = removalOrder(removal, types);
  const ordered = [...units, ...built].sort(
    (a, b) => order.indexOf(a.name) - order.indexOf(b.name) || b.marks - a.marks,
  );
  const bound = structures.length > 0 && !siegeTower;
  const groupOf = bound ? priorityGroup(priority, types) : () => 0;
  const groups = [...new Set(ordered.map(({ name }) => groupOf(name)))].sort((a, b) => a - b);
  return {
    side,
    names,
    groups: groups.map((group) => ordered.filter(({ name }) => groupOf(name) === group)),
    rule: structures.length === 0 ? undefined : bound ? 'priority' : 'priority.tower',
  };
}

/** Units and structures by slot, "2 cavalryman, 1 wall". */
function roster(names: readonly string[], counts: readonly number[]): string {
  const some = names.map((name, slot) => ({ name, count: counts[slot] ?? 0 })).filter(({ count }) => count > 0);
  return some.map(({ name, count }) => `${String(count)} ${name}`).join(', ');
}

export interface Losses {
  /** Units left in the battle, by slot. */
  readonly units: readonly number[];
  /** Units and structures destroyed, by slot. */
  readonly lost: readonly number[];
  /** Marks on structures that still stand. */
  readonly marks: number;
}

/** The placing of the damage to one side, while it goes on. */
class Placing {
  readonly #objects: Objects;
  readonly #door: Door;
  readonly #standing: Set<Target>;
  readonly units: number[];
  readonly lost: number[];
  left: number;
  marks: number;

  constructor(objects: Objects, units: readonly number[], damage: number, door: Door) {
    const built = objects.groups.flat().filter(({ isUnit }) => !isUnit);
    this.#objects = objects;
    this.#door = door;
    this.#standing = new Set(built);
    this.units = [...units];
    this.lost = objects.names.map(() => 0);
    this.left = damage;
    this.marks = built.reduce((sum, { marks }) => sum + marks, 0);
  }

  /** True if the target is there still. */
  stands(target: Target): boolean {
    return target.isUnit ? (this.units[target.slot] ?? 0) > 0 : this.#standing.has(target);
  }

  /** Removes objects of a group as long as the damage touches any. */
  onto(group: readonly Target[]): void {
    for (const target of group) if (target.need === 0) this.#fell(target, 'structure.free');
    for (;;) {
      const within = group.filter((target) => this.stands(target) && this.#canTouch(target));
      const target = this.#choose(within);
      if (target === undefined) return;
      if (target.need <= this.left) this.#fell(target, 'structure');
      else this.#mark(target);
    }
  }

  #canTouch({ isUnit, need }: Target): boolean {
    return isUnit ? need <= this.left : this.left > 0;
  }

  #choose(within: readonly Target[]): Target | undefined {
    const options = [...new Set(within.map(({ name }) => name))];
    const policy = (): string => options[0] ?? '';
    const dealer = ENEMY[this.#objects.side];
    const name = options.length < 2 ? options[0] : this.#door.decide('removal', dealer, options, policy);
    return within.find((target) => target.name === name);
  }

  #fell(target: Target, rule: string): void {
    const { name, slot, isUnit, need, marks } = target;
    this.left -= need;
    this.lost[slot] = (this.lost[slot] ?? 0) + 1;
    if (isUnit) {
      this.units[slot] = (this.units[slot] ?? 0) - 1;
      return;
    }
    this.#standing.delete(target);
    this.marks -= marks;
    this.#door.rule(rule, () => ({ side: PLAYERS[this.#objects.side], name, damage: need }));
  }

  #mark({ name }: Target): void {
    this.#door.rule('marks', () => ({ side: PLAYERS[this.#objects.side], name, damage: this.left }));
    this.marks += this.left;
    this.left = 0;
  }
}

/** Places damage on a side. A later group is touched only when nothing of those before it stands. */
export function placed(objects: Objects, units: readonly number[], damage: number, door: Door): Losses {
  const placing = new Placing(objects, units, damage, door);
  const side = PLAYERS[objects.side];
  if (objects.rule !== undefined && damage > 0) door.rule(objects.rule, () => ({ side }));
  for (const group of objects.groups) {
    placing.onto(group);
    if (group.some((target) => placing.stands(target))) break;
  }
  const fallen = placing.lost.map((count, slot) => (slot < units.length ? count : 0));
  if (fallen.some((count) => count > 0)) door.rule('losses', () => ({ side, units: roster(objects.names, fallen) }));
  if (placing.left > 0) {
    const survivors = roster(objects.names, placing.units);
    door.rule(survivors === '' ? 'damage.lost' : 'damage.ignored', () => ({
      side,
      damage: placing.left,
      units: survivors,
    }));
  }
  return placing;
}
