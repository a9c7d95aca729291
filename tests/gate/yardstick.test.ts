/** The yardstick never changes, so that ratios to it remain comparable. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shipped } from '../../bench/gate/benchmark.ts';

const bytes = readFileSync(shipped('#gate/yardstick.wasm'));

interface Yardstick {
  configure(): void;
  run(from: bigint, count: number): number;
}

test('the yardstick has the frozen bytes', () => {
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(
    'baa24dd6aacdd0ededfb0826f9f2a31b747ecabcc8f257dc323140b5f53063ba',
  );
});

test('the yardstick returns the frozen result', () => {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes)));
  const yardstick = instance.exports as unknown as Yardstick;
  yardstick.configure();
  expect(yardstick.run(0n, 1000) >>> 0).toBe(3541804244);
});
