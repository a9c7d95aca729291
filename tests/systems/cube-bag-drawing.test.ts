/** Cubes from a bag: drawing cube by cube, and its stop conditions. */
import { describe, expect, it } from 'vitest';
import { solveModel } from '../../src/engines/kernel/chain-solver.ts';
import { cubeBag } from '../../src/rules/cube-bag/index.ts';
import { getPlan } from '../../src/rules/cube-bag/plan.ts';
import type { StopCondition } from '../../src/rules/cube-bag/policies.ts';
import { army, decide, draw, fight, scenario } from './cube-bag-fight.ts';

const byCube = { drawing: 'cube-by-cube' };

/** Returns the probabilities of the outcomes attacker, defender, mutual and none. */
const outcomes = (input: object): number[] => [...solveModel(cubeBag.model(scenario(input))).distribution.outcomes];

describe('a swordsman with 2 additional courage against another, two cubes each', () => {
  const ends = (policy: unknown, options: object = byCube): number[] => {
    const attacker = { ...army({ swordsman: 1 }, { modifiers: { courage: 2 } }), draw: policy };
    return outcomes({ ...options, attacker, defender: army({ swordsman: 1 }) });
  };

  it.each<[unknown, number[]]>([
    [1, [1 / 2, 1 / 2, 0, 0]],
    ['max', [0, 0, 1, 0]],
    [{ until: { own: 1 } }, [1 / 2, 0, 1 / 2, 0]],
    [{ until: { enemy: 1 } }, [0, 1 / 2, 1 / 2, 0]],
    [{ until: { drawn: 1 } }, [1 / 2, 1 / 2, 0, 0]],
    [{ until: { own: 2, drawn: 2 } }, [1 / 6, 1 / 6, 2 / 3, 0]],
  ])('has the expected outcome probabilities with draw %o', (policy, expected) => {
    for (const [o, p] of expected.entries()) expect(ends(policy)[o]).toBeCloseTo(p, 14);
  });

  it('has equal probabilities in both drawing modes with a number or max', () => {
    for (const policy of [1, 2, 3, 'max'])
      for (const [o, p] of ends(policy, {}).entries()) expect(ends(policy)[o]).toBeCloseTo(p, 14);
  });
});

/** Returns all sequences of the cubes of a bag; all are equally likely. */
function rowsOf(bag: readonly number[]): number[][] {
  if (bag.every((count) => count === 0)) return [[]];
  return bag.flatMap((count, colour) => {
    if (count === 0) return [];
    const rest = bag.map((each, c) => each - Number(c === colour));
    return rowsOf(rest).map((row) => [colour, ...row]);
  });
}

type Policy = 'none' | 'max' | 'if-behind' | number | { readonly until: StopCondition };

interface Drawing {
  readonly extras: readonly [number, number];
  readonly courage: readonly [number, number];
  readonly draw: Policy;
  readonly extraDraw: Policy;
}

/** Returns the cubes taken from the start of a sequence: a direct reading of the rules, independent of src. */
function takenFrom(row: readonly number[], { courage, draw, extraDraw }: Drawing): number[] {
  let n = 0;
  const counted = (colour: number): number => row.slice(0, n).filter((each) => each === colour).length;
  const satisfied = (policy: Policy, own: number, enemy: number): boolean => {
    if (policy === 'none') return true;
    if (typeof policy === 'number') return n >= policy;
    if (typeof policy === 'string') return false;
    const { until } = policy;
    if (until.own !== undefined && counted(own) >= until.own) return true;
    if (until.enemy !== undefined && counted(enemy) >= until.enemy) return true;
    return until.drawn !== undefined && n >= until.drawn;
  };
  while (n < Math.min(courage[0], row.length) && (n === 0 || !satisfied(draw, 0, 1))) n++;
  const abstains = extraDraw === 'if-behind' && counted(1) >= counted(0);
  while (n < Math.min(courage[1], row.length) && !abstains && !satisfied(extraDraw, 1, 0)) n++;
  return [0, 1, 2].map(counted);
}

