/**
 * Results as JSON: `JSON.stringify` accepts each of them, and the text fits the published schema of the command that
 * prints it. The schemas declare all keys.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { GateReport } from '../../bench/gate/gate.ts';
import { loadExpectations } from '../../src/analysis/expectations/index.ts';
import { version } from '../../src/core/version.ts';
import {
  Evaluator,
  findBestResponseSync,
  findEquilibriumSync,
  runEpisodes,
  VectorEnv,
} from '../../src/environments.ts';
import {
  analyzeMatchups,
  balance,
  balanceScenarios,
  certifyMatchup,
  checkExpectations,
  compare,
  compareRules,
  createStore,
  estimateSweep,
  findBattles,
  fitFields,
  loadRoster,
  loadScenario,
  loadSweep,
  matchup,
  measureRuleCoverageSync,
  mergeStores,
  morrisSensitivity,
  openStore,
  type ResultRow,
  replay,
  runSweep,
  type Scenario,
  shippedSystems,
  simulate,
  sobolSensitivity,
  solveSync,
  stepSensitivity,
  updateScenario,
  validateBalanceProblem,
  validateRoster,
  verifyStore,
} from '../../src/index.ts';
import { createBalanceJson } from '../../src/report/balance/balance.ts';
import { createSolutionJson } from '../../src/report/balance/solution.ts';
import { createCheckJson } from '../../src/report/checks/check.ts';
import { createConformanceJson } from '../../src/report/checks/conformance.ts';
import { createExpectationsJson } from '../../src/report/checks/expectations.ts';
import { createFitJson } from '../../src/report/fit/fit.ts';
import * as json from '../../src/report/json.ts';
import { createCertificationJson } from '../../src/report/matchup/certification.ts';
import { createMatchupJson } from '../../src/report/matchup/matchup.ts';
import { checkFile } from '../../src/report/node.ts';
import { createBestResponseJson } from '../../src/report/policies/best-response.ts';
import { createEquilibriumJson } from '../../src/report/policies/equilibrium.ts';
import { createRolloutJson } from '../../src/report/policies/rollout.ts';
import { createGradeJson } from '../../src/report/policies/suite.ts';
import { createOutputJsonSchema, OUTPUT_NAMES, type OutputName } from '../../src/report/schemas/index.ts';
import { createSensitivityJson } from '../../src/report/sensitivity/sensitivity.ts';
import { createMergeJson, createPreparedStoreJson, createSweepShardJson } from '../../src/report/sweep/shards.ts';
import { createSweepEstimateJson, createSweepJson } from '../../src/report/sweep/sweep.ts';
import { createVerifyJson } from '../../src/report/sweep/verification.ts';
import { createReportJson } from '../../src/report/sweep-report/json.ts';
import { createSweepReport } from '../../src/report/sweep-report/report.ts';
import { createSystemEntry } from '../../src/report/systems/system-list.ts';
import { hashScenario } from '../../src/stats/digest.ts';
import { gradePolicy, listTasks } from '../../src/suite.ts';
import { CONFORMANCE_CHECKS, conform } from '../../src/testing.ts';
import { DEPTH } from '../depth.ts';
import { duel as ownDuel } from '../testing/duel.js';

const SEED = 2n ** 64n - 1n;
const label = { name: '__proto__' };
const ajv = new Ajv2020({ strict: true, strictTuples: false, allowUnionTypes: true });
const validators = new Map<string, ValidateFunction>();

/** Checks that the JSON text of a value fits a schema; returns the parsed text. */
function fits(name: OutputName, value: unknown): unknown {
  const read: unknown = JSON.parse(JSON.stringify(value));
  const validate = validators.get(name) ?? ajv.compile(createOutputJsonSchema(name) as object);
  validators.set(name, validate);
  validate(read);
  expect(validate.errors ?? [], name).toEqual([]);
  return read;
}

