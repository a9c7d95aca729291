/** The shipped systems conform, kernels included. */
import { describe, test } from 'vitest';
import { shippedSystems } from '../../src/rules/index.ts';
import { testSystem } from '../../src/testing.ts';
import { DEPTH } from '../depth.ts';

for (const system of DEPTH === 1 ? shippedSystems.slice(0, 1) : shippedSystems)
  testSystem(system, { describe, test }, { quick: true });
