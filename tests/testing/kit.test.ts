/** Test kit of systems: options, findings and internal functions. */
import { describe, expect, test } from 'vitest';
import { findWeakPair } from '../../src/conformance/chance-checks.ts';
import { enumeratePaths } from '../../src/conformance/enumerate-paths.ts';
import { generateScenarios } from '../../src/conformance/generate-scenarios.ts';
import type { Chance } from '../../src/core/chance/chance.ts';
import { EnumeratedChance } from '../../src/core/chance/enumerated-chance.ts';
import { d } from '../../src/core/distributions/index.ts';
import { formatReplayCommand } from '../../src/report/checks/conformance.ts';
import { attrition } from '../../src/rules/attrition/index.ts';
import { defineSystem } from '../../src/rules/custom/define.ts';
import { formatValue, listDifferences, serializeValue } from '../../src/rules/custom/format-state.ts';
import { integer } from '../../src/rules/fields.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import type { Model, State, System } from '../../src/rules/system.ts';
import { CONFORMANCE_CHECKS, conform, type Finding, testSystem } from '../../src/testing.ts';
import { DEPTH } from '../depth.ts';
import { duel } from './duel.js';

const wrongOf = (findings: readonly Finding[]): [string, string][] =>
  findings.filter(({ ok }) => !ok).map(({ check, message }) => [check, message]);

describe('conform', () => {
  test.runIf(DEPTH > 1)('returns the same findings at every call', async () => {
    const system = duel('twice', undefined, { rules: {} });
    const [one, other] = [await conform(system, { quick: true }), await conform(system, { quick: true })];
    expect(other).toEqual(one);
    expect(wrongOf(one).length).toBeGreaterThan(0);
  });

  test.runIf(DEPTH > 1)('tests given scenarios, validated or as in a file', async () => {
    const system = duel('given');
    const scenario = validateScenario({ system: 'given', name: 'opened', lives: 1 }, { systems: [system] });
    const labels: string[] = [];
    const findings = await conform(system, {
      quick: true,
      scenarios: [scenario, { system: 'given', lives: 9 }],
      onScenario: (label) => void labels.push(label),
    });
    expect(labels.slice(0, 4)).toEqual(['small', 'brave', 'opened', 'scenario 2']);
    expect(wrongOf(findings)).toEqual([['schema', 'lives: expected an integer 1..4, found 9']]);
  });

  test.runIf(DEPTH > 1)('reports rejected examples, and scenarios that cannot be simulated', async () => {
    const rejection = duel('refused', undefined, { examples: { big: { lives: 5 } } });
    expect(wrongOf(await conform(rejection, { quick: true }))).toEqual([
      ['schema', 'lives: expected an integer 1..4, found 5'],
    ]);
    const broken = duel('broken', ({ lives }) => (lives > 3 ? { outcomes: [] } : {}));
    const [first] = wrongOf(await conform(broken, { quick: true }));
    expect(first).toEqual([
      'battles',
      expect.stringMatching(/accepted, but cannot be simulated: .*a battle needs at least one outcome/),
    ]);
  });

  test('rejects unknown options and invalid seeds', async () => {
    const system = duel('options');
    await expect(conform(system, { sead: 1 } as object)).rejects.toThrow('sead');
    await expect(conform(system, { seed: -1 })).rejects.toThrow('seed');
  });

  test('accepts battles without an outcome in generated scenarios, or with maxRounds', async () => {
    const hits = defineSystem({
      ...{ id: 'hits', title: 'Hits', about: 'The target falls when a die shows the number needed, or more.' },
      fields: { hit: integer(2, 9, 'Number needed; 7 or more never hits.').default(4) },
      battle: ({ hit }) => ({
        outcomes: ['fallen'],
        start: () => ({ left: 1 }),
        round: ({ left }: { left: number }, chance) => ({ left: left - (chance.sample(d(6)) >= hit ? 1 : 0) }),
        outcome: ({ left }: { left: number }) => (left === 0 ? 'fallen' : undefined),
      }),
      examples: { even: {} },
    });
    const check = async (scenario: object) => {
      const findings = await conform(hits, { quick: true, scenarios: [{ system: 'hits', hit: 9, ...scenario }] });
      const made = findings.filter(({ scenario }) => scenario === 'the maximum of every field');
      expect(made.filter(({ ok, advice }) => ok && advice !== '').map(({ message }) => message)).toContainEqual(
        expect.stringMatching(/^battles end only at the round limit: none of all \d states has an outcome$/) as string,
      );
      return wrongOf(findings);
    };
    expect(await check({ maxRounds: 5 })).toEqual([]);
    const message = 'battles end only at the round limit: none of all 1 states has an outcome';
    expect(await check({})).toEqual([['reach', message]]);
  });

  test.runIf(DEPTH > 1)('reports outcomes that never occurred', async () => {
    const system = duel('unused', () => ({ outcomes: ['red', 'blue', 'both'] }));
    const coverage = (await conform(system, { quick: true })).filter(({ check }) => check === 'coverage');
    expect(coverage).toMatchObject([{ ok: true, message: expect.stringContaining('"both"') as string }]);
  });
});

