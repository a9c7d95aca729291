/** What other modules may use of studies in Node alone. */

export {
  checkExpectations,
  checkUpdate,
  clearSnapshotValues,
  type Expectation,
  type ExpectationResult,
  expectationsJsonSchema,
  getSnapshotPath,
  loadExpectations,
  parseExpectations,
  type ValueExpectation,
  writeSnapshot,
} from './expectations/index.ts';
