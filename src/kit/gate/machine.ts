/** The machine on which something was measured, as far as it changes what is measured. */
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

export interface Machine {
  /** The model of its processor. */
  readonly cpu: string;
  readonly arch: string;
  /** The version of Node, which brings the compiler of kernels. */
  readonly node: string;
}

export function thisMachine(): Machine {
  return { cpu: cpus()[0]?.model.trim() ?? 'unknown', arch: process.arch, node: process.version };
}

export function sameMachine(a: Machine, b: Machine): boolean {
  return a.cpu === b.cpu && a.arch === b.arch && a.node === b.node;
}

/** The commit of the working folder, if it is one of git's. */
export function commitHere(): string | undefined {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