describe('the exact solver equals the enumeration of all sequences of cubes', () => {
  const until = (conditions: StopCondition): Policy => ({ until: conditions });
  const drawings: readonly Drawing[] = [
    { extras: [1, 1], courage: [4, 6], draw: until({ own: 2 }), extraDraw: until({ own: 2 }) },
    { extras: [0, 2], courage: [3, 6], draw: until({ enemy: 1, drawn: 2 }), extraDraw: until({ enemy: 2 }) },
    { extras: [2, 0], courage: [1, 5], draw: 'max', extraDraw: until({ own: 1, drawn: 4 }) },
    { extras: [1, 2], courage: [2, 4], draw: until({ own: 1 }), extraDraw: 'if-behind' },
    { extras: [2, 1], courage: [4, 6], draw: until({ drawn: 3, own: 1 }), extraDraw: 'max' },
    { extras: [0, 0], courage: [0, 3], draw: until({ own: 1 }), extraDraw: until({ own: 1, enemy: 1 }) },
    { extras: [1, 1], courage: [5, 3], draw: 2, extraDraw: 'none' },
    { extras: [1, 0], courage: [9, 9], draw: until({ enemy: 9 }), extraDraw: until({ own: 9 }) },
  ];

  it.each(drawings)('%o', (drawing) => {
    const { extras, courage, draw, extraDraw } = drawing;
    const fields = (side: 0 | 1) => ({ extras: { action: extras[side] }, modifiers: { courage: courage[side] - 2 } });
    const given = scenario({
      ...byCube,
      attacker: { ...army({ archer: 2, peasant: 1 }, fields(0)), draw },
      defender: { ...army({ archer: 2 }, fields(1)), extraDraw },
    });
    const rows = rowsOf(getPlan(given).bag);
    const taken = rows.map((row) => takenFrom(row, drawing));
    const model = cubeBag.model(given);
    const { distribution: exactDistribution } = solveModel(model);
    for (const [colour, { name }] of model.metrics.slice(0, 3).entries()) {
      const { low = 0, width = 0, counts = [] } = exactDistribution.metrics[colour] ?? {};
      for (let value = low; value < low + width; value++) {
        const found = model.outcomes.reduce((sum, _, o) => sum + (counts[o * width + value - low] ?? 0), 0);
        const expected = taken.filter((cubes) => cubes[colour] === value).length / rows.length;
        expect(found, `${name} ${String(value)}`).toBeCloseTo(expected, 13);
      }
    }
  });
});

describe('cubes drawn one by one', () => {
  const OURS = draw(1, 0, 0);
  const THEIRS = draw(0, 1, 0);
  const both = (attacker: object, defender: object, courage: readonly [number, number]): object => ({
    ...byCube,
    attacker: {
      ...army({ archer: 1 }, { extras: { action: 3 }, modifiers: { courage: courage[0] - 1 } }),
      ...attacker,
    },
    defender: {
      ...army({ archer: 1 }, { extras: { action: 3 }, modifiers: { courage: courage[1] - 1 } }),
      ...defender,
    },
  });

  it('are one decision each, except the first of the attacker', () => {
    const { requested, bags, reported } = fight(both({ draw: { until: { own: 1 } } }, {}, [3, 1]), [THEIRS, OURS]);
    expect(bags).toEqual(['1 of 4 4 0', '1 of 4 3 0']);
    expect(requested).toEqual(['attacker draw [0 1] 1', 'attacker draw [0 1] 0']);
    expect(reported.filter((rule) => rule.startsWith('draw'))).toEqual(['draw.cube', 'draw.cube', 'draw.stop']);
  });

  it('are drawn by decision of the player with any policy', () => {
    const { requested, bags } = fight(both({ draw: 1 }, {}, [3, 1]), [OURS, decide(1), THEIRS, decide(0)]);
    expect(bags).toHaveLength(2);
    expect(requested).toEqual(['attacker draw [0 1] 1', 'attacker draw [0 1] 0']);
  });

  it('are limited by courage', () => {
    const { requested, bags } = fight(both({}, { extraDraw: { until: { own: 4 } } }, [2, 3]), [OURS, THEIRS, OURS]);
    expect(bags).toHaveLength(3);
    expect(requested).toEqual(['attacker draw [0 1] 1', 'defender extraDraw [0 1] 1']);
  });

  it('of the attacker count for stop conditions of the defender, before its first draw', () => {
    const defender = { extraDraw: { until: { enemy: 1 } } };
    expect(fight(both({}, defender, [1, 4]), [OURS]).requested).toEqual(['defender extraDraw [0 1] 0']);
    expect(fight(both({}, defender, [1, 4]), [THEIRS, THEIRS, OURS]).bags).toHaveLength(3);
    const drawn = { extraDraw: { until: { drawn: 3 } } };
    expect(fight(both({}, drawn, [2, 4]), [OURS, OURS, THEIRS]).bags).toHaveLength(3);
  });

  it('are drawn by the defender if the attacker has no courage', () => {
    const { reported, bags } = fight(both({}, { extraDraw: { until: { own: 1 } } }, [0, 3]), [OURS, THEIRS]);
    expect(bags).toHaveLength(2);
    expect(reported).toContain('draw.none');
  });

  it('are drawn up to the limit by if-behind if the defender starts behind', () => {
    const behind = { extraDraw: 'if-behind' };
    expect(fight(both({}, behind, [1, 4]), [OURS, THEIRS, THEIRS, THEIRS]).bags).toHaveLength(4);
    expect(fight(both({}, behind, [1, 4]), [THEIRS]).bags).toHaveLength(1);
  });

  it('are not drawn after the redraw of a trained army', () => {
    const attacker = { draw: { until: { own: 2 } }, technologies: { trainedArmy: 1 } };
    const script = [OURS, THEIRS, OURS, THEIRS];
    const { requested, bags } = fight(both(attacker, { extraDraw: { until: { own: 2 } } }, [4, 3]), script);
    expect(bags).toEqual(['1 of 4 4 0', '1 of 3 4 0', '1 of 3 3 0', '1 of 2 4 0']);
    expect(requested.at(-1)).toBe('attacker redraw [0 1] 1');
  });
});
