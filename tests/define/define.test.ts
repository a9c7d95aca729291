/** `defineSystem`: what it refuses, and what a definition becomes. */
import { describe, expect, test } from 'vitest';
import { Recorded } from '../../src/core/chance/recorded.ts';
import { Sampled } from '../../src/core/chance/sampled.ts';
import { type ScriptEntry, Scripted } from '../../src/core/chance/scripted.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { d } from '../../src/core/laws/index.ts';
import { simulate, solveSync } from '../../src/index.ts';
import { conform } from '../../src/kit/conform.ts';
import { optimalSync } from '../../src/rollout.ts';
import { integer } from '../../src/rules/fields.ts';
import type { Battle } from '../../src/rules/own/battle.ts';
import { defineSystem, type SystemDefinition } from '../../src/rules/own/define.ts';
import { checkScenario, jsonSchema } from '../../src/rules/scenario/index.ts';
import type { Key, Model, State } from '../../src/rules/system.ts';

interface Coins {
  readonly left: number;
}

const FIELDS = { coins: integer(1, 9, 'Coins.').default(2) };

const BATTLE: Battle<Coins> = {
  outcomes: ['spent'],
  start: () => ({ left: 2 }),
  round: ({ left }, door) => ({ left: left - door.take(d(2)) + 1 }),
  outcome: ({ left }) => (left <= 0 ? 'spent' : undefined),
};

const define = (change: object = {}) =>
  defineSystem({
    ...{ id: 'coin-game', title: 'Coins', about: 'Coins are spent.', fields: FIELDS, battle: () => BATTLE },
    ...change,
  });

/** The model of a battle. */
function modelOf(battle: object, scenario: object = {}): Model<State> {
  const system = define({ battle: () => ({ ...BATTLE, ...battle }) });
  return system.model(
    checkScenario({ system: 'coin-game', ...scenario }, '', { systems: [system] }) as Parameters<
      typeof system.model
    >[0],
  );
}

const sampled = (): Sampled => new Sampled(Stream.of(1n, 0));

type Draws = Parameters<Exclude<Battle<Coins>['round'], readonly unknown[]>>[1];

/** The door of a seeded battle, and the places that draws take. */
function noting(): { readonly door: Sampled; readonly places: readonly number[] } {
  const places: number[] = [];
  const stream = Stream.of(1n, 0);
  const seek = (place: number): void => {
    places.push(place);
    stream.seek(place);
  };
  return { door: new Sampled({ seek, word: () => stream.word() }), places };
}

/** What the first round does with the door of a seeded battle. */
function firstRound(battle: object): State {
  const model = modelOf(battle);
  return model.step(model.start(sampled()), sampled());
}

describe('a definition', () => {
  test.each([
    [{ id: 'Coins' }, 'defineSystem id: expected lower-case words joined by hyphens, found "Coins"'],
    [{ id: 'coins-' }, 'found "coins-"'],
    [{ id: 'c'.repeat(61) }, 'defineSystem id: '],
    [{ id: undefined }, 'defineSystem id: '],
    [{ title: ' ' }, 'defineSystem coin-game title: expected a text, found " "'],
    [{ about: undefined }, 'defineSystem coin-game about: expected a text, found nothing'],
    [{ fields: { name: FIELDS.coins } }, 'expected names other than system and name, found "name"'],
    [{ fields: { system: FIELDS.coins } }, 'found "system"'],
  ])('%o is refused', (change, message) => {
    expect(() => define(change)).toThrow(message);
  });

  test('has the fields of every scenario, with their defaults, and refuses others', () => {
    const systems = [define()];
    expect(checkScenario({ system: 'coin-game' }, '', { systems })).toEqual({
      system: 'coin-game',
      maxRounds: 10_000,
      coins: 2,
    });
    expect(() => checkScenario({ system: 'coin-game', coin: 1 }, '', { systems })).toThrow(
      'coin: expected one of system, name, maxRounds, coins, found an unknown field (did you mean coins?)',
    );
    expect(() => checkScenario({ system: 'coin-game', maxRounds: 100_001 }, '', { systems })).toThrow('maxRounds');
    expect(Object.keys(jsonSchema('coin-game', systems).properties ?? {})).toEqual([
      'costs',
      'system',
      'name',
      'maxRounds',
      'coins',
    ]);
  });

  test('may have a field maxRounds of its own', () => {
    const system = define({ fields: { ...FIELDS, maxRounds: integer(1, 5, 'Rounds.').default(4) } });
    expect(checkScenario({ system: 'coin-game' }, '', { systems: [system] })).toMatchObject({ maxRounds: 4 });
  });

  test('refuses scenarios by its own check, also where another field is wrong', () => {
    const check: SystemDefinition<typeof FIELDS, Coins>['check'] = ({ coins }, refuse) => {
      if (coins % 2 > 0) refuse(['coins'], 'an even number', String(coins));
    };
    const systems = [define({ check })];
    expect(() => checkScenario({ system: 'coin-game', coins: 3 }, '', { systems })).toThrow(
      'coins: expected an even number, found 3',
    );
    expect(() => checkScenario({ system: 'coin-game', coins: 3, maxRounds: 0 }, '', { systems })).toThrow(
      /coins: expected an even number, found 3[\s\S]*maxRounds|maxRounds[\s\S]*coins: expected an even number/,
    );
  });

  test('has rules with sentences and sources; the round has one unless it is given', () => {
    const { rules } = define({ rules: { spend: () => 'Spent.', lose: { tell: () => 'Lost.', source: 'page 3' } } });
    expect(rules['spend']?.source).toBe('rule spend');
    expect(rules['lose']?.source).toBe('page 3');
    expect(rules['round']?.tell({ round: 7 })).toBe('Round 7.');
    expect(define({ rules: { round: () => 'Again.' } }).rules['round']?.tell({})).toBe('Again.');
  });

  test('has examples by name, which are scenarios', () => {
    expect(define({ examples: { rich: { coins: 9 } } }).examples).toEqual([
      { name: 'rich', scenario: { system: 'coin-game', name: 'rich', coins: 9 } },
    ]);
    expect(define()).not.toHaveProperty('rollout');
    expect(define().decisions).toEqual([]);
  });
});

