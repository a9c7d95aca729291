/** Allocates damage to the objects of one side, by the choices of the other side. */

import type { Chance } from '../../core/index.ts';
import type { Metric, Side } from '../system.ts';
import {
  addBonusCubes,
  type BagTroop,
  type BonusChoice,
  type BonusOption,
  COLOUR,
  type Cubes,
  combineCubes,
  countDiscarded,
  ENEMY,
  getPreparedCubes,
  listTroops,
  NEUTRAL,
  PLAYERS,
  SIDES,
  sumPreparedCubes,
} from './army.ts';
import {
  type Building,
  type BuildingGroup,
  formatHex,
  groupBuildings,
  listBuildingRules,
  listBuildings,
} from './buildings.ts';
import { METRICS } from './layout.ts';
import { createPriorityLookup, createRemovalOrder, type Prey, sortPrey } from './policies.ts';
import type { CubeBag } from './schema.ts';
import { createObjectTypes, type ObjectTypes } from './units.ts';

/** Target of damage: all units of a troop, or one structure. */
export interface DamageTarget {
  readonly name: string;
  /** Index among the objects of its side: troops, then structures by type, hex and hit points. */
  readonly slot: number;
  readonly isUnit: boolean;
  /** Hex if it is not the target hex. */
  readonly hex: string | undefined;
  /** Number of its hex among those with a destruction priority, from 1; 0 for others. */
  readonly zone: number;
  /** Index in the destruction priority of its hex; 0 without one. */
  readonly group: number;
  /** Damage that destroys one of the units, or the structure; 0 if it needs none. */
  readonly need: number;
  /** Damage from earlier; 0 for units. */
  readonly marks: number;
}

/** The objects of a side, in the order in which the enemy removes them. */
export interface SideObjects {
  readonly side: Side;
  /** Names by slot; several troops of a type if armies are distinguished, and several structures of a type. */
  readonly names: readonly string[];
  readonly targets: readonly DamageTarget[];
  /** The structures among them. */
  readonly built: readonly DamageTarget[];
  readonly lots: readonly BuildingGroup[];
  /** True if the objects are in several zones: each hex with a destruction priority, and all others together. */
  readonly isMixed: boolean;
  /** Rule of the destruction priority on one hex or on several, even if a siege tower of the enemy overrides it. */
  readonly rule: 'priority' | 'priority.hexes' | 'priority.tower' | undefined;
}

/** Rules of the destruction priority on one hex, or on several. */
const RULES = ['priority', 'priority.hexes'] as const;

export interface RemovalOrders {
  /** Policy of the enemy. */
  readonly removal: readonly string[];
  readonly siegeTower: boolean;
  /** True if the side has the fortification of the target hex. */
  readonly isFortified: boolean;
  readonly priority: readonly (readonly string[])[];
  readonly types: ObjectTypes;
}

function createSideObjects(
  side: Side,
  troops: readonly BagTroop[],
  buildings: readonly Building[],
  { removal, siegeTower, isFortified, priority, types }: RemovalOrders,
): SideObjects {
  const lots = groupBuildings(buildings, types.structures.keys());
  const garrison = isFortified ? troops.filter(({ hex }) => hex === undefined) : [];
  const fortified = new Set([...garrison, ...buildings].map(({ hex }) => hex));
  const bound = siegeTower ? [] : [...fortified];
  const groupOf = createPriorityLookup(priority, types);
  const placeOf = (name: string, hex: string | undefined) => {
    const zone = bound.indexOf(hex) + 1;
    return { name, hex, zone, group: zone === 0 ? 0 : groupOf(name) };
  };
  const units = troops.map(({ name, hp, hex }, slot): DamageTarget => {
    return { ...placeOf(name, hex), slot, isUnit: true, need: hp, marks: 0 };
  });
  const built = buildings.map((building): DamageTarget => {
    const { type, hex, hp, marks } = building;
    const slot = troops.length + lots.findIndex((lot) => lot.includes(building));
    return { ...placeOf(type, hex), slot, isUnit: false, need: hp - marks, marks };
  });
  const order = createRemovalOrder(removal, types);
  const rank = ({ name }: DamageTarget): number => order.indexOf(name);
  const targets = [...units, ...built].sort((a, b) => rank(a) - rank(b) || b.marks - a.marks);
  return {
    side,
    names: [...troops.map(({ name }) => name), ...lots.map(([first]) => first?.type ?? '')],
    lots,
    targets,
    built: targets.filter(({ isUnit }) => !isUnit),
    isMixed: new Set(targets.map(({ zone }) => zone)).size > 1,
    rule: fortified.size === 0 ? undefined : siegeTower ? 'priority.tower' : RULES[Math.min(bound.length, 2) - 1],
  };
}

