/** Where the parts of a plan go: one way for folders, object stores and queues. */
import { RunError } from '../../core/errors.ts';
import { together } from '../folder/together.ts';
import type { EncodedPart } from '../store/segment.ts';

export interface Parts {
  /** What is known of a part that is there; undefined if it is not. */
  find(file: string): Promise<{ readonly bytes: number; readonly sha256: string } | undefined>;
  /** @throws RunError if it has more bytes than `most` */
  read(file: string, most?: number): Promise<Uint8Array>;
  /** Puts a part unless it is there. @throws PartConflict if it is there with other bytes */
  put(file: string, bytes: Uint8Array): Promise<void>;
  /**
   * Puts the parts of segments side by side; those of one in their order, up to the first that fails.
   * @returns what went wrong, by file
   */
  putAll(segments: readonly (readonly EncodedPart[])[]): Promise<ReadonlyMap<string, unknown>>;
}

/** A part is not there. */
export class PartMissing extends RunError {}

/** A part is there already, with other bytes: one of two workers is wrong. */
export class PartConflict extends RunError {}

/** `putAll` by `put`, for stores that take one part at a time. */
export async function putEach(to: Pick<Parts, 'put'>, segments: readonly (readonly EncodedPart[])[]) {
  const failures = new Map<string, unknown>();
  const put = async ({ file, content }: EncodedPart): Promise<boolean> => {
    await to.put(file, content).catch((error: unknown) => failures.set(file, error));
    return !failures.has(file);
  };
  await together(segments, async (parts) => {
    for (const part of parts) if (!(await put(part))) return;
  });
  return failures;
}