describe('a battle', () => {
  test.each([
    [{ outcomes: [] }, 'a battle needs at least one outcome'],
    [{ outcomes: ['spent', 'won', 'spent'] }, 'the outcome "spent" is there twice'],
    [{ metrics: { rounds: { min: 0, max: 1, of: () => 0 } } }, '"rounds" is counted by itself'],
    [{ slots: { coin: 0 } }, 'slot "coin" needs 1 word or more'],
    [{ slots: { coin: 1.5 } }, 'slot "coin" needs 1 word or more'],
    [{ slots: { coin: 1000 } }, 'rounds of 1000 words: maxRounds can be 8387 at most, not 10000'],
  ])('%o is refused', (battle, message) => {
    expect(() => modelOf(battle)).toThrow(message);
  });

  test('with as many rounds as its words have room for is accepted', () => {
    expect(modelOf({ slots: { coin: 1000 } }, { maxRounds: 8387 }).roundWords).toBe(1000);
    expect(() => modelOf({ slots: { coin: 1000 } }, { maxRounds: 8388 })).toThrow('8387 at most');
  });

  test('counts rounds, and ends as stalemate', () => {
    const model = modelOf({ metrics: { left: { min: 0, max: 2, unit: 5, of: ({ left }: Coins) => left } } });
    expect(model.outcomes).toEqual(['spent', 'stalemate']);
    expect(model.metrics).toEqual([
      { name: 'rounds', min: 0, max: 10_000 },
      { name: 'left', min: 0, max: 2, unit: 5 },
    ]);
    expect(modelOf({ outcomes: ['stalemate', 'spent'] }).outcomes).toEqual(['stalemate', 'spent']);
  });

  test('ends as it says when its rounds are over, by all engines', async () => {
    const system = define({ battle: () => ({ ...BATTLE, outOfRounds: 'undecided' }) });
    const scenario = checkScenario({ system: 'coin-game', maxRounds: 2 }, '', { systems: [system] });
    const { outcomes } = solveSync(scenario).summary;
    // Two rounds in each of which a coin is spent with 1/2: both are with 1/4.
    expect(outcomes.map(({ name, p }) => [name, p])).toEqual([
      ['spent', 0.25],
      ['undecided', 0.75],
    ]);
    const played = await Promise.all(
      (['reference', 'automaton'] as const).map((engine) => simulate(scenario, { battles: 4000, seed: 1, engine })),
    );
    expect(new Set(played.map(({ digest }) => digest)).size).toBe(1);
    for (const { summary } of played) expect(summary.outcomes[1]?.p).toBeCloseTo(0.75, 1);
    const worth = (outcome: string): number => (outcome === 'undecided' ? 0.5 : 0);
    const worthy = define({
      battle: () => ({ ...BATTLE, outOfRounds: 'undecided' }),
      rollout: () => ({
        players: ['red'],
        features: [{ name: 'left', high: 9, of: ({ left }: Coins) => left }],
        worth,
      }),
    });
    const asked = checkScenario({ system: 'coin-game', maxRounds: 2 }, '', { systems: [worthy] });
    expect(optimalSync(asked).value).toBe(0.375);
    // The test kit does not take it for an outcome that ends a battle.
    const whole = await conform(system, { scenarios: [scenario], quick: true });
    expect(whole.filter(({ ok }) => !ok)).toEqual([]);
    const endless = define({ battle: () => ({ ...BATTLE, outcome: () => undefined, outOfRounds: 'undecided' }) });
    const short = checkScenario({ system: 'coin-game', maxRounds: 2 }, '', { systems: [endless] });
    const found = await conform(endless, { scenarios: [short], quick: true });
    expect(found.some(({ ok, message }) => !ok && /battles ended as undecided after 2 rounds/.test(message))).toBe(
      true,
    );
    const both = modelOf({ outcomes: ['spent', 'stalemate'], outOfRounds: 'spent' });
    expect(both.outcomes).toEqual(['spent', 'stalemate']);
    expect(jsonSchema('coin-game', [system])).toMatchObject({
      properties: { maxRounds: { description: expect.stringContaining('unless its rules say otherwise') as string } },
    });
  });

  test('has 16 words for each phase without slots, one word at least with none in them', () => {
    const two = [BATTLE.round, BATTLE.round];
    expect(modelOf({ round: two }).roundWords).toBe(32);
    expect(modelOf({ round: two, slots: { a: 2, b: 3 } }).roundWords).toBe(5);
    expect(modelOf({ slots: {} }).roundWords).toBe(1);
  });

  test('goes through its phases, is asked for its outcome after each, and rests between rounds', () => {
    const asked: [number, number][] = [];
    const model = modelOf({
      round: [({ left }: Coins) => ({ left: left - 1 }), ({ left }: Coins) => ({ left: left + 1 })],
      outcome: ({ left }: Coins, phase: number) => void asked.push([left, phase]),
    });
    let state = model.start(sampled());
    const seen = [state];
    for (let step = 0; step < 3; step++) {
      state = model.step(state, sampled());
      seen.push(state);
    }
    expect(seen.map(({ round }) => round)).toEqual([0, 1, 1, 2]);
    expect(seen.map((each) => model.resting(each))).toEqual([true, false, true, false]);
    for (const each of seen) model.outcome(each);
    expect(asked).toEqual([
      [2, 0],
      [1, 1],
      [2, 0],
      [1, 1],
    ]);
    expect(model.measure(state)).toEqual([2]);
  });

  test('has keys that name the phase but not the round, from its own key where it has one', () => {
    const at = { left: 2 };
    const states = [1, 2].map((round) => ({ round, phase: 0, at })) as unknown as State[];
    const keysOf = (model: Model<State>): Key[] => states.map((state) => model.key(state));
    expect(keysOf(modelOf({}))).toEqual(['0 {"left":2}', '0 {"left":2}']);
    const own = modelOf({ key: ({ left }: Coins) => left });
    expect(keysOf(own)).toEqual(['0 2', '0 2']);
    expect(own.key({ ...states[0], phase: 1 } as unknown as State)).toBe('1 2');
  });

  test('may draw at its start, from the words of round 0', () => {
    const { door, places } = noting();
    const model = modelOf({
      slots: { coin: 2, deck: 3 },
      start: (draws: Draws) => ({ left: draws.at('deck', 1).take(d(2)) + 1 }),
      round: (state: Coins, draws: Draws) => ({
        left: state.left + 0 * (draws.at('coin').take(d(2)) + draws.at('deck').take(d(2))),
      }),
    });
    model.step(model.step(model.start(door), door), door);
    expect(places).toEqual([3, 5, 7, 10, 12]);
  });

  test('is played by a script', () => {
    const script: ScriptEntry[] = [{ take: 2 }, { take: 1 }, { take: 2 }];
    const door = new Scripted(script);
    const model = modelOf({});
    let state = model.start(door);
    for (const left of [1, 1, 0]) {
      state = model.step(state, door);
      expect(state).toMatchObject({ at: { left } });
    }
    door.done();
    expect(model.outcome(state)).toBe('spent');
  });
});

