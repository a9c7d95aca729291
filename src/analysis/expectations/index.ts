/** Expectations about outcomes and metrics, for balance tests in CI. */

export type { DigestExpectation, Expectation, ValueExpectation } from './check-expectations.ts';
export { type CheckExpectationsOptions, checkExpectations, type ExpectationResult } from './check-expectations.ts';
export { expectationsJsonSchema, loadExpectations, parseExpectations } from './load-expectations.ts';
export { checkUpdate, clearSnapshotValues, getSnapshotPath, writeSnapshot } from './snapshot.ts';
