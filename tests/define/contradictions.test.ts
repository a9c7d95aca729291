/**
 * Mistakes in custom rules. `solve` and `simulate` report an error instead of a wrong answer, even without `conform`,
 * except for mistakes that no check can find, which docs/tutorials/custom-rules.md names.
 */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { performance as clock } from 'node:perf_hooks';
import { describe, expect, test } from 'vitest';
import { describeDisagreement } from '../../src/analysis/battle-function.ts';
import { simulate } from '../../src/analysis/simulate.ts';
import { solveSync } from '../../src/analysis/solve.ts';
import { d, explode, times } from '../../src/core/distributions/index.ts';
import { RulesError } from '../../src/core/errors.ts';
import type { RoundContext } from '../../src/rules/custom/round-context.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { defineSystem } from '../../src/system.ts';
import { some } from '../depth.ts';

interface Duel {
  readonly red: number;
  readonly blue: number;
}

const fight = ({ red, blue }: Duel, one: number, two: number): Duel => ({
  red: red - Number(one < two),
  blue: blue - Number(two < one),
});

const round = (state: Duel, chance: RoundContext): Duel => fight(state, chance.sample(d(6)), chance.sample(d(6)));

const outcome = ({ red, blue }: Duel): string | undefined => (red <= 0 ? 'blue' : blue <= 0 ? 'red' : undefined);

const metrics = { 'lives.red': { min: 0, max: 4, of: ({ red }: Duel): number => red } };

/** Creates a duel. @param changes called for each battle, as in rules of an author @param fields of the scenario */
function duel(changes: (scenario: object) => object, fields: object = {}): Scenario {
  const sound = { outcomes: ['red', 'blue'], metrics, start: () => ({ red: 4, blue: 4 }), round, outcome };
  const system = defineSystem({
    ...{ id: 'mistaken-duel', title: 'A duel', about: 'With a mistake.', fields: {} },
    battle: (scenario) => ({ ...sound, ...changes(scenario) }),
  });
  return validateScenario({ system: 'mistaken-duel', ...fields }, { systems: [system] });
}

const rolling = (roll: (chance: RoundContext) => number) => () => ({
  round: (state: Duel, chance: RoundContext): Duel => fight(state, roll(chance), chance.sample(d(6))),
});

/** Adds a field to the state whose type the compiler does not check. */
const held = (value: unknown) => () => ({
  start: () => ({ red: 4, blue: 4, held: value }),
  round: (state: Duel, chance: RoundContext) => ({ ...round(state, chance), held: value }),
});

let streak = 0;
const cache: Record<string, number> = {};

