/** Makes ready what the players of a run are opened with; threads need no schema and no table of their own. */
import { loadKernel } from '../kernel/load.ts';
import { shapeOf, type TallyShape } from '../stats/tally.ts';
import { requireSystem } from '../systems/index.ts';
import type { Setup } from './player.ts';
import type { Run } from './run.ts';

const kernels = new Map<string, Promise<WebAssembly.Module>>();

/** The compiled kernel of a system, which keeps its optimised code from run to run and thread to thread. */
async function kernelOf(system: string): Promise<WebAssembly.Module> {
  const known = kernels.get(system) ?? loadKernel(system);
  kernels.set(system, known);
  try {
    return await known;
  } catch (error) {
    kernels.delete(system);
    throw error;
  }
}

export interface Prepared {
  readonly setup: Setup;
  readonly shape: TallyShape;
}

/**
 * @throws InputError if there is no such system
 */
export async function prepare({ engine, scenario, seed }: Run): Promise<Prepared> {
  const system = requireSystem(scenario.system);
  const shape = shapeOf(system.model(scenario));
  if (engine === 'reference') return { shape, setup: { engine, seed, scenario } };
  const module = await kernelOf(system.id);
  return { shape, setup: { engine, seed, module, shape, words: system.encode(scenario) } };
}
