/** warpool/environments in browsers: environments in the calling thread. */
import './core/platform/browser/ready.ts';
import { text } from '#kernels/embedded/decision-automaton.js';
import { registerKernels } from './core/platform/browser/kernels.ts';
import { DECISION_KERNEL } from './environments/decision-automaton/compile-decisions.ts';

registerKernels({ [DECISION_KERNEL]: text });

export * from './environments/portable.ts';
