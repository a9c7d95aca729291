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

/** What has been placed on a side, and the marks on all structures that stand. */
interface Placed {
  /** Units left in the battle, by slot. */
  readonly units: readonly number[];
  /** Units and structures destroyed, by slot. */
  readonly lost: readonly number[];
  readonly marks: number;
}

/** Structures that stand: of each type those with most marks have fallen first. */
function standing(objects: Objects, lost: readonly number[]): Set<Target> {
  const built = objects.groups.flat().filter(({ isUnit }) => !isUnit);
  const fallen = [...lost];
  return new Set(
    built.filter(({ slot }) => {
      const falls = (fallen[slot] ?? 0) > 0;
      if (falls) fallen[slot] = (fallen[slot] ?? 0) - 1;
      return !falls;
    }),
  );
}

/** The placing of the damage to one side. A later group is touched only when nothing of those before it stands. */
export class Placing implements Placed {
  readonly #objects: Objects;
  readonly #door: Door;
  readonly #standing: Set<Target>;
  #choices = 0;
  readonly units: number[];
  readonly lost: number[];
  left: number;
  marks: number;

  /** @param from what has been placed before */
  constructor(objects: Objects, { units, lost, marks }: Placed, damage: number, door: Door) {
    this.#objects = objects;
    this.#door = door;
    this.#standing = standing(objects, lost);
    this.units = [...units];
    this.lost = [...lost];
    this.left = damage;
    this.marks = marks;
  }

  begin(): void {
    const { rule, side } = this.#objects;
    if (rule !== undefined && this.left > 0) this.#door.rule(rule, () => ({ side: PLAYERS[side] }));
  }

  /** Places damage with so many choices between types at most; true if that was all of it. */
  goOn(choices: number): boolean {
    this.#choices = choices;
    for (const group of this.#objects.groups) {
      if (!this.#onto(group)) return false;
      if (group.some((target) => this.#stands(target))) break;
    }
    this.#end();
    return true;
  }

  /** Removes objects of a group as long as the damage touches any; false if that takes one choice too many. */
  #onto(group: readonly Target[]): boolean {
    for (const target of group) if (target.need === 0 && this.#stands(target)) this.#fell(target, 'structure.free');
    for (;;) {
      const within = group.filter((target) => this.#stands(target) && this.#canTouch(target));
      const options = [...new Set(within.map(({ name }) => name))];
      if (options.length > 1 && this.#choices-- === 0) return false;
      const name = this.#choose(options);
      const target = within.find((each) => each.name === name);
      if (target === undefined) return true;
      if (target.need <= this.left) this.#fell(target, 'structure');
      else this.#mark(target);
    }
  }

  #stands(target: Target): boolean {
    return target.isUnit ? (this.units[target.slot] ?? 0) > 0 : this.#standing.has(target);
  }

  #canTouch({ isUnit, need }: Target): boolean {
    return isUnit ? need <= this.left : this.left > 0;
  }

  #choose(options: readonly string[]): string | undefined {
    const policy = (): string => options[0] ?? '';
    const dealer = ENEMY[this.#objects.side];
    return options.length < 2 ? options[0] : this.#door.decide('removal', dealer, options, policy);
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

  #end(): void {
    const { names } = this.#objects;
    const side = PLAYERS[this.#objects.side];
    const fallen = this.lost.map((count, slot) => (slot < this.units.length ? count : 0));
    if (fallen.some((count) => count > 0)) this.#door.rule('losses', () => ({ side, units: roster(names, fallen) }));
    if (this.left === 0) return;
    const survivors = roster(names, this.units);
    this.#door.rule(survivors === '' ? 'damage.lost' : 'damage.ignored', () => ({
      side,
      damage: this.left,
      units: survivors,
    }));
  }
}
