/** Steps allocate nothing: ten million of them in a process of its own, whose heap is looked at. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const PROGRAM = `
import { readFileSync } from 'node:fs';
import { parseScenario } from './dist/src/index.js';
import { VectorEnv } from './dist/src/rollout/index.js';
const file = 'scenarios/attrition-direct.yaml';
const env = await VectorEnv.make(parseScenario(readFileSync(file, 'utf8'), file), { numEnvs: 1024, seed: 1 });
function play(steps) {
  for (let s = 0; s < steps; s++) {
    env.suggest('uniform');
    env.step();
  }
}
play(20000);
gc();
play(10000);
gc();
console.log('begin');
const before = process.memoryUsage();
play(Math.ceil(1e7 / 1024));
const after = process.memoryUsage();
console.log('end');
console.log(JSON.stringify({ heap: after.heapUsed - before.heapUsed, buffers: after.arrayBuffers - before.arrayBuffers }));
`;

test('heap and buffers are as large after 10^7 steps as before, and nothing was collected meanwhile', () => {
  const given = ['--expose-gc', '--trace-gc', '--input-type=module', '--eval', PROGRAM];
  const said = execFileSync(process.execPath, given, { encoding: 'utf8' }).trim().split('\n');
  const { heap, buffers } = JSON.parse(said.at(-1) ?? '') as { heap: number; buffers: number };
  // 19 532 calls: eight bytes each would be 156 000. What is left is the optimiser's, and the figures' own.
  expect(heap).toBeLessThan(50_000);
  expect(buffers).toBe(0);
  expect(said.slice(said.indexOf('begin') + 1, said.indexOf('end'))).toEqual([]);
});
