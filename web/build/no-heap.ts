/** Replaces the heap of the solver of linear programs, which only integer programs need. */
import type { Plugin } from 'vite';
import { createVirtualModule } from './virtual-module.ts';

export function createNoHeapPlugin(): Plugin {
  const text = "export default class { constructor() { throw new Error('the page solves no integer programs'); } }";
  return createVirtualModule('heap', () => text);
}