test.runIf(DEPTH > 1)('testSystem creates a test for each check, which fails if there are findings', async () => {
  const tests: [string, () => Promise<void>][] = [];
  const runner = {
    describe: (_: string, define: () => void): void => {
      define();
    },
    test: (name: string, run: () => Promise<void>): void => void tests.push([name, run]),
  };
  testSystem(duel('tested', undefined, { rules: {} }), runner, { quick: true });
  expect(tests.map(([name]) => name)).toEqual(CONFORMANCE_CHECKS.map(({ title }) => title));
  const failed = await Promise.all(tests.map(([, run]) => run().then(() => '', String)));
  expect(failed.filter((message) => message !== '')).toEqual([
    expect.stringMatching(/^Error: small: the rule "stance" is applied, but .* \(battle 0 of seed 1\)\. Replays show/),
  ]);
});

describe('conform with a system that defineSystem cannot create', () => {
  const base = duel('raw');

  /** Creates the duel with a changed model. */
  const raw = (change: (model: Model<State>) => object, more: Partial<System> = {}): System => ({
    ...base,
    ...more,
    model: (scenario) => {
      const model = base.model(scenario);
      return { ...model, ...change(model) };
    },
  });

  test('reports a draw outside of its round', async () => {
    const found = wrongOf(
      await conform(
        raw(() => ({ roundWords: 1 })),
        { quick: true },
      ),
    );
    expect(found).toContainEqual([
      'draws',
      expect.stringMatching(/^a draw of round 1 .*uses a word outside of its round/),
    ]);
  });

  test.runIf(DEPTH > 1)('reports an environment with undeclared feature values or actions', async () => {
    const of = (state: unknown): number => (state as { at: { red: { lives: number } } }).at.red.lives;
    const rollout: NonNullable<System['environment']> = () => ({
      players: ['red'],
      decisionPoints: ['stance'],
      actions: { stance: ['bold', 'careful'] },
      features: [{ name: 'lives', high: 1, of }],
    });
    const found = wrongOf(
      await conform(
        raw(() => ({}), { environment: rollout }),
        { quick: true },
      ),
    );
    expect(found).toContainEqual([
      'environment',
      expect.stringMatching(/environment\.features\.lives: expected a number 0\.\.1, found \d$/),
    ]);
    const mute: typeof rollout = (scenario) => ({ ...rollout(scenario), actions: { stance: ['bold'] } });
    const others = wrongOf(
      await conform(
        raw(() => ({}), { environment: mute }),
        { quick: true },
      ),
    );
    expect(others).toContainEqual([
      'environment',
      'the option "careful" of "stance" is not among its actions ["stance:bold"]',
    ]);
  });

  test.runIf(DEPTH > 1)('reports a schema that accepts unknown fields', async () => {
    const loose = {
      safeParse: (value: unknown) => base.schema.safeParse({ ...(value as object), noSuchField: undefined }),
    };
    const schema = Object.assign(Object.create(base.schema) as System['schema'], {
      safeParse: (value: object) => {
        const { noSuchField: _, ...rest } = value as { noSuchField?: unknown };
        return base.schema.safeParse(rest);
      },
    });
    expect(loose.safeParse({ system: 'raw' }).success).toBe(false);
    const found = wrongOf(await conform({ ...base, schema }, { quick: true }));
    expect(found).toContainEqual(['schema', 'an undeclared field is accepted']);
  });
});

