/** Interface of this module for Node. */

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
export { createFileLoader } from './file-loader.ts';
export { readObservations } from './fit/read-observations.ts';
