/** Cubes from a bag: turns make steps, and their states can be told apart. */
import { describe, expect, it } from 'vitest';
import { Sampled } from '../../src/core/chance/sampled.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { verdict } from '../../src/rules/battle.ts';
import type { BagState } from '../../src/rules/cube-bag/army.ts';
import { cubeBag } from '../../src/rules/cube-bag/index.ts';
import type { Key, Model } from '../../src/rules/system.ts';
import { dealtScenarios } from './cube-bag-dealt.ts';

const dealt = dealtScenarios(150);

/** Decides by words of its own, the same ones for the same number of decisions taken; writes down what happens. */
class Wayward extends Sampled {
  readonly #choices: Stream;
  readonly events: string[] = [];
  decisions = 0;

  constructor(index: number) {
    super(Stream.of(5n, index));
    this.#choices = Stream.of(6n, index);
  }

  override draw(bag: readonly number[], count: number): number[] {
    this.events.push(`draw ${String(count)}`);
    return super.draw(bag, count);
  }

  override decide<T extends string | number>(point: string, player: string, options: readonly T[]): T {
    this.#choices.seek(this.decisions++);
    const option = options[this.#choices.word() % options.length] as T;
    this.events.push(`decide ${player} ${point} [${options.join(' ')}] ${String(option)}`);
    return option;
  }

  override rule(id: string, facts?: () => object): void {
    this.events.push(`rule ${id} ${JSON.stringify(facts?.())}`);
  }
}

const isPending = (state: BagState): boolean => state.pending !== undefined;

describe('turns', () => {
  const turn = (model: Model<BagState>, state: BagState, door: Wayward): BagState => model.turn?.(state, door) ?? state;

  it('make a step, with the same draws, decisions and rules', () => {
    const kinds = new Set<string>();
    for (const [index, each] of dealt.entries()) {
      const model = cubeBag.model(each) as unknown as Model<BagState>;
      const [whole, parts] = [new Wayward(index), new Wayward(index)];
      let state = model.start(whole);
      model.start(parts);
      while (verdict(model, state) === undefined) {
        const after = model.step(state, whole);
        let now = turn(model, state, parts);
        while (isPending(now)) {
          kinds.add(typeof now.pending === 'string' ? now.pending : 'removal');
          expect(verdict(model, now)).toBeUndefined();
          now = turn(model, now, parts);
        }
        expect(now).toEqual(after);
        expect(isPending(after)).toBe(false);
        expect(parts.events).toEqual(whole.events);
        state = after;
      }
    }
    expect(kinds).toEqual(new Set(['bonus', 'conversion', 'removal']));
  });

  it('ask once at most, and before anything is drawn', () => {
    for (const [index, each] of dealt.entries()) {
      const model = cubeBag.model(each) as unknown as Model<BagState>;
      const door = new Wayward(index);
      let state = model.start(door);
      while (verdict(model, state) === undefined) {
        const pending = isPending(state);
        door.events.length = 0;
        state = turn(model, state, door);
        const happened = door.events.filter((event) => !event.startsWith('rule'));
        expect(happened.slice(1).filter((event) => event.startsWith('decide'))).toEqual([]);
        if (pending) expect(door.events[0]).toMatch(/^decide/);
      }
    }
  });

  it('lead to states that their keys tell apart', () => {
    for (const [index, each] of dealt.slice(0, 60).entries()) {
      const model = cubeBag.model(each) as unknown as Model<BagState>;
      const keys = new Map<Key, string>();
      for (let run = 0; run < 20; run++) {
        const door = new Wayward(1000 * index + run);
        let state = model.start(door);
        while (verdict(model, state) === undefined) {
          state = turn(model, state, door);
          const text = JSON.stringify(state);
          expect(keys.get(model.key(state)) ?? text).toBe(text);
          keys.set(model.key(state), text);
        }
      }
    }
  });
});