/** Mistakes with their errors: of the exact answer, and of a run if it differs. */
const FOUND: Readonly<Record<string, readonly [changes: (scenario: object) => object, exact: RegExp, run?: RegExp]>> = {
  'Math.random': [
    rolling(() => Math.floor(6 * Math.random())),
    /call Math\.random: random values come only from the chance source/,
  ],
  'Date.now': [rolling(() => Date.now() % 6), /call Date\.now/],
  'new Date': [rolling(() => new Date().getMilliseconds() % 6), /call new Date/],
  'performance.now': [rolling(() => clock.now() % 6), /call performance\.now/],
  'process.hrtime': [rolling(() => Number(process.hrtime.bigint() % 6n)), /call process\.hrtime/],
  'crypto of Node': [rolling(() => randomInt(6)), /call crypto\.randomInt/],
  'bytes of Node': [rolling(() => randomBytes(1)[0] ?? 0), /call crypto\.randomBytes/],
  'a UUID of Node': [rolling(() => randomUUID().length), /call crypto\.randomUUID/],
  'crypto of browsers': [
    rolling(() => crypto.getRandomValues(new Uint8Array(1))[0] ?? 0),
    /call crypto\.getRandomValues/,
  ],
  'the environment': [rolling(() => Number(process.env['HARD'] ?? 3)), /call process\.env\.HARD/],
  'a variable of the module': [
    () => ({
      round(state: Duel, chance: RoundContext): Duel {
        const [red, blue] = [chance.sample(d(6)), chance.sample(d(6))];
        const bonus = Number(streak > 1);
        streak = red > blue ? streak + 1 : 0;
        return fight(state, red + bonus, blue);
      },
    }),
    /by the rules; |simulated again it ends as|disagree/,
  ],
  'a variable of the closure': [
    () => {
      let calls = 0;
      return {
        round(state: Duel, chance: RoundContext): Duel {
          const after = round(state, chance);
          return ++calls % 3 === 0 ? fight(after, chance.sample(d(6)), 1) : after;
        },
      };
    },
    /made other draws than before/,
  ],
  'an object of the module': [
    () => ({
      round(state: Duel, chance: RoundContext): Duel {
        cache['rounds'] = (cache['rounds'] ?? 0) + 1;
        return fight(state, chance.sample(d(6)) + (cache['rounds'] % 2), chance.sample(d(6)));
      },
    }),
    /simulated again it ends as/,
  ],
  'a changed state': [
    () => ({
      round(state: { red: number; blue: number }, chance: RoundContext): Duel {
        if (chance.sample(d(6)) > 3) state.red--;
        else state.blue--;
        return { ...state };
      },
    }),
    /TypeError: Cannot assign to read only property 'blue'/,
  ],
  'a list that grows': [
    () => ({
      start: () => ({ red: 4, blue: 4, log: [] }),
      round(state: Duel & { readonly log: number[] }, chance: RoundContext): Duel {
        const red = chance.sample(d(6));
        state.log.push(red);
        return { ...state, ...fight(state, red, chance.sample(d(6))) };
      },
    }),
    /TypeError: Cannot add property 0, object is not extensible/,
  ],
  'a changed scenario': [
    (scenario) => ({
      round(state: Duel, chance: RoundContext): Duel {
        (scenario as { maxRounds: number }).maxRounds = 3;
        return round(state, chance);
      },
    }),
    /TypeError: Cannot assign to read only property 'maxRounds'/,
  ],
  'an outcome that is not declared': [
    () => ({ outcome: ({ red }: Duel) => (red === 0 ? 'lost' : undefined) }),
    /"lost" is not one of/,
  ],
  'a metric out of bounds': [() => ({ metrics: { left: { ...metrics['lives.red'], max: 2 } } }), /ended with [34]/],
  'a metric of parts': [() => ({ metrics: { left: { min: 0, max: 4, of: () => 1.5 } } }), /ended with 1\.5/],
  'a metric that is NaN': [() => ({ metrics: { left: { min: 0, max: 4, of: () => Number.NaN } } }), /ended with NaN/],
  'draws without a bound': [
    rolling((chance) => {
      let sum = 0;
      for (let face = 6; face === 6; sum += face) face = chance.sample(d(6));
      return sum;
    }),
    /the phase has 0 left/,
  ],
  'a law without an end': [
    rolling((chance) => chance.sample(explode(d(6), (face) => face === 6, 1000))),
    /RangeError: explode/,
  ],
  'a law of endless dice': [
    rolling((chance) => chance.sample(explode(d(6), (face) => face === 6, Number.POSITIVE_INFINITY))),
    /RangeError: explode/,
  ],
  'a law that is too wide': [rolling((chance) => chance.sample(times(1000, d(1000)))), /RangeError: times/],
  'weights that are none': [
    rolling((chance) => chance.pick([0.3, -0.3, Number.NaN])),
    /pick: expected weights .* found \[0\.3, -0\.3, NaN\]/,
  ],
  'weights of 0': [rolling((chance) => chance.pick([0, 0])), /at least one above 0, found \[0, 0\]/],
  'a weight that is infinite': [
    rolling((chance) => chance.pick([1, Number.POSITIVE_INFINITY])),
    /chance\.pick: expected/,
  ],
  'parts of a die': [
    rolling((chance) => chance.hits([{ dice: 1.5, value: 3 }])),
    /chance\.hits: expected dice, a whole number/,
  ],
  'dice below 0': [
    rolling((chance) => chance.sum({ count: -1, sides: 6 })),
    /chance\.sum: expected count, a whole number/,
  ],
  'a bag that is none': [
    rolling((chance) => chance.draw([3, Number.NaN], 1)[0] ?? 0),
    /chance\.draw: expected the number of each kind/,
  ],
  'a count of cubes that is none': [
    rolling((chance) => chance.draw([3, 3], -1)[0] ?? 0),
    /chance\.draw: expected the number to draw/,
  ],
  'a die of five faces': [
    rolling((chance) => chance.faces([[[1, 2, 3, 4, 5]]])),
    /chance\.faces: expected dice of six faces/,
  ],
  'a key that forgets': [
    () => ({ key: ({ red }: Duel) => red }),
    /disagree|by the rules|%/,
    /by the rules; with states of equal keys merged/,
  ],
  'a key for all': [() => ({ key: () => 1 }), /two states have the key "1"/, /by the rules; with states/],
  'a Set': [held(new Set()), /state\.held is a Set, which has no key/],
  'a Map': [held(new Map()), /is a Map/],
  'a Date': [held(new Date(0)), /is a Date/],
  'an object of a class': [
    held(
      new (class Unit {
        lives = 1;
      })(),
    ),
    /is a Unit/,
  ],
  'a list of numbers of a kind': [held(new Uint8Array(1)), /is a Uint8Array/],
  undefined: [held(undefined), /is undefined/],
  'NaN in a list': [held([1, [Number.NaN]]), /state\.held\[1\]\[0\] is NaN/],
  Infinity: [held(Number.POSITIVE_INFINITY), /is Infinity/],
  'a function': [held(() => 1), /is a function/],
  'a symbol': [held(Symbol('unit')), /is Symbol\(unit\)/],
  'a large integer': [held(1n), /is 1n/],
  'a state that contains itself': [
    () => {
      const state: { red: number; blue: number; self?: object } = { red: 4, blue: 4 };
      state.self = state;
      return { start: () => state };
    },
    /an object that contains itself/,
  ],
  'an async round': [() => ({ round: async () => Promise.resolve({ red: 1, blue: 1 }) }), /rules cannot be async/],
  'a state that is missing': [() => ({ round: () => undefined }), /returned undefined/],
};

