/** What the gate looks at: one shipped scenario of each system, made ready for its kernel. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { InputError } from '../errors.ts';
import { loadScenario } from '../scenario/index.ts';
import { shapeOf, type TallyShape } from '../stats/tally.ts';
import { requireSystem } from '../systems/index.ts';
import type { Model, Scenario, State } from '../systems/system.ts';

/** Scenarios by the name of their file, which is the name of the benchmark. */
export const BENCHMARKS: readonly string[] = [
  'attrition-direct',
  'phased-dice-ground',
  'cube-bag-siege',
  'strength-cards-pocket',
  'token-conflict-pirates',
];

export interface Benchmark {
  readonly name: string;
  readonly scenario: Scenario;
  readonly model: Model<State>;
  readonly shape: TallyShape;
  /** The scenario as the kernel reads it. */
  readonly words: Int32Array<ArrayBuffer>;
  /** Where the compiled kernel lies, and what it is. */
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const require = createRequire(import.meta.url);

/** The path of a file of the package, by its name in the imports of package.json. */
export function shipped(name: string): string {
  return require.resolve(name);
}

function kernelPath(system: string, kernels: string | undefined): string {
  return kernels === undefined ? shipped(`#kernels/release/${system}.wasm`) : join(kernels, `${system}.wasm`);
}

async function bytesOf(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await readFile(path));
  } catch (error) {
    throw new InputError(path, 'a compiled kernel', String(error));
  }
}

/**
 * @param kernels folder of compiled kernels; those of the package unless given
 * @throws InputError if a kernel cannot be read
 */
export async function loadBenchmark(name: string, kernels?: string): Promise<Benchmark> {
  const scenario = await loadScenario(shipped(`#scenarios/${name}.yaml`));
  const system = requireSystem(scenario.system);
  const model = system.model(scenario);
  const path = kernelPath(system.id, kernels);
  return {
    name,
    scenario,
    model,
    shape: shapeOf(model),
    words: system.encode(scenario),
    path,
    bytes: await bytesOf(path),
  };
}
