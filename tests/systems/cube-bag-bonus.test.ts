/** Cubes from a bag: the strength bonus of an army as a decision, by policies and by agents. */
import { describe, expect, it } from 'vitest';
import { solveModel } from '../../src/engines/kernel/chain-solver.ts';
import { cubeBag } from '../../src/rules/cube-bag/index.ts';
import { army, decide, draw, fight, prepared, scenario } from './cube-bag-fight.ts';
import { opened } from './cube-bag-opened.ts';

/** Scenario of siege engines before a village: the spearmen, out of range, have the greatest bonus. */
const village = (policy: object = {}, side: object = {}) => ({
  attacker: { ...army({ catapult: 1, spearman: 3 }, { distance: 2, ...policy }), addDefense: false, ...side },
  defender: { ...army({ peasant: 1, cavalryman: 1 }), structures: [{ type: 'building' }] },
});

describe('siege engines before a village', () => {
  const losses = (input: object): number => {
    const model = cubeBag.model(scenario(input));
    const { low = 0, width = 1, counts = [] } = solveModel(model).distribution.metrics[4] ?? {};
    expect(model.metrics[4]?.name).toBe('losses.defender');
    return [...counts].reduce((mean, p, k) => mean + p * (low + (k % width)), 0);
  };

  it('count the bonus of units in range by default', () => {
    expect(prepared(village()).bag[0]).toBe(3);
    expect(losses(village())).toBeCloseTo(6 / 7, 14);
  });

  it('lose the greatest bonus with the cubes of units out of range', () => {
    const { bag, reported } = prepared(village({ bonus: 'greatest' }));
    expect(bag[0]).toBe(1);
    expect(reported).toContain('bonus.left-out');
    expect(losses(village({ bonus: 'greatest' }))).toBeCloseTo(2 / 5, 14);
  });
});

describe('the bonus decision', () => {
  it('is requested for each army, attacker first, with one option per amount and color', () => {
    const { attacker, defender } = village();
    const corps = { armies: [...attacker.armies, { units: { archer: 1 } }, { units: { swordsman: 2 } }] };
    const { counted } = fight({ attacker: corps, defender }, [draw(5, 0, 0)]);
    expect(counted).toEqual([
      'attacker bonus [3-neutral 2 none] 2',
      'attacker bonus [1 none] 1',
      'defender bonus [2 none] 2',
    ]);
  });

  it('has one option for units with equal bonuses', () => {
    const unitTypes = {
      archer: { bonus: { infantry: 2 } },
      zouave: { class: 'infantry', kind: 'ranged', range: [1, 2] },
    };
    const both = { ...unitTypes, zouave: { ...unitTypes.zouave, bonus: { infantry: 2, cavalry: 1 } } };
    const attacker = army({ archer: 1, zouave: 1 });
    const { counted } = fight({ unitTypes: both, attacker, defender: army({ peasant: 1, cavalryman: 0 }) }, [
      draw(2, 0, 0),
    ]);
    expect(counted).toEqual(['attacker bonus [2 none] 2']);
  });

  it('reports the bonus of the unit that the policy names', () => {
    const unitTypes = { archer: { bonus: { infantry: 1 } } };
    const attacker = army({ archer: 1, swordsman: 1 }, { bonus: 'archer' });
    const { bag, reported } = prepared({ unitTypes, attacker, defender: army({ peasant: 1 }) });
    expect([bag, reported.filter((rule) => rule.startsWith('bonus'))]).toEqual([[3, 0, 1], ['bonus']]);
  });

  it('changes the bag from which both sides discard cubes', () => {
    const technologies = { fabian: 2 };
    const attacker = { ...army({ spearman: 1 }), technologies };
    const bags = (choice: string) =>
      fight({ attacker, defender: army({ cavalryman: 3 }) }, [decide(choice), decide('2'), draw(0, 1, 0)]).bags;
    expect(bags('3')).toEqual(['1 of 2 3 0']);
    expect(bags('none')).toEqual(['1 of 0 4 0']);
  });

  it('reports that no bonus is counted', () => {
    expect(fight(village({ bonus: 'none' }), [draw(1, 0, 1)]).reported).toContain('bonus.none');
  });

  it('is reduced by a negative strength modifier', () => {
    const attacker = army({ spearman: 1 }, { modifiers: { strength: -3 } });
    expect(prepared({ attacker, defender: army({ cavalryman: 1 }) }).bag[0]).toBe(1);
  });
});

describe('an agent', () => {
  it('decides the bonus of each army before the bag is filled', async () => {
    const { attacker, defender } = village({}, { technologies: { fabian: 1 } });
    const corps = { ...attacker, armies: [...attacker.armies, { units: { archer: 1 } }, { units: { swordsman: 2 } }] };
    const { legal, asked: options, seen, act } = await opened(scenario({ attacker: corps, defender }), 'all');
    const shown = ['stage', 'army', 'bag.attacker', 'bag.defender', 'bag.neutral'];
    expect([options(), legal()]).toEqual(['bonus', ['bonus:3-neutral', 'bonus:2', 'bonus:none']]);
    expect(seen(...shown)).toEqual([-1, 1, 4, 1, 1]);
    act('bonus:2');
    expect(legal()).toEqual(['bonus:none', 'bonus:1']);
    expect(seen(...shown)).toEqual([-1, 3, 6, 1, 1]);
    act('bonus:1');
    expect(legal()).toEqual(['bonus:2', 'bonus:none']);
    act('bonus:none');
    // One cube of each color is discarded.
    expect(options()).toBe('draw');
    expect(seen(...shown)).toEqual([2, 0, 6, 0, 1]);
  });

  it('gets the bag of the policy by following the policy', async () => {
    const of = village({ bonus: 'greatest' });
    const { env, seen } = await opened(scenario(of), ['attacker']);
    env.rollout('scenario', { steps: 1 });
    expect(seen('bag.attacker')).toEqual([1]);
  });

  it('draws or stops at each cube with drawing cube-by-cube', async () => {
    const of = {
      drawing: 'cube-by-cube',
      attacker: army({ archer: 2 }, { modifiers: { courage: 1 } }),
      defender: army({ archer: 2 }, { modifiers: { courage: 3 } }),
    };
    const { env, legal, asked: options, seen, act } = await opened(scenario(of), 'all');
    expect([options(), legal()]).toEqual(['draw', ['cubes:0', 'cubes:1']]);
    const drawn = (): number => seen('drawn.attacker', 'drawn.defender').reduce<number>((sum, n) => sum + (n ?? 0), 0);
    expect(drawn()).toBe(1);
    act('cubes:1');
    expect([options(), drawn()]).toEqual(['draw', 2]);
    act('cubes:0');
    expect([options(), legal(), drawn()]).toEqual(['extraDraw', ['cubes:0', 'cubes:1'], 2]);
    act('cubes:1');
    expect([options(), drawn()]).toEqual(['extraDraw', 3]);
    act('cubes:0');
    expect([env.buffers.terminated[0], drawn()]).toEqual([1, 3]);
  });
});
