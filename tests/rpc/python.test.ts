/** Functions of the Python package: answers equal to the library, through the files that a wheel contains. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { BudgetError, loadScenario, simulate, solve } from '../../src/index.ts';
import { DEPTH } from '../depth.ts';

const BATTLES = 500;
const BUDGET = 1e6;

const program = (process.env['WARPOOL_PYTHONS'] ?? 'python3').split(':').at(-1) ?? 'python3';
const options = {
  cwd: 'python',
  encoding: 'utf8',
  env: { ...process.env, PYTHONPATH: '.', PYTHONDONTWRITEBYTECODE: '1' },
} as const;
const canRun = spawnSync(program, ['-c', 'import numpy, wasmtime'], options).status === 0;
if (!canRun) process.stderr.write(`SKIPPED: functions in Python; not installed for ${program}: numpy, wasmtime\n`);

/** Returns the answers of the library, or undefined if the exact answer exceeds the budget. */
async function answer(name: string) {
  const scenario = await loadScenario(`scenarios/${name}.yaml`);
  try {
    const { summary } = await solve(scenario, { budget: BUDGET });
    const { digest } = await simulate(scenario, { battles: BATTLES, seed: 3 });
    return { exact: Object.fromEntries(summary.outcomes.map((each) => [each.name, each.p])), digest };
  } catch (error) {
    if (error instanceof BudgetError) return undefined;
    throw error;
  }
}

const names = readdirSync('scenarios').map((file) => basename(file, '.yaml'));
const SAMPLE = ['attrition-direct', 'strength-cards-pocket', 'token-conflict-pirates'];

test.runIf(canRun)('answers in Python equal the answers of the library', { timeout: 120_000 }, async () => {
  const expected: Record<string, Awaited<ReturnType<typeof answer>>> = {};
  for (const name of DEPTH > 1 ? names : SAMPLE) {
    const answers = await answer(name);
    if (answers !== undefined) expected[name] = answers;
  }
  expect(Object.keys(expected).length).toBeGreaterThanOrEqual(SAMPLE.length);
  const { stdout, stderr } = spawnSync(
    program,
    ['tests/answers.py', String(BATTLES), ...Object.keys(expected)],
    options,
  );
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual(expected);
});
