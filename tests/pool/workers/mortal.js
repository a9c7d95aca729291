/**
 * The real worker, but its kernels kill the thread. WARPOOL_TEST_FAULT says how (`kind`), in which jobs
 * (`jobs`, their numbers; in each once), at which of a job's calls into the kernel (`at`), and names a
 * folder (`graves`) that keeps count. `barren`: after a death no thread can be loaded.
 */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { batch as play } from '#worker/batch.js';

const { kind, jobs, at, graves, barren } = JSON.parse(process.env.WARPOOL_TEST_FAULT);
const { Instance, Module } = WebAssembly;

if (barren && readdirSync(graves).length > 0) throw new Error('nobody is left');

/** The number of the job that is being played. */
let number = 0;

/** True if an error is on its way that ends the thread. */
let doomed = false;

export async function batch(job) {
  number = job?.number;
  const result = await play(job);
  if (doomed) await new Promise(() => {});
  return result;
}

function mayDie() {
  const grave = join(graves, String(number));
  if (!jobs.includes(number) || existsSync(grave)) return false;
  mkdirSync(grave);
  return true;
}

/** A module whose function `f` is the instruction `unreachable`. */
const unreachable = Uint8Array.from([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 5, 1, 3, 0, 0, 11,
]);

function throwSoon() {
  queueMicrotask(() => {
    throw new Error('nobody caught this');
  });
}

const ways = {
  exit: () => process.exit(3),
  uncaught: () => {
    doomed = true;
    throwSoon();
  },
  /** The result may just make it out of the thread. */
  late: () => throwSoon(),
  trap: () => new Instance(new Module(unreachable)).exports.f(),
};

WebAssembly.Instance = class {
  constructor(module, imports) {
    const { exports } = new Instance(module, imports);
    let calls = 0;
    const run = (...range) => {
      calls++;
      if (calls === at && mayDie()) ways[kind]();
      exports.run(...range);
    };
    this.exports = { ...exports, run };
  }
};
