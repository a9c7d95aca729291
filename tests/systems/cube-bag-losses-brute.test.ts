/** Cubes from a bag: losses of played battles against the plainest reading, object by object and without slots. */
import { expect, it } from 'vitest';
import { Sampled } from '../../src/chance/sampled.ts';
import { Stream } from '../../src/chance/stream.ts';
import { playBattle } from '../../src/systems/battle.ts';
import { ENEMY, SIDES, type Side } from '../../src/systems/cube-bag/army.ts';
import { cubeBag } from '../../src/systems/cube-bag/index.ts';
import { priorityGroup, removalOrder } from '../../src/systems/cube-bag/policies.ts';
import type { CubeBag } from '../../src/systems/cube-bag/schema.ts';
import { STRUCTURES, unitTypesOf } from '../../src/systems/cube-bag/units.ts';
import { dealtScenarios } from './cube-bag-dealt.ts';

interface Thing {
  readonly name: string;
  readonly hp: number;
  readonly isUnit: boolean;
  readonly elsewhere: boolean;
  marks: number;
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

/** Every unit and every structure of a side, armies in their order. */
function thingsOf(scenario: CubeBag, side: Side): Thing[] {
  const types = unitTypesOf(scenario.unitTypes, scenario.unitSet);
  const units = scenario[side].armies.flatMap((army) =>
    Object.entries(army.units).flatMap(([name, count]) =>
      times(count ?? 0, (): Thing => {
        return { name, hp: types.get(name)?.hp ?? 0, isUnit: true, elsewhere: army.hex !== undefined, marks: 0 };
      }),
    ),
  );
  const structures = scenario[side].structures.map(({ type, marks }): Thing => {
    return { name: type, hp: STRUCTURES[type], isUnit: false, elsewhere: false, marks };
  });
  return [...units, ...structures];
}

/** What stands when so much damage has been dealt. */
function survivors(scenario: CubeBag, side: Side, damage: number): Thing[] {
  const { removal, technologies } = scenario[ENEMY[side]];
  const types = unitTypesOf(scenario.unitTypes, scenario.unitSet);
  const order = removalOrder(removal, types);
  const bound = scenario[side].structures.length > 0 && !technologies.siegeTower;
  const groupOf = priorityGroup(scenario.priority, types);
  const standing = thingsOf(scenario, side).sort(
    (a, b) => order.indexOf(a.name) - order.indexOf(b.name) || b.marks - a.marks,
  );
  for (let left = damage; ; ) {
    const first = Math.min(...standing.filter(({ elsewhere }) => !elsewhere).map(({ name }) => groupOf(name)));
    const taken = standing.find(({ name, hp, marks, isUnit, elsewhere }) => {
      const isOpen = !bound || elsewhere || groupOf(name) === first;
      return isOpen && (hp - marks <= left || (!isUnit && left > 0));
    });
    if (taken === undefined) return standing;
    const need = taken.hp - taken.marks;
    if (need <= left) standing.splice(standing.indexOf(taken), 1);
    else taken.marks += left;
    left = Math.max(0, left - need);
  }
}

const countOf = (things: readonly Thing[], name: string): number => things.filter((each) => each.name === name).length;

it('are the same in dealt scenarios', () => {
  let mixed = 0;
  for (const [index, dealt] of dealtScenarios(200).entries()) {
    const still = { conversions: 0, recoveries: 0 };
    const scenario = { ...dealt, attacker: { ...dealt.attacker, ...still }, defender: { ...dealt.defender, ...still } };
    const model = cubeBag.model(scenario);
    for (let battle = 0; battle < 12; battle++) {
      const { metrics } = playBattle(model, new Sampled(Stream.of(BigInt(index), battle)));
      const found = new Map(model.metrics.map(({ name }, m) => [name, metrics[m] ?? 0]));
      let marks = 0;
      for (const side of SIDES) {
        const before = thingsOf(scenario, side);
        const after = survivors(scenario, side, found.get(`drawn.${ENEMY[side]}`) ?? 0);
        for (const name of new Set(before.map((each) => each.name))) {
          const lost = countOf(before, name) - countOf(after, name);
          expect(found.get(`losses.${side}.${name}`), JSON.stringify(scenario)).toBe(lost);
        }
        expect(found.get(`losses.${side}`)).toBe(before.length - after.length);
        marks += after.filter(({ isUnit }) => !isUnit).reduce((sum, each) => sum + each.marks, 0);
        mixed += Number(
          after.length < before.length && scenario[side].structures.length > 0 && before.some((each) => each.elsewhere),
        );
      }
      expect(found.get('marks'), JSON.stringify(scenario)).toBe(marks);
    }
  }
  expect(mixed).toBeGreaterThan(100);
});
