/** Expectations on outcomes and metrics, which gate the balance of a game. */
export { type Judged, type JudgeOptions, judgeExpectations } from './judge.ts';
export { type Expectation, expectationsOf, loadExpectations } from './load.ts';
export { expectationsJsonSchema } from './schema.ts';
