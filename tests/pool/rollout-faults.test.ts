/** Tests of threads of environments that die: calls must fail at once and never wait forever. */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { RunError } from '../../src/core/errors.ts';
import { EnvSession, VectorEnvPool } from '../../src/environments.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { DEPTH, some } from '../depth.ts';
import { requireBuild, workerFile } from './fixtures.ts';

interface Fault {
  readonly kind: 'exit' | 'throw' | 'late' | 'trap' | 'terminate';
  /** Number of the fatal call. */
  readonly at?: number;
  /** Milliseconds before the thread dies, so that the caller waits by then. */
  readonly after?: number;
}

let scenario: Scenario;
let pool: VectorEnvPool | undefined;
let session: EnvSession | undefined;

beforeAll(async () => {
  requireBuild();
  scenario = await loadScenario('scenarios/attrition-direct.yaml');
});

afterEach(async () => {
  await pool?.close();
  await session?.close();
  pool = undefined;
  session = undefined;
  delete process.env['WARPOOL_TEST_FAULT'];
});

function fatal({ kind, at = 1, after = 0 }: Fault): URL {
  process.env['WARPOOL_TEST_FAULT'] = JSON.stringify({ kind, at, after });
  return workerFile('mortal-rollout');
}

async function mortal(threads: number, fault: Fault): Promise<VectorEnvPool> {
  pool = await VectorEnvPool.create(scenario, { threads, slices: 3, worker: fatal(fault) });
  return pool;
}

const CAUSES = {
  exit: 'exited with code 3',
  throw: 'nobody caught this',
  late: 'nobody caught this',
  trap: 'unreachable',
  terminate: 'exited with code 1',
};

/** Expects that all calls of the pool fail. */
function expectDead(dead: VectorEnvPool, cause: string): void {
  for (const work of [() => dead.step(), () => dead.recv(), () => dead.reset(), () => dead.snapshot()]) {
    expect(work).toThrow(RunError);
    expect(work).toThrow(cause);
  }
  expect(() => {
    dead.send(0);
  }).toThrow(cause);
}

/** Combines all kinds of faults with delays. At low test depth each kind has one delay and one of the tests. */
const paired = <T>(kinds: readonly T[]): [kind: T, after: number, place: number][] =>
  kinds.flatMap((kind, k) =>
    [0, 100].filter((_, d) => DEPTH > 1 || d === k % 2).map((after): [T, number, number] => [kind, after, k]),
  );

describe.each(paired((['exit', 'throw', 'trap', 'terminate'] as const).slice(0, DEPTH > 1 ? 4 : 3)))(
  'a thread that dies (%s)',
  (kind, after, place) => {
    const here = (call: number): boolean => DEPTH > 1 || place % 3 === call;

    describe(`after ${String(after)} ms`, () => {
      it.runIf(here(0)).each(some([2, 1, 3]))('is reported by step with %i threads', async (threads) => {
        const dying = await mortal(threads, { kind, at: 2, after });
        const steps = (): void => {
          // A thread may get a second call only if the other threads do not take all slices.
          for (let s = 0; s < 100; s++) dying.step();
        };
        expect(steps).toThrow(CAUSES[kind]);
        expectDead(dying, CAUSES[kind]);
        await dying.close();
        expectDead(dying, CAUSES[kind]);
      });

      it.runIf(here(1))('is reported by recv', async () => {
        const dying = await mortal(2, { kind, after });
        dying.send(1);
        expect(() => dying.recv()).toThrow(CAUSES[kind]);
        expectDead(dying, CAUSES[kind]);
      });

      it.runIf(here(2))('is reported by recvAsync', async () => {
        const dying = await mortal(2, { kind, after });
        // Only one slice: the thread may be dead before a second one is sent.
        dying.send(1);
        const both = await Promise.allSettled([dying.recvAsync(), dying.recvAsync()]);
        for (const each of both) {
          expect(each).toMatchObject({ status: 'rejected', reason: { name: 'RunError' } });
        }
        await expect(dying.recvAsync()).rejects.toThrow(CAUSES[kind]);
        expectDead(dying, CAUSES[kind]);
      });
    });
  },
);

it('a thread that dies while no call waits is reported by the next call', async () => {
  const dying = await mortal(2, { kind: 'exit' });
  dying.send(0);
  // Until the thread ends, the error is about the slice that was sent.
  const isTold = (): void => {
    expect(() => dying.snapshot()).toThrow(CAUSES.exit);
  };
  await vi.waitFor(isTold, { timeout: 60_000 });
  expectDead(dying, CAUSES.exit);
});

it.runIf(DEPTH > 1)('a pool can be closed while its threads are busy', async () => {
  const stuck = await mortal(2, { kind: 'exit', after: 2 ** 30 });
  stuck.send(0);
  const ending = expect(stuck.recvAsync()).rejects.toThrow('the pool is closed');
  await stuck.close();
  await ending;
});

describe('threads that cannot be started', () => {
  it.each(
    some([
      ['throws', 'this worker cannot be loaded', 30_000],
      ['leaves', 'exited with code 5', 30_000],
      ['spins', 'did not start within 500 ms', 500],
      ['missing', 'missing.js', 30_000],
    ] as const),
  )('are reported with the reason: %s', async (file, message, bootTimeoutMs) => {
    const options = { worker: workerFile(file), bootTimeoutMs };
    for (const open of [() => VectorEnvPool.create(scenario, options), () => EnvSession.create(scenario, options)]) {
      const error: unknown = await open().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(RunError);
      expect(String(error)).toContain(message);
    }
  });
});

describe('a session whose thread dies', () => {
  it.each(paired(some(['exit', 'throw', 'late', 'trap'] as const)))(
    '(%s) after %i ms rejects pending and later calls',
    async (kind, after) => {
      session = await EnvSession.create(scenario, { worker: fatal({ kind, at: 2, after }) });
      const { fields } = await session.step().then(({ infos }) => ({ fields: infos }));
      const calls = await Promise.allSettled([session.step(), session.snapshot(), session.info()]);
      // A late error may arrive after the results of these and later calls.
      const answered = kind === 'late' ? calls.filter(({ status }) => status === 'fulfilled') : [];
      for (let call = 0; answered.length === calls.length && call < 1000; call++) {
        const [later] = await Promise.allSettled([session.info()]);
        if (later.status === 'rejected') break;
      }
      for (const each of calls.filter((call) => !answered.includes(call))) {
        expect(each).toMatchObject({ status: 'rejected', reason: { name: 'RunError' } });
        expect(String(each.status === 'rejected' && each.reason)).toContain(CAUSES[kind]);
      }
      await expect(session.reset()).rejects.toThrow(CAUSES[kind]);
      await session.close();
      await expect(session.step()).rejects.toThrow(CAUSES[kind]);
      expect(fields.episode.length).toBe(1);
    },
  );
});
