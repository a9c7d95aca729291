/**
 * Cubes from a bag: losses of simulated battles against a direct reading of the rules, object by object, without slots,
 * zones or tables of the model.
 */
import { expect, it } from 'vitest';
import { SampledChance } from '../../src/core/chance/sampled-chance.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { ENEMY, SIDES } from '../../src/rules/cube-bag/army.ts';
import { cubeBag } from '../../src/rules/cube-bag/index.ts';
import type { CubeBag } from '../../src/rules/cube-bag/schema.ts';
import { createUnitTypes } from '../../src/rules/cube-bag/units.ts';
import { playBattle } from '../../src/rules/play-battle.ts';
import type { Side } from '../../src/rules/system.ts';
import { dealtScenarios } from './cube-bag-dealt.ts';

interface Thing {
  readonly name: string;
  readonly hp: number;
  readonly isUnit: boolean;
  /** Hex, or the empty string for the target hex. */
  readonly hex: string;
  marks: number;
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

const PRINTED: Readonly<Record<string, number>> = { building: 1, city: 3, castle: 4, wall: 2, palisade: 1 };
const MEN = ['trebuchet', 'catapult', 'cavalryman', 'galley', 'archer', 'swordsman', 'spearman', 'peasant'];

/** Returns the types that a word denotes. */
function meaning(scenario: CubeBag, word: string): string[] {
  const units = [...createUnitTypes(scenario.unitTypes, scenario.unitSet).values()];
  const added = Object.keys(scenario.structureTypes).filter((name) => !(name in PRINTED));
  if (word === 'structures') return [...Object.keys(PRINTED), ...added];
  if (word === 'added-structures') return added;
  if (word === 'military') return units.map(({ name }) => name).filter((name) => name !== 'peasant');
  const ofClass = units.filter((unit) => unit.class === word).map(({ name }) => name);
  return ['infantry', 'cavalry', 'siege', 'vessel'].includes(word) ? ofClass : [word];
}

/** Returns types in the order in which a side removes objects of its enemy; only the first occurrence counts. */
function orderOf(scenario: CubeBag, side: Side): string[] {
  const listed = scenario[side].removal.flatMap((word) => meaning(scenario, word));
  const men = [...createUnitTypes(scenario.unitTypes, scenario.unitSet).keys()].filter((each) => !MEN.includes(each));
  return [...listed, ...MEN, ...men, ...meaning(scenario, 'structures')];
}

/** Returns the index of a type's group in the destruction priority. */
function groupOf(groups: readonly (readonly string[])[], name: string): number {
  const group = groups.findIndex((names) => names.includes(name));
  return group < 0 ? Number.POSITIVE_INFINITY : group;
}

/** Returns all units and structures of a side, armies in their order. */
function thingsOf(scenario: CubeBag, side: Side): Thing[] {
  const types = createUnitTypes(scenario.unitTypes, scenario.unitSet);
  const units = scenario[side].armies.flatMap((army) =>
    Object.entries(army.units).flatMap(([name, count]) =>
      times(count ?? 0, (): Thing => {
        return { name, hp: types.get(name)?.hp ?? 0, isUnit: true, hex: army.hex ?? '', marks: 0 };
      }),
    ),
  );
  const structures = scenario[side].structures.map(({ type, marks, hp, hex }): Thing => {
    const own = hp ?? scenario.structureTypes[type]?.hp ?? PRINTED[type] ?? 0;
    return { name: type, hp: own, isUnit: false, hex: hex ?? '', marks };
  });
  return [...units, ...structures];
}

/** Returns the objects that remain after `damage`. */
function survivors(scenario: CubeBag, side: Side, damage: number): Thing[] {
  const enemy = ENEMY[side];
  const hexes = scenario[side].structures.map(({ hex }) => hex ?? '');
  if (side === 'defender' && scenario.fortification !== 'none') hexes.push('');
  const bound = new Set(scenario[enemy].technologies.siegeTower ? [] : hexes);
  const order = orderOf(scenario, enemy);
  const groups = scenario.priority.map((words) => words.flatMap((word) => meaning(scenario, word)));
  const rank = ({ name }: Thing): number => order.indexOf(name);
  const standing = thingsOf(scenario, side).sort((a, b) => rank(a) - rank(b) || b.marks - a.marks);
  const isShielded = ({ name, hex }: Thing): boolean => {
    if (!bound.has(hex)) return false;
    return standing.some((other) => other.hex === hex && groupOf(groups, other.name) < groupOf(groups, name));
  };
  for (let left = damage; ; ) {
    const taken = standing.find(
      (thing) => !isShielded(thing) && (thing.hp - thing.marks <= left || (!thing.isUnit && left > 0)),
    );
    if (taken === undefined) return standing;
    const need = taken.hp - taken.marks;
    if (need <= left) standing.splice(standing.indexOf(taken), 1);
    else taken.marks += left;
    left = Math.max(0, left - need);
  }
}

const countOf = (things: readonly Thing[], name: string): number => things.filter((each) => each.name === name).length;

it('losses in generated scenarios equal a direct reading of the rules', () => {
  let open = 0;
  let several = 0;
  for (const [index, dealt] of dealtScenarios(200).entries()) {
    const still = { conversions: 0, recoveries: 0 };
    const scenario = { ...dealt, attacker: { ...dealt.attacker, ...still }, defender: { ...dealt.defender, ...still } };
    const model = cubeBag.model(scenario);
    const what = JSON.stringify(scenario);
    for (let battle = 0; battle < 10; battle++) {
      const { metrics } = playBattle(model, new SampledChance(Stream.forBattle(BigInt(index), battle)));
      const found = new Map(model.metrics.map(({ name }, m) => [name, metrics[m] ?? 0]));
      let marks = 0;
      for (const side of SIDES) {
        const before = thingsOf(scenario, side);
        const after = survivors(scenario, side, found.get(`drawn.${ENEMY[side]}`) ?? 0);
        for (const name of new Set(before.map((each) => each.name))) {
          const lost = countOf(before, name) - countOf(after, name);
          const reported = found.get(`losses.${side}.${name}`);
          if (reported !== lost) expect(reported, what).toBe(lost);
        }
        expect(found.get(`losses.${side}`)).toBe(before.length - after.length);
        marks += after.filter(({ isUnit }) => !isUnit).reduce((sum, each) => sum + each.marks, 0);
        const hexes = new Set(scenario[side].structures.map(({ hex }) => hex));
        const isHit = after.length < before.length && !scenario[ENEMY[side]].technologies.siegeTower;
        open += Number(isHit && hexes.size > 0 && before.some(({ hex }) => !hexes.has(hex === '' ? undefined : hex)));
        several += Number(isHit && hexes.size > 1);
      }
      expect(found.get('marks'), what).toBe(marks);
    }
  }
  expect(Math.min(open, several)).toBeGreaterThan(100);
});