const shipped = (name: string): Promise<Scenario> => loadScenario(`scenarios/${name}.yaml`);
const duel = await shipped('attrition-direct');
const harder = updateScenario(duel, { 'attacker.attack': 2 });
const ground = await shipped('phased-dice-ground');
const cards = await shipped('strength-cards-bluff');
const both = [duel, harder].map((scenario) => ({ name: '__proto__', hash: hashScenario(scenario) }));

const ONE_OF_EACH = [
  'attrition-mass',
  'cube-bag-siege',
  'phased-dice-ground',
  'strength-cards-bluff',
  'token-conflict-pirates',
];

describe('a scenario of every system', () => {
  test.each(ONE_OF_EACH)('%s: run, replay and find fit their schemas', async (name) => {
    const scenario = await shipped(name);
    const hash = hashScenario(scenario);
    const run = await simulate(scenario, { battles: 300, seed: SEED });
    fits('result', run);
    fits('result', json.createRunJson(run, label, undefined, 300));
    const reported = replay(scenario, { seed: SEED, battle: 3 });
    fits('replay', json.createReplayJson(reported, label, scenario, hash));
    const search = await findBattles(scenario, { where: `outcome=${reported.outcome}`, battles: 50, limit: 2 });
    fits('find', json.createFindJson(search, label, scenario, hash, 1n));
    for (const result of [reported, search]) expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  });
});

describe('JSON of runs', () => {
  test.each([
    { battles: 1 },
    { battles: 200, engine: 'reference', from: 7 },
    { battles: 200, engine: 'sampled' },
    { battles: 2000, precision: '50%', precisionFloor: 0.1 },
    { battles: 2000, precision: 5, precisionOf: 'rounds' },
    { battles: 2000, precision: 5, precisionOf: 'rounds', bounded: true },
  ] as const)('fits its schema with %o', async (options) => {
    const run = await simulate(duel, { ...options, seed: SEED });
    const { digest, summary } = run;
    expect(fits('result', run)).toMatchObject({ seed: '18446744073709551615', digest, scenario: { name: null } });
    fits('result', json.createRunJson(run, label, solveSync(duel), 200));
    const [attacker] = summary.outcomes;
    expect(run.toJSON().outcomes['attacker']).toEqual({ count: attacker?.count, p: attacker?.p, ci95: attacker?.ci95 });
  });

  test('fits its schema with coverage', async () => {
    const run = json.createRunJson(await simulate(ground, { battles: 50 }), label, undefined, 50);
    fits('result', { ...run, coverage: json.createCoverageJson(measureRuleCoverageSync(ground, { battles: 20 }), 20) });
  });

  test('can be created from copies', async () => {
    const run = await simulate(duel, { battles: 10 });
    const copy = { ...run };
    expect(Object.keys(copy)).not.toContain('toJSON');
    expect(() => JSON.stringify(copy)).not.toThrow();
    expect(structuredClone(run)).toMatchObject({ seed: '1', digest: run.digest });
  });
});

test('an exact answer fits its schema', () => {
  const exact = solveSync(duel);
  fits('exact', exact);
  expect(fits('exact', json.createExactJson(exact, label))).toMatchObject({
    warpool: version(),
    scenario: { name: '__proto__' },
    outcomes: { attacker: { p: exact.summary.outcomes[0]?.p } },
  });
});

test('comparisons of rules and of scenarios fit their schemas', async () => {
  const options = { battles: 400, seed: SEED };
  for (const [scenario, changed, bounded] of [
    [duel, harder, false],
    [ground, ground, true],
  ] as const) {
    const difference = await compareRules(scenario, changed, { ...options, bounded });
    const hashes = [hashScenario(scenario), hashScenario(changed)] as const;
    fits('compare-rules', json.createRulesComparisonJson(difference, label, scenario, hashes, ['attacker.attack=2']));
    expect(JSON.parse(JSON.stringify(difference))).toMatchObject({ seed: String(SEED), outcomes: { attacker: {} } });
  }
  for (const request of [{}, { of: 'rounds', bounded: true }, { best: 'lowest', indifference: 0.01 }] as const) {
    const result = await compare([duel, harder], { ...options, ...request });
    fits('compare', json.createComparisonJson(result, { system: duel.system }, both));
    expect(JSON.stringify(result)).toContain(String(SEED));
  }
});

