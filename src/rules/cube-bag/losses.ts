/** Places damage on the objects of one side, as the side that dealt it chooses. */
import type { Door } from '../../core/chance/door.ts';
import { ENEMY, PLAYERS, type Side, type Troop } from './army.ts';
import { priorityGroup, removalOrder } from './policies.ts';
import { type Building, type Lot, lotsOf, whereOf } from './structures.ts';
import type { ObjectTypes } from './units.ts';

/** What can be destroyed: all units of a troop, or one structure. */
export interface Target {
  readonly name: string;
  /** Its place among what its side has: troops, then structures by type, hex and hit points. */
  readonly slot: number;
  readonly isUnit: boolean;
  /** Where it stands if not on the target hex. */
  readonly hex: string | undefined;
  /** Number of its hex among those that the destruction priority binds, from 1; 0 on hexes that are open. */
  readonly zone: number;
  /** Its place in the destruction priority of its hex; 0 where that does not bind. */
  readonly group: number;
  /** Damage that fells one of the units, or the structure; 0 if it falls for nothing. */
  readonly need: number;
  /** Damage from earlier; 0 for units. */
  readonly marks: number;
}

/** The objects of a side, in the order in which the enemy removes them. */
export interface Objects {
  readonly side: Side;
  /** Names by slot; of troops of one type, if armies are told apart, and of structures of one type there may be several. */
  readonly names: readonly string[];
  readonly targets: readonly Target[];
  readonly lots: readonly Lot[];
  /** They are in several zones: each bound hex is one, and all that is open. */
  readonly isMixed: boolean;
  /** The destruction priority binds, on one hex or on several, or would if the enemy had no siege tower. */
  readonly rule: 'priority' | 'priority.hexes' | 'priority.tower' | undefined;
}

/** What is told of the destruction priority where it binds one hex, or several. */
const RULES = ['priority', 'priority.hexes'] as const;

export interface Orders {
  /** The enemy's policy. */
  readonly removal: readonly string[];
  readonly siegeTower: boolean;
  readonly priority: readonly (readonly string[])[];
  readonly types: ObjectTypes;
}

export function objectsOf(
  side: Side,
  troops: readonly Troop[],
  buildings: readonly Building[],
  { removal, siegeTower, priority, types }: Orders,
): Objects {
  const lots = lotsOf(buildings, types.structures.keys());
  const bound = siegeTower ? [] : [...new Set(buildings.map(({ hex }) => hex))];
  const groupOf = priorityGroup(priority, types);
  const placeOf = (name: string, hex: string | undefined) => {
    const zone = bound.indexOf(hex) + 1;
    return { name, hex, zone, group: zone === 0 ? 0 : groupOf(name) };
  };
  const units = troops.map(({ name, hp, hex }, slot): Target => {
    return { ...placeOf(name, hex), slot, isUnit: true, need: hp, marks: 0 };
  });
  const built = buildings.map((building): Target => {
    const { type, hex, hp, marks } = building;
    const slot = troops.length + lots.findIndex((lot) => lot.includes(building));
    return { ...placeOf(type, hex), slot, isUnit: false, need: hp - marks, marks };
  });
  const targets = [...units, ...built];
  const order = removalOrder(removal, types);
  const rank = ({ name }: Target): number => order.indexOf(name);
  return {
    side,
    names: [...troops.map(({ name }) => name), ...lots.map(([first]) => first?.type ?? '')],
    lots,
    targets: targets.sort((a, b) => rank(a) - rank(b) || b.marks - a.marks),
    isMixed: new Set(targets.map(({ zone }) => zone)).size > 1,
    rule: buildings.length === 0 ? undefined : siegeTower ? 'priority.tower' : RULES[Math.min(bound.length, 2) - 1],
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

/** Structures that stand: of each slot those with most marks have fallen first. */
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
 * The placing of the damage to one side, object by object: of each bound hex the first group in which anything stands, and
 * all that is open.
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
   * What can fall or be marked next. Where that is all of one zone, a structure that falls for nothing does so before
   * anybody chooses: it makes no difference when it falls.
   */
  #touched(): readonly Target[] {
    const standing = this.#objects.targets.filter((target) => this.#stands(target));
    const first: number[] = [];
    for (const { zone, group } of standing) first[zone] = Math.min(group, first[zone] ?? group);
    const within = standing.filter((target) => target.group === first[target.zone] && this.#canTouch(target));
    const free = within.find(({ need }) => need === 0);
    return free === undefined || within.some(({ zone }) => zone !== free.zone) ? within : [free];
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
    const { name, slot, isUnit, need, marks, hex } = target;
    this.left -= need;
    this.lost[slot] = (this.lost[slot] ?? 0) + 1;
    if (isUnit) {
      this.units[slot] = (this.units[slot] ?? 0) - 1;
      return;
    }
    this.#standing.delete(target);
    this.marks -= marks;
    const rule = need === 0 ? 'structure.free' : 'structure';
    this.#door.rule(rule, () => ({ side: PLAYERS[this.#objects.side], name, damage: need, where: whereOf(hex) }));
  }

  #mark({ name, hex }: Target): void {
    const damage = this.left;
    this.#door.rule('marks', () => ({ side: PLAYERS[this.#objects.side], name, damage, where: whereOf(hex) }));
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
