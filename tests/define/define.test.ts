/** `defineSystem`: rejected definitions, and the systems of valid ones. */
import { describe, expect, test } from 'vitest';
import { conform } from '../../src/conformance/conform.ts';
import { RecordedChance } from '../../src/core/chance/recorded-chance.ts';
import { SampledChance } from '../../src/core/chance/sampled-chance.ts';
import { type ScriptEntry, ScriptedChance } from '../../src/core/chance/scripted-chance.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { d } from '../../src/core/distributions/index.ts';
import { findBestResponseSync } from '../../src/environments.ts';
import { replay, simulate, solveSync } from '../../src/index.ts';
import type { Battle } from '../../src/rules/custom/battle.ts';
import { defineSystem, type SystemDefinition } from '../../src/rules/custom/define.ts';
import { integer } from '../../src/rules/fields.ts';
import { systemJsonSchema, validateScenario } from '../../src/rules/scenario/index.ts';
import type { Key, Model, State } from '../../src/rules/system.ts';

interface Coins {
  readonly left: number;
}

const FIELDS = { coins: integer(1, 9, 'Coins.').default(2) };

const BATTLE: Battle<Coins> = {
  outcomes: ['spent'],
  start: () => ({ left: 2 }),
  round: ({ left }, chance) => ({ left: left - chance.sample(d(2)) + 1 }),
  outcome: ({ left }) => (left <= 0 ? 'spent' : undefined),
};

const define = (change: object = {}) =>
  defineSystem({
    ...{ id: 'coin-game', title: 'Coins', about: 'Coins are spent.', fields: FIELDS, battle: () => BATTLE },
    ...change,
  });

/** Creates the model of a battle. */
function modelOf(battle: object, scenario: object = {}): Model<State> {
  const decisions = [{ point: 'go', who: 'red', about: 'Go.', policies: ['always'] }];
  const system = define({ battle: () => ({ ...BATTLE, ...battle }), decisions });
  return system.model(
    validateScenario({ system: 'coin-game', ...scenario }, { systems: [system] }) as Parameters<typeof system.model>[0],
  );
}

const sampled = (): SampledChance => new SampledChance(Stream.forBattle(1n, 0));

type Draws = Parameters<Exclude<Battle<Coins>['round'], readonly unknown[]>>[1];

/** Creates the chance source of a seeded battle, and a list of the stream positions of its draws. */
function noting(): { readonly chance: SampledChance; readonly places: readonly number[] } {
  const places: number[] = [];
  const stream = Stream.forBattle(1n, 0);
  const seek = (place: number): void => {
    places.push(place);
    stream.seek(place);
  };
  return { chance: new SampledChance({ seek, word: () => stream.word() }), places };
}

