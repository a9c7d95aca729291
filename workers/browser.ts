/** Web Worker that performs the tasks of the pool. */
import { expose } from 'comlink';
import { faceOf } from './face.ts';

expose(faceOf());
