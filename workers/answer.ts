/** Piscina worker: computes one answer. */
export { answer } from '../src/agents/index.ts';
