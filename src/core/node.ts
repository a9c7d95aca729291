/** What other modules may use of core in Node alone. */

export {
  draftOf,
  isDraft,
  linked,
  makeTemporary,
  newMark,
  putDurably,
  putFlushed,
  removeDrafts,
  removeTemporary,
  stateOf,
  sync,
  thisWriter,
  unwritable,
  writeDurably,
  writerOf,
} from './files/durable.ts';
export { checkOutput, makeFolders, writeInto, writeOutput, writeText } from './files/output.ts';
