/** What the gate is to others. */
export { against } from './against.ts';
export { type Baseline, NO_FILE, readBaseline, writeBaseline } from './baseline.ts';
export { shipped } from './benchmark.ts';
export { type GateReport, gate, measureBaseline } from './gate.ts';
export type { GateFinding } from './judge.ts';
export type { Layer } from './layers.ts';
export { commitHere } from './machine.ts';
export { besideLoad } from './process.ts';
