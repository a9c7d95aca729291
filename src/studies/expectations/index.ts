/** Expectations on outcomes and metrics, which gate the balance of a game. */

export type { DigestExpectation, Expectation, ValueExpectation } from './judge.ts';
export { type Judged, type JudgeOptions, judgeExpectations } from './judge.ts';
export { expectationsJsonSchema, expectationsOf, loadExpectations } from './load.ts';
export { checkUpdate, keep, snapshotPath, withoutKept } from './snapshot.ts';