type Draw = (door: Draws) => unknown;

/** A round with slots a (1 word) and b (2 words) that draws so. */
const drawing = (draw: Draw, slots: object | null = { a: 1, b: 2 }) => ({
  ...(slots && { slots }),
  round(state: Coins, door: Draws) {
    draw(door);
    return state;
  },
});

describe('draws', () => {
  test.each<[string, Draw]>([
    ['there is no slot "c"; the battle declares a, b', (door) => door.at('c')],
    ['slot "b" has words 0..1, not 2', (door) => door.at('b', 2)],
    ['slot "b" has words 0..1, not -1', (door) => door.at('b', -1)],
    ['slot "a" has words 0..0, not 0.5', (door) => door.at('a', 0.5)],
    ['a draw needs 2 words of the stream, but slot "b" has 1 left', (door) => door.at('b', 1).draw([1, 1, 1], 1)],
    [
      "a draw names no slot, but the battle declares a, b: say which word it takes, such as door.at('a').take(d(6))",
      (door) => door.take(d(6)),
    ],
    ['door.pick: expected 2 names, one for each of the list, found [x]', (door) => door.at('a').pick([1, 1], ['x'])],
    [
      'door.draw: expected 3 names, one for each of the list, found [x, y, 3]',
      (door) => door.at('b').draw([1, 1, 1], 1, ['x', 'y', 3 as never]),
    ],
    [
      'a draw needs 1 word of the stream, but slot "a" has 0 left',
      (door) => [door.at('a').take(d(6)), door.take(d(6))],
    ],
    [
      'a draw needs 3 words of the stream, but slot "b" has 2 left',
      (door) => door.at('b').hits([{ dice: 129, value: 3 }]),
    ],
    ['a draw needs 2 words of the stream, but slot "a" has 1 left', (door) => door.at('a').faces([[], []])],
    ['red has no option at the decision point "go"', (door) => door.decide('go', 'red', [], () => 'x' as never)],
  ])('%s', (message, draw) => {
    expect(() => firstRound(drawing(draw))).toThrow(message);
  });

  test('names of what is drawn reach those who listen, and change nothing', () => {
    const told = (names: boolean): readonly object[] => {
      const door = new Recorded(Stream.of(1n, 0));
      const model = modelOf(
        drawing((at) => [
          at.at('b').draw([1, 2, 1], 2, names ? ['x', 'y', 'z'] : undefined),
          at.at('a').pick([1, 1], names ? ['p', 'q'] : undefined),
        ]),
      );
      model.step(model.start(door), door);
      return door.events.filter(({ kind }) => kind !== 'rule');
    };
    const plain = told(false);
    expect(plain).toEqual([
      { kind: 'draw', bag: [1, 2, 1], drawn: expect.any(Array) as number[] },
      { kind: 'pick', weights: [1, 1], index: expect.any(Number) as number },
    ]);
    expect(told(true)).toEqual([
      { ...plain[0], names: ['x', 'y', 'z'] },
      { ...plain[1], names: ['p', 'q'] },
    ]);
  });

  test('without slots none can be named', () => {
    expect(() => firstRound(drawing((door) => door.at('a'), null))).toThrow(
      'there is no slot "a"; the battle declares none',
    );
  });

  test('without slots each phase has 16 words, taken in turn', () => {
    const takes =
      (count: number): Draw =>
      (door) =>
        Array.from({ length: count }, () => door.take(d(6)));
    expect(() => firstRound(drawing(takes(16), null))).not.toThrow();
    expect(() => firstRound(drawing(takes(17), null))).toThrow('the phase has 0 left');
  });

  test.each<[string, Draw, number]>([
    ['take', (door) => door.at('b').take(d(6)), 1],
    ['a second take', (door) => [door.at('b').take(d(6)), door.take(d(6))], 2],
    ['roll', (door) => door.at('b').roll(3, 6), 1],
    ['sum', (door) => door.at('b').sum({ count: 2, sides: 6 }), 1],
    ['pick', (door) => door.at('b').pick([1, 1]), 1],
    ['hits', (door) => door.at('b').hits([{ dice: 65, value: 3 }]), 2],
    ['draw', (door) => door.at('b').draw([2, 2, 2], 3), 2],
    ['faces', (door) => door.at('b').faces([[[0, 0, 0, 1, 1, 1]], []]), 2],
  ])('%s takes its words of the slot', (_, draw, words) => {
    const { door, places } = noting();
    const model = modelOf(drawing(draw));
    model.step(model.start(door), door);
    // Round 1 begins at word 3, slot b at its second word.
    expect(places).toEqual([4, 5].slice(0, words));
  });
});
