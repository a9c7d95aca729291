/** How the host hands a scenario to an instance of a kernel. */
import type { TallyShape } from '../../answers/tally.ts';
import { METRICS_MAX, RANGE, SHAPE } from './layout.ts';

/** What every kernel exports; assembly/core/kernel.ts says what each does. */
export interface KernelExports {
  readonly memory: WebAssembly.Memory;
  readonly scenarioAddress: WebAssembly.Global<'i32'>;
  readonly tallyAddress: WebAssembly.Global<'i32'>;
  readonly valuesAddress: WebAssembly.Global<'i32'>;
  reserve(scenarioBytes: number, tallyBytes: number): number;
  configure(): void;
  clear(): void;
  play(runKey: bigint, index: bigint): number;
  run(runKey: bigint, from: bigint, count: number): void;
  settle?(): void;
}

/** As many bytes as the counters may take. */
const TALLY_BYTES_MAX = 2 ** 29;

function binsOf({ outcomes, metrics }: TallyShape): number {
  return outcomes.length * metrics.reduce((sum, { min, max }) => sum + max - min + 1, 1);
}

/**
 * Makes room in a kernel, writes shape and scenario, and lets the kernel read them.
 * @throws RangeError if the counters of the scenario need more memory than a kernel has
 */
export function load(kernel: KernelExports, shape: TallyShape, scenario: Int32Array): void {
  const head = SHAPE.pack({ outcomes: shape.outcomes.length, metrics: shape.metrics.length });
  for (const { min, max } of shape.metrics) head.push(...RANGE.pack({ least: min, bins: max - min + 1 }));
  const tallyBytes = binsOf(shape) * 4;
  if (shape.metrics.length > METRICS_MAX || tallyBytes > TALLY_BYTES_MAX) {
    throw new RangeError(
      `${String(shape.metrics.length)} metrics with ${String(binsOf(shape))} counters are more than a kernel holds`,
    );
  }
  if (kernel.reserve((head.length + scenario.length) * 4, tallyBytes) === 0) {
    throw new RangeError(`no memory for ${String(tallyBytes)} bytes of counters`);
  }
  const words = new Int32Array(kernel.memory.buffer, kernel.scenarioAddress.value);
  words.set(head);
  words.set(scenario, head.length);
  kernel.configure();
}