/** Formats units and structures by name, "2 cavalryman, 1 wall". */
function formatCounts(names: readonly string[], counts: readonly number[]): string {
  const totals = new Map<string, number>();
  for (const [slot, count] of counts.entries()) {
    const name = names[slot] ?? '';
    if (count > 0) totals.set(name, (totals.get(name) ?? 0) + count);
  }
  return [...totals].map(([name, count]) => `${String(count)} ${name}`).join(', ');
}

/** Damage to a side. */
export interface Casualties {
  /** Units left in the battle, by slot. */
  readonly units: readonly number[];
  /** Units and structures destroyed, by slot. */
  readonly lost: readonly number[];
  /** On all remaining structures of both sides. */
  readonly marks: number;
}

/** Lists the distinct names of targets. */
function listNames(targets: readonly DamageTarget[]): string[] {
  const names: string[] = [];
  for (const { name } of targets) if (!names.includes(name)) names.push(name);
  return names;
}

/** Finds the fallen structures: in each slot those with most marks first. */
function findFallen({ built }: SideObjects, lost: readonly number[]): Set<DamageTarget> {
  const fallen = new Set<DamageTarget>();
  let left: number[] | undefined;
  for (const target of built) {
    const more = (left ?? lost)[target.slot] ?? 0;
    if (more === 0) continue;
    left ??= [...lost];
    left[target.slot] = more - 1;
    fallen.add(target);
  }
  return fallen;
}

/**
 * Allocation of damage to one side, object by object: on each hex with a destruction priority to the first remaining
 * group, and to all other objects.
 */
export class BagDamageAllocation implements Casualties {
  readonly #objects: SideObjects;
  readonly #chance: Chance;
  readonly #fallen: Set<DamageTarget>;
  readonly units: number[];
  readonly lost: number[];
  left: number;
  marks: number;

  /**
   * @param from previous damage
   * @param marks on all remaining structures of both sides
   */
  constructor(
    objects: SideObjects,
    { units, lost }: Omit<Casualties, 'marks'>,
    marks: number,
    damage: number,
    chance: Chance,
  ) {
    this.#objects = objects;
    this.#chance = chance;
    this.#fallen = findFallen(objects, lost);
    this.units = [...units];
    this.lost = [...lost];
    this.left = damage;
    this.marks = marks;
  }

  begin(): void {
    const { rule, side } = this.#objects;
    if (rule !== undefined && this.left > 0) this.#chance.rule(rule, () => ({ side: PLAYERS[side] }));
  }

  /** Allocates damage with at most a number of choices between types; returns true if nothing is left. */
  advance(choices: number): boolean {
    for (let left = choices; ; ) {
      const within = this.#listTouched();
      const options = listNames(within);
      if (options.length > 1 && left-- === 0) return false;
      const name = this.#choose(options);
      const target = within.find((each) => each.name === name);
      if (target === undefined) break;
      if (target.need > this.left) this.#mark(target);
      else this.#recordLoss(target, within.length === 1 ? this.#run(target) : 1);
    }
    this.#end();
    return true;
  }

  /**
   * Lists the objects that can be destroyed or marked next. Within a single zone, a structure that needs no damage is
   * destroyed before any choice, because the order makes no difference.
   */
  #listTouched(): readonly DamageTarget[] {
    const { targets } = this.#objects;
    const first: number[] = [];
    for (const target of targets) {
      const { zone, group } = target;
      if (group < (first[zone] ?? Number.POSITIVE_INFINITY) && this.#isStanding(target)) first[zone] = group;
    }
    const within: DamageTarget[] = [];
    let free: DamageTarget | undefined;
    for (const target of targets) {
      if (target.group !== first[target.zone] || !this.#canTouch(target) || !this.#isStanding(target)) continue;
      within.push(target);
      if (target.need === 0) free ??= target;
    }
    return free === undefined || within.some(({ zone }) => zone !== free.zone) ? within : [free];
  }

  /**
   * Counts the units that are destroyed in sequence if they are the only targets: with less damage no other object can
   * be destroyed.
   */
  #run({ slot, need, isUnit }: DamageTarget): number {
    if (!isUnit) return 1;
    return Math.min(this.units[slot] ?? 0, Math.max(1, Math.floor(this.left / need)));
  }

