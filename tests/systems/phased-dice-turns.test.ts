/** Phased dice decision by decision: the worked example can be played in turns. */
import { describe, expect, it } from 'vitest';
import { model as modelOf } from '../../src/rules/phased-dice/model.ts';
import { decide, scenario, Watched } from './phased-dice-fight.ts';

describe('the worked example in turns', () => {
  const model = modelOf(
    scenario({
      site: 'settlement',
      attacker: { units: { cannon: 3, knight: 2, dragoon: 1, rifleman: 3 } },
      defender: { units: { trebuchet: 2, cannon: 1, dragoon: 2, rifleman: 4 } },
    }),
  );

  it('gives its numbers after every decision', () => {
    const door = new Watched([
      { faces: [6, 3, 2, 2, 2, 1, 4, 5, 6] },
      { faces: [6, 5, 2, 1] },
      { faces: [3, 3, 1] },
      decide('infantry'),
      decide('cavalry'),
    ]);
    let state = model.start(door);
    const next = () => {
      state = model.turn?.(state, door) ?? state;
      return state;
    };
    expect(next()).toMatchObject({ round: 1, phase: 1, dealt: 4 });
    const named = { attacker: undefined, defender: undefined };
    expect(next()).toMatchObject({
      dealt: null,
      pending: { point: 'target', side: 'attacker', hits: { attacker: 2, defender: 4 }, named },
    });
    expect(next().pending).toMatchObject({ point: 'target', side: 'defender', named: { attacker: 'infantry' } });
    // The defender named cavalry: one of two knights falls by two hits. Dragoons of three do not fit.
    expect(next()).toMatchObject({
      attacker: { counts: [3, 2, 1, 3] },
      pending: { point: 'losses', side: 'attacker', hits: { attacker: 2, defender: 4 }, further: false },
    });
    expect(next()).toMatchObject({
      attacker: { counts: [3, 1, 1, 3], reserve: 0 },
      pending: { point: 'losses', side: 'defender', hits: { attacker: 0, defender: 4 } },
    });
    expect(next()).toMatchObject({ phase: 2, dealt: null, defender: { counts: [2, 1, 2, 3], reserve: 1 } });
    expect(state.pending).toBeUndefined();
    door.done();
    expect(door.asked).toEqual([
      'attacker target [artillery cavalry infantry] infantry',
      'defender target [artillery cavalry infantry] cavalry',
    ]);
  });
});
