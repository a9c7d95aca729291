/** What the gate is to others. */
export { against } from './against.ts';
export { type Baseline, commitHere, NO_FILE, readBaseline, writeBaseline } from './baseline.ts';
export { shipped } from './benchmark.ts';
export { type GateReport, gate, measureBaseline } from './gate.ts';
export type { GateFinding } from './judge.ts';
export { besideLoad } from './process.ts';