  #isStanding(target: DamageTarget): boolean {
    return target.isUnit ? (this.units[target.slot] ?? 0) > 0 : !this.#fallen.has(target);
  }

  #canTouch({ isUnit, need }: DamageTarget): boolean {
    return need <= this.left || (!isUnit && this.left > 0);
  }

  #choose(options: readonly string[]): string | undefined {
    const policy = (): string => options[0] ?? '';
    const dealer = ENEMY[this.#objects.side];
    return options.length < 2 ? options[0] : this.#chance.decide('removal', dealer, options, policy);
  }

  #recordLoss(target: DamageTarget, count: number): void {
    const { name, slot, isUnit, need, marks, hex } = target;
    this.left -= count * need;
    this.lost[slot] = (this.lost[slot] ?? 0) + count;
    if (isUnit) {
      this.units[slot] = (this.units[slot] ?? 0) - count;
      return;
    }
    this.#fallen.add(target);
    this.marks -= marks;
    const rule = need === 0 ? 'structure.free' : 'structure';
    this.#chance.rule(rule, () => ({ side: PLAYERS[this.#objects.side], name, damage: need, where: formatHex(hex) }));
  }

  #mark({ name, hex }: DamageTarget): void {
    const damage = this.left;
    this.#chance.rule('marks', () => ({ side: PLAYERS[this.#objects.side], name, damage, where: formatHex(hex) }));
    this.marks += this.left;
    this.left = 0;
  }

  #end(): void {
    const { names } = this.#objects;
    const side = PLAYERS[this.#objects.side];
    const fallen = this.lost.slice(0, this.units.length);
    if (fallen.some((count) => count > 0))
      this.#chance.rule('losses', () => ({ side, units: formatCounts(names, fallen) }));
    if (this.left === 0) return;
    this.#chance.rule(this.units.some((count) => count > 0) ? 'damage.ignored' : 'damage.lost', () => ({
      side,
      damage: this.left,
      units: formatCounts(names, this.units),
    }));
  }
}

// Constants of a scenario: the bag, the objects of each side, and the metrics of its battles.

const plans = new WeakMap<CubeBag, BagPlan>();

/** Returns the plan of a scenario: the initial bag, and the values of each side. */
export function getPlan(scenario: CubeBag): BagPlan {
  const made = plans.get(scenario) ?? makePlan(scenario);
  plans.set(scenario, made);
  return made;
}

/** Computes the cubes of a check. */
const computeComplexity = (factors: number): number => Math.max(1, 2 + factors);

/**
 * Lists the armies of the enemy in the order in which a side converts from them; empty if none has its own complexity.
 */
function listPrey(scenario: CubeBag, side: Side): readonly Prey[] {
  const { armies } = scenario[ENEMY[side]];
  const { convert, conversionFactors } = scenario[side];
  if (armies.every((army) => army.conversionFactors === undefined)) return [];
  const prey = armies.map((army, index) => ({
    army: index + 1,
    complexity: computeComplexity(army.conversionFactors ?? conversionFactors),
  }));
  return sortPrey(convert, prey);
}

/** Computes the bag after the discards of both sides. */
export function computeFilledBag(scenario: CubeBag, prepared: Cubes): Cubes {
  const gone = countDiscarded(scenario, prepared);
  return combineCubes(prepared, [gone, gone, 0], -1);
}

/** Computes the maximum cubes of each color before discards, for any choice of bonuses. */
function computeMaxPrepared(prepared: Cubes, choices: readonly BonusChoice[]): Cubes {
  const findGreatest = (options: readonly BonusOption[], of: 'own' | 'neutral') =>
    Math.max(...options.map((option) => option[of]));
  return choices.reduce<Cubes>((bag, { side, options }) => {
    return addBonusCubes(bag, side, { own: findGreatest(options, 'own'), neutral: findGreatest(options, 'neutral') });
  }, prepared);
}

