/** SHA-256: the function of browsers is asynchronous, but digests are needed synchronously. */
import { sha256 as noble } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Sha256 } from '../types.ts';

class NobleSha256 implements Sha256 {
  readonly #hash = noble.create();

  update(data: string | Uint8Array): this {
    this.#hash.update(typeof data === 'string' ? new TextEncoder().encode(data) : data);
    return this;
  }

  hex(): string {
    return bytesToHex(this.#hash.digest());
  }

  word(): bigint {
    const { buffer, byteOffset } = this.#hash.digest();
    return new DataView(buffer, byteOffset).getBigUint64(0, true);
  }
}

export function createSha256(): Sha256 {
  return new NobleSha256();
}