test('results of balance fit their schema', async () => {
  const hp = { path: 'attacker.hp', range: [28, 32] } as const;
  const vary = [hp, { path: 'defender.hp', range: [28, 32] }, { path: 'attacker.attack', range: [1, 2] }] as const;
  for (const [fields, exact] of [
    [1, 'auto'],
    [2, 'auto'],
    [3, 'auto'],
    [1, 'never'],
  ] as const) {
    const options = { vary: vary.slice(0, fields), target: 'attacker=50%', tolerance: 0.05, exact, battles: 5000 };
    const result = await balance(duel, options);
    fits('balance', createBalanceJson(result, label, duel, hashScenario(duel)));
    expect(JSON.stringify(result)).toContain('"seed":"1"');
  }
});

test('results of fitFields fit their schema', async () => {
  const seen = [
    { outcome: 'attacker', count: 30 },
    { outcome: 'defender', count: 20 },
  ];
  const result = await fitFields(duel, seen, { vary: [{ path: 'attacker.hp', range: [26, 34] }] });
  fits('fit', createFitJson(result, label));
});

test('sensitivity studies fit their schema', async () => {
  const options = { seed: SEED, battles: 40, space: ['attacker.hp=28..32', 'defender.hp=28..32'] };
  const { space: _, ...stepped } = options;
  const studies = [
    await stepSensitivity(duel, { ...stepped, fields: ['attacker.hp', 'maxRounds'] }),
    await stepSensitivity(duel, { ...stepped, exact: 'never', fields: ['attacker.hp'] }),
    await morrisSensitivity(duel, { ...options, trajectories: 3 }),
    await sobolSensitivity(duel, { ...options, points: 8 }),
  ];
  for (const study of studies) {
    fits('sensitivity', createSensitivityJson(study, label, duel, hashScenario(duel)));
    expect(JSON.parse(JSON.stringify(study))).toEqual(study);
  }
});

test('balance problems with and without a solution fit their schema', async () => {
  const scenario = 'scenarios/attrition-direct.yaml';
  const fields = [{ path: 'attacker.hp', range: [20, 24], step: 2, cost: 1 }];
  for (const target of ['attacker >= 1%', 'rounds <= 1'])
    for (const exact of ['always', 'never'] as const) {
      const problem = await validateBalanceProblem({ scenarios: { plain: { scenario } }, fields, targets: [target] });
      fits('balance-problem', createSolutionJson(await balanceScenarios(problem, { exact, battles: 2000 })));
    }
});

test('bounds of the game value of a roster fit their schema', async () => {
  const roster = await loadRoster('examples/rosters/duels.yaml');
  fits('matchup-value', createCertificationJson(await certifyMatchup(roster, { tolerance: 0.05 })));
});

test('matchups with exact and simulated payoffs fit their schema', async () => {
  const armies = [8, 12].map((hp) => ({ name: String(hp), set: { hp } }));
  for (const exact of ['always', 'never'] as const) {
    const scenario = 'scenarios/attrition-direct.yaml';
    const run = exact === 'never' ? { battles: 50 } : {};
    const result = await matchup(await validateRoster({ scenario, armies, exact, ...run }));
    const analysis = analyzeMatchups(result.matrix);
    fits('matchup', createMatchupJson(result, analysis, undefined));
    fits(
      'matchup',
      createMatchupJson(result, analysis, { type: 'hp', analysis: analyzeMatchups(result.matrix, { alpha: 1 }) }),
    );
  }
});

test('best responses and equilibria fit their schemas', async () => {
  const retreat = await shipped('attrition-direct');
  const optimum = findBestResponseSync(updateScenario(retreat, { 'attacker.hp': 4, 'defender.hp': 4 }), {
    reward: 'win',
  });
  fits('best-response', optimum);
  fits('best-response', createBestResponseJson(optimum, label));
  for (const scenario of [cards, await shipped('phased-dice-fleet'), duel]) {
    const solution = findEquilibriumSync(scenario);
    fits('equilibrium', solution);
    fits('equilibrium', createEquilibriumJson(solution, label));
  }
});

