/** warpool in browsers: the part without files and processes. */
import './core/platform/browser/ready.ts';
import { KERNELS } from '#kernels/embedded/all.js';
import { registerKernels } from './core/platform/browser/kernels.ts';
import { shippedSystems } from './rules/shipped.ts';
import { registerSystem } from './rules/shipped-registry.ts';

registerKernels(KERNELS);
for (const system of shippedSystems) registerSystem(system);

export * from './portable.ts';
