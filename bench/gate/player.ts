/**
 * Opens the kernel of a benchmark: the measured program. It is bundled into one separate file (dist/gate/player.js), so
 * that another build can be measured next to this one. The bytes of this file show whether the measured program
 * differs.
 */
import { readFileSync } from 'node:fs';
import type { KernelBackedSetup } from '../../src/engines/pool/run.ts';
import { openKernel } from '../../src/engines/pool/simulator.ts';
import type { CountsShape } from '../../src/stats/counts.ts';
import type { Made } from './benchmark.ts';

/** Kernel entry that can be written to a file. */
export interface PlayerEntry {
  readonly name: string;
  /** Path of the compiled kernel. */
  readonly path: string;
  readonly shape: CountsShape;
  readonly made: Made;
}

/** Simulates a number of new battles. */
export type PlayBattles = (battles: number) => void;

const SEED = 1n;

/** Input of a kernel: the typed arrays that a file does not contain. */
export function setupOf(module: WebAssembly.Module, shape: CountsShape, made: Made): KernelBackedSetup {
  const fixed = { seed: SEED, module, shape };
  switch (made.form) {
    case 'kernel':
      return { ...fixed, form: made.form, words: Int32Array.from(made.words) };
    case 'automaton': {
      const code = { ...made.code, words: Uint32Array.from(made.code.words) };
      return { ...fixed, form: made.form, finalStates: made.endings, code, rounds: undefined };
    }
    case 'sampled': {
      const { bits, thresholds, aliases } = made.table;
      const table = { bits, thresholds: Uint32Array.from(thresholds), aliases: Uint32Array.from(aliases) };
      return { ...fixed, form: made.form, finalStates: made.endings, table };
    }
  }
}

/** Simulates with a fresh instance of a compiled kernel. */
export function playerOf(module: WebAssembly.Module, { shape, made }: PlayerEntry): PlayBattles {
  const kernel = openKernel(setupOf(module, shape, made));
  let next = 0;
  return (battles) => {
    kernel.run(SEED, next, battles);
    next += battles;
  };
}

/** Compiles the kernel of a file. */
export const compiled = (path: string): WebAssembly.Module =>
  new WebAssembly.Module(new Uint8Array(readFileSync(path)));