describe('functions of the test kit', () => {
  test.runIf(DEPTH > 1)('enumeratePaths has the results and probabilities of the exact solver', () => {
    const act = (chance: Chance): string =>
      [
        chance.sum({ count: 2, sides: 3 }),
        chance.excess({ count: 1, sides: 4 }, 1),
        chance.hits([
          { dice: 2, value: 3 },
          { dice: 1, value: 1 },
        ]),
        chance.draw([1, 2, 1], 2),
        chance.pick([0, 1, 2]),
        chance.roll(2, 3),
        chance.faces([[[0, 0, 1, 1, 2, 2]], []]),
      ].join();
    const ours = new Map<string, number>();
    for (const [value, p] of enumeratePaths((chance) => act(chance))) ours.set(value, (ours.get(value) ?? 0) + p);
    const chance = new EnumeratedChance();
    const theirs = new Map<string, number>();
    do {
      chance.rewind();
      const value = act(chance);
      theirs.set(value, (theirs.get(value) ?? 0) + chance.probability);
    } while (chance.advance());
    expect([...ours.keys()].sort()).toEqual([...theirs.keys()].sort());
    for (const [value, p] of ours) expect(p).toBeCloseTo(theirs.get(value) ?? 0, 14);
  });

  test('enumeratePaths detects other or fewer draws in a repetition', () => {
    let calls = 0;
    const act = (): unknown[] => [...enumeratePaths((chance) => chance.sum({ count: 1, sides: ++calls + 1 }))];
    expect(act).toThrow('the same state first drew 1d2, then 1d3');
    calls = 0;
    const fewer = (): unknown[] => [...enumeratePaths((chance) => (++calls === 1 ? chance.pick([1, 1]) : 0))];
    expect(fewer).toThrow('fewer draws than before');
  });

  test('findWeakPair finds two positions of the weak class in any order', () => {
    const near = 2 ** 23 - 3 * 2 ** 6;
    expect(findWeakPair(new Set([5, 5 + near]))).toEqual([5, 5 + near]);
    expect(findWeakPair(new Set([5 + near, 5]))).toEqual([5, 5 + near]);
    expect(findWeakPair(new Set([5, 4 + near]))).toBeUndefined();
  });

  test('serializeValue and listDifferences distinguish values by their content', () => {
    const values = [0, -0, Number.NaN, '0', null, undefined, 0n, [], {}, new Map(), new Set(), new Map([[1, 2]])];
    expect(new Set(values.map((value) => serializeValue(value))).size).toBe(values.length);
    expect(serializeValue({ a: 1, b: { c: 2 } })).toBe(serializeValue({ b: { c: 2 }, a: 1 }));
    expect(listDifferences({ a: 1, b: { c: 2, d: 3 } }, { a: 1, b: { c: 2, d: 4 }, e: 5 })).toEqual([
      'b.d: 3 and 4',
      'e: "undefined" and 5',
    ]);
    expect(formatValue({ map: new Map([['a', 1n]]) })).toBe('{"map":{"map":[["a","1"]]}}');
    expect(formatValue('x'.repeat(500))).toHaveLength(163);
  });

  test('generateScenarios starts with the bounds, and the schema accepts all scenarios', () => {
    const [least, greatest, ...random] = generateScenarios(duel('bounds'), 4, 1n).map(({ input }) => input);
    expect(least).toMatchObject({ lives: 1, morale: 0, maxRounds: 1 });
    expect(greatest).toMatchObject({ lives: 4, morale: 3, maxRounds: 60 });
    expect(random).toHaveLength(4);
    const made = generateScenarios(attrition, 6, 1n);
    expect(made.length).toBeGreaterThan(0);
    for (const { input } of made) expect(attrition.schema.safeParse(input).success).toBe(true);
  });

  test('formatReplayCommand returns the command that replays a battle', () => {
    const conformed = {
      system: 'x',
      title: 'X',
      file: 'my duel.js',
      checks: [],
      findings: [],
      files: { day: 'a.yaml' },
    };
    const battle = { seed: '1', battle: 7 };
    const finding = { check: 'keys', scenario: 'day', ok: false, checked: true, message: '', advice: '', battle };
    expect(formatReplayCommand(conformed, finding)).toBe(
      "warpool replay a.yaml --systems 'my duel.js' --seed 1 --battle 7",
    );
    expect(formatReplayCommand(conformed, { ...finding, scenario: 'x', input: { name: "o'clock" } })).toBe(
      `echo '{"name":"o'\\''clock"}' | warpool replay - --systems 'my duel.js' --seed 1 --battle 7`,
    );
    const { battle: _, ...without } = finding;
    expect(formatReplayCommand(conformed, without)).toBeUndefined();
  });
});
