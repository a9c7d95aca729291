/** Steps allocate no memory: the heap of a separate process before and after millions of steps. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { DEPTH } from '../depth.ts';

const STEPS = DEPTH === 1 ? 2e6 : 1e7;

const PROGRAM = `
import { readFileSync } from 'node:fs';
import { parseScenario } from './dist/src/index.js';
import { VectorEnv } from './dist/src/environments.js';
const file = 'scenarios/attrition-direct.yaml';
const env = await VectorEnv.create(parseScenario(readFileSync(file, 'utf8'), { source: file }), { numEnvs: 1024, seed: 1 });
function play(steps) {
  for (let s = 0; s < steps; s++) {
    env.sampleActions('uniform');
    env.step();
  }
}
play(${String(STEPS / 500)});
gc();
play(${String(STEPS / 1000)});
gc();
console.log('begin');
const before = process.memoryUsage();
play(Math.ceil(${String(STEPS)} / 1024));
const after = process.memoryUsage();
console.log('end');
console.log(JSON.stringify({ heap: after.heapUsed - before.heapUsed, buffers: after.arrayBuffers - before.arrayBuffers }));
`;

test.runIf(DEPTH > 1)(
  `heap and buffers do not grow during ${String(STEPS)} steps, and there is no garbage collection`,
  () => {
    const given = ['--expose-gc', '--trace-gc', '--input-type=module', '--eval', PROGRAM];
    const printed = execFileSync(process.execPath, given, { encoding: 'utf8' }).trim().split('\n');
    const { heap, buffers } = JSON.parse(printed.at(-1) ?? '') as { heap: number; buffers: number };
    // 9766 calls of each function: eight bytes each would be at least 78 000. The optimizer and the test use less.
    expect(heap).toBeLessThan(50_000);
    expect(buffers).toBe(0);
    expect(printed.slice(printed.indexOf('begin') + 1, printed.indexOf('end'))).toEqual([]);
  },
);
