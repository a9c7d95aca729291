/** Interface of this module for Node. */

export {
  createDraftPath,
  createMark,
  createTemporaryFolder,
  createWriteError,
  getOwnWriter,
  getWriterState,
  isDraft,
  linkFile,
  parseMark,
  removeDrafts,
  removeTemporaryFolder,
  syncPath,
  writeDurably,
  writeDurablyIfAbsent,
  writeFlushedIfAbsent,
} from './files/durable.ts';
export { checkOutput, checkOutputFolder, makeFolders, writeInto, writeOutput, writeText } from './files/output.ts';
