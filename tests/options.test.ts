/**
 * Every public function rejects unknown names of options. The compiler lists the public functions and their options, so
 * that a new function or option without a check fails here.
 */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, describe, expect, test } from 'vitest';
import * as rollouts from '../src/environments.ts';
import * as library from '../src/index.ts';
import * as suite from '../src/suite.ts';
import * as kit from '../src/testing.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Declarations of the build: the compiler needs less than half of the time that it needs for the sources. */
const MODULES = ['index', 'environments', 'suite'].map((name) => `dist/types/${name}.d.ts`);

/** Names of the types of option objects. */
const OPTIONS = /(Options|Changes|Limits|Budget|^Asked)$/;

/** A public function that takes options, and the names of its options. */
interface Entry {
  readonly place: string;
  readonly names: readonly string[];
}

function programOf(): ts.Program {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, (file) => ts.sys.readFile(file)) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  return ts.createProgram(
    MODULES.map((file) => ROOT + file),
    { ...options, noEmit: true },
  );
}

/** Lists exported functions, and methods of exported classes, that take options. */
function entriesOf(program: ts.Program): Entry[] {
  const checker = program.getTypeChecker();
  const found = new Map<string, Entry>();
  const subjectOf = ({ parameters: [first] }: ts.Signature): string =>
    first === undefined ? '' : checker.typeToString(checker.getTypeOfSymbol(first));
  const optionsOf = ({ parameters }: ts.Signature): ts.Type[] =>
    parameters
      .map((each) => checker.getNonNullableType(checker.getTypeOfSymbol(each)))
      .filter((taken) => OPTIONS.test((taken.aliasSymbol ?? taken.getSymbol())?.name ?? ''));
  /** Adds one entry for a function, or one for each type of the first argument of its overloads. */
  const note = (place: string, type: ts.Type): void => {
    const signatures = type.getCallSignatures().filter((each) => optionsOf(each).length > 0);
    const subjects = new Set(signatures.map((each) => subjectOf(each)));
    for (const signature of signatures)
      for (const taken of optionsOf(signature)) {
        const overload = subjects.size === 1 ? place : `${place} of a ${subjectOf(signature)}`;
        const names = checker.getPropertiesOfType(taken).map(({ name }) => name);
        found.set(overload, {
          place: overload,
          names: [...new Set([...(found.get(overload)?.names ?? []), ...names])],
        });
      }
  };
  const noteMethods = (owner: string, type: ts.Type): void => {
    for (const member of checker.getPropertiesOfType(type)) {
      const { declarations: [declared] = [] } = member;
      if (declared === undefined || !ts.isMethodDeclaration(declared)) continue;
      if (ts.getCombinedModifierFlags(declared) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) continue;
      note(`${owner}.${member.name}`, checker.getTypeOfSymbol(member));
    }
  };
  for (const file of MODULES) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(ROOT + file) as ts.SourceFile) as ts.Symbol;
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const { Function: written, Variable } = ts.SymbolFlags;
      if (symbol.flags & (written | Variable)) note(exported.name, checker.getTypeOfSymbol(symbol));
      if (!(symbol.flags & ts.SymbolFlags.Class)) continue;
      noteMethods(exported.name, checker.getTypeOfSymbol(symbol));
      noteMethods(exported.name, checker.getDeclaredTypeOfSymbol(symbol));
    }
  }
  return [...found.values()];
}

const { loadScenario, loadSweep } = library;
const scenario = await loadScenario('scenarios/attrition-direct.yaml');
const army = await loadScenario('scenarios/phased-dice-ground.yaml');
const cards = await loadScenario('scenarios/strength-cards-bluff.yaml');
const sweep = await loadSweep('examples/duels.yaml');
const env = await rollouts.VectorEnv.create(army, { numEnvs: 2 });
const session = await rollouts.EnvSession.create(army);
const threads = await rollouts.VectorEnvPool.create(army, { numEnvs: 2, threads: 1 });
const pool = await library.ThreadPool.create({ workers: 1 });
const evaluator = [env, [env.state(0)]] as const;
const NOWHERE = '/nonexistent/warpool';
const nothing = {} as Awaited<ReturnType<typeof library.openStore>>;

afterAll(async () => {
  await Promise.all([session.close(), threads.close(), pool.close()]);
});

type Call = (options: object) => unknown;

/** Names the calls of the methods that environments of all kinds share. */
const stepped = (of: string, { reset, rollout, configure }: Record<'reset' | 'rollout' | 'configure', Call>) =>
  ({ [`${of}.reset`]: reset, [`${of}.rollout`]: rollout, [`${of}.configure`]: configure }) as const;

const over = (of: typeof env | typeof session | typeof threads) => ({
  reset: (options: object) => of.reset(options),
  rollout: (options: object) => of.rollout('uniform', options),
  configure: (options: object) => of.configure(options),
});

/** Matrix with one payoff. */
const PAYOFF = Float64Array.of(0);

