/** The worked example of the rule text, with its rolls and decisions as a script. */
import { describe, expect, it } from 'vitest';
import { phasedDice } from '../../src/rules/phased-dice/index.ts';
import { decide, fight, scenario, Watched } from './phased-dice-fight.ts';

const example = scenario({
  site: 'settlement',
  attacker: { units: { cannon: 3, knight: 2, dragoon: 1, rifleman: 3 } },
  defender: { units: { trebuchet: 2, cannon: 1, dragoon: 2, rifleman: 4 } },
});

const artillery = [
  { faces: [6, 3, 2, 2, 2, 1, 4, 5, 6] },
  { faces: [6, 5, 2, 1] },
  { faces: [3, 3, 1] },
  decide('infantry'),
  decide('cavalry'),
];

const cavalry = [{ faces: [5, 4, 5, 3, 1] }, { faces: [1, 4, 1, 6, 3, 2] }, decide('infantry'), decide('infantry')];

describe('the worked example', () => {
  it('gives all numbers of the first two phases and the dice of the third', () => {
    const model = phasedDice.model(example);
    const chance = new Watched([
      ...artillery,
      ...cavalry,
      { faces: [6, 6, 6, 6, 6, 6] },
      { faces: [6, 6, 6, 6, 6, 6, 6, 6, 6] },
    ]);
    // Troops in the order of the table: cannon, knight, dragoon, rifleman; trebuchet, cannon, dragoon, rifleman.
    let state = model.start(chance);
    state = model.step(state, chance);
    expect(state).toMatchObject({ round: 1, phase: 1, dealt: 4 });
    state = model.step(state, chance);
    expect(state).toMatchObject({
      phase: 2,
      dealt: null,
      attacker: { counts: [3, 1, 1, 3], reserve: 0 },
      defender: { counts: [2, 1, 2, 3], reserve: 1 },
    });
    state = model.step(state, chance);
    expect(state).toMatchObject({ phase: 2, dealt: 1 });
    state = model.step(state, chance);
    expect(state).toMatchObject({
      phase: 3,
      dealt: null,
      attacker: { counts: [3, 1, 1, 2], reserve: 0 },
      defender: { counts: [1, 1, 2, 3], reserve: 0 },
    });
    state = model.step(state, chance);
    state = model.step(state, chance);
    chance.checkUsed();
    expect(chance.pools).toEqual(['9@2', '4@1 3@2', '5@1', '6@2', '6@2', '9@3']);
    expect(model.resting(state)).toBe(true);
    expect(chance.requested.at(-1)).toBe('attacker retreat [stay retreat] stay');
  });

  it('requests only the decisions of the rule text', () => {
    const { requested } = fight({ ...example, maxRounds: 1 }, [
      ...artillery,
      ...cavalry,
      { faces: [6, 6, 6, 6, 6, 6] },
      { faces: [6, 6, 6, 6, 6, 6, 6, 6, 6] },
    ]);
    expect(requested).toEqual([
      'attacker target [artillery cavalry infantry] infantry',
      'defender target [artillery cavalry infantry] cavalry',
      'attacker target [artillery cavalry infantry] infantry',
      'defender target [artillery cavalry infantry] infantry',
      'attacker retreat [stay retreat] stay',
    ]);
  });

  it('gives the expected losses with the policies of the shared scenario', () => {
    const lists = {
      ...example,
      maxRounds: 1,
      attacker: { ...example.attacker, target: ['infantry', 'artillery', 'cavalry'] },
      defender: { ...example.defender, target: ['cavalry', 'infantry', 'artillery'] },
    };
    const { metrics, requested } = fight(lists, [
      ...artillery.slice(0, 3),
      ...cavalry.slice(0, 2),
      { faces: [6, 6, 6, 6, 6, 6, 6, 6, 6] },
      { faces: [6, 6, 6, 6, 6, 6, 6, 6, 6] },
    ]);
    expect(
      requested.filter((question) => question.startsWith('defender')).map((each) => each.split(' ').at(-1)),
    ).toEqual(['cavalry', 'cavalry']);
    expect(metrics).toEqual({
      rounds: 1,
      'left.attacker': 7,
      'left.defender': 7,
      'left.attacker.cannon': 3,
      'left.attacker.knight': 0,
      'left.attacker.dragoon': 1,
      'left.attacker.rifleman': 3,
      'left.defender.trebuchet': 1,
      'left.defender.cannon': 1,
      'left.defender.dragoon': 2,
      'left.defender.rifleman': 3,
    });
  });
});
