/** A million arbitrary actions: no trap, no end of the process, and no effect on other environments. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { AUTORESETS } from '../../src/environments/layout.ts';
import { VectorEnv } from '../../src/environments/vector-env.ts';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { some } from '../depth.ts';

const ENVS = 64;
const ACTIONS = 1_000_000;

const files = readdirSync('scenarios').filter((file) => file.endsWith('.yaml'));
const all = await Promise.all(files.map(async (file) => ({ file, scenario: await loadScenario(`scenarios/${file}`) })));
const playable = all.filter(({ scenario }) => SHIPPED_REGISTRY.system(scenario.system).environment !== undefined);

/** Steps in each scenario, so that the wild actions in half of the environments sum to a million. */
const STEPS = Math.ceil(ACTIONS / (playable.length * (ENVS / 2)));

/** Returns any 32-bit integer: illegal, out of range, or legal by chance. */
function wild(step: number, e: number): number {
  const mixed = Math.imul(step * ENVS + e + 1, 0x9e3779b1);
  return [mixed, mixed >>> 28, -(mixed >>> 30), 2 ** 31 - 1, -(2 ** 31)][(mixed >>> 4) % 5] ?? 0;
}

const isWild = (e: number) => e % 2 === 1;

/** Lists the rows of environments without wild actions, in all buffers except for `act` and `finished`. */
function quiet(env: VectorEnv): string[] {
  const { act: _act, finished: _finished, ...fields } = env.buffers;
  const rows = Object.entries(fields).map(([name, field]: [string, ArrayLike<number>]) => {
    const columns = field.length / ENVS;
    const seen = Array.from(field).filter((_, k) => !isWild(Math.floor(k / columns)));
    return `${name} ${seen.join()}`;
  });
  return rows;
}

async function expectNoHarm(scenario: Scenario, autoreset: (typeof AUTORESETS)[number]) {
  const make = () => VectorEnv.create(scenario, { numEnvs: ENVS, agents: 'all', autoreset, seed: 7 });
  const [harmed, calm] = [await make(), await make()];
  let [requested, rejected] = [0, 0];
  for (let step = 0; step < STEPS; step++) {
    for (const env of [harmed, calm]) env.sampleActions('uniform');
    for (let e = 0; e < ENVS; e++) if (isWild(e)) harmed.buffers.act[e] = wild(step, e);
    requested += harmed.buffers.phase.reduce((sum, phase, e) => sum + (isWild(e) ? phase : 0), 0);
    for (const env of [harmed, calm]) env.step();
    rejected += harmed.buffers.invalid.reduce((sum, flag) => sum + flag, 0);
    if (step % 50 === 0) expect(quiet(harmed)).toEqual(quiet(calm));
  }
  expect(quiet(harmed)).toEqual(quiet(calm));
  return { asked: requested, refused: rejected };
}

describe(`${String(ACTIONS)} wild actions`, () => {
  const files = some(playable).map(({ file }, f) => [file, AUTORESETS[f % 3]] as const);
  test.each(files)('have no effect on other environments: %s, %s', async (file, autoreset) => {
    const { scenario } = playable.find((each) => each.file === file) ?? {};
    if (scenario === undefined || autoreset === undefined) throw new Error(`no ${file}`);
    const { asked: requested, refused: rejected } = await expectNoHarm(scenario, autoreset);
    expect(rejected > 0).toBe(requested > 0);
  });
});