/** Calls of all entries with the given options. */
const CALLS: Readonly<Record<string, Call>> = {
  estimateSweep: (options) => library.estimateSweep(sweep, options),
  exportCsv: (options) => library.exportCsv(nothing, '/nonexistent/file.csv', options),
  systemJsonSchema: (options) => library.systemJsonSchema('attrition', options),
  loadSystems: (options) => library.loadSystems(['conquest-dice'], options),
  runEpisodes: (options) => rollouts.runEpisodes(env, options),
  openStore: (options) => library.openStore(NOWHERE, options),
  validateScenario: (options) => library.validateScenario({ ...scenario }, options),
  loadExpectations: (options) => library.loadExpectations('examples/balance.yaml', options),
  loadScenario: (options) => loadScenario('scenarios/attrition-direct.yaml', options),
  balanceScenarios: async (options) =>
    await library.balanceScenarios(await library.loadBalanceProblem('examples/balance/three-scenarios.yaml'), options),
  loadBalanceProblem: (options) => library.loadBalanceProblem('examples/balance/three-scenarios.yaml', options),
  validateBalanceProblem: (options) => library.validateBalanceProblem({}, options),
  loadRoster: (options) => library.loadRoster('examples/rosters/duels.yaml', options),
  validateRoster: (options) => library.validateRoster({ armies: [] }, options),
  certifyMatchup: async (options) =>
    await library.certifyMatchup(await library.loadRoster('examples/rosters/duels.yaml'), options),
  matchup: async (options) => await library.matchup(await library.loadRoster('examples/rosters/duels.yaml'), options),
  loadSweep: (options) => loadSweep('examples/duels.yaml', options),
  validateSweep: (options) => library.validateSweep({ axes: [] }, options),
  sweepCells: async (options) => await library.sweepCells(sweep, options).next(),
  parseScenario: (options) => library.parseScenario('{}', { source: 'a text', ...options }),
  estimateRareOutcome: (options) => library.estimateRareOutcome(scenario, { outcome: 'attacker', ...options }),
  fitFields: (options) =>
    library.fitFields(scenario, [{ outcome: 'attacker' }], { vary: [{ path: 'attacker.hp' }], ...options }),
  balance: (options) =>
    library.balance(scenario, { vary: [{ path: 'attacker.hp' }], target: 'attacker=0.5', ...options }),
  analyzeMatchups: (options) =>
    library.analyzeMatchups(
      { rows: ['a'], columns: ['a'], ...{ values: PAYOFF, lower: PAYOFF, upper: PAYOFF } },
      options,
    ),
  certifyMatrixGame: (options) =>
    library.certifyMatrixGame({ rows: 1, columns: 1, evaluate: () => Promise.resolve([[0, 0]]), ...options }),
  computeAlphaRank: (options) => library.computeAlphaRank(1, PAYOFF, options),
  compare: (options) => library.compare([scenario, scenario], options),
  measureRuleCoverage: (options) => library.measureRuleCoverage(scenario, options),
  measureRuleCoverageSync: (options) => library.measureRuleCoverageSync(scenario, options),
  compareRules: (options) => library.compareRules(scenario, scenario, options),
  findBattles: (options) => library.findBattles(scenario, { where: 'rounds>1', ...options }),
  checkExpectations: (options) => library.checkExpectations([], options),
  mergeStores: (options) => library.mergeStores(NOWHERE, [], options),
  morrisSensitivity: (options) => library.morrisSensitivity(scenario, { space: [], ...options }),
  'ThreadPool.create': (options) => library.ThreadPool.create(options),
  'ThreadPool.play': (options) => pool.play({ engine: 'kernel', scenario, seed: 1n, from: 0, to: 1 }, options),
  'createStore of a Sweep': (options) => library.createStore(sweep, NOWHERE, options),
  replay: (options) => library.replay(scenario, options),
  'createStore of a Scenario': (options) => library.createStore(scenario, NOWHERE, options),
  simulate: (options) => library.simulate(scenario, { battles: 10, ...options }),
  sobolSensitivity: (options) => library.sobolSensitivity(scenario, { space: [], ...options }),
  solve: (options) => library.solve(scenario, options),
  solveSync: (options) => library.solveSync(scenario, options),
  stepSensitivity: (options) => library.stepSensitivity(scenario, options),
  runSweep: (options) => library.runSweep(sweep, { out: NOWHERE, ...options }),
  verifyStore: (options) => library.verifyStore(NOWHERE, options),
  createEnvSpec: (options) => rollouts.createEnvSpec([{ scenario: army }], options),
  evaluate: (options) => rollouts.evaluate(...evaluator, options),
  'TransitionModel.create': (options) => rollouts.TransitionModel.create(env, options),
  'Evaluator.create': (options) => rollouts.Evaluator.create(env, options),
  'EnvSession.create': (options) => rollouts.EnvSession.create(army, options),
  exportGame: (options) => rollouts.exportGame(cards, options),
  findBestResponse: (options) => rollouts.findBestResponse(army, options),
  findBestResponseSync: (options) => rollouts.findBestResponseSync(army, options),
  findEquilibrium: (options) => rollouts.findEquilibrium(cards, options),
  findEquilibriumSync: (options) => rollouts.findEquilibriumSync(cards, options),
  gradePolicy: (options) => suite.gradePolicy('conquest-dice-capital-v1', 'uniform', options),
  'VectorEnvPool.create': (options) => rollouts.VectorEnvPool.create(army, options),
  'VectorEnv.create': (options) => rollouts.VectorEnv.create(army, options),
  ...stepped('VectorEnv', over(env)),
  ...stepped('VectorEnvPool', over(threads)),
  ...stepped('EnvSession', over(session)),
};