/** Runs the first round with the chance source of a seeded battle. */
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
    [{ title: ' ' }, 'defineSystem coin-game title: expected a non-empty string, found " "'],
    [{ about: undefined }, 'defineSystem coin-game about: expected a non-empty string, found nothing'],
    [{ fields: { name: FIELDS.coins } }, 'expected names other than system and name, found "name"'],
    [{ fields: { system: FIELDS.coins } }, 'found "system"'],
  ])('with %o is rejected', (change, message) => {
    expect(() => define(change)).toThrow(message);
  });

  test('has the fields of every scenario with their defaults, and rejects unknown ones', () => {
    const systems = [define()];
    expect(validateScenario({ system: 'coin-game' }, { systems })).toEqual({
      system: 'coin-game',
      maxRounds: 10_000,
      coins: 2,
    });
    expect(() => validateScenario({ system: 'coin-game', coin: 1 }, { systems })).toThrow(
      'coin: expected one of system, name, maxRounds, coins, found an unknown field (did you mean coins?)',
    );
    expect(() => validateScenario({ system: 'coin-game', maxRounds: 100_001 }, { systems })).toThrow('maxRounds');
    expect(Object.keys(systemJsonSchema('coin-game', { systems }).properties ?? {})).toEqual([
      'costs',
      'policies',
      'system',
      'name',
      'maxRounds',
      'coins',
    ]);
  });

  test('may replace the field maxRounds', () => {
    const system = define({ fields: { ...FIELDS, maxRounds: integer(1, 5, 'Rounds.').default(4) } });
    expect(validateScenario({ system: 'coin-game' }, { systems: [system] })).toMatchObject({ maxRounds: 4 });
  });

  test('rejects scenarios by its function check, even if another field is invalid', () => {
    const check: SystemDefinition<typeof FIELDS, Coins>['check'] = ({ coins }, reject) => {
      if (coins % 2 > 0) reject(['coins'], 'an even number', String(coins));
    };
    const systems = [define({ check })];
    expect(() => validateScenario({ system: 'coin-game', coins: 3 }, { systems })).toThrow(
      'coins: expected an even number, found 3',
    );
    expect(() => validateScenario({ system: 'coin-game', coins: 3, maxRounds: 0 }, { systems })).toThrow(
      /coins: expected an even number, found 3[\s\S]*maxRounds|maxRounds[\s\S]*coins: expected an even number/,
    );
  });

  test('has rules with sentences and sources, and a default rule for the round', () => {
    const { rules } = define({ rules: { spend: () => 'Spent.', lose: { describe: () => 'Lost.', source: 'page 3' } } });
    expect(rules['spend']?.source).toBe('rule spend');
    expect(rules['lose']?.source).toBe('page 3');
    expect(rules['round']?.describe({ round: 7 })).toBe('Round 7.');
    expect(define({ rules: { round: () => 'Again.' } }).rules['round']?.describe({})).toBe('Again.');
  });

  test('has named examples that are scenarios', () => {
    expect(define({ examples: { rich: { coins: 9 } } }).examples).toEqual([
      { name: 'rich', scenario: { system: 'coin-game', name: 'rich', coins: 9 } },
    ]);
    expect(define()).not.toHaveProperty('environment');
    expect(define().decisions).toEqual([]);
  });
});

