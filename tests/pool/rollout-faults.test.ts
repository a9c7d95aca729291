/** Threads of environments that die are errors, at once, and never a call that waits for ever. */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { RunError } from '../../src/core/errors.ts';
import { EnvSession, VectorEnvPool } from '../../src/environments.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { DEPTH, some } from '../depth.ts';
import { requireBuild, workerFile } from './fixtures.ts';

interface Fault {
  readonly kind: 'exit' | 'throw' | 'late' | 'trap' | 'terminate';
  /** The call that is deadly. */
  readonly at?: number;
  /** Milliseconds that it takes before: the caller sleeps by then. */
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

/** What a pool throws from then on. */
function expectDead(dead: VectorEnvPool, cause: string): void {
  for (const work of [() => dead.step(), () => dead.recv(), () => dead.reset(), () => dead.snapshot()]) {
    expect(work).toThrow(RunError);
    expect(work).toThrow(cause);
  }
  expect(() => {
    dead.send(0);
  }).toThrow(cause);
}

/** Every way to die, and where the suite is shallow each with one of the delays and in one of the calls. */
const paired = <T>(kinds: readonly T[]): [kind: T, after: number, place: number][] =>
  kinds.flatMap((kind, k) =>
    [0, 100].filter((_, d) => DEPTH > 1 || d === k % 2).map((after): [T, number, number] => [kind, after, k]),
  );

describe.each(paired((['exit', 'throw', 'trap', 'terminate'] as const).slice(0, DEPTH > 1 ? 4 : 3)))(
  'a thread that dies (%s)',
  (kind, after, place) => {
    const here = (call: number): boolean => DEPTH > 1 || place % 3 === call;

    describe(`after ${String(after)} ms`, () => {
      it.runIf(here(0)).each(some([2, 1, 3]))('is told by the step of %i threads', async (threads) => {
        const dying = await mortal(threads, { kind, at: 2, after });
        const steps = (): void => {
          // A call may be the second of one thread only if others do not take all slices.
          for (let s = 0; s < 100; s++) dying.step();
        };
        expect(steps).toThrow(CAUSES[kind]);
        expectDead(dying, CAUSES[kind]);
        await dying.close();
        expectDead(dying, CAUSES[kind]);
      });

      it.runIf(here(1))('is told by recv', async () => {
        const dying = await mortal(2, { kind, after });
        dying.send(1);
        expect(() => dying.recv()).toThrow(CAUSES[kind]);
        expectDead(dying, CAUSES[kind]);
      });

      it.runIf(here(2))('is told by recvAsync', async () => {
        const dying = await mortal(2, { kind, after });
        // One slice alone: the thread may be dead before another could be sent.
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

it('a thread that dies while nobody waits is told by the next call', async () => {
  const dying = await mortal(2, { kind: 'exit' });
  dying.send(0);
  // Until then a slice that is under way is what is told.
  const isTold = (): void => {
    expect(() => dying.snapshot()).toThrow(CAUSES.exit);
  };
  await vi.waitFor(isTold, { timeout: 60_000 });
  expectDead(dying, CAUSES.exit);
});

it.runIf(DEPTH > 1)('a pool is closed though its threads do not come to rest', async () => {
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
  )('because their file %s', async (file, message, bootTimeoutMs) => {
    const options = { worker: workerFile(file), bootTimeoutMs };
    for (const open of [() => VectorEnvPool.create(scenario, options), () => EnvSession.create(scenario, options)]) {
      const error: unknown = await open().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(RunError);
      expect(String(error)).toContain(message);
    }
  });
});

describe('the thread of a session that dies', () => {
  it.each(paired(some(['exit', 'throw', 'late', 'trap'] as const)))(
    '(%s) after %i ms fails all calls that wait, and those that come',
    async (kind, after) => {
      session = await EnvSession.create(scenario, { worker: fatal({ kind, at: 2, after }) });
      const { fields } = await session.step().then(({ infos }) => ({ fields: infos }));
      const calls = await Promise.allSettled([session.step(), session.snapshot(), session.info()]);
      // An error that comes late may come after answers, and after those to calls that come later.
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
