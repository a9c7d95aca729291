/** Expectations on outcomes and metrics, which gate the balance of a game. */

export type { DigestExpectation, Expectation, ValueExpectation } from './expectation.ts';
export { type Judged, type JudgeOptions, judgeExpectations } from './judge.ts';
export { expectationsOf, loadExpectations } from './load.ts';
export { expectationsJsonSchema } from './schema.ts';
export { checkUpdate, keep, snapshotPath, withoutKept } from './snapshot.ts';
