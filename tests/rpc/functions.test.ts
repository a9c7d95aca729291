/** Functions for other languages cover all functions and options of the library. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as environments from '../../src/environments.ts';
import * as library from '../../src/index.ts';
import type { FunctionDeclaration } from '../../src/rpc/call.ts';
import { FUNCTIONS } from '../../src/rpc/functions.ts';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';

/** Library functions that are not available in other languages, by reason. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'called for subjects': [
    ...['loadRoster', 'loadScenario', 'loadSweep', 'loadSystems', 'parseScenario', 'updateScenario'],
    ...['validateRoster', 'validateScenario', 'validateSweep'],
    ...['loadBalanceProblem', 'loadExpectations', 'validateBalanceProblem'],
  ],
  'the same without waiting': [
    ...['findBestResponseSync', 'findEquilibriumSync', 'measureRuleCoverageSync', 'solveSync'],
  ],
  'for JavaScript': ['defineConfig', 'reviveError', 'runScript'],
  'pyarrow and DuckDB read stores': ['exportCsv', 'openStore', 'sweepCells'],
  'part of matchup': ['analyzeMatchups', 'certifyMatrixGame', 'compareMatchups', 'computeAlphaRank'],
  'schemas are files': ['expectationsJsonSchema', 'systemJsonSchema'],
  'the Python package has its own environments': [...['createEnvSpec', 'createManifest', 'evaluate', 'runEpisodes']],
  'only a command so far': ['exportGame', 'measureRuleCoverage', 'scenarioCosts'],
};

const namesOf = ({ library: one = {}, also = [] }: FunctionDeclaration): string[] => [
  ...(typeof one === 'string' ? [one] : Object.values(one)),
  ...also,
];

const isPlainFunction = (value: unknown): boolean =>
  typeof value === 'function' && !/^class\b/.test(Function.prototype.toString.call(value));

test('every library function is available or excluded with a reason', () => {
  const exported = Object.entries({ ...library, ...environments }).filter(([, value]) => isPlainFunction(value));
  const covered = [...Object.values(FUNCTIONS).flatMap(namesOf), ...Object.values(OTHERS).flat()];
  expect([...new Set(covered)].sort()).toEqual(exported.map(([name]) => name).sort());
});

const python = readFileSync('python/warpool/ready/functions.py', 'utf8');

/** Options that Python has as arguments of all functions, or does not need. */
const REPLACED = ['signal', 'onProgress', 'pool', 'systems', 'onResult', 'optimizer'];

/** Returns the names of keyword arguments of a Python function, in the spelling of the library. */
function readArguments(name: string): string[] {
  const [, text = ''] =
    new RegExp(`^def ${name}\\(\\n(?:    \\w+: .*,\\n)*    \\*,\\n((?:    \\w+: .*\\n)+)`, 'm').exec(python) ?? [];
  return [...text.matchAll(/^ {4}(\w+):/gm)].map(([, argument = '']) =>
    argument.replace(/_$/, '').replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  );
}

const SCENARIO = 'attrition-direct';
const SUBJECTS: Readonly<Record<string, unknown>> = {
  ...{
    scenario: SCENARIO,
    scenarios: [SCENARIO, SCENARIO],
    changed: SCENARIO,
    observations: [{ outcome: 'attacker' }],
  },
  ...{ sweep: 'examples/duels.yaml', roster: 'examples/rosters/duels.yaml', folder: '/nonexistent', folders: [] },
  ...{ problem: 'examples/balance/three-scenarios.yaml', expectations: 'examples/balance.yaml' },
};

/** Returns the option names that the library accepts, from the error for an unknown name. */
async function readOptionNames(name: string, options: Readonly<Record<string, unknown>> = {}): Promise<string[]> {
  const { call, subjects } = FUNCTIONS[name] as FunctionDeclaration;
  const error: unknown = await call({
    subjects: subjects.map((subject) => SUBJECTS[subject]),
    options: { ...options, colour: 1 },
    systems: SHIPPED_REGISTRY,
    watch: { signal: new AbortController().signal },
  }).catch((thrown: unknown) => thrown);
  const [, names = ''] = /expected options among (.*), found "colour"/.exec((error as Error).message) ?? [];
  return names.split(', ');
}