/** Computes the maximum cubes of each color after the discards of both sides. */
function computeMaxFilled(scenario: CubeBag, prepared: Cubes, most: Cubes): Cubes {
  const isGone = (...own: readonly [number, number]) => countDiscarded(scenario, [...own, 0]);
  return [most[0] - isGone(most[0], prepared[1]), most[1] - isGone(prepared[0], most[1]), most[NEUTRAL]];
}

function makePlan(scenario: CubeBag) {
  const types = createObjectTypes(scenario);
  const hosts = { attacker: getPreparedCubes(scenario, 'attacker'), defender: getPreparedCubes(scenario, 'defender') };
  const prepared = sumPreparedCubes(hosts);
  const choices = SIDES.flatMap((side) => hosts[side].choices);
  const preparedMost = computeMaxPrepared(prepared, choices);
  const counted = choices.reduce((cubes, { side, policy }) => addBonusCubes(cubes, side, policy), prepared);
  const countFigures = (side: Side) => {
    const { structures, conversionFactors, recoveryFactors, removal } = scenario[side];
    const { siegeTower } = scenario[ENEMY[side]].technologies;
    const isFortified = side === 'defender' && scenario.fortification !== 'none';
    const { priority } = scenario;
    const orders = { removal: scenario[ENEMY[side]].removal, siegeTower, isFortified, priority, types };
    const troops: readonly BagTroop[] = listTroops(scenario, side);
    const buildings = listBuildings(scenario.structureTypes, structures);
    const objects = createSideObjects(side, troops, buildings, orders);
    return {
      ...hosts[side],
      story: [...listBuildingRules(side, objects.lots), ...hosts[side].rules],
      troops,
      objects,
      /** Distinct types of the side. */
      kinds: [...new Set(objects.names)],
      buildings,
      structures: buildings.length,
      marks: structures.reduce((sum, { marks }) => sum + marks, 0),
      /** Order in which the side removes enemy units and structures. */
      order: createRemovalOrder(removal, types),
      prey: listPrey(scenario, side),
      conversion: computeComplexity(conversionFactors),
      recovery: computeComplexity(recoveryFactors),
    };
  };
  return {
    /** Cubes before bonuses, and the choices of bonuses. */
    prepared,
    choices,
    /** Initial bag by the policies of the scenario. */
    bag: computeFilledBag(scenario, counted),
    /** The most cubes of each color that can be prepared, and that can be in the bag then. */
    preparedMost,
    most: computeMaxFilled(scenario, prepared, preparedMost),
    attacker: countFigures('attacker'),
    defender: countFigures('defender'),
  };
}

export type BagPlan = ReturnType<typeof makePlan>;

/** Computes the maximum losses of each type, by the names of metrics. */
function computeLossBounds({ kinds, troops, structures }: BagPlan[Side], side: Side): (readonly [string, number])[] {
  return kinds.map((name) => {
    const own = troops.filter((troop) => troop.name === name);
    const units = own.reduce((sum, { count }) => sum + count, 0);
    return [`${side}.${name}`, own.length > 0 ? units : structures];
  });
}

/** Computes lost objects by type from those by slot. */
export function computeLosses({ kinds, objects }: BagPlan[Side], lost: readonly number[]): readonly number[] {
  if (kinds.length === lost.length) return lost;
  return kinds.map((kind) =>
    objects.names.reduce((sum, name, slot) => sum + (name === kind ? (lost[slot] ?? 0) : 0), 0),
  );
}

/** Sums the hit points of all structures. */
export const sumHitPoints = ({ attacker, defender }: BagPlan): number =>
  [...attacker.buildings, ...defender.buildings].reduce((sum, { hp }) => sum + hp, 0);

export function createMetrics(planned: BagPlan, { attacker, defender }: CubeBag): Metric[] {
  const { most } = planned;
  const countUnits = (side: Side) => planned[side].troops.reduce((sum, { count }) => sum + count, 0);
  const tries = { attacker, defender };
  return METRICS.declare({
    drawn: most,
    losses: SIDES.map((side) => countUnits(side) + planned[side].structures),
    types: SIDES.flatMap((side) => computeLossBounds(planned[side], side)),
    conversions: SIDES.map((side) => Math.min(tries[side].conversions, countUnits(ENEMY[side]))),
    recoveries: SIDES.map((side) => Math.min(tries[side].recoveries, countUnits(side))),
    experience: SIDES.map((side) => most[COLOUR[side]]),
    marks: sumHitPoints(planned),
  });
}
