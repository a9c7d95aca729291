/** What other modules may use of studies in Node alone. */

export {
  checkUpdate,
  type Expectation,
  expectationsJsonSchema,
  expectationsOf,
  type Judged,
  judgeExpectations,
  keep,
  loadExpectations,
  snapshotPath,
  type ValueExpectation,
  withoutKept,
} from './expectations/index.ts';
