/** Places damage on the objects of one side, as the side that dealt it chooses. */
import type { Door } from '../../chance/door.ts';
import { ENEMY, PLAYERS, type Side, type Structure, type Troop } from './army.ts';
import { priorityGroup, removalOrder } from './policies.ts';
import { STRUCTURE_TYPES, STRUCTURES, type UnitType } from './units.ts';

/** The group of units that are open at any time, since they are not where the structures are. */
const OPEN = -1;

/** What can be destroyed: all units of a troop, or one structure. */
export interface Target {
  readonly name: string;
  /** Its place among what its side has: troops, then types of structures. */
  readonly slot: number;
  readonly isUnit: boolean;
  /** Its place in the destruction priority, or `OPEN`. */
  readonly group: number;
  /** Damage that fells one of the units, or the structure; 0 if it falls for nothing. */
  readonly need: number;
  /** Damage from earlier; 0 for units. */
  readonly marks: number;
}

/** The objects of a side, in the order in which the enemy removes them. */
export interface Objects {
  readonly side: Side;
  /** Names by slot; troops of one type, if armies are told apart, have the same. */
  readonly names: readonly string[];
  readonly targets: readonly Target[];
  /** The destruction priority binds on some of them, and others are open. */
  readonly isMixed: boolean;
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
  const bound = structures.length > 0 && !siegeTower;
  const groupOf = bound ? priorityGroup(priority, types) : () => 0;
  const units = troops.map(({ name, hp, elsewhere }, slot): Target => {
    return { name, slot, isUnit: true, group: bound && elsewhere ? OPEN : groupOf(name), need: hp, marks: 0 };
  });
  const built = structures.map(({ type, marks }): Target => {
    const need = STRUCTURES[type] - marks;
    return { name: type, slot: names.lastIndexOf(type), isUnit: false, group: groupOf(type), need, marks };
  });
  const order = removalOrder(removal, types);
  const rank = ({ name }: Target): number => order.indexOf(name);
  return {
    side,
    names,
    targets: [...units, ...built].sort((a, b) => rank(a) - rank(b) || b.marks - a.marks),
    isMixed: units.some(({ group }) => group === OPEN),
    rule: structures.length === 0 ? undefined : bound ? 'priority' : 'priority.tower',
  };
}

/** Units and structures by name, "2 cavalryman, 1 wall". */
function roster(names: readonly string[], counts: readonly number[]): string {
  const totals = new Map<string, number>();
  for (const [slot, count] of counts.entries()) {
    const name = names[slot] ?? '';
    if (count > 0) totals.set(name, (totals.get(name) ?? 0) + count);
  }
  return [...totals].map(([name, count]) => `${String(count)} ${name}`).join(', ');
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
  const built = objects.targets.filter(({ isUnit }) => !isUnit);
  const fallen = [...lost];
  return new Set(
    built.filter(({ slot }) => {
      const falls = (fallen[slot] ?? 0) > 0;
      if (falls) fallen[slot] = (fallen[slot] ?? 0) - 1;
      return !falls;
    }),
  );
}

/**
 * The placing of the damage to one side, object by object: of the first group in which anything stands, and of units that
 * are open.
 */
export class Placing implements Placed {
  readonly #objects: Objects;
  readonly #door: Door;
  readonly #standing: Set<Target>;
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
    for (let left = choices; ; ) {
      const within = this.#touched();
      const options = [...new Set(within.map(({ name }) => name))];
      if (options.length > 1 && left-- === 0) return false;
      const name = this.#choose(options);
      const target = within.find((each) => each.name === name);
      if (target === undefined) break;
      if (target.need <= this.left) this.#fell(target);
      else this.#mark(target);
    }
    this.#end();
    return true;
  }

  /**
   * What can fall or be marked next. Where nothing else is open, a structure that falls for nothing does so before
   * anybody chooses: it makes no difference when it falls.
   */
  #touched(): readonly Target[] {
    const standing = this.#objects.targets.filter((target) => this.#stands(target));
    const bound = standing.filter(({ group }) => group !== OPEN);
    const first = Math.min(...bound.map(({ group }) => group));
    const within = standing.filter(
      (target) => (target.group === first || target.group === OPEN) && this.#canTouch(target),
    );
    const free = within.find(({ need }) => need === 0);
    return free === undefined || within.some(({ group }) => group === OPEN) ? within : [free];
  }

  #stands(target: Target): boolean {
    return target.isUnit ? (this.units[target.slot] ?? 0) > 0 : this.#standing.has(target);
  }

  #canTouch({ isUnit, need }: Target): boolean {
    return need <= this.left || (!isUnit && this.left > 0);
  }

  #choose(options: readonly string[]): string | undefined {
    const policy = (): string => options[0] ?? '';
    const dealer = ENEMY[this.#objects.side];
    return options.length < 2 ? options[0] : this.#door.decide('removal', dealer, options, policy);
  }

  #fell(target: Target): void {
    const { name, slot, isUnit, need, marks } = target;
    this.left -= need;
    this.lost[slot] = (this.lost[slot] ?? 0) + 1;
    if (isUnit) {
      this.units[slot] = (this.units[slot] ?? 0) - 1;
      return;
    }
    this.#standing.delete(target);
    this.marks -= marks;
    const rule = need === 0 ? 'structure.free' : 'structure';
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
