/** Tests of the choice of an engine: a run is compiled if that is faster than other engines. */
import { beforeEach, describe, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { d } from '../../src/core/distributions/index.ts';
import { BudgetError } from '../../src/core/errors.ts';
import { compileAutomatonAsync } from '../../src/engines/automaton/compile.ts';
import type { CompileFailure } from '../../src/engines/exact/budget.ts';
import { chooseEngine, computeStepLimit, createCompileLimits } from '../../src/engines/pool/choose-engine.ts';
import { clearCostSamples } from '../../src/engines/pool/cost-model.ts';
import { explainFailure, findRoundCounter } from '../../src/engines/pool/engine-reasons.ts';
import { getBoundScenario } from '../../src/rules/bound-scenario.ts';
import { type Battle, createModel } from '../../src/rules/custom/battle.ts';
import { defineSystem } from '../../src/rules/custom/define.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import { loadScenario, validateScenario } from '../../src/rules/scenario/index.ts';
import { setFields } from '../../src/rules/scenario/set-fields.ts';
import { some } from '../depth.ts';
import { example } from '../examples/files.ts';

// Costs of earlier explorations must not affect the choice.
beforeEach(clearCostSamples);

const read = (name: string) => loadScenario(`scenarios/${name}.yaml`);

/** Returns the maximum number of exploration steps for a number of battles. */
const steps = async (name: string, battles: number) => computeStepLimit(battles, getBoundScenario(await read(name)));

test('the step limit grows with the number of battles, and compilation starts at the limit', async () => {
  const names = [
    'cube-bag-siege',
    'strength-cards-land',
    'token-conflict-pirates',
    'attrition-brawl',
    'phased-dice-air-raid',
  ];
  expect(await Promise.all(names.map((name) => steps(name, 6000)))).toEqual([200, 120, 300, 1500, 50]);
  expect(await steps('token-conflict-pirates', 10 ** 9)).toBe(250_000);
  // Its exploration takes 111 steps.
  const scenario = await read('cube-bag-siege');
  expect((await simulate(scenario, { battles: 3300, seed: 3 })).engineUsed).toBe('kernel');
  expect((await simulate(scenario, { battles: 3400, seed: 3 })).engineUsed).toBe('automaton');
});

test.each([
  ['attrition-brawl', 250_000],
  ['attrition-direct', 0],
  ['attrition-indirect', 0],
  ['phased-dice-air-raid', 250_000],
  ['phased-dice-dogfight', 0],
  ['phased-dice-ground', 0],
])('%s has a limit of %i steps for 10^8 battles', async (name, most) => {
  expect(await steps(name, 10 ** 8)).toBe(most);
});

test('an air raid is simulated by its automaton, a fleet by its kernel', async () => {
  const [raid, fleet] = await Promise.all(['phased-dice-air-raid', 'phased-dice-fleet'].map(read));
  const players = [raid, fleet].map(
    async (each) => each && (await simulate(each, { battles: 50_000, seed: 5 })).engineUsed,
  );
  expect(await Promise.all(players)).toEqual(['automaton', 'kernel']);
});

/** Loads an example scenario, whose system has no kernel. */
async function own(name: string) {
  const systems = await loadSystems([example(`${name.replace(/-[a-z]+$/, '')}.mjs`)]);
  return loadScenario(example(`${name}.yaml`), { systems });
}

const run = { seed: 7n, from: 0, to: 3000 };

describe('systems without a kernel', () => {
  test.each(some(['conquest-dice-raid', 'feint-even']))('%s: all engines simulate the same battles', async (name) => {
    const scenario = await own(name);
    const engines = ['kernel', 'automaton', 'reference'] as const;
    const results = await Promise.all(engines.map((engine) => simulate(scenario, { engine, battles: 3000, seed: 7 })));
    const digests = new Set(results.map(({ digest }) => digest));
    expect(digests.size).toBe(1);
    expect(results.map(({ engineUsed: player }) => player).slice(1)).toEqual(['automaton', 'reference']);
    expect(results[1]?.engineReason).toMatch(/^[\d ]+ steps of the rules were explored$/);
    expect(results[2]?.engineReason).toBe('requested');
    const threads = await simulate(scenario, { engine: 'automaton', battles: 3_000_000, seed: 7, workers: 2 });
    expect(threads.digest).toBe((await simulate(scenario, { battles: 3_000_000, seed: 7, workers: 1 })).digest);
  });

  test('have the same digest if a round draws no dice of its streams', async () => {
    const dig = defineSystem({
      ...{ id: 'dig', title: 'Dig', about: 'Red waits, unless its luck turns.', fields: {}, rules: {} },
      battle: () => ({
        outcomes: ['out'],
        streams: { luck: 1, blows: 1 },
        start: (chance) => ({ men: chance.at('luck').pick([1, 1, 1]), dug: 0 }),
        round: [
          (state, chance) => ({ ...state, dug: state.dug + chance.at('blows').hits([{ dice: state.men, value: 2 }]) }),
          (state, chance) => ({
            ...state,
            dug: state.men === 2 ? state.dug + chance.at('luck').pick([1, 1]) : state.dug,
          }),
        ],
        outcome: ({ dug }) => (dug > 3 ? 'out' : undefined),
        key: ({ men, dug }) => 10 * men + Math.min(4, dug),
      }),
    });
    const scenario = validateScenario({ system: 'dig', maxRounds: 6 }, { systems: [dig] });
    const [compiled, simulation] = await Promise.all(
      (['automaton', 'reference'] as const).map((engine) => simulate(scenario, { engine, battles: 3000, seed: 7 })),
    );
    expect(compiled?.engineUsed).toBe('automaton');
    expect(compiled?.digest).toBe(simulation?.digest);
  });

  test('are compiled for a run with enough battles', async () => {
    const { setup, why } = await chooseEngine({
      ...run,
      engine: 'kernel',
      scenario: await own('feint-even'),
      to: 10 ** 12,
    });
    expect([setup.form, why]).toEqual(['automaton', '361 steps of the rules were explored']);
  });

  test('are explored up to the given number of steps, without a time limit', async () => {
    const options = { ...run, engine: 'kernel' as const, scenario: await own('feint-even') };
    expect(await chooseEngine(options, { steps: 360 })).toMatchObject({ setup: { form: 'reference' } });
    // A failed exploration must not prevent one of a smaller scenario.
    const smaller = setFields(options.scenario, [['red.lives', 2]], 'red');
    expect((await chooseEngine({ ...options, scenario: smaller }, { steps: 360 })).setup.form).toBe('automaton');
    expect((await chooseEngine(options, { steps: 361 })).setup.form).toBe('automaton');
  });

  test('are rejected with steps and time if the requested automaton is too large', async () => {
    const scenario = await own('feint-even');
    const rejection = simulate(scenario, { engine: 'automaton', battles: 10, budget: 100 });
    await expect(rejection).rejects.toThrow(BudgetError);
    await expect(rejection).rejects.toThrow(
      /^exploring at least 101 steps takes about [\d.]+ s or more; the budget is 100 steps$/,
    );
    await expect(rejection).rejects.toHaveProperty('suggested', 200);
  });

  test('are not explored after the signal is aborted', async () => {
    const options = { ...run, engine: 'automaton' as const, scenario: await own('volley-guns') };
    const { setup } = await chooseEngine(options, { signal: AbortSignal.abort() });
    expect(setup.form).toBe('reference');
  });
});

test('an exploration ends at its time limit', async () => {
  const { model } = getBoundScenario(await own('volley-guns'));
  const found = await compileAutomatonAsync(model, { steps: 10 ** 6, seconds: () => 0 });
  expect(found).toMatchObject({ because: 'seconds', steps: 64 });
});

test('a shipped scenario is simulated by its automaton if that is requested', async () => {
  const scenario = await read('phased-dice-dogfight');
  const [options, kernel] = await Promise.all(
    (['automaton', 'kernel'] as const).map((engine) => simulate(scenario, { engine, battles: 2000 })),
  );
  expect([options?.engineUsed, kernel?.engineUsed]).toEqual(['automaton', 'kernel']);
  expect(options?.digest).toBe(kernel?.digest);
  expect(kernel?.engineReason).toBe('the kernel of phased-dice');
});

describe('reasons against compiling', () => {
  const reason = async (found: CompileFailure): Promise<string> =>
    explainFailure(
      found,
      getBoundScenario(await own('feint-even')),
      createCompileLimits(() => 0.1, 1, 1),
    );

  test.each([
    [
      { because: 'seconds', steps: 131_329, seconds: 0.612 },
      'exploring at least 131 329 steps (about 0.61 s or more) would take more than half of the time of these battles (about 0.1 s); compiling pays only above about 12 battles; the engine automaton explores them anyway',
    ],
    [
      { because: 'steps', steps: 5_100_000, seconds: 21 },
      'at least 5 100 000 steps exceed the 2 000 000 that are explored by default; the engine automaton explores them with a budget of 10 200 000 (about 21 s or more)',
    ],
    [
      { because: 'steps', steps: 3_000_000, seconds: 9 },
      'at least 3 000 000 steps exceed the 2 000 000 that are explored by default; the engine automaton explores them (about 9 s or more)',
    ],
    [{ because: 'signal', steps: 1, seconds: 0 }, 'stopped before the rules were explored'],
    [{ because: 'draws', steps: 1, seconds: 0 }, 'a round has too many draws in sequence for an automaton'],
  ] as const)('explain %o', async (found, due) => {
    expect((await reason(found)).replaceAll('\u2009', ' ').replaceAll('\u00a0', ' ')).toBe(due);
  });

  test('name the field of the state that counts rounds', () => {
    interface Counting {
      readonly a: number;
      readonly b: number;
      readonly on: { readonly turn: number };
    }
    const battle: Battle<Counting> = {
      outcomes: ['attacker', 'defender'],
      start: () => ({ a: 9, b: 9, on: { turn: 3 } }),
      round: ({ a, b, on }, chance) => {
        const hit = chance.sample(d(2)) === 1;
        return { a: a - (hit ? 0 : 1), b: b - (hit ? 1 : 0), on: { turn: on.turn + 1 } };
      },
      outcome: ({ a, b }) => (b <= 0 ? 'attacker' : a <= 0 ? 'defender' : undefined),
    };
    const model = createModel(battle, 100);
    expect(findRoundCounter({ model })).toBe('on.turn');
    const reported = explainFailure({ because: 'steps', steps: 3, seconds: 1 }, { model }, { steps: 2 });
    expect(reported).toContain('; its states count the rounds (on.turn), so none recurs');
    // A key without this field makes states of different rounds equal.
    const keyed = createModel({ ...battle, key: ({ a, b }) => `${String(a)} ${String(b)}` }, 100);
    expect(findRoundCounter({ model: keyed })).toBeUndefined();
  });

  test.each(['feint-even', 'volley-guns', 'conquest-dice-siege'])(
    'name no field that counts rounds in %s',
    async (name) => {
      expect(findRoundCounter(getBoundScenario(await own(name)))).toBeUndefined();
    },
  );
});
