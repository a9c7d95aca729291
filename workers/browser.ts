/** Web Worker that performs the tasks of the pool. */

import { expose } from 'comlink';
import { KERNELS } from '#kernels/embedded/all.js';
import { registerKernels } from '../src/core/platform/browser/kernels.ts';
import { faceOf } from './face.ts';

registerKernels(KERNELS);
expose(faceOf());
