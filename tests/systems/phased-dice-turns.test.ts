/** Phased dice decision by decision: turns make up the steps, and the worked example can be played in them. */
import { describe, expect, it } from 'vitest';
import { valueCounts } from '../../src/answers/tally.ts';
import type { Door } from '../../src/core/chance/door.ts';
import { Recorded } from '../../src/core/chance/recorded.ts';
import { Sampled } from '../../src/core/chance/sampled.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { solveModel } from '../../src/engines/kernel/chain.ts';
import { verdict } from '../../src/rules/battle.ts';
import type { CombatState } from '../../src/rules/phased-dice/army.ts';
import { model as modelOf } from '../../src/rules/phased-dice/model.ts';
import type { PhasedDice } from '../../src/rules/phased-dice/schema.ts';
import type { Key, Model } from '../../src/rules/system.ts';
import { DEPTH } from '../depth.ts';
import { dealt } from './phased-dice-dealt.ts';
import { decide, scenario, Watched } from './phased-dice-fight.ts';

const SEED = 78n;

function turnOf(model: Model<CombatState>, state: CombatState, door: Door): CombatState {
  if (model.turn === undefined) throw new Error('the model has no turns');
  return model.turn(state, door);
}

/** All turns of a step. */
function turnsOf(model: Model<CombatState>, state: CombatState, door: Door): CombatState[] {
  const turns = [turnOf(model, state, door)];
  for (let last = turns[0]; last?.pending !== undefined; last = turns.at(-1)) turns.push(turnOf(model, last, door));
  return turns;
}

/** Decides anything at all, so that battles come where no policy leads. */
class Any extends Recorded {
  readonly #whims: Stream;

  constructor(battle: number) {
    super(Stream.of(SEED, battle));
    this.#whims = Stream.of(SEED + 1n, battle);
  }

  override decide<T extends string | number>(point: string, player: string, options: readonly T[], _: () => T): T {
    const stays = point === 'retreat' && this.#whims.word() % 8 > 0;
    return super.decide(point, player, options, () =>
      stays ? (options[0] as T) : (options[this.#whims.word() % options.length] as T),
    );
  }
}

describe('turns', () => {
  it.runIf(DEPTH > 1)('make up steps: the same states, draws, decisions and rules', () => {
    const points = new Map<string, number>();
    for (let index = 0; index < 240; index++) {
      const model = modelOf(dealt(index));
      const whole = new Any(index);
      const parts = new Any(index);
      let state = model.start(whole);
      model.start(parts);
      while (verdict(model, state) === undefined) {
        const turns = turnsOf(model, state, parts);
        state = model.step(state, whole);
        expect(turns.at(-1)).toStrictEqual(state);
        for (const { pending } of turns) {
          if (pending !== undefined) points.set(pending.point, (points.get(pending.point) ?? 0) + 1);
        }
      }
      expect(parts.events).toEqual(whole.events);
    }
    for (const point of ['target', 'losses', 'retreat']) expect(points.get(point)).toBeGreaterThan(150);
  });

  it('ask once at most, and before anything is drawn or told', () => {
    let asked = 0;
    for (let index = 0; index < 120; index++) {
      const model = modelOf(dealt(index));
      const door = new Any(index);
      let state = model.start(door);
      while (verdict(model, state) === undefined) {
        const pending = state.pending;
        door.events.length = 0;
        state = turnOf(model, state, door);
        const decisions = door.events.filter(({ kind }) => kind === 'decide');
        expect(decisions.length).toBeLessThanOrEqual(1);
        if (decisions.length === 0) continue;
        expect(door.events[0]).toMatchObject({ kind: 'decide', point: pending?.point, player: pending?.side });
        expect(door.events.some(({ kind }) => kind !== 'decide' && kind !== 'rule')).toBe(false);
        asked++;
      }
    }
    expect(asked).toBeGreaterThan(500);
  });

  it('leave the battle open while a decision is pending, and can go on as a step', () => {
    const model = modelOf(dealt(1));
    let pending = 0;
    for (let battle = 0; battle < 40; battle++) {
      const door = new Sampled(Stream.of(SEED, battle));
      let state = model.start(door);
      while (verdict(model, state) === undefined) {
        const turns = turnsOf(model, state, door);
        for (const open of turns.slice(0, -1)) {
          expect(model.resting(open)).toBe(false);
          expect(model.outcome(open)).toBeUndefined();
          expect(model.step(open, new Sampled(Stream.of(SEED, battle)))).toEqual(turns.at(-1));
          pending++;
        }
        state = turns.at(-1) as CombatState;
      }
    }
    expect(pending).toBeGreaterThan(100);
  });

  it.runIf(DEPTH > 1)('have keys of their own: the law over turns is the law over steps', () => {
    let longer = 0;
    for (let index = 0; longer < 25; index++) {
      const given: PhasedDice = { ...dealt(index), maxRounds: 3 };
      const units = [given.attacker, given.defender].flatMap((each) => Object.values<number | undefined>(each.units));
      if (units.reduce<number>((sum, count) => sum + (count ?? 0), 0) > 6) continue;
      const model = modelOf(given);
      const steps = solveModel(model);
      const turns = solveModel({ ...model, step: (state, door) => turnOf(model, state, door) });
      longer += Number(turns.states > steps.states);
      for (const [o, p] of steps.law.outcomes.entries()) expect(turns.law.outcomes[o]).toBeCloseTo(p, 12);
      for (const m of model.metrics.keys()) {
        const expected = new Map(valueCounts(steps.law, m));
        for (const [value, p] of valueCounts(turns.law, m)) expect(p).toBeCloseTo(expected.get(value) ?? -1, 12);
      }
    }
  });

  it('go on alike when they have one key', () => {
    for (let index = 0; index < 30; index++) {
      const model = modelOf({ ...dealt(index), maxRounds: 2 });
      const known = new Map<Key, string>();
      for (let battle = 0; battle < 30; battle++) {
        let state = model.start(new Any(battle));
        for (const door = new Any(battle); verdict(model, state) === undefined; ) {
          state = turnOf(model, state, door);
          if (state.pending === undefined) continue;
          const look = new Watched([]);
          turnOf(model, state, look);
          const asked = look.asked.join();
          const key = model.key(state);
          expect(known.get(key) ?? asked).toBe(asked);
          known.set(key, asked);
        }
      }
    }
  });
});

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
      state = turnOf(model, state, door);
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