test('tasks and grades fit their schema', async () => {
  fits('grade', listTasks());
  for (const task of listTasks()) fits('grade', task);
  for (const name of ['conquest-dice-capital-v1', 'goofspiel-three-v1'])
    fits('grade', createGradeJson(await gradePolicy(name, 'uniform')));
});

describe('rollouts', () => {
  test('have the outcomes, metrics and digest of a run', async () => {
    const env = await VectorEnv.create(duel, { numEnvs: 64, agents: [], seed: SEED });
    const simulation = await runEpisodes(env, { policy: 'scenario', episodes: 1, seed: SEED });
    const { outcomes, metrics, digest } = (await simulate(duel, { battles: 64, seed: SEED })).toJSON();
    expect(fits('rollout', simulation)).toMatchObject({ digest, scenarios: [{ battles: 64 }] });
    expect(simulation.toJSON().scenarios[0]).toMatchObject({ outcomes, metrics });
    fits('rollout', createRolloutJson(simulation, { names: ['a'], seconds: 1 }));
  });

  test('have no outcome probabilities without battles', async () => {
    const env = await VectorEnv.create(duel, { numEnvs: 2, agents: ['attacker'], maxSteps: 1 });
    const simulation = await runEpisodes(env, { policy: 'uniform', episodes: 0, seed: 1n });
    expect(fits('rollout', simulation)).toMatchObject({
      scenarios: [{ outcomes: { attacker: { count: 0, p: null } } }],
    });
  });

  test('have serializable values of states', async () => {
    const env = await VectorEnv.create(duel, { numEnvs: 1 });
    const evaluator = await Evaluator.create(env, { battles: 16 });
    const values = evaluator.evaluate([env.state(0)]);
    expect(JSON.parse(JSON.stringify(values))).toEqual(values);
  });
});

test('benchmark reports fit their schema', () => {
  const figure = { layer: 'counters', benchmark: 'duel', what: 'draws', unit: '', value: 90, status: 'new' } as const;
  const report: GateReport = {
    machine: { cpu: 'a processor', arch: 'x64', node: 'v20.0.0' },
    sameMachine: true,
    findings: [figure, { ...figure, range: 1, baseline: 'a', limit: 3, status: 'ok' }],
    notes: ['a note'],
    seconds: { counters: 1.5 },
    passed: false,
  };
  fits('bench', { version: '1.2.3', ...report });
});

describe('stores', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'warpool-json-'));
  const file = join(folder, 'sweep.yaml');
  const axes = 'axes: [{ path: attacker.hp, range: [29, 31] }, { path: attacker.name, values: [red, blue] }]';
  writeFileSync(file, `scenario: ${join(process.cwd(), 'scenarios/attrition-direct.yaml')}\n${axes}\nbattles: 40\n`);
  const sweep = await loadSweep(file);

  test('estimate, result, verification and report of a sweep fit their schemas', async () => {
    fits('sweep-estimate', createSweepEstimateJson(await estimateSweep(sweep), sweep));
    const result = await runSweep(sweep, { out: join(folder, 'store'), workers: 1 });
    fits('sweep-result', createSweepJson(result));
    fits('sweep-result', createSweepJson({ ...result, quarantined: ['vm-1-0a'] }));
    fits(
      'sweep-result',
      createSweepJson({ ...result, manifest: { ...result.manifest, digest: undefined, rows: undefined } } as never),
    );
    const verified = await verifyStore(result.folder, { cells: 1, seed: SEED });
    fits('verify', createVerifyJson(verified));
    const rows: ResultRow[] = [];
    for await (const row of (await openStore(result.folder)).rows()) rows.push(row);
    expect(JSON.parse(JSON.stringify(rows))).toEqual(rows);
    fits('report', createReportJson(await createSweepReport(await openStore(result.folder))));
    for (const data of [result, verified]) expect(() => JSON.stringify(data)).not.toThrow();
  });

  test('preparation, shards and merge of a sweep fit their schemas', async () => {
    const [half, whole] = [join(folder, 'half'), join(folder, 'whole')];
    fits('sweep-prepared', { ...createPreparedStoreJson(await createStore(sweep, half)), set: ['attacker.hp=3'] });
    fits('merge', createMergeJson(await mergeStores(half, [], { shards: 2 })));
    const simulation = await runSweep(sweep, { out: whole, shard: { index: 1, of: 1 }, workers: 1 });
    fits('sweep-shard', createSweepShardJson(simulation));
    fits('merge', createMergeJson(await mergeStores(half, [whole])));
  });
});

