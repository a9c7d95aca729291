/** Piscina worker: computes one answer. */
export { computeAnswer as answer } from '../src/environments/index.ts';