/** Returns the message of the InputError that a call throws. */
async function getRejection(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    expect(error).toBeInstanceOf(library.InputError);
    return (error as Error).message;
  }
  return 'it was accepted';
}

/** Functions without checks of arguments, and classes. */
const FREE = /^(defineConfig|expectationsJsonSchema|budgetOf|sideBudget|[A-Z]\w*)$/;

/** Exported functions of the library, the environments and the test kit, and static methods `create`. */
const FUNCTIONS = Object.entries({ ...library, ...rollouts, ...kit }).flatMap(([name, value]) => {
  const makers = ['create'].filter((maker) => typeof value === 'function' && maker in value);
  const made = makers.map((maker) => [`${name}.${maker}`, (...given: unknown[]) => callOf(value, maker)(...given)]);
  return FREE.test(name) || typeof value !== 'function' ? made : [[name, value], ...made];
}) as readonly (readonly [string, (...given: unknown[]) => unknown])[];

const callOf =
  (owner: unknown, name: string): ((...given: unknown[]) => unknown) =>
  (...given) =>
    (owner as Record<string, (...given: unknown[]) => unknown>)[name]?.(...given);

test.each(FUNCTIONS)('%s rejects arguments of wrong types', async (name, call) => {
  const nothing = name === 'ThreadPool.create' ? [] : [[]];
  for (const given of [...nothing, [5], [{ junk: 1 }], ['x'], [null, null]])
    expect(await getRejection(() => call(...given)), JSON.stringify(given)).toContain('expected');
});

const entries = entriesOf(programOf());

test('CALLS contains every public function that takes options', () => {
  expect(entries.map(({ place }) => place).sort()).toEqual(Object.keys(CALLS).sort());
});

describe.each(entries)('$place', ({ place, names }) => {
  const call = CALLS[place] ?? (() => undefined);

  test('lists all its options in the error about an unknown one', async () => {
    const message = await getRejection(() => call({ colour: 1 }));
    const [, reported = ''] = /^[\w.]+: expected options among (.*), found "colour"/.exec(message) ?? [];
    expect(reported.split(', ').sort(), message).toEqual([...names].sort());
  });

  test.each(names)('suggests %s for a misspelled name', async (name) => {
    const wrong = `${name.charAt(0)}${name}`;
    expect(await getRejection(() => call({ [wrong]: undefined }))).toContain(
      `found "${wrong}" (did you mean ${name}?)`,
    );
  });

  test.each(names)('rejects an invalid value of %s with the name of the option', async (name) => {
    expect(await getRejection(() => call({ [name]: { junk: 1 } }))).toMatch(
      new RegExp(`^(?:solve\\.)?${name}\\b.*: expected `),
    );
  });
});

test.each([
  [
    'vary',
    () =>
      library.balance(scenario, { vary: [{ path: 'attacker.hp', ranges: [1, 2] } as never], target: 'attacker=0.5' }),
  ],
  ['scenarios', () => rollouts.VectorEnv.create([{ scenario: army, weights: 2 } as never])],
  ['reward.attacker', () => rollouts.VectorEnv.create(army, { reward: { attacker: { outcome: {} } as never } })],
  ['policies', () => rollouts.findEquilibrium(cards, { policies: { attackers: () => ({}) } })],
])('unknown names in nested objects are rejected: %s', async (place, call) => {
  expect(await getRejection(call)).toMatch(new RegExp(`^${place}: expected options among .*did you mean `));
});

test.each([
  [{ cells: -1 }, 'cells: expected an integer from 0, found -1'],
  [{ cells: 1.5 }, 'cells: expected an integer from 0, found 1.5'],
  [{ probability: 2 }, 'probability: expected a number 0..1, found 2'],
  [{ probability: Number.NaN }, 'probability: expected a number 0..1, found NaN'],
  [{ engine: 'sampled' as never }, 'engine: expected reference or kernel, found "sampled"'],
])('verifyStore rejects %j', async (options, message) => {
  expect(await getRejection(() => library.verifyStore(NOWHERE, options))).toBe(message);
});

test.each([null, 5, 'x', ['seed']])('simulate and replay reject %j as options', async (options) => {
  const calls = [() => library.simulate(scenario, options as never), () => library.replay(scenario, options as never)];
  for (const call of calls) expect(await getRejection(call)).toContain('expected an object with options, found');
});
