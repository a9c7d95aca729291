/** Seeds fast-check with the seed of the run, so that WARPOOL_SEED repeats every test. */
import fc from 'fast-check';
import { SEED } from './depth.ts';

fc.configureGlobal({ seed: SEED });