test.runIf(DEPTH > 1)('findings of conform fit their schema', async () => {
  const system = ownDuel('json-duel', undefined, { rules: {} });
  const findings = await conform(system, { quick: true });
  const all = [
    { system: 'json-duel', title: 'Duel', file: './duel.js', checks: CONFORMANCE_CHECKS, findings, files: {} },
  ];
  const reported = fits('conform', createConformanceJson(all));
  const replay: unknown = expect.stringMatching(
    /^echo '.*' \| warpool replay - --systems \.\/duel\.js --seed 1 --battle 0$/,
  );
  const wrong = { check: 'replays', ok: false, battle: 0, replay };
  expect(reported).toMatchObject({
    ok: false,
    systems: [{ findings: expect.arrayContaining([expect.objectContaining(wrong)]) as object }],
  });
});

test('results of check fit their schema', async () => {
  const scenario = await checkFile('scenarios/attrition-direct.yaml', { place: '--set' });
  const files = [
    scenario,
    await checkFile('examples/duels.yaml', { place: '' }),
    await checkFile('none.yaml', { place: '' }),
  ];
  const reported = fits('check', createCheckJson(files));
  expect(reported).toMatchObject({
    ok: false,
    files: [{ ok: true, system: 'attrition' }, { kind: 'sweep' }, { ok: false }],
  });
});

test('verdicts of expectations fit their schema', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'warpool-json-')), 'expectations.yaml');
  const lines = ['attacker at least 1%', 'rounds between 1 and 40', '95% of rounds at most 3'];
  const scenario = join(process.cwd(), 'scenarios/attrition-direct.yaml');
  const list = lines.map((expected, e) => `  - { name: "${String(e)}", expect: "${expected}" }`).join('\n');
  writeFileSync(file, `scenario: ${scenario}\nbattles: 4000\nexpectations:\n${list}\n`);
  const expectations = await loadExpectations(file);
  for (const exact of ['auto', 'never'] as const) {
    const judged = await checkExpectations(expectations, { exact, seed: SEED });
    fits('assert', createExpectationsJson(judged, [file], true));
    expect(JSON.stringify(judged)).toContain(String(SEED));
  }
  const stop = new AbortController();
  const onProgress = (): void => {
    stop.abort();
  };
  const interrupted = { exact: 'never', battles: 1e10, signal: stop.signal, onProgress } as const;
  const stopped = await checkExpectations(expectations, interrupted);
  fits('assert', createExpectationsJson(stopped, [file, file], false));
});

test('entries of systems fit their schema', () => {
  const entries = shippedSystems.map((system) => createSystemEntry(system));
  fits('systems', entries);
  for (const entry of entries) fits('systems', entry);
});

describe('schemas', () => {
  test.each(OUTPUT_NAMES)('%s is published and declares all keys', (name) => {
    const schema = createOutputJsonSchema(name);
    expect(JSON.parse(readFileSync(`dist/schemas/${name}.schema.json`, 'utf8'))).toEqual(schema);
    expect(schema.$id).toBe(`urn:warpool:json:${name}`);
    expect(JSON.stringify(schema)).not.toContain('"additionalProperties":true');
  });
});
