/**
 * Digest of the trajectories of environments. Each environment has the SHA-256 of its rows after every step: act,
 * player (32 bits each), phase, terminated, truncated, invalid (8 bits each), reward, obs (32 bits each), mask (8 bits
 * each), little-endian and without padding. The digest is the SHA-256 of these digests, as bytes, in the order of the
 * environments.
 */
import { createHash, type Hash } from 'node:crypto';
import type { EnvSpec } from '../../src/environments/env-spec.ts';
import { type EnvironmentOutput, ReferenceEnv } from '../../src/environments/reference-env.ts';
import type { EnvBuffers, StepResult } from '../../src/environments.ts';

const ROW = ['act', 'player', 'phase', 'terminated', 'truncated', 'invalid', 'reward', 'obs', 'mask'] as const;

/** Digests of environments, updated after every step. */
export class Trajectory {
  readonly #hashes: Hash[];

  constructor(envs: number) {
    this.#hashes = Array.from({ length: envs }, () => createHash('sha256'));
  }

  /** Adds the rows of a step; the first row belongs to environment `from`. */
  note({ infos }: StepResult, from = 0): void {
    const count = infos.act.length;
    for (let e = 0; e < count; e++) {
      for (const name of ROW) this.#hashes[from + e]?.update(rowOf(infos, name, e, count));
    }
  }

  /** Adds the output of a `ReferenceEnv`. */
  noteShown(env: number, act: number, shown: EnvironmentOutput): void {
    const { player, phase, terminated, truncated, invalid, reward, obs, mask } = shown;
    const bytes = [phase, Number(terminated), Number(truncated), Number(invalid)];
    const parts = [Int32Array.of(act, player), Uint8Array.from(bytes), Float32Array.from([...reward, ...obs])];
    for (const part of [...parts, Uint8Array.from(mask)]) this.#hashes[env]?.update(part);
  }

  /** Returns the digests of the environments. No rows can be added afterwards. */
  digests(): string[] {
    return this.#hashes.map((hash) => hash.digest('hex'));
  }
}

/** Combines the digests of environments. */
export function digestOf(each: readonly string[]): string {
  const all = createHash('sha256');
  for (const digest of each) all.update(Buffer.from(digest, 'hex'));
  return all.digest('hex');
}

/** Function that returns the action of an environment in a step. */
export type Acts = (env: number, step: number) => number;

/** Computes the digests of environments of the rules. */
export function referenceDigests(
  configuration: EnvSpec,
  seed: bigint,
  envs: number,
  steps: number,
  acts: Acts,
): string[] {
  const trajectory = new Trajectory(envs);
  for (let e = 0; e < envs; e++) {
    const env = new ReferenceEnv(configuration, seed, e);
    for (let s = 0; s < steps; s++) {
      env.step(acts(e, s));
      trajectory.noteShown(e, acts(e, s), env.output);
    }
  }
  return trajectory.digests();
}

function rowOf(fields: EnvBuffers, name: (typeof ROW)[number], e: number, count: number): Uint8Array {
  const field = fields[name];
  const bytes = field.byteLength / count;
  return new Uint8Array(field.buffer, field.byteOffset + e * bytes, bytes);
}
