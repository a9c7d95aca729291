/** Where the parts of a plan go: one way for folders, object stores and queues. */
import { RunError } from '../errors.ts';

export interface Parts {
  /** What is known of a part that is there; undefined if it is not. */
  find(file: string): Promise<{ readonly bytes: number; readonly sha256: string } | undefined>;
  /** @throws RunError if it has more bytes than `most` */
  read(file: string, most?: number): Promise<Uint8Array>;
  /** Puts a part unless it is there. @throws PartConflict if it is there with other bytes */
  put(file: string, bytes: Uint8Array): Promise<void>;
}

/** A part is not there. */
export class PartMissing extends RunError {}

/** A part is there already, with other bytes: one of two workers is wrong. */
export class PartConflict extends RunError {}
