/**
 * The real threads of a pool or a session of environments, but a kernel kills the thread that it is in.
 * WARPOOL_TEST_FAULT says how (`kind`), at which call of `env_step` of an instance (`at`), and after how many ms (`after`).
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

const { kind, at, after } = JSON.parse(process.env.WARPOOL_TEST_FAULT);
const { Instance, Module } = WebAssembly;

/** A module whose function `f` is the instruction `unreachable`. */
const unreachable = Uint8Array.from([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 5, 1, 3, 0, 0, 11,
]);

function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

const ways = {
  exit: () => process.exit(3),
  throw: () => {
    throw new Error('nobody caught this');
  },
  /** Between the call and its answer. */
  late: () =>
    queueMicrotask(() => {
      throw new Error('nobody caught this');
    }),
  trap: () => new Instance(new Module(unreachable)).exports.f(),
  /** Asks to be ended from outside, and neither ends nor answers by itself. */
  terminate: () => {
    parentPort.postMessage('end me');
    pause(Number.POSITIVE_INFINITY);
  },
};

/** The watch ends the players that ask for it. */
if (kind === 'terminate' && 'deaths' in workerData) {
  const threads = createRequire(import.meta.url)('node:worker_threads');
  threads.Worker = class extends threads.Worker {
    constructor(...args) {
      super(...args);
      this.on('message', () => this.terminate());
    }
  };
  syncBuiltinESMExports();
}

WebAssembly.Instance = class {
  constructor(module, imports) {
    const { exports } = new Instance(module, imports);
    let calls = 0;
    const env_step = (from, to) => {
      calls++;
      if (calls === at) {
        pause(after);
        ways[kind]();
      }
      return exports.env_step(from, to);
    };
    this.exports = { ...exports, env_step };
  }
};

await import('#worker/rollout.js');