describe('a battle', () => {
  test.each([
    [{ outcomes: [] }, 'a battle needs at least one outcome'],
    [{ outcomes: ['spent', 'won', 'spent'] }, 'the outcome "spent" is declared twice'],
    [{ metrics: { rounds: { min: 0, max: 1, of: () => 0 } } }, 'warpool counts "rounds" itself'],
    [{ streams: { coin: 0 } }, 'stream "coin" needs 1 word or more'],
    [{ streams: { coin: 1.5 } }, 'stream "coin" needs 1 word or more'],
    [{ streams: { coin: 1000 } }, 'rounds of 1000 words: maxRounds must be at most 8387, not 10000'],
  ])('with %o is rejected', (battle, message) => {
    expect(() => modelOf(battle)).toThrow(message);
  });

  test('is rejected if its rounds need more words than a stream has', () => {
    expect(modelOf({ streams: { coin: 1000 } }, { maxRounds: 8387 }).roundWords).toBe(1000);
    expect(() => modelOf({ streams: { coin: 1000 } }, { maxRounds: 8388 })).toThrow('at most 8387');
  });

  test('has the metric rounds and the outcome stalemate by default', () => {
    const model = modelOf({ metrics: { left: { min: 0, max: 2, unit: 5, of: ({ left }: Coins) => left } } });
    expect(model.outcomes).toEqual(['spent', 'stalemate']);
    expect(model.metrics).toEqual([
      { name: 'rounds', min: 0, max: 10_000 },
      { name: 'left', min: 0, max: 2, unit: 5 },
    ]);
    expect(modelOf({ outcomes: ['stalemate', 'spent'] }).outcomes).toEqual(['stalemate', 'spent']);
  });

  test('ends with the outcome atRoundLimit after its last round, in all engines', async () => {
    const system = define({ battle: () => ({ ...BATTLE, atRoundLimit: 'undecided' }) });
    const scenario = validateScenario({ system: 'coin-game', maxRounds: 2 }, { systems: [system] });
    const { outcomes } = solveSync(scenario).summary;
    // In each of two rounds a coin is spent with probability 1/2, so both are spent with 1/4.
    expect(outcomes.map(({ name, p }) => [name, p])).toEqual([
      ['spent', 0.25],
      ['undecided', 0.75],
    ]);
    const simulation = await Promise.all(
      (['reference', 'automaton'] as const).map((engine) => simulate(scenario, { battles: 4000, seed: 1, engine })),
    );
    expect(new Set(simulation.map(({ digest }) => digest)).size).toBe(1);
    for (const { summary } of simulation) expect(summary.outcomes[1]?.p).toBeCloseTo(0.75, 1);
    const reward = (outcome: string): number => (outcome === 'undecided' ? 0.5 : 0);
    const worthy = define({
      battle: () => ({ ...BATTLE, atRoundLimit: 'undecided' }),
      environment: () => ({
        players: ['red'],
        features: [{ name: 'left', high: 9, of: ({ left }: Coins) => left }],
        reward,
      }),
    });
    const requested = validateScenario({ system: 'coin-game', maxRounds: 2 }, { systems: [worthy] });
    expect(findBestResponseSync(requested).value).toBe(0.375);
    // The test kit does not count it as an outcome that ends a battle.
    const whole = await conform(system, { scenarios: [scenario], quick: true });
    expect(whole.filter(({ ok }) => !ok)).toEqual([]);
    const endless = define({ battle: () => ({ ...BATTLE, outcome: () => undefined, atRoundLimit: 'undecided' }) });
    const short = validateScenario({ system: 'coin-game', maxRounds: 2 }, { systems: [endless] });
    const found = await conform(endless, { scenarios: [short], quick: true });
    expect(
      found.some(
        ({ ok, message }) => !ok && /battles of all scenarios ended as undecided at the round limit/.test(message),
      ),
    ).toBe(true);
    const both = modelOf({ outcomes: ['spent', 'stalemate'], atRoundLimit: 'spent' });
    expect(both.outcomes).toEqual(['spent', 'stalemate']);
    expect(systemJsonSchema('coin-game', { systems: [system] })).toMatchObject({
      properties: { maxRounds: { description: expect.stringContaining('rules define another outcome') as string } },
    });
  });

  test('has 16 words for each phase without streams, and at least one word', () => {
    const two = [BATTLE.round, BATTLE.round];
    expect(modelOf({ round: two }).roundWords).toBe(32);
    expect(modelOf({ round: two, streams: { a: 2, b: 3 } }).roundWords).toBe(5);
    expect(modelOf({ streams: {} }).roundWords).toBe(1);
  });

  test('runs its phases, computes the outcome after each, and rests between rounds', () => {
    const requested: [number, number][] = [];
    const model = modelOf({
      round: [({ left }: Coins) => ({ left: left - 1 }), ({ left }: Coins) => ({ left: left + 1 })],
      outcome: ({ left }: Coins, phase: number) => void requested.push([left, phase]),
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
    expect(requested).toEqual([
      [2, 0],
      [1, 1],
      [2, 0],
      [1, 1],
    ]);
    expect(model.measure(state)).toEqual([2]);
  });

  test('has keys from its function key or state, with the phase if it has several', () => {
    const at = { left: 2 };
    const states = [1, 2].map((round) => ({ round, phase: 0, at })) as unknown as State[];
    const keysOf = (model: Model<State>): Key[] => states.map((state) => model.key(state));
    expect(keysOf(modelOf({}))).toEqual(['{"left":2}', '{"left":2}']);
    const key = ({ left }: Coins): number => left;
    expect(keysOf(modelOf({ key }))).toEqual(['2', '2']);
    const same = (state: Coins): Coins => state;
    const phased = modelOf({ key, round: [same, same] });
    expect(keysOf(phased)).toEqual(['0 2', '0 2']);
    expect(phased.key({ ...states[0], phase: 1 } as unknown as State)).toBe('1 2');
  });

  test('may draw in its function start, from the words of round 0', () => {
    const { chance, places } = noting();
    const model = modelOf({
      streams: { coin: 2, deck: 3 },
      start: (draws: Draws) => ({ left: draws.at('deck', 1).sample(d(2)) + 1 }),
      round: (state: Coins, draws: Draws) => ({
        left: state.left + 0 * (draws.at('coin').sample(d(2)) + draws.at('deck').sample(d(2))),
      }),
    });
    model.step(model.step(model.start(chance), chance), chance);
    expect(places).toEqual([3, 5, 7, 10, 12]);
  });

  test('can be simulated with a script of draws', () => {
    const script: ScriptEntry[] = [{ sample: 2 }, { sample: 1 }, { sample: 2 }];
    const chance = new ScriptedChance(script);
    const model = modelOf({});
    let state = model.start(chance);
    for (const left of [1, 1, 0]) {
      state = model.step(state, chance);
      expect(state).toMatchObject({ at: { left } });
    }
    chance.checkUsed();
    expect(model.outcome(state)).toBe('spent');
  });
});

type Draw = (chance: Draws) => unknown;

/** Creates a round with streams a (1 word) and b (2 words) that makes the given draws. */
const drawing = (draw: Draw, streams: object | null = { a: 1, b: 2 }) => ({
  ...(streams && { streams }),
  round(state: Coins, chance: Draws) {
    draw(chance);
    return state;
  },
});

describe('draws', () => {
  test.each<[string, Draw]>([
    ['there is no stream "c"; the battle declares a, b', (chance) => chance.at('c')],
    ['stream "b" has words 0..1, not 2', (chance) => chance.at('b', 2)],
    ['stream "b" has words 0..1, not -1', (chance) => chance.at('b', -1)],
    ['stream "a" has words 0..0, not 0.5', (chance) => chance.at('a', 0.5)],
    [
      'a draw needs 2 words, but stream "b" has 1 left: declare streams: { b: 3 }',
      (chance) => chance.at('b', 1).draw([1, 1, 1], 1),
    ],
    ['chance.draw: expected at most 3 cards, found 5', (chance) => chance.at('b').draw([2, 1], 5)],
    ['chance.draw: expected at most 1 card, found 2', (chance) => chance.at('b').draw([1], 2)],
    ['chance.draw: expected at most 0 cards, found 1', (chance) => chance.at('b').draw([0, 0], 1)],
    [
      "a draw names no stream, but the battle declares a, b: name one, such as chance.at('a').sample(d(6))",
      (chance) => chance.sample(d(6)),
    ],
    [
      'chance.pick: expected 2 names, one for each element of the list, found [x]',
      (chance) => chance.at('a').pick([1, 1], ['x']),
    ],
    [
      'chance.draw: expected 3 names, one for each element of the list, found [x, y, 3]',
      (chance) => chance.at('b').draw([1, 1, 1], 1, ['x', 'y', 3 as never]),
    ],
    [
      'a draw needs 1 word, but stream "a" has 0 left: declare streams: { a: 2 }',
      (chance) => [chance.at('a').sample(d(6)), chance.sample(d(6))],
    ],
    ['a draw needs 3 words, but stream "b" has 2 left', (chance) => chance.at('b').hits([{ dice: 129, value: 3 }])],
    ['a draw needs 2 words, but stream "a" has 1 left', (chance) => chance.at('a').faces([[], []])],
    [
      `the decision point "went" is not declared: add { point: 'went', who, about, policies } to decisions`,
      (chance) => chance.decide('went', 'red', ['x'], () => 'x'),
    ],
    ['red has no option at the decision point "go"', (chance) => chance.decide('go', 'red', [], () => 'x' as never)],
  ])('are rejected: %s', (message, draw) => {
    expect(() => firstRound(drawing(draw))).toThrow(message);
  });

  test('have names in recorded events, which do not change their results', () => {
    const reported = (names: boolean): readonly object[] => {
      const chance = new RecordedChance(Stream.forBattle(1n, 0));
      const model = modelOf(
        drawing((at) => [
          at.at('b').draw([1, 2, 1], 2, names ? ['x', 'y', 'z'] : undefined),
          at.at('a').pick([1, 1], names ? ['p', 'q'] : undefined),
        ]),
      );
      model.step(model.start(chance), chance);
      return chance.events.filter(({ kind }) => kind !== 'rule');
    };
    const plain = reported(false);
    expect(plain).toEqual([
      { kind: 'draw', bag: [1, 2, 1], drawn: expect.any(Array) as number[] },
      { kind: 'pick', weights: [1, 1], index: expect.any(Number) as number },
    ]);
    expect(reported(true)).toEqual([
      { ...plain[0], names: ['x', 'y', 'z'] },
      { ...plain[1], names: ['p', 'q'] },
    ]);
  });

  test('of more cards than the bag holds are rejected by all engines', async () => {
    const round: Battle<Coins>['round'] = ({ left }, chance) => ({ left: left - (chance.draw([2, 1], 5)[0] ?? 0) });
    const system = define({ battle: () => ({ ...BATTLE, round }), examples: { one: {} } });
    const scenario = validateScenario({ system: 'coin-game' }, { systems: [system] });
    const message = 'chance.draw: expected at most 3 cards, found 5';
    expect(() => solveSync(scenario)).toThrow(message);
    expect(() => replay(scenario, { battle: 0, seed: 1 })).toThrow(message);
    for (const engine of ['reference', 'automaton'] as const)
      await expect(simulate(scenario, { battles: 10, seed: 1, engine }), engine).rejects.toThrow(message);
    const findings = await conform(system, { quick: true });
    expect(findings.filter(({ ok }) => !ok).map((finding) => finding.message)).toContainEqual(
      expect.stringContaining(message) as string,
    );
  });

  test('without streams cannot name a stream', () => {
    expect(() => firstRound(drawing((chance) => chance.at('a'), null))).toThrow(
      'there is no stream "a"; the battle declares none',
    );
  });

  test('without streams use the 16 words of each phase in turn', () => {
    const takes =
      (count: number): Draw =>
      (chance) =>
        Array.from({ length: count }, () => chance.sample(d(6)));
    expect(() => firstRound(drawing(takes(16), null))).not.toThrow();
    expect(() => firstRound(drawing(takes(17), null))).toThrow('the phase has 0 left: declare streams: { dice: 1 }');
    expect(() => firstRound(drawing((chance) => chance.draw(Array<number>(18).fill(1), 1), null))).toThrow(
      'a draw needs 17 words, but the phase has 16 left: declare streams: { cards: 17 }',
    );
  });

  test.each<[string, Draw, number]>([
    ['take', (chance) => chance.at('b').sample(d(6)), 1],
    ['a second take', (chance) => [chance.at('b').sample(d(6)), chance.sample(d(6))], 2],
    ['roll', (chance) => chance.at('b').roll(3, 6), 1],
    ['sum', (chance) => chance.at('b').sum({ count: 2, sides: 6 }), 1],
    ['pick', (chance) => chance.at('b').pick([1, 1]), 1],
    ['hits', (chance) => chance.at('b').hits([{ dice: 65, value: 3 }]), 2],
    ['draw', (chance) => chance.at('b').draw([2, 2, 2], 3), 2],
    ['faces', (chance) => chance.at('b').faces([[[0, 0, 0, 1, 1, 1]], []]), 2],
  ])('use the words of the named stream: %s', (_, draw, words) => {
    const { chance, places } = noting();
    const model = modelOf(drawing(draw));
    model.step(model.start(chance), chance);
    // Round 1 begins at word 3, stream b at its second word.
    expect(places).toEqual([4, 5].slice(0, words));
  });
});
