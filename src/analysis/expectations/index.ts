/** Expectations on outcomes and metrics, which gate the balance of a game. */

export type { DigestExpectation, Expectation, ValueExpectation } from './check-expectations.ts';
export { type CheckExpectationsOptions, checkExpectations, type ExpectationResult } from './check-expectations.ts';
export { expectationsJsonSchema, loadExpectations, parseExpectations } from './load-expectations.ts';
export { checkUpdate, clearSnapshotValues, getSnapshotPath, writeSnapshot } from './snapshot.ts';
