/** Names and hashes of parts, wherever they lie. */
import { createHash } from 'node:crypto';
import { InputError } from '../../core/errors.ts';
import { describeFound } from '../../rules/scenario/problem.ts';

/** In hexadecimal. */
export function sha256Of(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A file, or one in a folder: no name leads elsewhere, or means something to a shell, a file system or an address. */
const NAME = /^(?:[a-z]{1,32}\/)?[a-z][a-z0-9]{0,31}(?:-[a-z0-9]{1,16}){0,4}\.[a-z]{1,16}$/;

/** True of what can be the name of a part; whether it is one of a sweep, the manifest says. */
export function isPartName(file: string): boolean {
  return NAME.test(file);
}

/** @throws InputError for what cannot be the name of a part */
export function checkPartName(file: string): void {
  if (!isPartName(file)) throw new InputError('a part', 'a name such as table/part-00012.parquet', describeFound(file));
}
