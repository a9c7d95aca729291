/** The shipped systems conform, kernels included. */
import { describe, test } from 'vitest';
import { systems } from '../../src/systems/index.ts';
import { testSystem } from '../../src/testing/index.ts';
import { some } from '../depth.ts';

for (const system of some(systems)) testSystem(system, { describe, test }, { quick: true });
