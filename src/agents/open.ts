/** Opens what holds the environments of a configuration: the kernel of its system if there is one, else the rules. */
import { loadKernel } from '../engines/kernel/kernel.ts';
import type { Configuration } from './configuration.ts';
import { encodeConfiguration } from './encode.ts';
import { type EnvironmentEngine, KernelEngine } from './engine.ts';
import { EnvironmentKernel, type Room } from './kernel.ts';
import { ReferenceEngine } from './reference-engine.ts';

/** Whether a system has a kernel that plays decision by decision. */
export const hasKernel = ({ system, variants }: Configuration): boolean =>
  system.encode !== undefined && variants.every(({ spec }) => spec.kernel !== undefined);

/**
 * Opens environments that one thread steps.
 * @throws InputError if there are too many
 * @throws RunError if the kernel is not built
 */
export async function openEngine(
  configuration: Configuration,
  room: Omit<Room, 'threads'>,
): Promise<EnvironmentEngine> {
  if (!hasKernel(configuration)) return new ReferenceEngine(configuration, room);
  const module = await loadKernel(configuration.system.id);
  const words = encodeConfiguration(configuration);
  return new KernelEngine(EnvironmentKernel.init(module, words, { ...room, threads: 1 }), configuration);
}