describe.each(Object.entries(FUNCTIONS).filter(([, { library: one }]) => one !== undefined))('%s', (name, declared) => {
  test('has the options of the library in Python', async () => {
    const methods = typeof declared.library === 'object' ? Object.keys(declared.library) : [undefined];
    const lists = await Promise.all(
      methods.map((method) => readOptionNames(name, method === undefined ? {} : { method })),
    );
    const expected = new Set([
      ...lists.flat().filter((option) => !REPLACED.includes(option)),
      ...(methods.length > 1 ? ['method'] : []),
      ...(name === 'matchup' ? ['alpha', 'population', 'resolution', 'selection'] : []),
      ...(name === 'sweep' ? ['executor', 'shards'] : []),
      ...['systems', 'progress'],
    ]);
    expect(expected.size).toBeGreaterThan(2);
    expect(new Set(readArguments(name))).toEqual(expected);
  });

  test('describes each option in Python', () => {
    const [, text = ''] = new RegExp(`\\ndef ${name}\\([^]*?\\n    """([^]*?)"""`).exec(python) ?? [];
    for (const [, argument = '', about = ''] of text.matchAll(/^ {8}(\w+): (.*)$/gm))
      if (!argument.endsWith('Error')) expect(about, argument).not.toBe('see the library');
    expect(text).toContain('NodeError:');
  });
});

/** Calls a function for other languages. */
const callFunction = (name: string, subjects: readonly unknown[], options = {}) =>
  (FUNCTIONS[name] as FunctionDeclaration).call({
    subjects,
    options,
    systems: SHIPPED_REGISTRY,
    watch: { signal: new AbortController().signal },
  });

describe('subjects', () => {
  const path = 'scenarios/attrition-direct.yaml';
  const parsed = library.parseScenario(readFileSync(path, 'utf8'));
  const fields = { ...parsed };
  const forms = [SCENARIO, path, fields, { label: 'mine', fields }];

  /** Functions whose first subject is a scenario, or a list of them, with small options. */
  const CALLS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    ...{ exact: {}, replay: {}, run: { battles: 1 }, find: { where: ['outcome = attacker'], battles: 9 } },
    ...{ sensitivity: { battles: 2 }, balance: { vary: [{ path: 'attacker.hp' }], target: 'attacker=50%' } },
    ...{ compare: { battles: 1 }, check: {} },
  };

  test.each(Object.entries(CALLS))('%s accepts names, paths, fields and loaded scenarios', async (name, options) => {
    const many = (FUNCTIONS[name] as FunctionDeclaration).subjects[0]?.endsWith('s') === true;
    const calls = forms.map((form) => callFunction(name, [many ? [form, form] : form], options));
    const results = await Promise.all(calls);
    const hashes = results.map(({ json }) => JSON.stringify(json).match(/[0-9a-f]{64}/)?.[0]);
    if (name === 'check' || name === 'exact') expect(new Set(hashes).size).toBe(1);
    const type = new RegExp(`^def ${name}\\(\\n {4}\\w+: (.*),$`, 'm').exec(python)?.[1];
    if (type !== undefined) expect(type).toContain('ScenarioLike');
  });

  test('check accepts fields of scenarios and sweeps, and reports errors', async () => {
    const sweep = { scenario: SCENARIO, axes: [{ path: 'attacker.hp', values: [1, 2] }] };
    const files = [sweep, { ...fields, colour: 1 }, 'attrition-dircet', 'none.yaml', { ...sweep, scenario: 'none' }, 7];
    const { json } = await callFunction('check', [files]);
    const checked = (json as { files: readonly { file: string; kind?: string; ok: boolean }[] }).files;
    expect(checked.map(({ ok }) => ok)).toEqual([true, false, false, false, false, false]);
    expect(JSON.stringify(checked)).toMatch(/"suggestion":"attrition-direct".*none\.yaml/);
    expect(checked[0]).toMatchObject({ file: 'sweep', kind: 'sweep' });
  });
});
