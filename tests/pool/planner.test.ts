/** Tests of docs/reference/environment-threads.md and examples/session-planner.mjs, run as their readers run them. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { findBestResponseSync } from '../../src/environments.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { DEPTH } from '../depth.ts';
import { requireBuild } from './fixtures.ts';

const run = promisify(execFile);

interface Mean {
  readonly mean: number;
  readonly error: number;
}

/** Exports of the example, a JavaScript file that imports the modules of dist. */
interface Example {
  readonly comparePlanner: (
    scenario: Scenario,
    battles: number,
  ) => Promise<{ readonly planned: Mean; readonly difference: Mean }>;
}

beforeAll(requireBuild);

async function node(...args: readonly string[]): Promise<string> {
  return (await run(process.execPath, args, { timeout: 50_000 })).stdout;
}

test.runIf(DEPTH > 1)('the example of docs/reference/environment-threads.md prints the documented output', async () => {
  const guide = readFileSync('docs/reference/environment-threads.md', 'utf8');
  const [, program = '', printed] =
    /```js\n([^`]*EnvSession.create[\s\S]*?)```\s+The example prints\s+```text\n([\s\S]*?)```/.exec(guide) ?? [];
  // A folder from which the package can be imported by its name.
  const folder = mkdtempSync(resolve('dist', 'example-'));
  try {
    const file = join(folder, 'session.mjs');
    writeFileSync(file, program);
    expect(await node(file)).toBe(printed);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.runIf(DEPTH > 1)(
  'the planner beats the policies of all its scenarios, with the same output every time',
  async () => {
    const [reported, again] = await Promise.all([1, 2].map(() => node('examples/session-planner.mjs', '150')));
    expect(again).toBe(reported);
    const rows = [...(reported ?? '').matchAll(/^(\S+) +(-?[\d.]+) +(-?[\d.]+) +(-?[\d.]+) ± ([\d.]+)$/gm)];
    expect(rows.length).toBeGreaterThan(2);
    for (const [row, , policy, planner, difference] of rows) {
      expect(Math.abs(Number(planner) - Number(policy) - Number(difference)), row).toBeLessThan(0.0011);
      expect(Number(difference), row).toBeGreaterThan(0);
    }
  },
);

test.runIf(DEPTH > 1)(
  'the planner does not use future random numbers: it does not exceed the best response',
  async () => {
    const { href } = new URL('../../examples/session-planner.mjs', import.meta.url);
    const { comparePlanner } = (await import(/* @vite-ignore */ href)) as Example;
    const scenario = await loadScenario('scenarios/phased-dice-broadside.yaml');
    const { planned, difference } = await comparePlanner(scenario, 600);
    const { value } = findBestResponseSync(scenario, { agent: 'attacker' });
    // A planner as good as the best response exceeds this bound with probability 1e-3. Copies of an episode that shared
    // its future random numbers exceeded the value by four standard errors.
    expect(planned.mean).toBeLessThan(value + 3 * planned.error);
    expect(difference.mean).toBeGreaterThan(3 * difference.error);
  },
);
