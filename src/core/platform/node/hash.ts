/** SHA-256. */
import { createHash } from 'node:crypto';
import type { Sha256 } from '../types.ts';

class NodeSha256 implements Sha256 {
  readonly #hash = createHash('sha256');

  update(data: string | Uint8Array): this {
    this.#hash.update(data);
    return this;
  }

  hex(): string {
    return this.#hash.digest('hex');
  }

  word(): bigint {
    return this.#hash.digest().readBigUInt64LE();
  }
}

export function createSha256(): Sha256 {
  return new NodeSha256();
}