async function run(scenario: Scenario): Promise<void> {
  const { summary } = await simulate(scenario, { battles: 20_000, workers: 1 });
  const text = describeDisagreement(scenario, summary, solveSync(scenario).summary, 20_000);
  if (text !== undefined) throw new RulesError(text);
}

describe.each(some(Object.entries(FOUND)))('%s is detected by', (_, [changes, exact, simulation = exact]) => {
  test('solveSync', () => {
    expect(() => solveSync(duel(changes))).toThrow(RulesError);
    expect(() => solveSync(duel(changes))).toThrow(exact);
  });

  test('simulate, or the comparison with the exact answer', async () => {
    await expect(run(duel(changes))).rejects.toThrow(simulation);
  });

  test('the reference engine, or does not change its results', async () => {
    const exact = solveSync(duel(() => ({}))).summary.outcomes[0]?.p ?? 0;
    const result = await simulate(duel(changes), { battles: 2000, engine: 'reference', workers: 1 }).catch(String);
    if (typeof result === 'string') expect(result).toMatch(/RulesError/);
    else expect(Math.abs((result.summary.outcomes[0]?.p ?? 0) - exact)).toBeLessThan(0.09);
  });
});

/** Unusual but valid rules. */
const RIGHT: Readonly<Record<string, (scenario: object) => object>> = {
  'weights that sum to something else': rolling((chance) => 1 + chance.pick([0.3, 0.3, 0.3])),
  'parts of numbers in the state': () => ({
    start: () => ({ red: 0.3, blue: 0.3 }),
    metrics: {},
    round: ({ red, blue }: Duel, chance: RoundContext): Duel =>
      chance.sample(d(2)) === 1 ? { red: red - 0.1, blue } : { red, blue: blue - 0.1 },
    outcome: ({ red, blue }: Duel) => (red < 0.05 ? 'blue' : blue < 0.05 ? 'red' : undefined),
  }),
  'the number of the round in the state': () => ({
    start: () => ({ red: 4, blue: 4, at: 0 }),
    round: (state: Duel & { readonly at: number }, chance: RoundContext) => ({
      ...round(state, chance),
      at: state.at + 1,
    }),
    outcome: (state: Duel & { readonly at: number }) => (state.at > 40 ? 'blue' : outcome(state)),
  }),
  'a Map with a key of its own': () => ({
    metrics: {},
    start: () =>
      new Map([
        ['red', 4],
        ['blue', 4],
      ]),
    round: (state: ReadonlyMap<string, number>, chance: RoundContext) => {
      const loser = chance.sample(d(2)) === 1 ? 'red' : 'blue';
      return new Map([...state, [loser, (state.get(loser) ?? 0) - 1]]);
    },
    outcome: (state: ReadonlyMap<string, number>) =>
      state.get('red') === 0 ? 'blue' : state.get('blue') === 0 ? 'red' : undefined,
    key: (state: ReadonlyMap<string, number>) => [...state.values()].join(),
  }),
};

test.each(Object.entries(RIGHT))('%s is accepted', async (_, changes) => {
  await run(duel(changes));
});

/** Mistakes that no check can find: the rules are a function of state and chance, but not the intended one. */
const HARD = Number(process.env['WARPOOL_NO_SUCH_VARIABLE'] ?? 0);
const UNFOUND: Readonly<Record<string, (scenario: object) => object>> = {
  'the environment, or a file, read while the module is loaded': rolling((chance) => chance.sample(d(6)) + HARD),
  'an outcome that asks for exactly 0 of what falls below': () => ({
    metrics: {},
    round: (state: Duel, chance: RoundContext): Duel => ({
      ...state,
      blue: Math.max(-3, state.blue - chance.sample(d(3))),
    }),
    outcome: ({ blue }: Duel) => (blue === 0 ? 'red' : undefined),
  }),
};

test.each(Object.entries(UNFOUND))('%s is not detected', async (_, changes) => {
  // After ten rounds the battle is decided, or its state no longer changes.
  await run(duel(changes, { maxRounds: 100 }));
});

test('guarded functions work outside of rules', () => {
  const seen = (): unknown[] => [Reflect.get(Math, 'random'), Date, Reflect.get(performance, 'now'), process.env];
  const before = seen();
  expect(() => solveSync(duel(rolling(() => Math.random())))).toThrow(RulesError);
  expect(Math.random()).toBeLessThan(1);
  expect(Date.now()).toBeGreaterThan(0);
  expect(new Date(0).getTime()).toBe(0);
  expect(performance.now()).toBeGreaterThan(0);
  expect(randomInt(1)).toBe(0);
  expect(process.env['PATH']).toBeDefined();
  return Promise.resolve().then(() => {
    expect(seen().every((each, k) => each === before[k])).toBe(true);
  });
});
