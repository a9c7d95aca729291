import { uniformInt } from 'pure-rand/distribution/uniformInt';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import type { IdiomaticBattle } from './battle.ts';

type Colour = 'attacker' | 'defender' | 'neutral';

interface Target {
  readonly name: string;
  /** Units. Structures are separate. */
  count: number;
  /** Damage that destroys a unit. */
  readonly hp: number;
  readonly isStructure: boolean;
  marks: number;
}

/** 13 cubes against 9, of which fabian tactics take 4 each; the defender's peasant is neutral. */
const CUBES: readonly Colour[] = [
  ...Array.from({ length: 9 }, (): Colour => 'attacker'),
  ...Array.from({ length: 5 }, (): Colour => 'defender'),
  'neutral',
];

/** Cubes that the attacker draws, and those that it may put back once. */
const COURAGE = 10;
const TRAINED_ARMY = 2;

const unit = (name: string, count: number): Target => ({ name, count, hp: 1, isStructure: false, marks: 0 });
const structure = (name: string, hp: number, marks = 0): Target => ({ name, count: 1, hp, isStructure: true, marks });

function draw(rng: RandomGenerator, bag: Colour[], count: number): Colour[] {
  const drawn: Colour[] = [];
  for (let cube = 0; cube < count && bag.length > 0; cube++) {
    const [taken] = bag.splice(uniformInt(rng, 0, bag.length - 1), 1);
    if (taken !== undefined) drawn.push(taken);
  }
  return drawn;
}

function count(cubes: readonly Colour[], colour: Colour): number {
  return cubes.filter((cube) => cube === colour).length;
}

function putBack(bag: Colour[], drawn: Colour[], colour: Colour, most: number): number {
  let back = 0;
  while (back < most && drawn.includes(colour)) {
    drawn.splice(drawn.indexOf(colour), 1);
    bag.push(colour);
    back++;
  }
  return back;
}

/** Removes what the damage destroys, in order. */
function destroy(targets: readonly Target[], damage: number): number {
  let left = damage;
  let destroyed = 0;
  for (const target of targets) {
    while (target.count > 0 && left >= target.hp - target.marks) {
      left -= target.hp - target.marks;
      target.count--;
      target.marks = 0;
      destroyed++;
    }
    if (target.isStructure && target.count > 0) {
      target.marks += left;
      left = 0;
    }
  }
  return destroyed;
}

/** The shipped siege, scenarios/cube-bag-siege.yaml: three armies and a siege tower against a walled city. */
export const cubeBag: IdiomaticBattle = (rng) => {
  const bag = [...CUBES];
  const attackers = [
    unit('catapult', 1),
    unit('trebuchet', 1),
    unit('archer', 1),
    unit('swordsman', 1),
    unit('spearman', 3),
  ];
  const defenders = [
    unit('cavalryman', 1),
    unit('swordsman', 1),
    unit('peasant', 1),
    structure('building', 1, 1),
    structure('building', 1),
    structure('city', 3, 1),
    structure('wall', 2),
  ];
  const [check] = draw(rng, bag, 1);
  const converted = check !== 'attacker';
  if (!converted) bag.push('attacker');
  else {
    const taken = attackers.find((each) => each.count > 0);
    if (taken !== undefined) taken.count--;
  }
  const drawn = draw(rng, bag, COURAGE);
  const enemies = putBack(bag, drawn, 'defender', TRAINED_ARMY);
  const neutrals = putBack(bag, drawn, 'neutral', TRAINED_ARMY - enemies);
  drawn.push(...draw(rng, bag, enemies + neutrals));
  const defendersLost = destroy(defenders, count(drawn, 'attacker'));
  const attackersLost = destroy(attackers, count(drawn, 'defender'));
  const attackerGone = attackers.every((each) => each.count === 0);
  const defenderGone = defenders.every((each) => each.count === 0);
  const outcome = attackerGone ? (defenderGone ? 'mutual' : 'defender') : defenderGone ? 'attacker' : 'none';
  return {
    outcome,
    metrics: {
      'drawn.attacker': count(drawn, 'attacker'),
      'losses.attacker': attackersLost,
      'losses.defender': defendersLost,
      'conversions.defender': Number(converted),
    },
  };
};
